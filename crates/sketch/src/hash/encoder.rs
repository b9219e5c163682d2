//! Encodings of values made of others: arrays, rows, ranges, documents.

use xxhash_rust::xxh3::Xxh3;

use super::{SEED, ValueClass};

/// Where the canonical encoding of a value goes, piece by piece: a [`Hasher`], or a `Vec<u8>` for
/// those who keep the encoding itself.
pub trait Sink {
    /// Takes the next bytes of the encoding.
    fn write(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn write(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl<S: Sink> Sink for &mut S {
    fn write(&mut self, bytes: &[u8]) {
        (**self).write(bytes);
    }
}

/// Hashes an encoding as it is written, so that no copy of it is built.
pub struct Hasher(Xxh3);

impl Hasher {
    /// A hasher that has been given nothing.
    pub fn new() -> Self {
        Hasher(Xxh3::with_seed(SEED))
    }

    /// The hash of all that was written.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Sink for Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// Writes the encoding of a nested value.
///
/// Every part says where it ends: a scalar inside another value is its class, the length of its
/// encoding (u32) and the encoding; a collection is a count and its parts; a NULL is a zero byte.
///
/// ```
/// use sketch::hash::{Encoder, ValueClass};
///
/// let mut ab_c = Encoder::new();
/// ab_c.scalar(ValueClass::Text, b"ab");
/// ab_c.scalar(ValueClass::Text, b"c");
/// let mut a_bc = Encoder::new();
/// a_bc.scalar(ValueClass::Text, b"a");
/// a_bc.scalar(ValueClass::Text, b"bc");
/// assert_ne!(ab_c.finish(), a_bc.finish());
/// ```
pub struct Encoder<S = Hasher>(S);

/// A scalar part up to this length is written in one piece with its class and length.
const SHORT: usize = 27;

impl Encoder {
    /// An encoder that hashes what is written.
    pub fn new() -> Self {
        Encoder(Hasher::new())
    }

    /// The hash of all that was written.
    pub fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Sink> Encoder<S> {
    /// An encoder that writes to a sink.
    pub fn to(sink: S) -> Self {
        Encoder(sink)
    }

    /// A scalar part: class, length, encoding.
    pub fn scalar(&mut self, class: ValueClass, encoding: &[u8]) {
        let mut part = [0; 5 + SHORT];
        part[0] = class as u8;
        part[1..5].copy_from_slice(&(encoding.len() as u32).to_le_bytes());
        if let Some(short) = part[5..].get_mut(..encoding.len()) {
            short.copy_from_slice(encoding);
            self.0.write(&part[..5 + encoding.len()]);
        } else {
            self.0.write(&part[..5]);
            self.0.write(encoding);
        }
    }

    /// The class of a nested collection, before its own parts.
    pub fn class(&mut self, class: ValueClass) {
        self.byte(class as u8);
    }

    /// A NULL part.
    pub fn null(&mut self) {
        self.byte(0);
    }

    /// A count of parts, or a length, as a u32.
    pub fn count(&mut self, count: usize) {
        // No value of 4 GiB exists in a server, so nothing is lost.
        self.0.write(&(count as u32).to_le_bytes());
    }

    /// A bound or any other signed number of 32 bits.
    pub fn i32(&mut self, value: i32) {
        self.0.write(&value.to_le_bytes());
    }

    /// A mark of one byte.
    pub fn byte(&mut self, mark: u8) {
        self.0.write(&[mark]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

    #[test]
    fn every_sink_gets_the_same_bytes() {
        for len in [0, 1, SHORT, SHORT + 1, 300] {
            let (mut hash, mut bytes) = (Encoder::new(), Vec::new());
            hash.scalar(ValueClass::Text, &vec![b'x'; len]);
            hash.null();
            let mut kept = Encoder::to(&mut bytes);
            kept.scalar(ValueClass::Text, &vec![b'x'; len]);
            kept.null();
            assert_eq!(bytes.len(), 6 + len);
            assert_eq!(bytes[..5], [&[3], &(len as u32).to_le_bytes()[..]].concat());
            assert_eq!(hash.finish(), hash::bytes(&bytes), "{len}");
        }
    }
}
