//! What every sketch type does in SQL, written once.
//!
//! * `state`: a sketch in the working form, the executor's own or one built in a call;
//! * [`aggregate`]: transition, combine and final functions;
//! * [`change`]: functions that give a changed sketch;
//! * [`io`]: text and binary input and output, casts;
//! * [`mod@look_up`]: asking a sketch about a value;
//! * [`compare`]: equality, order and hashing;
//! * [`filter`]: what filters of all types do.
//!
//! Outside of an aggregate nothing is changed in place, and everything returned is at rest. Every
//! function reads a sketch of any form: an aggregate that a user has made of internal functions may
//! have stored the working form.

pub mod aggregate;
pub mod change;
pub mod compare;
pub mod filter;
pub mod io;
pub mod look_up;
mod state;

use sketch::{Form, Sketch, View};

use crate::datum::{Returned, varlena};
use crate::error::SqlResult;

/// A sketch of any form in its form for rest.
fn at_rest<S: Sketch>(sketch: &S::Ref<'_>) -> Returned {
    varlena::build(S::rest_bound(sketch)?, |out| Ok(S::rest(sketch, out)?))
}

/// Calls `f` with a sketch of any form at rest, which it nearly always is already.
fn with_rest<S: Sketch, R>(bytes: &[u8], f: impl FnOnce(&[u8]) -> SqlResult<R>) -> SqlResult<R> {
    let sketch = S::parse(bytes)?;
    if sketch.form() != Form::Working {
        return f(bytes);
    }
    let mut builder = varlena::Builder::new(S::rest_bound(&sketch)?)?;
    let len = S::rest(&sketch, builder.bytes())?;
    f(&builder.bytes()[..len])
}
