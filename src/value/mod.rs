//! A SQL value as its class and 64-bit hash, or as its canonical encoding.
//!
//! `sketch::hash` fixes the encodings; this module finds a value's type, once for each place in a
//! query, and reads the value's memory. A scalar hands its encoding to a closure, so that a value
//! by itself is hashed at once and a part of another value goes to an [`Encoder`].
//!
//! * [`argument`]: the arguments of a call that are values, and their types;
//! * [`types`]: what is known of a type; [`sketches`]: those that are no values;
//! * [`scalar`], [`numeric`], [`enums`], [`other`]: values of one piece;
//! * [`composite`], [`array`], [`record`], [`range`], [`jsonb`]: values made of others;
//! * [`changes`]: what of the catalog may change while a query runs.

mod argument;
mod array;
mod changes;
mod composite;
mod enums;
mod jsonb;
mod numeric;
mod other;
mod range;
mod record;
mod scalar;
mod sketches;
mod types;

use pgrx::pg_sys::Datum;
use sketch::hash::{Encoder, Sink};

use crate::error::SqlResult;
use types::Type;

pub use argument::{Site, are_of_one_type, init};

/// Writes a value that is a part of another one, NULL or not.
///
/// # Safety
///
/// `datum` must be a value of the type, or `None`.
unsafe fn encode_part<S: Sink>(
    ty: &mut Type,
    datum: Option<Datum>,
    to: &mut Encoder<S>,
) -> SqlResult<()> {
    let Some(datum) = datum else {
        to.null();
        return Ok(());
    };
    let class = ty.class();
    if ty.is_composite() {
        to.class(class);
        // SAFETY: the caller passes a value of the type.
        return unsafe { composite::encode(ty, datum, to) };
    }
    // SAFETY: as above.
    unsafe { scalar::encode(ty.kind(), datum, |bytes| to.scalar(class, bytes)) }
}
