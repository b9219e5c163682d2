//! Functions and operators of `cms`.

use pgrx::{AnyNumeric, IntoDatum, PgSqlErrorCode};
use sketch::View;
use sketch::cms::{self, Cms, CmsRef, Estimate, Params};

use crate::datum::args::export;
use crate::datum::record::row;
use crate::datum::{Args, Returned, varlena};
use crate::error::{SqlError, SqlResult};
use crate::surface::change;
use crate::surface::look_up::{self, look_up};
use crate::value;

export! {
    "cms_empty" => empty,
    "cms_add" => add,
    "cms_merge" => change::merge::<Cms>,
    "cms_subtract" => subtract,
    "cms_frequency" => frequency,
    "cms_bounds" => bounds,
    "cms_unbiased_frequency" => unbiased_frequency,
    "cms_total" => total,
    "cms_inner_product" => inner_product,
    "cms_info" => info,
    "cms_size" => size,
}

/// The parameters in two arguments, the defaults where they are NULL or not there.
pub(super) fn params_or_default(args: &Args, index: usize) -> SqlResult<Params> {
    let epsilon = args.f64(index).unwrap_or(Params::DEFAULT_EPSILON);
    let delta = args.f64(index + 1).unwrap_or(Params::DEFAULT_DELTA);
    Ok(Params::new(epsilon, delta)?)
}

fn empty(args: &Args) -> Returned {
    change::empty::<Cms>(params_or_default(args, 0)?)
}

fn add(args: &Args, site: &mut value::Site) -> Returned {
    let count = if args.len() == 2 { Some(1) } else { args.i64(2) };
    match count {
        Some(count) => {
            change::by_value::<Cms>(args, site, |state, value| Cms::add(state, value, count))
        }
        None => change::unchanged::<Cms>(args, 0),
    }
}

fn subtract(args: &Args) -> Returned {
    change::by_sketch::<Cms>(args, Cms::subtract)
}

/// What the sketch in the first argument says of the value in the second, `None` if one is NULL.
fn estimate(args: &Args, site: &mut look_up::Site) -> SqlResult<Option<Estimate>> {
    look_up::<Cms, _>(
        args,
        site,
        0,
        1,
        |source, value| CmsRef::estimate_in(source, value),
        Cms::estimate,
    )
}

fn frequency(args: &Args, site: &mut look_up::Site) -> Returned {
    Ok(estimate(args, site)?.map(|found| found.frequency() as i64).into_datum())
}

fn bounds(args: &Args, site: &mut look_up::Site) -> Returned {
    let Some(found) = estimate(args, site)? else { return Ok(None) };
    let bounds = found.bounds();
    row!(args, bounds.lower as i64, bounds.estimate as i64, bounds.upper as i64)
}

fn unbiased_frequency(args: &Args, site: &mut look_up::Site) -> Returned {
    Ok(estimate(args, site)?.map(|found| found.unbiased_frequency()).into_datum())
}

fn total(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    Ok((CmsRef::parse(&bytes)?.total() as i64).into_datum())
}

fn inner_product(args: &Args) -> Returned {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    let product = cms::inner_product(&CmsRef::parse(&a)?, &CmsRef::parse(&b)?)?;
    row!(args, AnyNumeric::from(product.estimate), product.error)
}

fn info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let sketch = CmsRef::parse(&bytes)?;
    let params = sketch.params();
    row!(
        args,
        params.epsilon(),
        params.delta(),
        params.width() as i32,
        params.depth() as i32,
        sketch.form().name(),
        sketch.byte_len() as i32,
        sketch.fill()?,
        sketch.total() as i64,
        sketch.distinct().map(|count| count as i64),
        sketch.class().map(|class| class.name()),
    )
}

fn size(args: &Args) -> Returned {
    let Some(total) = args.i64(2) else { return Ok(None) };
    let params = params_or_default(args, 0)?;
    let total = u64::try_from(total).map_err(|_| {
        SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("cms total {total} is negative"),
            "The total is the number of values that the sketch is to count.",
        )
    })?;
    let bytes = |len: usize| (varlena::HEADER_LEN + len) as i32;
    row!(
        args,
        params.width() as i32,
        params.depth() as i32,
        bytes(cms::full_len(params, total)),
        bytes(cms::max_len(params, total)),
        params.epsilon(),
        params.delta(),
    )
}
