//! Sketches that are looked into again and again, read in parts or kept whole.
//!
//! A value out of line is known by its pointer: a second look at the same pointer sees the same
//! bytes. Each look reads the few bytes that it needs. Once so many looks have been taken that
//! reading the whole value at first would have cost no more, it is read, made updatable, in which
//! form a look costs least, and kept for as long as the query looks at nothing else.
//!
//! [`Made`] keeps what is made of a whole value.

use pgrx::memcxt::PgMemoryContexts;
use pgrx::pg_sys::{self, Datum};
use pgrx::varlena::{
    varatt_is_1b_e, varatt_is_4b_c, vardata_any, varsize_any, varsize_any_exhdr, vartag_external,
};
use sketch::{Sketch, Source, State};

use super::varlena::{Builder, HEADER_LEN};
use super::{Args, Varlena};
use crate::error::SqlResult;

/// Reading so many bytes of a value takes as long as one look into it.
const BYTES_PER_LOOK: usize = 32 << 10;
/// Values in the row are kept up to this length: longer ones take too long to compare.
const MAX_INLINE: usize = 8 << 10;
/// The bits of `va_extinfo` that hold the length on disk.
const EXTERNAL_SIZE: u32 = (1 << 30) - 1;

/// The sketch that a call site has looked into last.
#[derive(Default)]
pub struct Kept {
    /// The bytes of the datum: the pointer, or a small value in the row.
    datum: Vec<u8>,
    looks: usize,
    /// The sketch in the working form, in the memory of the call site.
    state: Option<Builder>,
}

/// Answers a question about the sketch in an argument, by `stored` from the bytes at rest or by
/// `working` from the sketch in the working form.
///
/// Trusts that the argument is declared as a sketch of type `S`.
pub fn look<S: Sketch, R>(
    args: &Args,
    datum: Datum,
    kept: &mut Kept,
    stored: impl FnOnce(&mut dyn Source) -> sketch::Result<R>,
    working: impl FnOnce(&State<S::Fields>) -> sketch::Result<R>,
) -> SqlResult<R> {
    let value: *mut pg_sys::varlena = datum.cast_mut_ptr();
    // SAFETY: the argument is a value of variable length, which outlives the call.
    let (raw, place) = unsafe {
        let raw = std::slice::from_raw_parts(value.cast::<u8>().cast_const(), varsize_any(value));
        (raw, Place::of(value))
    };
    let may_keep = match &place {
        Place::OnDisk(_) => true,
        Place::InRow(bytes) => raw.len() <= MAX_INLINE && sketch::is_sparse(bytes),
        Place::Compressed => raw.len() <= MAX_INLINE,
        Place::Elsewhere => false,
    };
    if may_keep && kept.datum == raw {
        kept.looks += 1;
        if kept.state.is_none() && place.is_worth_keeping(kept.looks) {
            kept.state = Some(thawed::<S>(args, datum)?);
        }
        if let Some(state) = &mut kept.state {
            return Ok(working(State::of(state.bytes()))?);
        }
    } else if may_keep {
        kept.forget();
        kept.datum.extend_from_slice(raw);
    }
    Ok(match place {
        Place::InRow(mut bytes) => stored(&mut bytes)?,
        Place::OnDisk(mut external) if external.is_sliceable() => stored(&mut external)?,
        // SAFETY: as above.
        _ => stored(&mut &*unsafe { Varlena::from_datum(datum) })?,
    })
}

/// What was made of the value that a call site has read last.
pub struct Made<T> {
    /// The bytes of the datum: the pointer, or the value in the row.
    datum: Vec<u8>,
    made: Option<T>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Made { datum: Vec::new(), made: None }
    }
}

impl<T> Made<T> {
    /// What `make` makes of the value in an argument, or has made of it in the call before.
    ///
    /// Trusts that the argument is declared as a type of variable length.
    pub fn of(
        &mut self,
        datum: Datum,
        make: impl FnOnce(&[u8]) -> SqlResult<T>,
    ) -> SqlResult<&mut T> {
        let value: *mut pg_sys::varlena = datum.cast_mut_ptr();
        // SAFETY: the argument is a value of variable length, which outlives the call.
        let (raw, place) = unsafe {
            let raw =
                std::slice::from_raw_parts(value.cast::<u8>().cast_const(), varsize_any(value));
            (raw, Place::of(value))
        };
        // A pointer into memory may point to another value the next time.
        let is_same = !matches!(place, Place::Elsewhere) && self.datum == raw;
        if !is_same || self.made.is_none() {
            self.made = None;
            self.datum.clear();
            // SAFETY: as above.
            let made = make(&unsafe { Varlena::from_datum(datum) })?;
            self.datum.extend_from_slice(raw);
            self.made = Some(made);
        }
        Ok(self.made.as_mut().expect("it was just made"))
    }
}

