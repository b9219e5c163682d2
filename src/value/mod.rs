//! A SQL value as its class and 64-bit hash.
//!
//! `sketch::hash` fixes the encodings; this module finds a value's type, once for each place in a
//! query, and reads the value's memory. A scalar hands its encoding to a closure, so that a value
//! by itself is hashed at once and a part of another value goes to the [`Encoder`].

mod composite;
mod jsonb;
mod numeric;
mod other;
mod scalar;
mod types;

use pgrx::pg_sys::{self, Datum};
use sketch::hash::{Encoder, Value};

use crate::datum::{Args, Varlena};
use crate::error::SqlResult;
use types::{Kind, Type};


/// What a function that reads a value keeps at its place in a query: the value's type.
#[derive(Default)]
pub struct Site(Option<(usize, Type)>);

impl Site {
    /// The value of the argument at `index`, `None` if it is NULL.
    #[inline(always)]
    pub fn read(&mut self, args: &Args, index: usize) -> SqlResult<Option<Value>> {
        let Some(datum) = args.datum(index) else { return Ok(None) };
        let ty = match &mut self.0 {
            Some((known, ty)) if *known == index => ty,
            other => &mut other.insert((index, Type::of_argument(args, index)?)).1,
        };
        // SAFETY: the type is that of the argument.
        unsafe { value_of(ty, datum) }.map(Some)
    }
}

/// Whether two arguments have one type, for which a domain is its base type.
pub fn are_of_one_type(args: &Args, a: usize, b: usize) -> bool {
    // SAFETY: the call is valid; plain catalog look-ups.
    let [a, b] = [a, b].map(|index| unsafe {
        pg_sys::getBaseType(pg_sys::get_fn_expr_argtype(args.flinfo(), index as i32))
    });
    a == b
}

/// A value by itself.
///
/// # Safety
///
/// `datum` must be a value of the type.
#[inline(always)]
unsafe fn value_of(ty: &mut Type, datum: Datum) -> SqlResult<Value> {
    let class = ty.class();
    // SAFETY: the caller passes a value of the type.
    unsafe {
        if let Some(word) = scalar::word(ty.kind(), datum) {
            return Ok(Value::of_encoding(class, &word));
        }
        if let Kind::Text | Kind::Bytea = ty.kind() {
            return Ok(Value::of_encoding(class, &Varlena::from_datum(datum)));
        }
        if ty.is_composite() {
            return composite_value(ty, datum);
        }
        scalar::encode(ty.kind(), datum, |encoding| Value::of_encoding(class, encoding))
    }
}

#[cold]
unsafe fn composite_value(ty: &mut Type, datum: Datum) -> SqlResult<Value> {
    let class = ty.class();
    let mut encoder = Encoder::new();
    // SAFETY: the caller passes a value of the type.
    unsafe { composite::encode(ty, datum, &mut encoder)? };
    Ok(Value::of_encoder(class, &encoder))
}

/// Writes a value that is a part of another one, NULL or not.
///
/// # Safety
///
/// `datum` must be a value of the type, or `None`.
unsafe fn encode_part(ty: &mut Type, datum: Option<Datum>, to: &mut Encoder) -> SqlResult<()> {
    let Some(datum) = datum else {
        to.null();
        return Ok(());
    };
    let class = ty.class();
    // SAFETY: the caller passes a value of the type.
    unsafe {
        if ty.is_composite() {
            to.class(class);
            return composite::encode(ty, datum, to);
        }
        scalar::encode(ty.kind(), datum, |bytes| to.scalar(class, bytes))
    }
}
