//! Functions and operators of `cuckoo`.

use pgrx::pg_sys::Datum;
use sketch::Fit;
use sketch::cuckoo::{self, Cuckoo, CuckooRef, Params};

use crate::datum::args::export;
use crate::datum::{Args, Returned, record, varlena};
use crate::error::SqlResult;
use crate::look_up::look_up;
use crate::{aggregate, value};

export!(cuckoo_empty, cuckoo_add, cuckoo_add_if_absent, cuckoo_remove, cuckoo_subtract);
export!(cuckoo_minus, cuckoo_merge, cuckoo_contains, cuckoo_contained_by);
export!(cuckoo_count, cuckoo_error_rate, cuckoo_info, cuckoo_size);
export!(cuckoo_eq, cuckoo_ne, cuckoo_hash, cuckoo_hash_extended);

fn cuckoo_empty(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    aggregate::empty::<Cuckoo>(Params::new(capacity, error_rate)?)
}

fn cuckoo_add(args: &Args) -> Returned {
    aggregate::change_by::<Cuckoo>(args, Cuckoo::add)
}

fn cuckoo_add_if_absent(args: &Args) -> Returned {
    aggregate::change_by::<Cuckoo>(args, Cuckoo::add_if_absent)
}

fn cuckoo_remove(args: &Args) -> Returned {
    aggregate::change_by::<Cuckoo>(args, |state, class, hash| {
        Cuckoo::remove(state, class, hash).map(|_| Fit::Done)
    })
}

fn cuckoo_subtract(args: &Args) -> Returned {
    aggregate::combine_by::<Cuckoo>(args, |state, other| {
        Cuckoo::subtract(state, other).map(|()| Fit::Done)
    })
}

/// The operator of both: one for filters alone would take an untyped literal for a filter.
fn cuckoo_minus(args: &Args) -> Returned {
    match value::are_of_one_type(args, 0, 1) {
        true => cuckoo_subtract(args),
        false => cuckoo_remove(args),
    }
}

fn cuckoo_merge(args: &Args) -> Returned {
    aggregate::merge::<Cuckoo>(args)
}

fn cuckoo_contains(args: &Args) -> Returned {
    contains(args, 0, 1)
}

fn cuckoo_contained_by(args: &Args) -> Returned {
    contains(args, 1, 0)
}

fn contains(args: &Args, filter: usize, value: usize) -> Returned {
    let held = look_up::<Cuckoo, _>(
        args,
        filter,
        value,
        |s, c, h| cuckoo::contains(s, c, h),
        cuckoo::holds,
    )?;
    Ok(held.map(Datum::from))
}

fn cuckoo_count(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(Datum::from(CuckooRef::parse(&bytes)?.count() as i64)))
}

fn cuckoo_error_rate(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(record::float(CuckooRef::parse(&bytes)?.error_rate()?)))
}

fn cuckoo_info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let filter = CuckooRef::parse(&bytes)?;
    let params = filter.params()?;
    let class = filter.class().map(|class| varlena::text(class.name())).transpose()?;
    record::row(
        args,
        [
            params.capacity().map(|capacity| Datum::from(capacity as i64)),
            Some(record::float(params.error_rate_as_written())),
            Some(Datum::from(params.fingerprint_bits() as i32)),
            varlena::text(filter.form().name())?,
            Some(Datum::from(filter.byte_len() as i32)),
            Some(record::float(filter.fill()?)),
            Some(record::float(filter.error_rate()?)),
            Some(Datum::from(filter.over_capacity())),
            class.flatten(),
        ],
    )
}

fn cuckoo_size(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    let params = Params::new(capacity, error_rate)?;
    let bytes = varlena::HEADER_LEN + cuckoo::full_len(params)?;
    record::row(
        args,
        [
            Some(Datum::from(bytes as i32)),
            Some(record::float(8.0 * bytes as f64 / capacity as f64)),
            Some(record::float(params.expected_error_rate())),
        ],
    )
}

fn equal(args: &Args) -> SqlResult<Option<bool>> {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    Ok(Some(cuckoo::equal(&a, &b)?))
}

fn cuckoo_eq(args: &Args) -> Returned {
    Ok(equal(args)?.map(Datum::from))
}

fn cuckoo_ne(args: &Args) -> Returned {
    Ok(equal(args)?.map(|is_equal| Datum::from(!is_equal)))
}

fn cuckoo_hash(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(Datum::from(cuckoo::content_hash(&bytes, 0)? as i32)))
}

fn cuckoo_hash_extended(args: &Args) -> Returned {
    let (Some(bytes), Some(seed)) = (args.varlena(0), args.i64(1)) else { return Ok(None) };
    Ok(Some(Datum::from(cuckoo::content_hash(&bytes, seed as u64)? as i64)))
}
