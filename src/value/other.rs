//! Values that only the server can read: enum labels, and types with a hash function of their
//! own.

use std::ffi::CStr;

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum, Oid};

use crate::error::{SqlError, SqlResult};

/// The hash function of a type's default hash operator class.
pub struct HashFunction {
    function: *mut pg_sys::FmgrInfo,
    /// Whether the function gives 64 bits; operator classes without it give 32.
    extended: bool,
    collation: Oid,
}

impl HashFunction {
    /// The hash function of a type, and the type's name; an error if it has none.
    pub fn of_type(oid: Oid, collation: Oid) -> SqlResult<(Vec<u8>, Self)> {
        let wanted = pg_sys::TYPECACHE_EQ_OPR
            | pg_sys::TYPECACHE_HASH_PROC_FINFO
            | pg_sys::TYPECACHE_HASH_EXTENDED_PROC_FINFO;
        // SAFETY: a catalog look-up; the cache's entries live as long as the session.
        unsafe {
            let entry = &mut *pg_sys::lookup_type_cache(oid, wanted as i32);
            let extended = entry.hash_extended_proc != Oid::INVALID;
            if !extended && entry.hash_proc == Oid::INVALID {
                return Err(unhashable(oid, entry.eq_opr != Oid::INVALID));
            }
            let function = if extended {
                &raw mut entry.hash_extended_proc_finfo
            } else {
                &raw mut entry.hash_proc_finfo
            };
            Ok((type_name(oid), HashFunction { function, extended, collation }))
        }
    }

    /// The hash of a value.
    ///
    /// # Safety
    ///
    /// `datum` must be a value of the type.
    pub unsafe fn call(&self, datum: Datum) -> SqlResult<u64> {
        // SAFETY: the function takes a value of the type and, if extended, a seed.
        unsafe {
            Ok(if self.extended {
                let seed = Datum::from(0i64);
                pg_sys::FunctionCall2Coll(self.function, self.collation, datum, seed).value() as u64
            } else {
                let hash = pg_sys::FunctionCall1Coll(self.function, self.collation, datum);
                u64::from(hash.value() as u32)
            })
        }
    }
}

/// The error for a type whose values cannot be hashed.
fn unhashable(oid: Oid, has_equality: bool) -> SqlError {
    // SAFETY: the server returns a string in the current memory context.
    let name = unsafe { CStr::from_ptr(pg_sys::format_type_be(oid)) }.to_string_lossy();
    let missing = if has_equality { "a hash function" } else { "an equality operator" };
    SqlError::new(
        PgSqlErrorCode::ERRCODE_UNDEFINED_FUNCTION,
        format!("could not identify {missing} for type {name}"),
        match &*name {
            "json" => "Cast the value to jsonb, whose equality does not depend on spelling.",
            _ => "Cast the value to a type that can be hashed, such as text.",
        },
    )
}

/// The name of a type, without its schema.
///
/// # Safety
///
/// The type must exist.
unsafe fn type_name(oid: Oid) -> Vec<u8> {
    // SAFETY: the row is pinned while its name is copied.
    unsafe {
        let id = pg_sys::SysCacheIdentifier::TYPEOID as i32;
        let row = pg_sys::SearchSysCache1(id, Datum::from(oid));
        if row.is_null() {
            return Vec::new();
        }
        let form: *const pg_sys::FormData_pg_type = pg_sys::heap_tuple_get_struct(row);
        let name = CStr::from_ptr((*form).typname.data.as_ptr()).to_bytes().to_vec();
        pg_sys::ReleaseSysCache(row);
        name
    }
}

/// Calls `f` with the label of an enum value.
pub fn enum_label<R>(value: u32, f: impl FnOnce(&[u8]) -> R) -> SqlResult<R> {
    // SAFETY: the row is pinned while its label is read.
    unsafe {
        let id = pg_sys::SysCacheIdentifier::ENUMOID as i32;
        let row = pg_sys::SearchSysCache1(id, Datum::from(Oid::from(value)));
        if row.is_null() {
            return Err(SqlError::new(
                PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
                format!("invalid internal value for enum: {value}"),
                "The type may have been dropped.",
            ));
        }
        let form: *const pg_sys::FormData_pg_enum = pg_sys::heap_tuple_get_struct(row);
        let result = f(CStr::from_ptr((*form).enumlabel.data.as_ptr()).to_bytes());
        pg_sys::ReleaseSysCache(row);
        Ok(result)
    }
}
