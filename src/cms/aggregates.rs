//! The functions of `cms_agg`, `cms_weighted_agg` and `cms_merge_agg`.
//!
//! Over a window whose frame moves, the server takes the rows that leave the frame out again with
//! the inverse functions. The state then keeps every count, as `Cms::init_moving` says, so that it
//! is at any time as if the frame were counted anew.

use sketch::cms::{Cms, Params};
use sketch::hash::Value;
use sketch::{Fit, Sketch, State};

use super::functions::params_or_default;
use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_cms_agg_trans" => transition,
    "_cms_agg_moving" => moving,
    "_cms_agg_inverse" => inverse,
    "_cms_weighted_agg_trans" => weighted_transition,
    "_cms_weighted_agg_moving" => weighted_moving,
    "_cms_weighted_agg_inverse" => weighted_inverse,
    "_cms_combine" => aggregate::combine::<Cms>,
    "_cms_agg_final" => aggregate::finish::<Cms>,
}

type CmsState = State<<Cms as Sketch>::Fields>;

fn transition(args: &mut Args, site: &mut Site<Params>) -> Returned {
    aggregate::transition::<Cms>(args, site, |args| params_or_default(args, 2))
}

fn moving(args: &mut Args, site: &mut Site<Params>) -> Returned {
    let params = |args: &Args| params_or_default(args, 2);
    aggregate::transition_by::<Cms>(args, site, 2, params, Cms::init_moving, weighing(1))
}

fn inverse(args: &mut Args, site: &mut Site<Params>) -> Returned {
    let params = |args: &Args| params_or_default(args, 2);
    aggregate::transition_by::<Cms>(args, site, 2, params, Cms::init_moving, weighing(-1))
}

fn weighted_transition(args: &mut Args, site: &mut Site<Params>) -> Returned {
    weighted(args, site, Cms::init, 1)
}

fn weighted_moving(args: &mut Args, site: &mut Site<Params>) -> Returned {
    weighted(args, site, Cms::init_moving, 1)
}

fn weighted_inverse(args: &mut Args, site: &mut Site<Params>) -> Returned {
    weighted(args, site, Cms::init_moving, -1)
}

#[inline(always)]
fn weighted(
    args: &mut Args,
    site: &mut Site<Params>,
    init: impl FnOnce(&mut CmsState, Params),
    sign: i64,
) -> Returned {
    // NULL weighs nothing. No state holds the one number whose negation wraps.
    let weight = args.i64(2).unwrap_or(0).wrapping_mul(sign);
    let params = |args: &Args| params_or_default(args, 3);
    aggregate::transition_by::<Cms>(args, site, 3, params, init, weighing(weight))
}

/// A change that adds a value with a weight.
fn weighing(weight: i64) -> impl Fn(&mut CmsState, Value) -> sketch::Result<Fit> {
    move |state, value| {
        // Without a weight the value's class does not matter either.
        if weight == 0 { Ok(Fit::Done) } else { Cms::add(state, value, weight) }
    }
}
