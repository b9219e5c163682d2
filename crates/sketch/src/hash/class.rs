//! Value classes: which values may meet in one sketch.

use crate::error::{Error, ErrorKind, Result};

/// What family of values a sketch holds.
///
/// Two values of one class are comparable by their hashes; values of different classes are not,
/// and a sketch refuses them. The discriminants are stored bytes and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum ValueClass {
    /// Integers of every width, oid, numeric.
    Number = 1,
    /// Binary floating point of both widths.
    Float = 2,
    /// Character strings, enums by their label.
    Text = 3,
    /// Byte strings.
    Bytea = 4,
    /// 16-byte identifiers.
    Uuid = 5,
    /// Truth values.
    Bool = 6,
    /// Bit strings, fixed and varying.
    Bit = 7,
    /// Link-layer addresses of 6 and 8 bytes.
    Macaddr = 8,
    /// Network addresses and networks.
    Inet = 9,
    /// Amounts of money, in the smallest unit.
    Money = 10,
    /// Positions in a write-ahead log.
    PgLsn = 11,
    /// Days.
    Date = 12,
    /// Times of day.
    Time = 13,
    /// Times of day with a zone.
    Timetz = 14,
    /// Points in time without a zone.
    Timestamp = 15,
    /// Points in time.
    Timestamptz = 16,
    /// Spans of time.
    Interval = 17,
    /// JSON documents.
    Jsonb = 18,
    /// Rows.
    Record = 19,
    /// Arrays.
    Array = 20,
    /// Ranges.
    Range = 21,
    /// Sets of ranges.
    Multirange = 22,
    /// Values of an extension's type, by that type's own hash function.
    Other = 23,
    /// Character strings by a collation that calls strings of different bytes equal.
    CollatedText = 24,
}

impl ValueClass {
    /// Every class, in the order of the stored byte.
    pub const ALL: [ValueClass; 24] = {
        use ValueClass::*;
        [
            Number,
            Float,
            Text,
            Bytea,
            Uuid,
            Bool,
            Bit,
            Macaddr,
            Inet,
            Money,
            PgLsn,
            Date,
            Time,
            Timetz,
            Timestamp,
            Timestamptz,
            Interval,
            Jsonb,
            Record,
            Array,
            Range,
            Multirange,
            Other,
            CollatedText,
        ]
    };

    /// The class behind a stored byte; 0 stands for "none yet".
    pub fn from_stored(byte: u8) -> Result<Option<ValueClass>> {
        match byte {
            0 => Ok(None),
            1..=24 => Ok(Some(Self::ALL[usize::from(byte) - 1])),
            _ => Err(Error::bytes(format!("unknown value class {byte}"))),
        }
    }

    /// The name that messages and `*_info` functions use.
    pub fn name(self) -> &'static str {
        match self {
            ValueClass::Number => "number",
            ValueClass::Float => "float",
            ValueClass::Text => "text",
            ValueClass::Bytea => "bytea",
            ValueClass::Uuid => "uuid",
            ValueClass::Bool => "bool",
            ValueClass::Bit => "bit",
            ValueClass::Macaddr => "macaddr",
            ValueClass::Inet => "inet",
            ValueClass::Money => "money",
            ValueClass::PgLsn => "pg_lsn",
            ValueClass::Date => "date",
            ValueClass::Time => "time",
            ValueClass::Timetz => "timetz",
            ValueClass::Timestamp => "timestamp",
            ValueClass::Timestamptz => "timestamptz",
            ValueClass::Interval => "interval",
            ValueClass::Jsonb => "jsonb",
            ValueClass::Record => "record",
            ValueClass::Array => "array",
            ValueClass::Range => "range",
            ValueClass::Multirange => "multirange",
            ValueClass::Other => "other",
            ValueClass::CollatedText => "collated text",
        }
    }

    /// Checks that a value of this class may meet a sketch with values of class `held`.
    #[inline]
    pub fn expect_held(self, held: Option<ValueClass>) -> Result<()> {
        match held {
            Some(held) if held != self => Err(self.mismatch(held)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn mismatch(self, held: ValueClass) -> Error {
        Error::new(
            ErrorKind::Mismatch,
            format!(
                "cannot use a value of class {} with a sketch of class {}",
                self.name(),
                held.name()
            ),
        )
        .with_hint(format!("Cast the value to a type of class {}.", held.name()))
    }

    /// The class of the union of two sketches, where no class yields to any.
    pub fn unite(a: Option<ValueClass>, b: Option<ValueClass>) -> Result<Option<ValueClass>> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Err(Error::new(
                ErrorKind::Mismatch,
                format!(
                    "sketches of different value classes cannot be combined: {} and {}",
                    a.name(),
                    b.name()
                ),
            )
            .with_hint("Build both from values of one class, with a cast where needed.")),
            (a, b) => Ok(a.or(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_the_discriminants() {
        for (at, class) in ValueClass::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, at + 1);
            assert_eq!(ValueClass::from_stored(class as u8), Ok(Some(class)));
        }
        assert_eq!(ValueClass::from_stored(0), Ok(None));
        assert!(ValueClass::from_stored(25).is_err());
    }
}
