//! Values of variable length.

use std::ops::Deref;

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum};
use pgrx::varlena::{
    set_varsize_4b, varatt_is_1b, varatt_is_1b_e, varatt_is_4b_u, vardata_4b, vardata_any,
    varsize_4b, varsize_any_exhdr,
};

use crate::error::{SqlError, SqlResult};

/// The length word of a value in memory.
pub const HEADER_LEN: usize = 4;

/// The longest value, with its length word, that the server can allocate.
const MAX_LEN: usize = 0x3fff_ffff;

/// Long work is done in pieces of so many bytes, between which the query can be ended.
pub const PIECE: usize = 1 << 20;

/// The bytes of a value, detoasted if need be; a copy that detoasting made is freed with it.
pub struct Varlena {
    value: *mut pg_sys::varlena,
    copied: bool,
}

impl Varlena {
    /// Reads a value: inline ones, also with a short header, lie where they are.
    ///
    /// # Safety
    ///
    /// `datum` must be a value of variable length that outlives the result.
    #[inline(always)]
    pub unsafe fn from_datum(datum: Datum) -> Self {
        let value: *mut pg_sys::varlena = datum.cast_mut_ptr();
        // SAFETY: the caller passes a valid value.
        unsafe {
            if varatt_is_4b_u(value) || varatt_is_1b(value) && !varatt_is_1b_e(value) {
                return Varlena { value, copied: false };
            }
            Varlena { value: pg_sys::pg_detoast_datum_packed(value), copied: true }
        }
    }
}

impl Varlena {
    /// Takes a plain value over, to free it.
    ///
    /// # Safety
    ///
    /// `value` must be allocated by the server, and nothing else refer to it.
    pub unsafe fn from_copy(value: *mut pg_sys::varlena) -> Self {
        Varlena { value, copied: true }
    }
}

impl Deref for Varlena {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: the value is inline and not compressed.
        unsafe {
            std::slice::from_raw_parts(
                vardata_any(self.value).cast(),
                varsize_any_exhdr(self.value),
            )
        }
    }
}

impl Drop for Varlena {
    #[inline(always)]
    fn drop(&mut self) {
        if self.copied {
            // SAFETY: detoasting allocated the copy, and nothing else refers to it.
            unsafe { pg_sys::pfree(self.value.cast()) }
        }
    }
}

/// A value under construction: zeroed memory of the server with its length word.
pub struct Builder {
    value: *mut pg_sys::varlena,
    len: usize,
}

impl Builder {
    /// Allocates `len` zero bytes in the current memory context.
    pub fn new(len: usize) -> SqlResult<Self> {
        let size = len.saturating_add(HEADER_LEN);
        if size > MAX_LEN {
            return Err(SqlError::new(
                PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                format!("a value of {size} bytes exceeds the limit of {MAX_LEN} bytes"),
                "Build sketches of parts of the values, or choose parameters that need fewer bytes.",
            ));
        }
        let value: *mut pg_sys::varlena = zeroed(size).cast();
        // SAFETY: there is room for the length word.
        unsafe { set_varsize_4b(value, size as i32) };
        Ok(Builder { value, len })
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `new` allocated and zeroed so many bytes.
        unsafe { std::slice::from_raw_parts_mut(vardata_4b(self.value) as *mut u8, self.len) }
    }

    /// The value, cut to its first `len` bytes.
    pub fn finish(self, len: usize) -> Datum {
        assert!(len <= self.len, "a value cannot outgrow its memory");
        // SAFETY: the value has room for its length word.
        unsafe { set_varsize_4b(self.value, (len + HEADER_LEN) as i32) };
        Datum::from(self.value)
    }

    /// The value with all of its bytes.
    pub fn finish_all(self) -> Datum {
        let len = self.len;
        self.finish(len)
    }

    /// Frees the memory at once, where the end of the call is too late.
    pub fn free(self) {
        // SAFETY: `new` allocated it, and `finish` did not give it away.
        unsafe { pg_sys::pfree(self.value.cast()) }
    }
}

/// A value of the bytes that `write` leaves in the first part of `bound` zero bytes; it returns
/// how many those are.
pub fn build(
    bound: usize,
    write: impl FnOnce(&mut [u8]) -> SqlResult<usize>,
) -> SqlResult<Option<Datum>> {
    let mut builder = Builder::new(bound)?;
    let len = write(builder.bytes())?;
    Ok(Some(builder.finish(len)))
}

/// A copy of bytes as a value.
pub fn copy(bytes: &[u8]) -> SqlResult<Option<Datum>> {
    build(bytes.len(), |out| {
        out.copy_from_slice(bytes);
        Ok(bytes.len())
    })
}

/// The bytes of a value that the executor holds for an aggregate, to be changed in place; `None`
/// if it is not inline with a plain length word.
///
/// # Safety
///
/// `datum` must be a value of variable length in memory that the caller may change and that
/// nothing else reads while the result lives.
#[inline]
pub unsafe fn bytes_in_place<'a>(datum: Datum) -> Option<&'a mut [u8]> {
    let value: *mut pg_sys::varlena = datum.cast_mut_ptr();
    // SAFETY: the caller passes a valid value, and the length word says how long it is.
    unsafe {
        varatt_is_4b_u(value).then(|| {
            std::slice::from_raw_parts_mut(
                vardata_4b(value) as *mut u8,
                varsize_4b(value) - HEADER_LEN,
            )
        })
    }
}

/// Allocates zero bytes, not more than [`MAX_LEN`], in the current memory context. Much memory is
/// slow to fill, so the query can be ended meanwhile.
fn zeroed(size: usize) -> *mut u8 {
    // SAFETY: the size is one that the server can allocate; all bytes are set before anybody reads
    // them.
    unsafe {
        if size <= PIECE {
            return pg_sys::palloc0(size).cast();
        }
        let memory: *mut u8 = pg_sys::palloc(size).cast();
        for at in (0..size).step_by(PIECE) {
            memory.add(at).write_bytes(0, PIECE.min(size - at));
            check_for_interrupts();
        }
        memory
    }
}

/// Ends the query where that was asked for. Long work calls it every few milliseconds.
pub fn check_for_interrupts() {
    pgrx::check_for_interrupts!();
}

/// A C string for an output function.
pub fn cstring(len: usize, write: impl FnOnce(&mut [u8])) -> SqlResult<Option<Datum>> {
    if len >= MAX_LEN {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            format!("the text of the value would have {len} bytes"),
            "Read the value in binary form, or cast it to bytea and take parts of it.",
        ));
    }
    let text = zeroed(len + 1);
    // SAFETY: so many bytes are allocated and zero, and one more that ends the string.
    write(unsafe { std::slice::from_raw_parts_mut(text, len) });
    Ok(Some(Datum::from(text)))
}
