//! A sketch in the working form.
//!
//! The executor's rules for the state of an aggregate: a function that returns the pointer it was
//! given has changed the state; any other pointer is copied into the aggregate's memory and the old
//! state freed. So a state that has no more room is rebuilt in the memory of the current row and
//! returned.

use pgrx::pg_sys::Datum;
use sketch::{Fit, Sketch, State};

use super::at_rest;
use crate::datum::varlena::{self, Builder};
use crate::datum::{Args, Returned};
use crate::error::SqlResult;

/// A sketch in the working form: the executor's own, or one built in this call.
pub enum Working<'a, S: Sketch> {
    /// The datum, and the state in it.
    InPlace(Datum, &'a mut State<S::Fields>),
    /// A new value.
    Built(Builder),
}

/// The state that an aggregate calls with, to be changed in place: `None` if it has none yet, or
/// not in the working form, or if no aggregate is calling.
#[inline(always)]
pub fn in_place<S: Sketch>(args: &mut Args) -> Option<(Datum, &mut State<S::Fields>)> {
    let datum = args.datum(0).filter(|_| args.in_aggregate())?;
    // SAFETY: an aggregate owns its state and expects it to be changed. The result borrows the
    // arguments, so there is one such reference at a time.
    let bytes = unsafe { varlena::bytes_in_place(datum) }?;
    sketch::is_working(bytes).then(|| (datum, State::of(bytes)))
}

impl<'a, S: Sketch> Working<'a, S> {
    /// A new, empty state.
    pub fn new(
        params: S::Params,
        init: impl FnOnce(&mut State<S::Fields>, S::Params),
    ) -> SqlResult<Self> {
        let mut builder = Builder::new(S::initial_len(params))?;
        init(State::of(builder.bytes()), params);
        Ok(Working::Built(builder))
    }

    /// A state with what a sketch holds.
    pub fn thawed(sketch: &S::Ref<'_>) -> SqlResult<Self> {
        let mut builder = Builder::new(S::thaw_len(sketch))?;
        S::thaw(sketch, State::of(builder.bytes()))?;
        Ok(Working::Built(builder))
    }

    /// The first argument: in place where an aggregate calls with its own state, else a copy.
    /// `None` if it is NULL.
    pub fn first_argument(args: &'a mut Args) -> SqlResult<Option<Self>> {
        let copy = args.varlena(0);
        if let Some((datum, state)) = in_place::<S>(args) {
            return Ok(Some(Working::InPlace(datum, state)));
        }
        copy.map(|bytes| Self::thawed(&S::parse(&bytes)?)).transpose()
    }

    /// The state.
    #[inline]
    pub fn state(&mut self) -> &mut State<S::Fields> {
        match self {
            Working::InPlace(_, state) => state,
            Working::Built(builder) => State::of(builder.bytes()),
        }
    }

    /// Applies a change, in a bigger state where it finds no room.
    #[inline]
    pub fn apply(
        &mut self,
        change: impl Fn(&mut State<S::Fields>) -> sketch::Result<Fit>,
    ) -> SqlResult<()> {
        while let Fit::Needs(growth) = change(self.state())? {
            let mut bigger = Builder::new(growth.len)?;
            S::grow(self.state(), State::of(bigger.bytes()), growth);
            // The executor frees the state that it owns.
            if let Working::Built(old) = std::mem::replace(self, Working::Built(bigger)) {
                old.free();
            }
        }
        Ok(())
    }

    /// The state as a value in the working form: the result of a function that an aggregate calls.
    pub fn finish(self) -> Returned {
        match self {
            Working::InPlace(datum, _) => Ok(Some(datum)),
            Working::Built(builder) => Ok(Some(builder.finish_all())),
        }
    }

    /// The state in its form for rest.
    pub fn at_rest(mut self) -> Returned {
        at_rest::<S>(&S::parse(self.state().bytes())?)
    }
}
