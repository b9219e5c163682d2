//! Asking a sketch about a value, for every type that can be asked.

use sketch::hash::ValueClass;
use sketch::{Sketch, Source};

use crate::datum::{Args, stored};
use crate::error::SqlResult;
use crate::{call_site, value};

/// What the sketch in one argument says of the value in another, `None` if one is NULL: by
/// `at_rest` from the bytes at rest, of which it reads what it needs, or by `working` from the
/// sketch in the working form, which is kept for one that is asked again and again.
pub fn look_up<S: Sketch, R>(
    args: &Args,
    sketch: usize,
    value: usize,
    at_rest: impl FnOnce(&mut dyn Source, ValueClass, u64) -> sketch::Result<R>,
    working: impl FnOnce(&[u8], ValueClass, u64) -> sketch::Result<R>,
) -> SqlResult<Option<R>> {
    let (Some(sketch), Some((class, hash))) = (args.datum(sketch), value::hash(args, value)?)
    else {
        return Ok(None);
    };
    // SAFETY: the declarations make the argument a sketch of the type; nothing else refers to what
    // the call site keeps.
    let answer = unsafe {
        stored::look::<S, R>(
            args,
            sketch,
            &mut (*call_site::of(args)).kept,
            |source| at_rest(source, class, hash),
            |state| working(state, class, hash),
        )
    };
    answer.map(Some)
}
