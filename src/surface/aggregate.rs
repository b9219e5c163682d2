//! The functions of aggregates.
//!
//! An aggregate's state is the sketch itself in its working form, an ordinary value that the
//! transition function changes in place. Its parameters come from the first row of a group.

use pgrx::PgSqlErrorCode;
use sketch::hash::Value;
use sketch::{Fit, HashSketch, Sketch, State};

use super::state::{Working, in_place};
use super::{at_rest, change};
use crate::datum::{Args, Returned};
use crate::error::{SqlError, SqlResult};
use crate::value;

/// What a transition function keeps at its place in a query.
pub struct Site<P> {
    value: value::Site,
    /// The arguments that the parameters were last taken from, and those.
    last: Option<([Option<usize>; 2], P)>,
    /// Whether the arguments have changed from one row to another.
    is_mixed: bool,
}

impl<P> Default for Site<P> {
    fn default() -> Self {
        Site { value: value::Site::default(), last: None, is_mixed: false }
    }
}

impl<P: Copy> Site<P> {
    /// Whether the arguments from `first` on are what they were in every row so far.
    #[inline(always)]
    fn is_constant(&self, args: &Args, first: usize) -> bool {
        args.len() <= first
            || !self.is_mixed
                && self.last.as_ref().is_some_and(|(raw, _)| *raw == raw_of(args, first))
    }

    /// The parameters in the arguments from `first` on.
    fn params(
        &mut self,
        args: &Args,
        first: usize,
        params: impl FnOnce(&Args) -> SqlResult<P>,
    ) -> SqlResult<P> {
        let raw = raw_of(args, first);
        match self.last {
            Some((last, params)) if last == raw => return Ok(params),
            Some(_) => self.is_mixed = true,
            None => {}
        }
        let params = params(args)?;
        self.last = Some((raw, params));
        Ok(params)
    }
}

#[inline(always)]
fn raw_of(args: &Args, first: usize) -> [Option<usize>; 2] {
    [first, first + 1].map(|index| args.datum(index).map(|datum| datum.value()))
}

/// `T_agg_trans(state, value, ...)`: adds a value to a state, which the first row of a group makes
/// with the parameters behind the value.
#[inline(always)]
pub fn transition<S: HashSketch>(
    args: &mut Args,
    site: &mut Site<S::Params>,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
) -> Returned {
    // A closure is inlined where a function that is passed would be called.
    transition_by::<S>(
        args,
        site,
        2,
        params,
        S::init,
        #[inline(always)]
        |state, value| S::insert(state, value),
    )
}

/// The same with parameters from another argument on, and another way to make a state, or to change
/// it by a value.
#[inline(always)]
pub fn transition_by<S: Sketch>(
    args: &mut Args,
    site: &mut Site<S::Params>,
    first: usize,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
    init: impl FnOnce(&mut State<S::Fields>, S::Params),
    change: impl Fn(&mut State<S::Fields>, Value) -> sketch::Result<Fit>,
) -> Returned {
    let value = site.value.read(args, 1)?;
    // The usual row changes a state that has room.
    if let Some(value) = value
        && site.is_constant(args, first)
        && let Some((datum, state)) = in_place::<S>(args)
        && change(state, value)? == Fit::Done
    {
        return Ok(Some(datum));
    }
    let change = value.map(|value| move |state: &mut _| change(state, value));
    transition_anew::<S>(args, site, first, params, init, change)
}

/// The same for a change by anything, `None` if there is nothing to change: makes the state where
/// there is none, and moves it where it has no room.
#[cold]
#[inline(never)]
pub fn transition_anew<S: Sketch>(
    args: &mut Args,
    site: &mut Site<S::Params>,
    first: usize,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
    init: impl FnOnce(&mut State<S::Fields>, S::Params),
    change: Option<impl Fn(&mut State<S::Fields>) -> sketch::Result<Fit>>,
) -> Returned {
    let params = site.params(args, first, params)?;
    let is_checked = args.len() > first;
    let in_aggregate = args.in_aggregate();
    let mut working = match Working::<S>::first_argument(args)? {
        Some(mut working) => {
            let held = S::params(working.state());
            if is_checked && held != params {
                return Err(other_parameters::<S>(params, held, first));
            }
            working
        }
        None => Working::new(params, init)?,
    };
    if let Some(change) = change {
        working.apply(change)?;
    }
    if in_aggregate { working.finish() } else { working.at_rest() }
}

#[cold]
fn other_parameters<S: Sketch>(params: S::Params, held: S::Params, first: usize) -> SqlError {
    let mut hint = "A parameter is the same in all rows of a group.".to_owned();
    // Next to the value, it may have been meant as another one.
    if first == 2 {
        let name = S::TYPE.name();
        hint += &format!(" To aggregate combinations of columns, write {name}_agg((a, b)).");
    }
    SqlError::new(
        PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        format!("a row of the group asks for a sketch of {params}, an earlier one for {held}"),
        hint,
    )
}

/// Adds a sketch to a state: the transition function of `T_merge_agg`, and what combines the partial
/// states of parallel workers.
pub fn combine<S: Sketch>(args: &mut Args) -> Returned {
    combine_by::<S>(args, S::merge)
}

/// The same for another way to add a sketch.
pub fn combine_by<S: Sketch>(
    args: &mut Args,
    change: impl Fn(&mut State<S::Fields>, &S::Ref<'_>) -> sketch::Result<Fit>,
) -> Returned {
    let in_aggregate = args.in_aggregate();
    let other = args.varlena(1);
    let other = other.as_deref().map(S::parse).transpose()?;
    let working = match (Working::<S>::first_argument(args)?, other) {
        (None, None) => return Ok(None),
        (Some(working), None) => working,
        (None, Some(other)) => Working::thawed(&other)?,
        (Some(mut working), Some(other)) => {
            working.apply(|state| change(state, &other))?;
            working
        }
    };
    if in_aggregate { working.finish() } else { working.at_rest() }
}

/// The final function of `T_agg` and `T_merge_agg`: the state at rest, or the empty sketch if there
/// was no row.
pub fn finish<S: Sketch>(args: &Args) -> Returned {
    match args.varlena(0) {
        Some(state) => at_rest::<S>(&S::parse(&state)?),
        None => change::empty::<S>(S::DEFAULT_PARAMS),
    }
}
