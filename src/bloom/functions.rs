//! Functions and operators of `bloom`.

use pgrx::pg_sys::Datum;
use sketch::bloom::{self, Bloom, BloomRef, Params};

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned, record, varlena};
use crate::look_up::look_up;

export!(bloom_empty, bloom_add, bloom_merge, bloom_contains, bloom_contained_by, bloom_intersect);
export!(bloom_cardinality, bloom_error_rate, bloom_info, bloom_size);

/// The error rate in an argument, the default where it is NULL or not there.
pub(super) fn error_rate_or_default(args: &Args, index: usize) -> f64 {
    args.f64(index).unwrap_or_else(|| Params::DEFAULT.error_rate_as_written())
}

fn bloom_empty(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    aggregate::empty::<Bloom>(Params::new(capacity, error_rate)?)
}

fn bloom_add(args: &Args) -> Returned {
    aggregate::add::<Bloom>(args)
}

fn bloom_merge(args: &Args) -> Returned {
    aggregate::merge::<Bloom>(args)
}

fn bloom_contains(args: &Args) -> Returned {
    contains(args, 0, 1)
}

fn bloom_contained_by(args: &Args) -> Returned {
    contains(args, 1, 0)
}

fn contains(args: &Args, filter: usize, value: usize) -> Returned {
    let held =
        look_up::<Bloom, _>(args, filter, value, |s, c, h| bloom::contains(s, c, h), bloom::holds)?;
    Ok(held.map(Datum::from))
}

fn bloom_intersect(args: &Args) -> Returned {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    varlena::build(bloom::intersect_bound(&a, &b)?, |out| Ok(bloom::intersect(&a, &b, out)?))
}

fn bloom_cardinality(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(Datum::from(BloomRef::parse(&bytes)?.cardinality() as i64)))
}

fn bloom_error_rate(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(record::float(BloomRef::parse(&bytes)?.error_rate())))
}

fn bloom_info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let filter = BloomRef::parse(&bytes)?;
    let params = filter.params();
    let class = filter.class().map(|class| varlena::text(class.name())).transpose()?;
    record::row(
        args,
        [
            Some(Datum::from(params.capacity() as i64)),
            Some(record::float(params.error_rate_as_written())),
            varlena::text(params.layout().name())?,
            varlena::text(filter.form().name())?,
            Some(Datum::from(filter.byte_len() as i32)),
            Some(record::float(filter.fill())),
            Some(record::float(filter.error_rate())),
            Some(Datum::from(filter.is_over_capacity())),
            class.flatten(),
        ],
    )
}

fn bloom_size(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    let params = Params::new(capacity, error_rate)?;
    let bytes = varlena::HEADER_LEN + bloom::full_len(params);
    record::row(
        args,
        [
            Some(Datum::from(bytes as i32)),
            Some(record::float(8.0 * bytes as f64 / capacity as f64)),
            Some(record::float(params.layout().error_rate(params.capacity()))),
        ],
    )
}
