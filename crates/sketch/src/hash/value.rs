//! A value, as far as sketches know it.

use super::{Encoder, SEED, ValueClass, scalar};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A value: its class, and the hash of its canonical encoding.
///
/// The constructors pair a class with the encoding that the class has, so that a value counts once
/// however it comes: built here or by the server. The fields are private, since a keyed hash will
/// add the check of its key to them.
///
/// ```
/// use sketch::hash::{Value, ValueClass};
///
/// assert_eq!(Value::number(42), Value::of_encoding(ValueClass::Number, &42i64.to_le_bytes()));
/// assert_ne!(Value::text("42"), Value::bytea(b"42"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    class: ValueClass,
    hash: u64,
}

impl Value {
    /// A value by its canonical encoding, which `docs/format.md` gives for each class.
    ///
    /// ```
    /// use sketch::hash::{Value, ValueClass};
    /// assert_eq!(Value::of_encoding(ValueClass::Bool, &[1]), Value::boolean(true));
    /// ```
    #[inline]
    pub fn of_encoding(class: ValueClass, encoding: &[u8]) -> Self {
        Value { class, hash: xxh3_64_with_seed(encoding, SEED) }
    }

    /// A value made of others, by what was written to an encoder.
    ///
    /// ```
    /// use sketch::hash::{Encoder, Value, ValueClass};
    ///
    /// let mut pair = Encoder::new();
    /// pair.count(2);
    /// pair.scalar(ValueClass::Text, b"a");
    /// pair.null();
    /// let row = Value::of_encoder(ValueClass::Record, &pair);
    /// assert_eq!(row.class(), ValueClass::Record);
    /// ```
    pub fn of_encoder(class: ValueClass, encoder: &Encoder) -> Self {
        Value { class, hash: encoder.finish() }
    }

    /// A whole number; every integer type and every integral numeric meets here.
    #[inline]
    pub fn number(value: i64) -> Self {
        Self::of_encoding(ValueClass::Number, &value.to_le_bytes())
    }

    /// A floating point number; there is one zero and one NaN.
    #[inline]
    pub fn float(value: f64) -> Self {
        Self::of_encoding(ValueClass::Float, &scalar::float(value))
    }

    /// A character string, in the encoding of the database: UTF-8 in nearly all.
    #[inline]
    pub fn text(value: impl AsRef<[u8]>) -> Self {
        Self::of_encoding(ValueClass::Text, value.as_ref())
    }

    /// A byte string.
    #[inline]
    pub fn bytea(value: impl AsRef<[u8]>) -> Self {
        Self::of_encoding(ValueClass::Bytea, value.as_ref())
    }

    /// An identifier of 16 bytes.
    #[inline]
    pub fn uuid(value: [u8; 16]) -> Self {
        Self::of_encoding(ValueClass::Uuid, &value)
    }

    /// A truth value.
    #[inline]
    pub fn boolean(value: bool) -> Self {
        Self::of_encoding(ValueClass::Bool, &[u8::from(value)])
    }

    /// A day, in days since 2000-01-01.
    #[inline]
    pub fn date(days: i32) -> Self {
        Self::of_encoding(ValueClass::Date, &i64::from(days).to_le_bytes())
    }

    /// A point in time without a zone, in microseconds since 2000-01-01 00:00.
    #[inline]
    pub fn timestamp(microseconds: i64) -> Self {
        Self::of_encoding(ValueClass::Timestamp, &microseconds.to_le_bytes())
    }

    /// A point in time, in microseconds since 2000-01-01 00:00 UTC.
    ///
    /// ```
    /// use sketch::hash::Value;
    /// const EPOCH: i64 = 946_684_800; // 2000-01-01 in Unix time
    /// let midnight = Value::timestamptz((1_767_225_600 - EPOCH) * 1_000_000);
    /// assert_ne!(midnight, Value::timestamptz(0));
    /// ```
    #[inline]
    pub fn timestamptz(microseconds: i64) -> Self {
        Self::of_encoding(ValueClass::Timestamptz, &microseconds.to_le_bytes())
    }

    /// The class.
    #[inline]
    pub fn class(self) -> ValueClass {
        self.class
    }

    /// The 64-bit hash.
    #[inline]
    pub fn hash(self) -> u64 {
        self.hash
    }

    /// A value of any hash, for tests of hashes that are hard to come by.
    #[cfg(test)]
    pub(crate) fn of_hash(hash: u64) -> Self {
        Value { class: ValueClass::Number, hash }
    }
}
