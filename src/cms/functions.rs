//! Functions and operators of `cms`.

use pgrx::pg_sys::Datum;
use pgrx::{AnyNumeric, IntoDatum, PgSqlErrorCode};
use sketch::Fit;
use sketch::cms::{self, Cms, CmsRef, Lookup, Params};

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned, record, varlena};
use crate::error::{SqlError, SqlResult};
use crate::look_up::look_up;

export!(cms_empty, cms_add, cms_merge, cms_subtract, cms_frequency, cms_bounds);
export!(cms_unbiased_frequency, cms_total, cms_inner_product, cms_info, cms_size);

/// Epsilon and delta where they are NULL or not there.
const EPSILON: f64 = 0.001;
const DELTA: f64 = 0.01;

/// The parameters in two arguments, the defaults where they are NULL or not there.
pub(super) fn params_or_default(args: &Args, index: usize) -> SqlResult<Params> {
    let (epsilon, delta) = (args.f64(index), args.f64(index + 1));
    Ok(Params::new(epsilon.unwrap_or(EPSILON), delta.unwrap_or(DELTA))?)
}

fn cms_empty(args: &Args) -> Returned {
    aggregate::empty::<Cms>(params_or_default(args, 0)?)
}

fn cms_add(args: &Args) -> Returned {
    let count = match args.len() {
        2 => 1,
        _ => match args.i64(2) {
            Some(count) => count,
            None => return Ok(args.datum(0)),
        },
    };
    aggregate::change_by::<Cms>(args, |state, class, hash| Cms::add(state, class, hash, count))
}

fn cms_merge(args: &Args) -> Returned {
    aggregate::merge::<Cms>(args)
}

fn cms_subtract(args: &Args) -> Returned {
    aggregate::combine_by::<Cms>(args, |state, other| {
        Cms::subtract(state, other).map(|()| Fit::Done)
    })
}

/// What the sketch in the first argument says of the value in the second, `None` if one is NULL.
fn lookup(args: &Args) -> SqlResult<Option<Lookup>> {
    look_up::<Cms, _>(args, 0, 1, |s, c, h| cms::lookup(s, c, h), cms::lookup_state)
}

fn cms_frequency(args: &Args) -> Returned {
    let Some(found) = lookup(args)? else { return Ok(None) };
    Ok(Some(Datum::from(found.frequency() as i64)))
}

fn cms_bounds(args: &Args) -> Returned {
    let Some(found) = lookup(args)? else { return Ok(None) };
    let bounds = found.bounds();
    let columns = [bounds.lower, bounds.estimate, bounds.upper];
    record::row(args, columns.map(|count| Some(Datum::from(count as i64))))
}

fn cms_unbiased_frequency(args: &Args) -> Returned {
    let Some(found) = lookup(args)? else { return Ok(None) };
    Ok(Some(record::float(found.unbiased_frequency())))
}

fn cms_total(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok(Some(Datum::from(CmsRef::parse(&bytes)?.total() as i64)))
}

fn cms_inner_product(args: &Args) -> Returned {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    let product = cms::inner_product(&CmsRef::parse(&a)?, &CmsRef::parse(&b)?)?;
    let estimate = AnyNumeric::from(product.estimate).into_datum();
    record::row(args, [estimate, Some(record::float(product.error))])
}

fn cms_info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let sketch = CmsRef::parse(&bytes)?;
    let params = sketch.params();
    let class = sketch.class().map(|class| varlena::text(class.name())).transpose()?;
    record::row(
        args,
        [
            Some(record::float(params.epsilon())),
            Some(record::float(params.delta())),
            Some(Datum::from(params.width() as i32)),
            Some(Datum::from(params.depth() as i32)),
            varlena::text(sketch.form().name())?,
            Some(Datum::from(sketch.byte_len() as i32)),
            Some(record::float(sketch.fill()?)),
            Some(Datum::from(sketch.total() as i64)),
            sketch.distinct().map(|count| Datum::from(count as i64)),
            class.flatten(),
        ],
    )
}

fn cms_size(args: &Args) -> Returned {
    let Some(total) = args.i64(2) else { return Ok(None) };
    let params = params_or_default(args, 0)?;
    let total = u64::try_from(total).map_err(|_| {
        SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("cms total {total} is negative"),
            "The total is the number of values that the sketch is to count.",
        )
    })?;
    let bytes = |len: usize| Some(Datum::from((varlena::HEADER_LEN + len) as i32));
    record::row(
        args,
        [
            Some(Datum::from(params.width() as i32)),
            Some(Datum::from(params.depth() as i32)),
            bytes(cms::full_len(params, total)),
            bytes(cms::max_len(params, total)),
            Some(record::float(params.epsilon())),
            Some(record::float(params.delta())),
        ],
    )
}
