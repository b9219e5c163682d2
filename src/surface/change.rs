//! Functions that give a changed sketch, at rest. They never change their argument.

use sketch::hash::Value;
use sketch::{Fit, HashSketch, Sketch, State};

use super::at_rest;
use super::state::Working;
use crate::datum::{Args, Returned};
use crate::value;

/// The empty sketch for the given parameters.
pub fn empty<S: Sketch>(params: S::Params) -> Returned {
    Working::<S>::new(params, S::init)?.at_rest()
}

/// `T_add(sketch, value)`: the sketch with one more value; NULL adds nothing.
pub fn add<S: HashSketch>(args: &Args, site: &mut value::Site) -> Returned {
    by_value::<S>(args, site, S::insert)
}

/// The sketch in the first argument changed by the value in the second; NULL changes nothing.
pub fn by_value<S: Sketch>(
    args: &Args,
    site: &mut value::Site,
    change: impl Fn(&mut State<S::Fields>, Value) -> sketch::Result<Fit>,
) -> Returned {
    let Some(value) = site.read(args, 1)? else { return unchanged::<S>(args, 0) };
    changed::<S>(args, |state| change(state, value))
}

/// The sketch in the first argument changed by anything.
pub fn changed<S: Sketch>(
    args: &Args,
    change: impl Fn(&mut State<S::Fields>) -> sketch::Result<Fit>,
) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let mut working = Working::<S>::thawed(&S::parse(&bytes)?)?;
    working.apply(change)?;
    working.at_rest()
}

/// `T_merge(sketch, sketch)`: the union; a NULL adds nothing.
pub fn merge<S: Sketch>(args: &Args) -> Returned {
    merge_by::<S>(args, S::merge)
}

/// The same for another way to add a sketch.
pub fn merge_by<S: Sketch>(
    args: &Args,
    change: impl Fn(&mut State<S::Fields>, &S::Ref<'_>) -> sketch::Result<Fit>,
) -> Returned {
    match args.datum(0) {
        Some(_) => by_sketch::<S>(args, change),
        None => unchanged::<S>(args, 1),
    }
}

/// The sketch in an argument as it is, if it is at rest.
pub fn unchanged<S: Sketch>(args: &Args, index: usize) -> Returned {
    let Some(bytes) = args.varlena(index) else { return Ok(None) };
    if sketch::is_working(&bytes) {
        at_rest::<S>(&S::parse(&bytes)?)
    } else {
        Ok(args.datum(index))
    }
}

/// The sketch in the first argument changed by that in the second; NULL changes nothing.
pub fn by_sketch<S: Sketch>(
    args: &Args,
    change: impl Fn(&mut State<S::Fields>, &S::Ref<'_>) -> sketch::Result<Fit>,
) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let Some(other) = args.varlena(1) else { return unchanged::<S>(args, 0) };
    let other = S::parse(&other)?;
    let mut working = Working::<S>::thawed(&S::parse(&bytes)?)?;
    working.apply(|state| change(state, &other))?;
    working.at_rest()
}
