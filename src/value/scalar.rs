//! Reading scalars: each hands its canonical encoding to a closure.

use pgrx::pg_sys::Datum;
use sketch::hash::scalar;

use super::types::Kind;
use super::{numeric, other};
use crate::datum::Varlena;
use crate::error::SqlResult;

/// The encoding of a scalar that takes eight bytes, as the most common ones do.
///
/// # Safety
///
/// `datum` must be a value of a type of this kind.
#[inline(always)]
pub unsafe fn word(kind: &Kind, datum: Datum) -> Option<[u8; 8]> {
    let word = datum.value();
    // A test of its own, which processors predict better than a jump by table.
    if let Kind::Int8 = kind {
        return Some((word as i64).to_le_bytes());
    }
    Some(match kind {
        Kind::Word => (word as i64).to_le_bytes(),
        Kind::Int4 | Kind::Date => i64::from(word as i32).to_le_bytes(),
        Kind::Int2 => i64::from(word as i16).to_le_bytes(),
        Kind::Oid => i64::from(word as u32).to_le_bytes(),
        Kind::Float8 => scalar::float(f64::from_bits(word as u64)),
        Kind::Float4 => scalar::float(f32::from_bits(word as u32).into()),
        _ => return None,
    })
}

/// Calls `f` with the encoding of a scalar.
///
/// # Safety
///
/// `datum` must be a value of a type of this kind, which is a scalar.
#[inline]
pub unsafe fn encode<R>(kind: &mut Kind, datum: Datum, f: impl FnOnce(&[u8]) -> R) -> SqlResult<R> {
    // SAFETY: the caller passes a value of the kind.
    Ok(unsafe {
        if let Some(word) = word(kind, datum) {
            return Ok(f(&word));
        }
        match kind {
            Kind::Text | Kind::Bytea => f(&Varlena::from_datum(datum)),
            Kind::Uuid => f(&fixed::<16>(datum, 0)),
            Kind::Numeric => f(numeric::encode(&Varlena::from_datum(datum)).as_ref()),
            Kind::Bool => f(&[u8::from(datum.value() as u8 != 0)]),
            Kind::Bpchar => f(scalar::unpadded(&Varlena::from_datum(datum))),
            Kind::Name => f(std::ffi::CStr::from_ptr(datum.cast_mut_ptr()).to_bytes()),
            // The character zero is the empty string, as in the server's own cast.
            Kind::Char => match datum.value() as u8 {
                0 => f(&[]),
                byte => f(&[byte]),
            },
            Kind::Enum => other::enum_label(datum.value() as u32, f)?,
            Kind::Bit => {
                // The number of bits, then the bits, of which the last byte's rest is zero.
                let bits = Varlena::from_datum(datum);
                let len =
                    i32::from_ne_bytes(*bits.first_chunk().expect("a bit string has a length"));
                let mut encoding = Vec::with_capacity(bits.len());
                encoding.extend_from_slice(&len.to_le_bytes());
                encoding.extend_from_slice(&bits[4..]);
                f(&encoding)
            }
            Kind::Macaddr => f(&scalar::macaddr(fixed(datum, 0))),
            Kind::Macaddr8 => f(&fixed::<8>(datum, 0)),
            Kind::Inet => {
                let address = Varlena::from_datum(datum);
                // The server counts families from 2.
                let family = if address[0] == 2 { 4 } else { 6 };
                let len = if family == 4 { 4 } else { 16 };
                let mut encoding = [0; 18];
                encoding[0] = family;
                encoding[1..2 + len].copy_from_slice(&address[1..2 + len]);
                f(&encoding[..2 + len])
            }
            Kind::Timetz => f(&scalar::timetz(
                i64::from_ne_bytes(fixed(datum, 0)),
                i32::from_ne_bytes(fixed(datum, 8)),
            )),
            Kind::Interval => f(&scalar::interval(
                i32::from_ne_bytes(fixed(datum, 12)),
                i32::from_ne_bytes(fixed(datum, 8)),
                i64::from_ne_bytes(fixed(datum, 0)),
            )),
            Kind::CollatedText(function) => f(&function.call(datum)?.to_le_bytes()),
            Kind::Other(name, function) => {
                let mut encoding = name.clone();
                encoding.push(0);
                encoding.extend_from_slice(&function.call(datum)?.to_le_bytes());
                f(&encoding)
            }
            _ => unreachable!("a word is returned above, and a collection is no scalar"),
        }
    })
}

/// `N` bytes at an offset of a value that a pointer passes.
///
/// # Safety
///
/// `datum` must point to so many bytes.
#[inline]
unsafe fn fixed<const N: usize>(datum: Datum, offset: usize) -> [u8; N] {
    // SAFETY: the caller says that the bytes are there.
    unsafe { datum.cast_mut_ptr::<u8>().add(offset).cast::<[u8; N]>().read_unaligned() }
}
