//! SQL types: which class a type has, and what is needed to read its values.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, BuiltinOid, Oid};
use sketch::hash::ValueClass;

use super::array::Elements;
use super::enums::Labels;
use super::other::{CollatedText, Other, Strings};
use super::range::RangeType;
use super::record::RowTypes;
use super::sketches;
use crate::error::{SqlError, SqlResult};

/// What is known of a type at a place in a query.
pub struct Type {
    class: ValueClass,
    kind: Kind,
}

/// How a value is read.
pub enum Kind {
    Bool,
    Char,
    Int2,
    Int4,
    Int8,
    Xid8,
    Oid,
    Numeric,
    Float4,
    Float8,
    Text,
    Bpchar,
    Name,
    Enum(Box<Labels>),
    CollatedText(Box<CollatedText>),
    Bytea,
    Uuid,
    Bit,
    Macaddr,
    Macaddr8,
    Inet,
    Date,
    /// Times, timestamps, money, pg_lsn: eight bytes by value.
    Word,
    Timetz,
    Interval,
    Aclitem,
    Jsonb,
    Array(Elements<Type>),
    Record(RowTypes<Type>),
    Range(Box<RangeType<Type>>),
    Multirange(Box<RangeType<Type>>),
    Other(Box<Other>),
}

impl Type {
    /// A type by its OID, with the collation that its strings have here.
    pub fn new(oid: Oid, collation: Oid) -> SqlResult<Self> {
        let (class, kind) = match built_in(oid) {
            Some((ValueClass::Text, kind @ (Kind::Text | Kind::Bpchar | Kind::Name))) => {
                collated(kind, collation)?
            }
            Some(known) => known,
            None => {
                // SAFETY: an array's elements may be arrays again, by way of domains, as deep as
                // their maker likes; this raises an error where the stack ends.
                unsafe { pg_sys::check_stack_depth() };
                // SAFETY: a catalog look-up.
                let base = unsafe { pg_sys::getBaseType(oid) };
                if base != oid {
                    return Type::new(base, collation);
                }
                constructed(oid, collation)?
            }
        };
        Ok(Type { class, kind })
    }

    /// The class of the values.
    #[inline]
    pub fn class(&self) -> ValueClass {
        self.class
    }

    /// How the values are read.
    #[inline]
    pub fn kind(&mut self) -> &mut Kind {
        &mut self.kind
    }

    /// Whether the values are made of other values.
    #[inline]
    pub fn is_composite(&self) -> bool {
        matches!(
            self.kind,
            Kind::Array(_) | Kind::Record(_) | Kind::Range(_) | Kind::Multirange(_) | Kind::Jsonb
        )
    }
}

/// A type that is no built-in scalar: by what it is made of, or by its own hash function.
fn constructed(oid: Oid, collation: Oid) -> SqlResult<(ValueClass, Kind)> {
    if oid == pg_sys::ANYARRAYOID {
        return Ok((ValueClass::Array, Kind::Array(Elements::default())));
    }
    // SAFETY: a catalog look-up.
    let element = unsafe { pg_sys::get_element_type(oid) };
    if element != Oid::INVALID {
        let elements = Elements::new(element, collation)?;
        return Ok((ValueClass::Array, Kind::Array(elements)));
    }
    // SAFETY: a catalog look-up.
    Ok(match unsafe { pg_sys::get_typtype(oid) } as u8 {
        pg_sys::TYPTYPE_ENUM => (ValueClass::Text, Kind::Enum(Box::default())),
        pg_sys::TYPTYPE_COMPOSITE => (ValueClass::Record, Kind::Record(RowTypes::default())),
        _ if oid == pg_sys::RECORDOID => (ValueClass::Record, Kind::Record(RowTypes::default())),
        pg_sys::TYPTYPE_RANGE => (ValueClass::Range, Kind::Range(RangeType::new(oid)?)),
        pg_sys::TYPTYPE_MULTIRANGE => {
            // SAFETY: a catalog look-up.
            let range = unsafe { pg_sys::get_multirange_range(oid) };
            (ValueClass::Multirange, Kind::Multirange(RangeType::new(range)?))
        }
        _ => {
            sketches::refuse(oid)?;
            (ValueClass::Other, Kind::Other(Box::new(Other::new(oid, collation)?)))
        }
    })
}

