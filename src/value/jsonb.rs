//! Reading `jsonb`: a walk in the order that the server stores, keys sorted and unique.

use pgrx::pg_sys::{self, JsonbIteratorToken, jbvType};
use sketch::hash::{Encoder, Sink, ValueClass};

use super::numeric;
use crate::datum::Varlena;
use crate::error::SqlResult;

/// Writes a document: a scalar as a part of its class, `[` and the number of elements before an
/// array's, `{` and the number of pairs before an object's keys and values.
///
/// # Safety
///
/// `document` must be a detoasted `jsonb`.
pub unsafe fn encode<S: Sink>(document: *mut pg_sys::Jsonb, to: &mut Encoder<S>) -> SqlResult<()> {
    // SAFETY: the caller passes a document.
    let mut iterator = unsafe { pg_sys::JsonbIteratorInit(&raw mut (*document).root) };
    let mut value = pg_sys::JsonbValue::default();
    loop {
        pgrx::check_for_interrupts!();
        // SAFETY: the iterator walks the document and fills the value for each token.
        let token = unsafe { pg_sys::JsonbIteratorNext(&mut iterator, &mut value, false) };
        match token {
            JsonbIteratorToken::WJB_DONE => return Ok(()),
            JsonbIteratorToken::WJB_BEGIN_ARRAY => {
                // SAFETY: an array begins.
                let array = unsafe { value.val.array };
                if !array.rawScalar {
                    to.byte(b'[');
                    to.count(array.nElems as usize);
                }
            }
            JsonbIteratorToken::WJB_BEGIN_OBJECT => {
                to.byte(b'{');
                // SAFETY: an object begins.
                to.count(unsafe { value.val.object.nPairs } as usize);
            }
            JsonbIteratorToken::WJB_KEY
            | JsonbIteratorToken::WJB_VALUE
            | JsonbIteratorToken::WJB_ELEM => scalar(&value, to),
            _ => {}
        }
    }
}

/// Writes a scalar that the iterator has filled in.
fn scalar<S: Sink>(value: &pg_sys::JsonbValue, to: &mut Encoder<S>) {
    match value.type_ {
        jbvType::jbvString => {
            // SAFETY: the type says which member is set; a string has its length beside it.
            let bytes = unsafe {
                let string = value.val.string;
                std::slice::from_raw_parts(string.val.cast(), string.len as usize)
            };
            to.scalar(ValueClass::Text, bytes);
        }
        jbvType::jbvNumeric => {
            // SAFETY: the type says which member is set; a number has a length word.
            let number = unsafe { Varlena::from_datum(value.val.numeric.into()) };
            to.scalar(ValueClass::Number, numeric::encode(&number).as_ref());
        }
        jbvType::jbvBool => {
            // SAFETY: the type says which member is set.
            let boolean = unsafe { value.val.boolean };
            to.scalar(ValueClass::Bool, &[u8::from(boolean)]);
        }
        _ => to.null(),
    }
}
