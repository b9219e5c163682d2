//! What filters of all types do in SQL.

use pgrx::IntoDatum;
use sketch::{Filter, FilterParams, Membership};

use super::look_up::{self, look_up};
use super::{aggregate, change};
use crate::datum::{Args, Returned};

/// `T_empty(capacity, error_rate)`.
pub fn empty<F: Filter>(args: &Args) -> Returned {
    let (Some(capacity), Some(error_rate)) = (args.i64(0), args.f64(1)) else { return Ok(None) };
    change::empty::<F>(FilterParams::new(capacity, error_rate)?)
}

/// `T_agg_trans(state, value [, capacity [, error_rate]])`.
pub fn transition<F: Filter>(
    args: &mut Args,
    site: &mut aggregate::Site<FilterParams<F>>,
) -> Returned {
    aggregate::transition::<F>(
        args,
        site,
        #[inline(always)]
        |args| Ok(FilterParams::for_aggregate(args.i64(2), args.f64(3))?),
    )
}

/// `T_contains(filter, value)` and `filter @> value`.
pub fn contains<F: Membership>(args: &Args, site: &mut look_up::Site) -> Returned {
    holds::<F>(args, site, 0, 1)
}

/// `value <@ filter`.
pub fn contained_by<F: Membership>(args: &Args, site: &mut look_up::Site) -> Returned {
    holds::<F>(args, site, 1, 0)
}

fn holds<F: Membership>(
    args: &Args,
    site: &mut look_up::Site,
    filter: usize,
    value: usize,
) -> Returned {
    Ok(look_up::<F, _>(args, site, filter, value, F::contains_in, F::holds)?.into_datum())
}
