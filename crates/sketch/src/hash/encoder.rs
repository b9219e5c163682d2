//! Encodings of values made of other values: arrays, rows, ranges, documents.

use xxhash_rust::xxh3::Xxh3;

use super::{SEED, ValueClass};

/// Hashes the encoding of a nested value as it is written, so that no copy of it is built.
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
pub struct Encoder(Xxh3);

impl Encoder {
    /// An encoder that has written nothing.
    pub fn new() -> Self {
        Encoder(Xxh3::with_seed(SEED))
    }

    /// A scalar part: class, length, encoding.
    pub fn scalar(&mut self, class: ValueClass, encoding: &[u8]) {
        self.class(class);
        self.count(encoding.len());
        self.0.update(encoding);
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
        self.0.update(&(count as u32).to_le_bytes());
    }

    /// A bound or any other signed number of 32 bits.
    pub fn i32(&mut self, value: i32) {
        self.0.update(&value.to_le_bytes());
    }

    /// A mark of one byte.
    pub fn byte(&mut self, mark: u8) {
        self.0.update(&[mark]);
    }

    /// The hash of all that was written.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}
