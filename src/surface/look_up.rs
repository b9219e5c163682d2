//! Asking a sketch about a value, for every type that can be asked.

use sketch::hash::Value;
use sketch::{Sketch, Source, State};

use crate::datum::{Args, Kept, stored};
use crate::error::SqlResult;
use crate::value;

/// What a function that asks keeps at its place in a query.
#[derive(Default)]
pub struct Site {
    value: value::Site,
    /// The sketch that was looked into last.
    kept: Kept,
}

/// What the sketch in one argument says of the value in another, `None` if one is NULL: by
/// `at_rest` from the bytes at rest, of which it reads what it needs, or by `working` from the
/// sketch in the working form, which is kept for one that is asked again and again.
pub fn look_up<S: Sketch, R>(
    args: &Args,
    site: &mut Site,
    sketch: usize,
    value: usize,
    at_rest: impl FnOnce(&mut dyn Source, Value) -> sketch::Result<R>,
    working: impl FnOnce(&State<S::Fields>, Value) -> sketch::Result<R>,
) -> SqlResult<Option<R>> {
    let (Some(sketch), Some(value)) = (args.datum(sketch), site.value.read(args, value)?) else {
        return Ok(None);
    };
    let answer = stored::look::<S, R>(
        args,
        sketch,
        &mut site.kept,
        |source| at_rest(source, value),
        |state| working(state, value),
    );
    answer.map(Some)
}
