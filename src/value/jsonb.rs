//! Reading `jsonb`: a walk in the order that the server stores, keys sorted and unique.

use pgrx::pg_sys::{self, JsonbIteratorToken, jbvType};
use pgrx::varlena::{vardata_any, varsize_any_exhdr};
use sketch::hash::{Encoder, ValueClass};

use super::numeric;
use crate::error::SqlResult;

/// Writes a document: a scalar as a part of its class, `[` and the number of elements before an
/// array's, `{` and the number of pairs before an object's keys and values.
///
/// # Safety
///
/// `document` must be a detoasted `jsonb`.
pub unsafe fn encode(document: *mut pg_sys::Jsonb, to: &mut Encoder) -> SqlResult<()> {
    // SAFETY: the iterator walks the document and fills the value for each token.
    unsafe {
        let mut iterator = pg_sys::JsonbIteratorInit(&raw mut (*document).root);
        let mut value = pg_sys::JsonbValue::default();
        loop {
            match pg_sys::JsonbIteratorNext(&mut iterator, &mut value, false) {
                JsonbIteratorToken::WJB_DONE => return Ok(()),
                JsonbIteratorToken::WJB_BEGIN_ARRAY if !value.val.array.rawScalar => {
                    to.byte(b'[');
                    to.count(value.val.array.nElems as usize);
                }
                JsonbIteratorToken::WJB_BEGIN_OBJECT => {
                    to.byte(b'{');
                    to.count(value.val.object.nPairs as usize);
                }
                JsonbIteratorToken::WJB_KEY
                | JsonbIteratorToken::WJB_VALUE
                | JsonbIteratorToken::WJB_ELEM => scalar(&value, to),
                _ => {}
            }
        }
    }
}

unsafe fn scalar(value: &pg_sys::JsonbValue, to: &mut Encoder) {
    // SAFETY: the type says which member is set.
    unsafe {
        match value.type_ {
            jbvType::jbvString => {
                let string = value.val.string;
                let bytes = std::slice::from_raw_parts(string.val.cast(), string.len as usize);
                to.scalar(ValueClass::Text, bytes);
            }
            jbvType::jbvNumeric => {
                let number: *const pg_sys::varlena = value.val.numeric.cast();
                let stored = std::slice::from_raw_parts(
                    vardata_any(number).cast(),
                    varsize_any_exhdr(number),
                );
                to.scalar(ValueClass::Number, numeric::encode(stored).as_ref());
            }
            jbvType::jbvBool => to.scalar(ValueClass::Bool, &[u8::from(value.val.boolean)]),
            _ => to.null(),
        }
    }
}
