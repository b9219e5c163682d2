//! The fixed value hash: one canonical encoding of each value, hashed by XXH3-64.
//!
//! Values that SQL calls equal have one encoding, whatever their width, scale or padding, so they
//! count once. The encodings, the seed and therefore every hash are part of the stored format:
//! they never change. `docs/format.md` lists them, and golden vectors pin them.
//!
//! [`scalar`] has the encodings of single values, [`Encoder`] those of values made of others.

mod class;
mod encoder;
pub mod scalar;
mod value;

pub use class::ValueClass;
pub use encoder::{Encoder, Hasher, Sink};
pub use value::Value;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The seed of every hash: the ASCII letters `pgsketch`, read as a big-endian number.
pub const SEED: u64 = u64::from_be_bytes(*b"pgsketch");

/// Hashes the canonical encoding of a scalar.
#[inline]
pub fn bytes(encoding: &[u8]) -> u64 {
    xxh3_64_with_seed(encoding, SEED)
}

/// Hashes a whole number; every integer type and every integral numeric meets here.
///
/// ```
/// assert_eq!(sketch::hash::number(42), sketch::hash::bytes(&42i64.to_le_bytes()));
/// ```
#[inline]
pub fn number(value: i64) -> u64 {
    bytes(&value.to_le_bytes())
}
