//! Reading enums: a value is the OID of its label.

use std::ffi::CStr;

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum, Oid};

use super::changes;
use crate::error::{SqlError, SqlResult};

/// The labels that a call site has met, in the order of their OIDs.
#[derive(Default)]
pub struct Labels {
    met: Vec<(u32, Box<[u8]>)>,
    /// The number of changes of the catalog when the first was read.
    changes: u32,
}

impl Labels {
    /// The label of a value.
    pub fn label(&mut self, value: u32) -> SqlResult<&[u8]> {
        if self.changes != changes::count() {
            self.met.clear();
        }
        let at = match self.met.binary_search_by_key(&value, |&(oid, _)| oid) {
            Ok(at) => at,
            Err(at) => {
                if self.met.is_empty() {
                    changes::watch();
                    self.changes = changes::count();
                }
                self.met.insert(at, (value, read(value)?));
                at
            }
        };
        Ok(&self.met[at].1)
    }
}

#[cold]
fn read(value: u32) -> SqlResult<Box<[u8]>> {
    let cache = pg_sys::SysCacheIdentifier::ENUMOID as i32;
    // SAFETY: a catalog look-up.
    let row = unsafe { pg_sys::SearchSysCache1(cache, Datum::from(Oid::from(value))) };
    if row.is_null() {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
            format!("invalid internal value for enum: {value}"),
            "The type may have been dropped.",
        ));
    }
    // SAFETY: the row is one of this catalog, and pinned while its label is copied.
    unsafe {
        let form: *const pg_sys::FormData_pg_enum = pg_sys::heap_tuple_get_struct(row);
        let label = CStr::from_ptr((*form).enumlabel.data.as_ptr()).to_bytes().into();
        pg_sys::ReleaseSysCache(row);
        Ok(label)
    }
}
