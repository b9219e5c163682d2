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
    /// Every type.
    pub const ALL: [SketchType; 4] =
        [SketchType::Hll, SketchType::Bloom, SketchType::Cuckoo, SketchType::Cms];

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
            return Err(wrong_kind(bytes, expected));
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
        let is_sound = match self.form {
            Form::Empty => self.class.is_none(),
            Form::Sparse | Form::Dense => self.class.is_some(),
            Form::Working => true,
        };
        if is_sound {
            return Ok(());
        }
        let (form, has) = (self.form.name(), if self.form == Form::Empty { "no" } else { "a" });
        Err(Error::bytes(format!("a sketch of form {form} has {has} value class")))
    }
}

/// The error for bytes that begin as no sketch of the type does, with their origin where they tell.
#[cold]
fn wrong_kind(bytes: &[u8], expected: SketchType) -> Error {
    let name = expected.name();
    if let Some(own) = SketchType::ALL.into_iter().find(|&own| own as u8 == bytes[0]) {
        return Error::bytes(format!("the sketch is of type {}, not {name}", own.name()));
    }
    let origin = match *bytes {
        [b'H', b'Y', b'L', b'L', ..] => "Redis",
        // The version of the schema and the type of the sketch, half a byte each.
        [0x10..=0x14, ..] => "postgresql-hll",
        // The length of the preamble, the version, the family: theta, HLL, CPC and others.
        [1..=10, 1..=3, 1..=21, ..] => "Apache DataSketches",
        [first, ..] => {
            let wanted = expected as u8;
            return Error::bytes(format!(
                "not a sketch of type {name}: the first byte is {first:#04x}, not {wanted:#04x}"
            ));
        }
        [] => return Error::bytes("no bytes are no sketch"),
    };
    Error::bytes(format!("the bytes are those of a sketch of {origin}, not of type {name}"))
        .with_hint(
            "Other systems hash values in another way, so their sketches cannot be converted: \
             build the sketch from the values.",
        )
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
    fn the_origin_of_foreign_bytes_is_named() {
        for (bytes, origin) in [
            (&b"HYLL\x01\0\0\0"[..], "Redis"),
            (b"\x14\x8b\x7f\x20", "postgresql-hll"),
            (b"\x11\x8b\x7f", "postgresql-hll"),
            (b"\x0a\x01\x07\x0c\x03\x08", "DataSketches"),
            (b"b\x01\0", "type bloom"),
            (b"xyz", "0x78"),
        ] {
            let error = Header::read(bytes, SketchType::Hll).unwrap_err();
            assert!(error.message().contains(origin), "{error}");
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
