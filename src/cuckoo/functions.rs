//! Functions and operators of `cuckoo`.

use pgrx::IntoDatum;
use sketch::cuckoo::{self, Cuckoo, CuckooRef, Params};
use sketch::{Fit, View};

use crate::datum::args::export;
use crate::datum::record::row;
use crate::datum::{Args, Returned, varlena};
use crate::surface::{change, filter};
use crate::value;

export! {
    "cuckoo_empty" => filter::empty::<Cuckoo>,
    "cuckoo_add" => add,
    "cuckoo_add_if_absent" => add_if_absent,
    "cuckoo_remove" => remove,
    "cuckoo_subtract" => subtract,
    "_cuckoo_minus" => minus,
    "cuckoo_merge" => change::merge::<Cuckoo>,
    "cuckoo_sum" => sum,
    "cuckoo_contains" => filter::contains::<Cuckoo>,
    "_cuckoo_contained_by" => filter::contained_by::<Cuckoo>,
    "cuckoo_count" => count,
    "cuckoo_error_rate" => error_rate,
    "cuckoo_info" => info,
    "cuckoo_size" => size,
}

fn add(args: &Args, site: &mut value::Site) -> Returned {
    change::by_value::<Cuckoo>(args, site, Cuckoo::add)
}

fn add_if_absent(args: &Args, site: &mut value::Site) -> Returned {
    change::by_value::<Cuckoo>(args, site, Cuckoo::add_if_absent)
}

fn remove(args: &Args, site: &mut value::Site) -> Returned {
    change::by_value::<Cuckoo>(args, site, |state, value| {
        Cuckoo::remove(state, value).map(|_| Fit::Done)
    })
}

fn subtract(args: &Args) -> Returned {
    change::by_sketch::<Cuckoo>(args, |state, other| {
        Cuckoo::subtract(state, other).map(|()| Fit::Done)
    })
}

/// The operator of both: one for filters alone would take an untyped literal for a filter.
fn minus(args: &Args, site: &mut value::Site) -> Returned {
    if value::are_of_one_type(args, 0, 1) { subtract(args) } else { remove(args, site) }
}

fn sum(args: &Args) -> Returned {
    change::merge_by::<Cuckoo>(args, Cuckoo::sum)
}

fn count(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok((CuckooRef::parse(&bytes)?.count() as i64).into_datum())
}

fn error_rate(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(CuckooRef::parse(&bytes)?.error_rate().into_datum())
}

fn info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let filter = CuckooRef::parse(&bytes)?;
    let params = filter.params();
    row!(
        args,
        params.capacity().map(|capacity| capacity as i64),
        params.error_rate_as_written(),
        params.fingerprint_bits() as i32,
        filter.form().name(),
        filter.byte_len() as i32,
        filter.fill(),
        filter.error_rate(),
        filter.is_over_capacity(),
        filter.is_union(),
        filter.class().map(|class| class.name()),
    )
}

fn size(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    let params = Params::new(capacity, error_rate)?;
    let bytes = varlena::HEADER_LEN + cuckoo::full_len(params);
    let bits_per_value = 8.0 * bytes as f64 / capacity as f64;
    row!(args, bytes as i32, bits_per_value, params.expected_error_rate())
}
