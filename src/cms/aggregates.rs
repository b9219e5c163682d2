//! The transition and final functions of `cms_agg`, `cms_weighted_agg` and `cms_merge_agg`.
//!
//! Over a window whose frame moves, the server takes the rows that leave the frame out again with
//! the inverse functions. The state then keeps every count, as `Cms::init_moving` says, so that it
//! is at any time as if the frame were counted anew.

use sketch::Fit;
use sketch::cms::{Cms, Params};
use sketch::hash::ValueClass;

use super::functions::params_or_default;
use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(cms_agg_trans, cms_agg_moving, cms_agg_inverse);
export!(cms_weighted_agg_trans, cms_weighted_agg_moving, cms_weighted_agg_inverse, cms_agg_final);

fn cms_agg_trans(args: &Args) -> Returned {
    aggregate::transition::<Cms>(args, |args| params_or_default(args, 2))
}

fn cms_agg_moving(args: &Args) -> Returned {
    let params = |args: &Args| params_or_default(args, 2);
    aggregate::transition_by::<Cms>(args, params, Cms::init_moving, weighted(1))
}

fn cms_agg_inverse(args: &Args) -> Returned {
    let params = |args: &Args| params_or_default(args, 2);
    aggregate::transition_by::<Cms>(args, params, Cms::init_moving, weighted(-1))
}

fn cms_weighted_agg_trans(args: &Args) -> Returned {
    weighted_agg(args, <Cms as sketch::Sketch>::init, 1)
}

fn cms_weighted_agg_moving(args: &Args) -> Returned {
    weighted_agg(args, Cms::init_moving, 1)
}

fn cms_weighted_agg_inverse(args: &Args) -> Returned {
    weighted_agg(args, Cms::init_moving, -1)
}

#[inline(always)]
fn weighted_agg(args: &Args, init: impl FnOnce(&mut [u8], Params), sign: i64) -> Returned {
    // NULL weighs nothing. No state holds the one number whose negation wraps.
    let weight = args.i64(2).unwrap_or(0).wrapping_mul(sign);
    let params = |args: &Args| params_or_default(args, 3);
    aggregate::transition_by::<Cms>(args, params, init, |state, class, hash| match weight {
        // Nor does the value's class matter.
        0 => Ok(Fit::Done),
        _ => Cms::add(state, class, hash, weight),
    })
}

/// A change that adds a value so many times.
fn weighted(weight: i64) -> impl Fn(&mut [u8], ValueClass, u64) -> sketch::Result<Fit> {
    move |state, class, hash| Cms::add(state, class, hash, weight)
}

fn cms_agg_final(args: &Args) -> Returned {
    aggregate::finish::<Cms>(args)
}
