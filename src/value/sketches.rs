//! Sketches are no values: one counted as a value of another would be one more value where its own
//! values were meant.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum, Oid};

use super::other::type_name;
use crate::error::{SqlError, SqlResult};

/// What a library is known by to be this one: types are made by its functions, whatever they and
/// their schema are called.
#[unsafe(no_mangle)]
extern "C" fn pg_sketch_library() {}

/// An error if a type, which is no domain, is a sketch.
pub fn refuse(oid: Oid) -> SqlResult<()> {
    if !is_sketch(oid) {
        return Ok(());
    }
    let name = type_name(oid);
    let name = String::from_utf8_lossy(&name);
    Err(SqlError::new(
        PgSqlErrorCode::ERRCODE_DATATYPE_MISMATCH,
        format!("a sketch of type {name} cannot be a value of a sketch"),
        format!(
            "Merge sketches with || or {name}_merge_agg. To take the bytes of one as a value, \
             cast it to bytea."
        ),
    ))
}

/// Whether the input function of a type is one of this library.
fn is_sketch(oid: Oid) -> bool {
    let (mut input, mut parameter) = (Oid::INVALID, Oid::INVALID);
    // SAFETY: catalog look-ups; the row is pinned while it is read. The library is one from which
    // values of the type came, so that the server has loaded it or can do so.
    unsafe {
        pg_sys::getTypeInputInfo(oid, &mut input, &mut parameter);
        let cache = pg_sys::SysCacheIdentifier::PROCOID as i32;
        let row = pg_sys::SearchSysCache1(cache, Datum::from(input));
        if row.is_null() {
            return false;
        }
        // Only functions in C have a library.
        let (mut is_null, attribute) = (false, pg_sys::Anum_pg_proc_probin as i16);
        let library = pg_sys::SysCacheGetAttr(cache, row, attribute, &mut is_null);
        let library = (!is_null).then(|| pg_sys::text_to_cstring(library.cast_mut_ptr()));
        pg_sys::ReleaseSysCache(row);
        library.is_some_and(|library| {
            let name = c"pg_sketch_library".as_ptr();
            !pg_sys::load_external_function(library, name, false, std::ptr::null_mut()).is_null()
        })
    }
}
