//! Values that only a function of the server or an extension can hash.

use std::ffi::CStr;

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum, Oid};
use sketch::hash::scalar::unpadded;

use super::changes;
use crate::datum::Varlena;
use crate::error::{SqlError, SqlResult};

/// A type of an extension, with a hash operator class of its own.
pub struct Other {
    oid: Oid,
    function: HashFunction,
    /// The type's name, a zero byte, and room for a hash.
    encoding: Vec<u8>,
    /// The number of changes of the catalog before this was read from it.
    changes: u32,
}

impl Other {
    /// What is needed of a type; an error if it has no hash function.
    pub fn new(oid: Oid, collation: Oid) -> SqlResult<Self> {
        changes::watch();
        let changes = changes::count();
        let function = HashFunction::of_type(oid, collation)?;
        let mut encoding = type_name(oid);
        encoding.resize(encoding.len() + 1 + size_of::<u64>(), 0);
        Ok(Other { oid, function, encoding, changes })
    }

    /// The encoding of a value.
    ///
    /// # Safety
    ///
    /// `datum` must be a value of the type.
    pub unsafe fn encode(&mut self, datum: Datum) -> SqlResult<&[u8]> {
        if self.changes != changes::count() {
            *self = Self::new(self.oid, self.function.collation)?;
        }
        // SAFETY: the caller passes a value of the type.
        let hash = unsafe { self.function.call(datum) };
        *self.encoding.last_chunk_mut().expect("there is room") = hash.to_le_bytes();
        Ok(&self.encoding)
    }
}

/// How strings are stored.
pub enum Strings {
    /// With a length word.
    Text,
    /// The same, padded with spaces.
    Bpchar,
    /// With a zero byte at the end.
    Name,
}

/// Strings under a collation that calls different bytes equal.
pub struct CollatedText {
    strings: Strings,
    /// That of text: those of the other types do not agree with their equality in every version of
    /// the server, nor with each other.
    function: HashFunction,
}

impl CollatedText {
    /// Strings that are stored in this way.
    pub fn new(strings: Strings, collation: Oid) -> SqlResult<Self> {
        Ok(CollatedText { strings, function: HashFunction::of_type(pg_sys::TEXTOID, collation)? })
    }

    /// The encoding of a string.
    ///
    /// # Safety
    ///
    /// `datum` must be a string that is stored in this way.
    pub unsafe fn encode(&self, datum: Datum) -> [u8; 8] {
        // SAFETY: the caller passes such a string, and `hash_as_text` a text.
        let hash = unsafe {
            match self.strings {
                Strings::Name => self.hash_as_text(CStr::from_ptr(datum.cast_mut_ptr()).to_bytes()),
                Strings::Bpchar => self.hash_as_text(unpadded(&Varlena::from_datum(datum))),
                Strings::Text => self.function.call(datum),
            }
        };
        hash.to_le_bytes()
    }

    fn hash_as_text(&self, string: &[u8]) -> u64 {
        // SAFETY: the server copies the string into a text, which nothing refers to in the end.
        unsafe {
            let text =
                pg_sys::cstring_to_text_with_len(string.as_ptr().cast(), string.len() as i32);
            let hash = self.function.call(Datum::from(text));
            pg_sys::pfree(text.cast());
            hash
        }
    }
}

/// The hash function of a type's default hash operator class.
struct HashFunction {
    /// In the server's cache of types, whose entries last as long as the session.
    function: *mut pg_sys::FmgrInfo,
    /// Whether the function gives 64 bits; operator classes without it give 32.
    extended: bool,
    collation: Oid,
}

impl HashFunction {
    /// The hash function of a type; an error if it has none.
    fn of_type(oid: Oid, collation: Oid) -> SqlResult<Self> {
        let wanted = pg_sys::TYPECACHE_EQ_OPR
            | pg_sys::TYPECACHE_HASH_PROC_FINFO
            | pg_sys::TYPECACHE_HASH_EXTENDED_PROC_FINFO;
        // SAFETY: a catalog look-up; nothing else refers to the entry now.
        let entry = unsafe { &mut *pg_sys::lookup_type_cache(oid, wanted as i32) };
        let extended = entry.hash_extended_proc != Oid::INVALID;
        if !extended && entry.hash_proc == Oid::INVALID {
            return Err(unhashable(oid, entry.eq_opr != Oid::INVALID));
        }
        let function = if extended {
            &raw mut entry.hash_extended_proc_finfo
        } else {
            &raw mut entry.hash_proc_finfo
        };
        Ok(HashFunction { function, extended, collation })
    }

    /// The hash of a value.
    ///
    /// # Safety
    ///
    /// `datum` must be a value of the type.
    unsafe fn call(&self, datum: Datum) -> u64 {
        let (function, collation) = (self.function, self.collation);
        if self.extended {
            let seed = Datum::from(0i64);
            // SAFETY: the function takes a value of the type and a seed.
            unsafe { pg_sys::FunctionCall2Coll(function, collation, datum, seed) }.value() as u64
        } else {
            // SAFETY: the function takes a value of the type.
            let hash = unsafe { pg_sys::FunctionCall1Coll(function, collation, datum) };
            u64::from(hash.value() as u32)
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
pub fn type_name(oid: Oid) -> Vec<u8> {
    let cache = pg_sys::SysCacheIdentifier::TYPEOID as i32;
    // SAFETY: the row is one of this catalog, and pinned while its name is copied.
    unsafe {
        let row = pg_sys::SearchSysCache1(cache, Datum::from(oid));
        if row.is_null() {
            return Vec::new();
        }
        let form: *const pg_sys::FormData_pg_type = pg_sys::heap_tuple_get_struct(row);
        let name = CStr::from_ptr((*form).typname.data.as_ptr()).to_bytes().to_vec();
        pg_sys::ReleaseSysCache(row);
        name
    }
}
