//! Functions and operators of `bloom`.

use pgrx::IntoDatum;
use sketch::View;
use sketch::bloom::{self, Bloom, BloomRef, Params};

use crate::datum::args::export;
use crate::datum::record::row;
use crate::datum::{Args, Returned, varlena};
use crate::surface::{change, filter};

export! {
    "bloom_empty" => filter::empty::<Bloom>,
    "bloom_add" => change::add::<Bloom>,
    "bloom_merge" => change::merge::<Bloom>,
    "bloom_contains" => filter::contains::<Bloom>,
    "_bloom_contained_by" => filter::contained_by::<Bloom>,
    "bloom_intersect" => intersect,
    "bloom_cardinality" => cardinality,
    "bloom_error_rate" => error_rate,
    "bloom_info" => info,
    "bloom_size" => size,
}

fn intersect(args: &Args) -> Returned {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    let (a, b) = (BloomRef::parse(&a)?, BloomRef::parse(&b)?);
    varlena::build(a.intersect_bound(&b)?, |out| Ok(a.intersect_into(&b, out)?))
}

fn cardinality(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok((BloomRef::parse(&bytes)?.cardinality() as i64).into_datum())
}

fn error_rate(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(BloomRef::parse(&bytes)?.error_rate().into_datum())
}

fn info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let filter = BloomRef::parse(&bytes)?;
    let params = filter.params();
    row!(
        args,
        params.capacity().map(|capacity| capacity as i64),
        params.error_rate_as_written(),
        params.layout().name(),
        filter.form().name(),
        filter.byte_len() as i32,
        filter.fill(),
        filter.error_rate(),
        filter.is_over_capacity(),
        filter.class().map(|class| class.name()),
    )
}

fn size(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    let params = Params::new(capacity, error_rate)?;
    let bytes = varlena::HEADER_LEN + bloom::full_len(params);
    let bits_per_value = 8.0 * bytes as f64 / capacity as f64;
    row!(args, bytes as i32, bits_per_value, params.expected_error_rate())
}
