//! Value classes: which values may meet in one sketch.

use crate::error::{Error, ErrorKind, Result};

/// What surprises people whose program binds parameters without a type.
const UNTYPED: &str = "A literal or parameter without a type is text: cast it";

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
        .with_hint(self.way_to(held))
    }

    /// How a value of this class may meet values of another.
    fn way_to(self, held: ValueClass) -> String {
        let example = held.example();
        match self {
            ValueClass::Text => format!("{UNTYPED}, as in $1::{example}."),
            ValueClass::Array => "To use the elements of an array, unnest it.".to_owned(),
            _ if held == ValueClass::Text => format!(
                "Cast the value to text. {UNTYPED} when the sketch is built, as in $1::{}.",
                self.example()
            ),
            _ => {
                format!("Cast the value to the type that the sketch was built from, say {example}.")
            }
        }
    }

    /// A SQL type of this class.
    fn example(self) -> &'static str {
        match self {
            ValueClass::Number => "bigint",
            ValueClass::Float => "double precision",
            ValueClass::Bool => "boolean",
            ValueClass::Bit => "bit varying",
            ValueClass::Record => "my_row",
            ValueClass::Array => "text[]",
            ValueClass::Range => "int8range",
            ValueClass::Multirange => "int8multirange",
            ValueClass::Other => "citext",
            ValueClass::CollatedText => "text COLLATE my_collation",
            class => class.name(),
        }
    }

    /// The class of the union of two sketches, where no class yields to any.
    pub fn unite(a: Option<ValueClass>, b: Option<ValueClass>) -> Result<Option<ValueClass>> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let error = Error::new(
                    ErrorKind::Mismatch,
                    format!(
                        "sketches of different value classes cannot be combined: {} and {}",
                        a.name(),
                        b.name()
                    ),
                );
                let other = if a == ValueClass::Text { b } else { a };
                Err(error.with_hint(if a == ValueClass::Text || b == ValueClass::Text {
                    format!(
                        "Build both from values of one type. {UNTYPED}, as in $1::{}.",
                        other.example()
                    )
                } else {
                    "Build both from values of one type, with a cast where needed.".to_owned()
                }))
            }
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

    #[test]
    fn hints_say_what_to_write() {
        let hint = |value: ValueClass, held| {
            value.expect_held(Some(held)).unwrap_err().hint().unwrap().to_owned()
        };
        let untyped = hint(ValueClass::Text, ValueClass::Number);
        assert!(untyped.ends_with("is text: cast it, as in $1::bigint."), "{untyped}");
        assert!(hint(ValueClass::Text, ValueClass::Other).contains("$1::citext"));
        assert!(hint(ValueClass::Uuid, ValueClass::Text).contains("$1::uuid"));
        assert!(hint(ValueClass::Array, ValueClass::Number).contains("unnest"));
        assert!(hint(ValueClass::Float, ValueClass::Number).contains("bigint"));
        let both = ValueClass::unite(Some(ValueClass::Text), Some(ValueClass::Date)).unwrap_err();
        assert!(both.hint().unwrap().contains("$1::date"));
    }
}
