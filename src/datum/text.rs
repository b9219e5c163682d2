//! Strings of the database, and arrays of them.

use pgrx::pg_sys::{self, Datum};

use super::{Returned, varlena};
use crate::error::SqlResult;

/// Bytes as a value of type text; an error of the server if they are none in its encoding.
pub fn text(bytes: &[u8]) -> Returned {
    // SAFETY: the server reads so many bytes; it fails for what is not valid, zeros among it.
    unsafe { pg_sys::pg_verifymbstr(bytes.as_ptr().cast(), bytes.len() as i32, false) };
    varlena::copy(bytes)
}

/// An array of type `text[]` of such values.
pub fn array(texts: &[&[u8]]) -> Returned {
    let texts = texts.iter().map(|bytes| text(bytes));
    let mut elements: Vec<Datum> =
        texts.map(|text| Ok(text?.unwrap_or(Datum::null()))).collect::<SqlResult<_>>()?;
    // SAFETY: the elements are of type text, of variable length and aligned as integers.
    let array = unsafe {
        let count = elements.len() as i32;
        pg_sys::construct_array(
            elements.as_mut_ptr(),
            count,
            pg_sys::TEXTOID,
            -1,
            false,
            pg_sys::TYPALIGN_INT as std::ffi::c_char,
        )
    };
    Ok(Some(Datum::from(array)))
}