/// The class and kind of the built-in scalar types.
fn built_in(oid: Oid) -> Option<(ValueClass, Kind)> {
    use BuiltinOid::*;
    Some(match BuiltinOid::try_from(oid).ok()? {
        INT2OID => (ValueClass::Number, Kind::Int2),
        INT4OID => (ValueClass::Number, Kind::Int4),
        INT8OID => (ValueClass::Number, Kind::Int8),
        XID8OID => (ValueClass::Number, Kind::Xid8),
        OIDOID | XIDOID | CIDOID | REGPROCOID | REGPROCEDUREOID | REGOPEROID | REGOPERATOROID
        | REGCLASSOID | REGCOLLATIONOID | REGTYPEOID | REGROLEOID | REGNAMESPACEOID
        | REGCONFIGOID | REGDICTIONARYOID => (ValueClass::Number, Kind::Oid),
        NUMERICOID => (ValueClass::Number, Kind::Numeric),
        FLOAT4OID => (ValueClass::Float, Kind::Float4),
        FLOAT8OID => (ValueClass::Float, Kind::Float8),
        TEXTOID | VARCHAROID => (ValueClass::Text, Kind::Text),
        BPCHAROID => (ValueClass::Text, Kind::Bpchar),
        NAMEOID => (ValueClass::Text, Kind::Name),
        CHAROID => (ValueClass::Text, Kind::Char),
        BYTEAOID => (ValueClass::Bytea, Kind::Bytea),
        UUIDOID => (ValueClass::Uuid, Kind::Uuid),
        BOOLOID => (ValueClass::Bool, Kind::Bool),
        BITOID | VARBITOID => (ValueClass::Bit, Kind::Bit),
        MACADDROID => (ValueClass::Macaddr, Kind::Macaddr),
        MACADDR8OID => (ValueClass::Macaddr, Kind::Macaddr8),
        INETOID | CIDROID => (ValueClass::Inet, Kind::Inet),
        MONEYOID => (ValueClass::Money, Kind::Word),
        PG_LSNOID => (ValueClass::PgLsn, Kind::Word),
        DATEOID => (ValueClass::Date, Kind::Date),
        TIMEOID => (ValueClass::Time, Kind::Word),
        TIMETZOID => (ValueClass::Timetz, Kind::Timetz),
        TIMESTAMPOID => (ValueClass::Timestamp, Kind::Word),
        TIMESTAMPTZOID => (ValueClass::Timestamptz, Kind::Word),
        INTERVALOID => (ValueClass::Interval, Kind::Interval),
        JSONBOID => (ValueClass::Jsonb, Kind::Jsonb),
        ACLITEMOID => (ValueClass::Other, Kind::Aclitem),
        _ => return None,
    })
}

/// Strings under a collation that calls different bytes equal go by the server's hash of what the
/// collation compares, in a class of their own.
fn collated(kind: Kind, collation: Oid) -> SqlResult<(ValueClass, Kind)> {
    if collation == Oid::INVALID {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INDETERMINATE_COLLATION,
            "could not determine which collation to use for the value".to_owned(),
            "Use the COLLATE clause to set the collation explicitly.",
        ));
    }
    // SAFETY: a catalog look-up.
    if unsafe { pg_sys::get_collation_isdeterministic(collation) } {
        return Ok((ValueClass::Text, kind));
    }
    let strings = match kind {
        Kind::Name => Strings::Name,
        Kind::Bpchar => Strings::Bpchar,
        _ => Strings::Text,
    };
    let text = CollatedText::new(strings, collation)?;
    Ok((ValueClass::CollatedText, Kind::CollatedText(Box::new(text))))
}
