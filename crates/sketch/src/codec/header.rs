//! The first three bytes of every sketch.
//!
//! | byte | meaning |
//! | --- | --- |
//! | 0 | the sketch type, an ASCII letter |
//! | 1 | bits 0-3 format version, bits 4-5 form, bit 6 keyed hash, bit 7 zero |
//! | 2 | value class, 0 while the sketch has met no value |
//!
//! A keyed hash is to come: with bit 6 set, two bytes that check the key will follow byte 2.
//! Until then the bit is refused. The type's parameters are next, see [`super::params`].

use crate::error::{Error, Result};
use crate::hash::ValueClass;

/// The type of a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum SketchType {
    /// Distinct counts.
    Hll = b'h',
    /// Membership.
    Bloom = b'b',
    /// Membership, with removal.
    Cuckoo = b'c',
    /// Frequencies.
    Cms = b'm',
}

impl SketchType {
    /// The name of the SQL type.
    pub fn name(self) -> &'static str {
        match self {
            SketchType::Hll => "hll",
            SketchType::Bloom => "bloom",
            SketchType::Cuckoo => "cuckoo",
            SketchType::Cms => "cms",
        }
    }
}

/// How a sketch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Form {
    /// Parameters only.
    Empty = 0,
    /// A sorted list of hashes, coded.
    Sparse = 1,
    /// The type's own table, coded.
    Dense = 2,
    /// The updatable form that an aggregate holds, with spare room.
    Working = 3,
}

impl Form {
    /// The name that `*_info` functions use.
    pub fn name(self) -> &'static str {
        match self {
            Form::Empty => "empty",
            Form::Sparse => "sparse",
            Form::Dense => "dense",
            Form::Working => "working",
        }
    }
}

/// What the first three bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How the rest is written.
    pub form: Form,
    /// What values the sketch holds; `None` while it holds none.
    pub class: Option<ValueClass>,
}

/// The length of a header in bytes.
pub const LEN: usize = 3;

const VERSION: u8 = 1;
const KEYED: u8 = 1 << 6;

impl Header {
    /// Reads the header of a sketch of the given type; returns it and the bytes behind it.
    pub fn read(bytes: &[u8], expected: SketchType) -> Result<(Header, &[u8])> {
        let Some((&[kind, layout, class], rest)) = bytes.split_first_chunk() else {
            return Err(Error::bytes(format!(
                "{} bytes are too few for a sketch of type {}",
                bytes.len(),
                expected.name()
            )));
        };
        if kind != expected as u8 {
            return Err(Error::bytes(format!(
                "not a sketch of type {}: the first byte is {kind:#04x}, not {:#04x}",
                expected.name(),
                expected as u8
            )));
        }
        let version = layout & 0x0f;
        if version != VERSION || layout & 0x80 != 0 {
            return Err(Error::bytes(format!(
                "unknown format {layout:#04x} of type {}: this version reads format {VERSION}",
                expected.name()
            ))
            .with_hint("A newer pg_sketch may have written it; upgrade the extension."));
        }
        if layout & KEYED != 0 {
            return Err(Error::bytes("sketches with a keyed hash are not supported")
                .with_hint("A newer pg_sketch may have written it; upgrade the extension."));
        }
        let form =
            [Form::Empty, Form::Sparse, Form::Dense, Form::Working][usize::from(layout >> 4 & 3)];
        let class = ValueClass::from_stored(class)?;
        let header = Header { form, class };
        header.check()?;
        Ok((header, rest))
    }

    /// Writes the header of a sketch at rest to the front of `out`; returns its length.
    pub fn write(self, kind: SketchType, out: &mut [u8]) -> Result<usize> {
        self.check()?;
        out[..LEN].copy_from_slice(&self.to_bytes(kind));
        Ok(LEN)
    }

    /// The bytes of the header.
    pub fn to_bytes(self, kind: SketchType) -> [u8; LEN] {
        [kind as u8, VERSION | (self.form as u8) << 4, self.class.map_or(0, |class| class as u8)]
    }

    /// Checks that there is a class where there are values, and none where there are none.
    fn check(self) -> Result<()> {
        let (needs, has) = (
            matches!(self.form, Form::Sparse | Form::Dense),
            self.class.is_some() && self.form != Form::Working,
        );
        if needs == has {
            return Ok(());
        }
        Err(Error::bytes(format!(
            "a sketch of form {} {} value class",
            self.form.name(),
            if needs { "needs a" } else { "has no" }
        )))
    }
}

/// Whether bytes are in the working form.
#[inline]
pub fn is_working(bytes: &[u8]) -> bool {
    is_of(bytes, Form::Working)
}

/// Whether bytes are in the sparse form, in which a look-up reads a list.
pub fn is_sparse(bytes: &[u8]) -> bool {
    is_of(bytes, Form::Sparse)
}

#[inline]
fn is_of(bytes: &[u8], form: Form) -> bool {
    bytes.get(1).is_some_and(|layout| layout >> 4 & 3 == form as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_byte_is_refused() {
        for bytes in [
            &b""[..],
            b"h",
            b"h\x01",
            b"b\x01\x00",
            b"h\x00\x00",
            b"h\x02\x00",
            b"h\x81\x00",
            b"h\x41\x00",
            b"h\x01\x01",
            b"h\x11\x00",
            b"h\x21\x00",
            b"h\x11\x19",
        ] {
            assert!(Header::read(bytes, SketchType::Hll).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn headers_round_trip() {
        for (form, class) in [
            (Form::Empty, None),
            (Form::Sparse, Some(ValueClass::Number)),
            (Form::Dense, Some(ValueClass::CollatedText)),
            (Form::Working, None),
            (Form::Working, Some(ValueClass::Text)),
        ] {
            let header = Header { form, class };
            let bytes = header.to_bytes(SketchType::Hll);
            assert_eq!(Header::read(&bytes, SketchType::Hll), Ok((header, &[][..])));
        }
    }
}