/// Where a value lies.
enum Place<'a> {
    InRow(&'a [u8]),
    /// In the row, compressed.
    Compressed,
    /// Out of line, behind a pointer.
    OnDisk(External),
    /// In memory, behind a pointer.
    Elsewhere,
}

impl Place<'_> {
    /// # Safety
    ///
    /// `value` must be a value of variable length that outlives the result.
    unsafe fn of(value: *mut pg_sys::varlena) -> Self {
        // SAFETY: the caller passes a valid value.
        unsafe {
            if varatt_is_1b_e(value) {
                match u32::from(vartag_external(value)) {
                    pg_sys::vartag_external::VARTAG_ONDISK => Place::OnDisk(External::new(value)),
                    _ => Place::Elsewhere,
                }
            } else if varatt_is_4b_c(value) {
                Place::Compressed
            } else {
                let bytes = vardata_any(value).cast();
                Place::InRow(std::slice::from_raw_parts(bytes, varsize_any_exhdr(value)))
            }
        }
    }

    /// Whether so many looks at the same value would have paid for reading all of it.
    fn is_worth_keeping(&self, looks: usize) -> bool {
        match self {
            Place::OnDisk(external) => {
                !external.is_sliceable() || looks * BYTES_PER_LOOK >= external.byte_len()
            }
            _ => true,
        }
    }
}

impl Kept {
    fn forget(&mut self) {
        self.datum.clear();
        self.looks = 0;
        if let Some(state) = self.state.take() {
            state.free();
        }
    }
}

/// The sketch in the working form, in the memory of the call site.
fn thawed<S: Sketch>(args: &Args, datum: Datum) -> SqlResult<Builder> {
    // SAFETY: the caller of `look` passes a sketch; the memory is that of the call site.
    let (bytes, mut memory) =
        unsafe { (Varlena::from_datum(datum), PgMemoryContexts::For((*args.flinfo()).fn_mcxt)) };
    let sketch = S::parse(&bytes)?;
    let len = S::thaw_len(&sketch);
    // SAFETY: nothing in the closure unwinds past the switch but errors that end the query.
    let mut state = unsafe { memory.switch_to(|_| Builder::new(len)) }?;
    match S::thaw(&sketch, State::of(state.bytes())) {
        Ok(()) => Ok(state),
        Err(error) => {
            state.free();
            Err(error.into())
        }
    }
}

/// A value out of line, of which parts can be read.
struct External {
    value: *mut pg_sys::varlena,
    pointer: pg_sys::varatt_external,
    /// The part read last.
    part: Option<Varlena>,
}

impl External {
    /// # Safety
    ///
    /// `value` must point out of line, and outlive the result.
    unsafe fn new(value: *mut pg_sys::varlena) -> Self {
        // SAFETY: the pointer lies behind two bytes, not aligned.
        let pointer = unsafe { value.cast::<u8>().add(2).cast::<pg_sys::varatt_external>() };
        // SAFETY: as above.
        External { value, pointer: unsafe { pointer.read_unaligned() }, part: None }
    }

    /// Whether parts can be read without the rest: not of a compressed value.
    fn is_sliceable(&self) -> bool {
        (self.pointer.va_extinfo & EXTERNAL_SIZE) as usize >= self.byte_len()
    }
}

impl Source for External {
    fn byte_len(&self) -> usize {
        self.pointer.va_rawsize as usize - HEADER_LEN
    }

    fn read(&mut self, at: usize, len: usize) -> sketch::Result<&[u8]> {
        sketch::check_range(at, len, self.byte_len())?;
        // SAFETY: the value is valid; the server gives a new value with these of its bytes.
        let part = unsafe {
            let part = pg_sys::pg_detoast_datum_slice(self.value, at as i32, len as i32);
            Varlena::from_copy(part)
        };
        let part = self.part.insert(part);
        sketch::check_range(0, len, part.len())?;
        Ok(&part[..len])
    }
}
