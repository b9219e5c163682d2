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
use sketch::hash::{self, Encoder, ValueClass};

use crate::call_site;
use crate::datum::{Args, Varlena};
use crate::error::SqlResult;
use types::Kind;

pub use types::Type;

/// The class and hash of the argument at `index`, or `None` if it is NULL. A function asks for one
/// argument only, whose type its call site keeps.
#[inline(always)]
pub fn hash(args: &Args, index: usize) -> SqlResult<Option<(ValueClass, u64)>> {
    let Some(datum) = args.datum(index) else { return Ok(None) };
    let site = call_site::of(args);
    // SAFETY: the type is that of the argument, and nothing else refers to it during the call.
    unsafe {
        let ty = match &mut (*site).value_type {
            Some(ty) => ty,
            none => none.insert(Type::of_argument(args, index)?),
        };
        Ok(Some((ty.class(), hash_datum(ty, datum)?)))
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

/// The hash of a value by itself.
///
/// # Safety
///
/// `datum` must be a value of the type.
#[inline(always)]
unsafe fn hash_datum(ty: &mut Type, datum: Datum) -> SqlResult<u64> {
    // SAFETY: the caller passes a value of the type.
    unsafe {
        if let Some(word) = scalar::word(ty.kind(), datum) {
            return Ok(hash::bytes(&word));
        }
        if let Kind::Text | Kind::Bytea = ty.kind() {
            return Ok(hash::bytes(&Varlena::from_datum(datum)));
        }
        if ty.is_composite() {
            return hash_composite(ty, datum);
        }
        scalar::encode(ty.kind(), datum, hash::bytes)
    }
}

#[cold]
unsafe fn hash_composite(ty: &mut Type, datum: Datum) -> SqlResult<u64> {
    let mut encoder = Encoder::new();
    // SAFETY: the caller passes a value of the type.
    unsafe { composite::encode(ty, datum, &mut encoder)? };
    Ok(encoder.finish())
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
