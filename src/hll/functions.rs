//! Functions and operators of `hll`.

use pgrx::IntoDatum;
use pgrx::pg_sys::Datum;
use sketch::hll::{self, Bounds, Hll, HllRef, Interval, Precision};
use sketch::{Sketch, View};

use crate::datum::args::export;
use crate::datum::record::{self, row};
use crate::datum::{Args, Returned, varlena};
use crate::error::SqlResult;
use crate::surface::change;

export! {
    "hll_empty" => empty,
    "hll_add" => change::add::<Hll>,
    "hll_merge" => change::merge::<Hll>,
    "hll_cardinality" => cardinality,
    "hll_bounds" => bounds,
    "hll_overlap" => overlap,
    "hll_reduce" => reduce,
    "hll_info" => info,
    "hll_size" => size,
}

/// The precision in an argument, the default where it is NULL or not there.
pub(super) fn precision_or_default(args: &Args, index: usize) -> SqlResult<Precision> {
    match args.i32(index) {
        Some(precision) => Ok(Precision::new(precision.into())?),
        None => Ok(Hll::DEFAULT_PARAMS),
    }
}

fn empty(args: &Args) -> Returned {
    change::empty::<Hll>(precision_or_default(args, 0)?)
}

fn cardinality(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(HllRef::parse(&bytes)?.cardinality()?.into_datum())
}

fn bounds(args: &Args) -> Returned {
    let (Some(bytes), Some(confidence)) = (args.varlena(0), args.f64(1)) else { return Ok(None) };
    let Bounds { lower, estimate, upper } = HllRef::parse(&bytes)?.bounds(confidence)?;
    row!(args, lower, estimate, upper)
}

fn overlap(args: &Args) -> Returned {
    let (Some(a), Some(b), Some(confidence)) = (args.varlena(0), args.varlena(1), args.f64(2))
    else {
        return Ok(None);
    };
    let overlap = hll::overlap(&HllRef::parse(&a)?, &HllRef::parse(&b)?, confidence)?;
    let counts = [overlap.both, overlap.only_a, overlap.only_b, overlap.union];
    let [both, only_a, only_b, union] = counts.map(|interval| {
        let Bounds { lower, estimate, upper } = interval.rounded();
        [estimate, lower, upper].map(IntoDatum::into_datum)
    });
    let Interval { lower, estimate, upper } = overlap.jaccard;
    let jaccard = [estimate, lower, upper].map(IntoDatum::into_datum);
    let columns: [[Option<Datum>; 3]; 5] = [both, only_a, only_b, union, jaccard];
    record::of_datums::<15>(args, std::array::from_fn(|i| columns[i / 3][i % 3]))
}

fn reduce(args: &Args) -> Returned {
    let (Some(bytes), Some(precision)) = (args.varlena(0), args.i32(1)) else { return Ok(None) };
    reduced(&HllRef::parse(&bytes)?, Precision::new(precision.into())?)
}

/// The sketch at a lower precision.
pub(super) fn reduced(sketch: &HllRef<'_>, precision: Precision) -> Returned {
    varlena::build(sketch.reduce_bound(precision), |out| Ok(sketch.reduce_into(precision, out)?))
}

fn info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let sketch = HllRef::parse(&bytes)?;
    row!(
        args,
        sketch.precision().get() as i32,
        sketch.form().name(),
        sketch.byte_len() as i32,
        sketch.fill()?,
        sketch.standard_error(),
        sketch.class().map(|class| class.name()),
    )
}

fn size(args: &Args) -> Returned {
    let Some(precision) = args.i32(0) else { return Ok(None) };
    let precision = Precision::new(precision.into())?;
    let bytes = varlena::HEADER_LEN + hll::full_len(precision);
    row!(args, bytes as i32, precision.standard_error())
}
