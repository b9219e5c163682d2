//! Functions and operators of `hll`.

use pgrx::pg_sys::Datum;
use sketch::Sketch;
use sketch::hll::{self, Bounds, Hll, HllRef, Interval, Precision};

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned, record, varlena};
use crate::error::SqlResult;

export!(hll_empty, hll_add, hll_merge, hll_cardinality);
export!(hll_bounds, hll_overlap, hll_reduce, hll_info, hll_size);

/// The precision in an argument, the default where it is NULL or not there.
pub(super) fn precision_or_default(args: &Args, index: usize) -> SqlResult<Precision> {
    match args.i32(index) {
        Some(precision) => Ok(Precision::new(precision.into())?),
        None => Ok(Hll::DEFAULT_PARAMS),
    }
}

fn hll_empty(args: &Args) -> Returned {
    aggregate::empty::<Hll>(precision_or_default(args, 0)?)
}

fn hll_add(args: &Args) -> Returned {
    aggregate::add::<Hll>(args)
}

fn hll_merge(args: &Args) -> Returned {
    aggregate::merge::<Hll>(args)
}

fn hll_cardinality(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(Datum::from(HllRef::parse(&bytes)?.cardinality()?)))
}

fn hll_bounds(args: &Args) -> Returned {
    let (Some(bytes), Some(confidence)) = (args.varlena(0), args.f64(1)) else { return Ok(None) };
    let bounds = HllRef::parse(&bytes)?.bounds(confidence)?;
    let columns = [bounds.lower, bounds.estimate, bounds.upper];
    record::row(args, columns.map(|count| Some(Datum::from(count))))
}

fn hll_overlap(args: &Args) -> Returned {
    let (Some(a), Some(b), Some(confidence)) = (args.varlena(0), args.varlena(1), args.f64(2))
    else {
        return Ok(None);
    };
    let overlap = hll::overlap(&HllRef::parse(&a)?, &HllRef::parse(&b)?, confidence)?;
    let counts = [overlap.both, overlap.only_a, overlap.only_b, overlap.union];
    let [both, only_a, only_b, union] = counts.map(|interval| {
        let Bounds { lower, estimate, upper } = interval.rounded();
        [estimate, lower, upper].map(|count| Some(Datum::from(count)))
    });
    let Interval { lower, estimate, upper } = overlap.jaccard;
    let jaccard = [estimate, lower, upper].map(|share| Some(record::float(share)));
    let columns: [[Option<Datum>; 3]; 5] = [both, only_a, only_b, union, jaccard];
    record::row::<15>(args, std::array::from_fn(|i| columns[i / 3][i % 3]))
}

fn hll_reduce(args: &Args) -> Returned {
    let (Some(bytes), Some(precision)) = (args.varlena(0), args.i32(1)) else { return Ok(None) };
    reduced(&bytes, Precision::new(precision.into())?)
}

/// The sketch at a lower precision.
pub(super) fn reduced(bytes: &[u8], precision: Precision) -> Returned {
    varlena::build(hll::reduce_bound(bytes, precision)?, |out| {
        Ok(hll::reduce(bytes, precision, out)?)
    })
}

fn hll_info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let sketch = HllRef::parse(&bytes)?;
    let class = sketch.class().map(|class| varlena::text(class.name())).transpose()?;
    record::row(
        args,
        [
            Some(Datum::from(sketch.precision().get() as i32)),
            varlena::text(sketch.form().name())?,
            Some(Datum::from(sketch.byte_len() as i32)),
            Some(record::float(sketch.fill()?)),
            Some(record::float(sketch.standard_error())),
            class.flatten(),
        ],
    )
}

fn hll_size(args: &Args) -> Returned {
    let Some(precision) = args.i32(0) else { return Ok(None) };
    let precision = Precision::new(precision.into())?;
    record::row(
        args,
        [
            Some(Datum::from((varlena::HEADER_LEN + hll::full_len(precision)) as i32)),
            Some(record::float(precision.standard_error())),
        ],
    )
}
