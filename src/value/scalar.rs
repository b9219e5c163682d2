//! Reading scalars: each hands its canonical encoding to a closure.

use std::ffi::CStr;

use pgrx::pg_sys::{AclItem, AclMode, Datum};
use sketch::hash::scalar;

use super::numeric;
use super::types::Kind;
use crate::datum::Varlena;
use crate::error::SqlResult;

/// The encoding of a scalar that takes eight bytes, as the most common ones do.
#[inline(always)]
pub fn word(kind: &Kind, datum: Datum) -> Option<[u8; 8]> {
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
    if let Some(word) = word(kind, datum) {
        return Ok(f(&word));
    }
    let value = Value(datum);
    Ok(match kind {
        Kind::Text | Kind::Bytea => f(&value.varlena()),
        Kind::Uuid => f(&value.fixed::<16>()),
        Kind::Numeric => f(numeric::encode(&value.varlena()).as_ref()),
        Kind::Bool => f(&[u8::from(datum.value() as u8 != 0)]),
        Kind::Bpchar => f(scalar::unpadded(&value.varlena())),
        Kind::Name => f(value.name()),
        Kind::Char => f(scalar::single_byte(datum.value() as u8).as_ref()),
        Kind::Xid8 => f(scalar::unsigned(datum.value() as u64).as_ref()),
        Kind::Enum(labels) => f(labels.label(datum.value() as u32)?),
        Kind::Bit => bit(&value.varlena(), f),
        Kind::Macaddr => f(&scalar::macaddr(value.fixed())),
        Kind::Macaddr8 => f(&value.fixed::<8>()),
        Kind::Inet => inet(&value.varlena(), f),
        Kind::Timetz => {
            let (time, zone) = split(value.fixed::<12>());
            f(&scalar::timetz(i64::from_ne_bytes(time), i32::from_ne_bytes(zone)))
        }
        Kind::Interval => {
            let (time, rest) = split::<8, 8, 16>(value.fixed());
            let (days, months) = split(rest);
            f(&scalar::interval(
                i32::from_ne_bytes(months),
                i32::from_ne_bytes(days),
                i64::from_ne_bytes(time),
            ))
        }
        Kind::Aclitem => f(&aclitem(value.aclitem())),
        // SAFETY: the caller passes a value of the kind.
        Kind::CollatedText(text) => f(&unsafe { text.encode(datum) }),
        // SAFETY: as above.
        Kind::Other(other) => f(unsafe { other.encode(datum)? }),
        _ => unreachable!("a word is returned above, and a collection is no scalar"),
    })
}

/// A bit string: its length in bits, then the bits, of which the last byte's rest is zero.
fn bit<R>(stored: &[u8], f: impl FnOnce(&[u8]) -> R) -> R {
    // The server's own form but for the order of the bytes.
    if cfg!(target_endian = "little") {
        return f(stored);
    }
    let mut encoding = stored.to_vec();
    encoding[..4].reverse();
    f(&encoding)
}

/// A network address: version, bits of the netmask, bytes.
fn inet<R>(stored: &[u8], f: impl FnOnce(&[u8]) -> R) -> R {
    // The server counts families from 2.
    let (version, len) = if stored[0] == 2 { (4, 4) } else { (6, 16) };
    let mut encoding = [0; 18];
    encoding[0] = version;
    encoding[1..2 + len].copy_from_slice(&stored[1..2 + len]);
    f(&encoding[..2 + len])
}

/// An access privilege. The upper half of its bits, of which later versions of the server have more,
/// says what may be granted on.
fn aclitem(item: AclItem) -> [u8; 24] {
    let (grantee, grantor) = (item.ai_grantee.to_u32(), item.ai_grantor.to_u32());
    let (privileges, grantable) = halves(item.ai_privs, AclMode::BITS / 2);
    scalar::aclitem(grantee, grantor, privileges, grantable)
}

/// The lowest bits, so many of them, and the others.
fn halves(bits: impl Into<u64>, half: u32) -> (u32, u32) {
    let bits = bits.into();
    ((bits & ((1 << half) - 1)) as u32, (bits >> half) as u32)
}

/// The first bytes and the rest.
fn split<const A: usize, const B: usize, const N: usize>(bytes: [u8; N]) -> ([u8; A], [u8; B]) {
    const { assert!(A + B == N) };
    (*bytes.first_chunk().expect("A <= N"), *bytes.last_chunk().expect("B <= N"))
}

/// A value that is read as what its kind says it is: whoever calls a method answers for that.
#[derive(Clone, Copy)]
struct Value(Datum);

impl Value {
    /// A value of variable length.
    #[inline]
    fn varlena(self) -> Varlena {
        // SAFETY: `encode` is given a value of its kind, which is of variable length.
        unsafe { Varlena::from_datum(self.0) }
    }

    /// A value of `N` bytes that a pointer passes.
    #[inline]
    fn fixed<const N: usize>(self) -> [u8; N] {
        // SAFETY: `encode` is given a value of its kind, which has so many bytes.
        unsafe { self.0.cast_mut_ptr::<[u8; N]>().read_unaligned() }
    }

    fn name<'a>(self) -> &'a [u8] {
        // SAFETY: `encode` is given a name, which outlives the call and ends with a zero byte.
        unsafe { CStr::from_ptr(self.0.cast_mut_ptr()) }.to_bytes()
    }

    fn aclitem(self) -> AclItem {
        // SAFETY: `encode` is given an access privilege.
        unsafe { self.0.cast_mut_ptr::<AclItem>().read_unaligned() }
    }
}
