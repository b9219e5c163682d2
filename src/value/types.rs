//! SQL types: which class a type has, and what is needed to read its values.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, BuiltinOid, Oid};
use sketch::hash::ValueClass;

use super::other::HashFunction;
use crate::datum::Args;
use crate::error::{SqlError, SqlResult};

/// What is known of a type at a place in a query.
pub struct Type {
    class: ValueClass,
    kind: Kind,
    /// How values lie in an array: length (or -1, -2), by value, alignment.
    pub layout: Layout,
}

/// How values of a type lie in memory, as `pg_type` says.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The length, -1 for values with a length word, -2 for strings that a zero byte ends.
    pub len: i16,
    /// Whether a datum is the value itself.
    pub by_value: bool,
    /// The alignment: 1, 2, 4 or 8.
    pub align: usize,
}

/// How a value is read.
pub enum Kind {
    Bool,
    Char,
    Int2,
    Int4,
    Int8,
    Oid,
    Numeric,
    Float4,
    Float8,
    Text,
    Bpchar,
    Name,
    Enum,
    CollatedText(HashFunction),
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
    Jsonb,
    /// The element type, by its OID: columns of type `anyarray` mix them.
    Array(Option<(Oid, Box<Type>)>),
    /// The row types seen last: see [`super::composite`].
    Record(Vec<RowType>),
    Range(Box<RangeType>),
    Multirange(Box<RangeType>),
    /// The type's name and its hash function.
    Other(Vec<u8>, HashFunction),
}

/// The columns of a row type.
pub struct RowType {
    /// The type and its modifier, which together name it.
    pub key: (Oid, i32),
    /// The columns' types; `None` for a dropped column.
    pub columns: Vec<Option<Type>>,
}

/// A range type.
pub struct RangeType {
    pub cache: *mut pg_sys::TypeCacheEntry,
    pub bound: Type,
}

impl Type {
    /// The type of an argument of the call.
    #[cold]
    pub fn of_argument(args: &Args, index: usize) -> SqlResult<Self> {
        // SAFETY: the call is valid.
        let oid = unsafe { pg_sys::get_fn_expr_argtype(args.flinfo(), index as i32) };
        if oid == Oid::INVALID {
            return Err(SqlError::new(
                PgSqlErrorCode::ERRCODE_INDETERMINATE_DATATYPE,
                "could not determine the type of the value".to_owned(),
                "Call the function from SQL, with a value of a known type.",
            ));
        }
        Self::new(oid, args.collation())
    }

    /// A type by its OID, with the collation that its strings have here.
    pub fn new(oid: Oid, collation: Oid) -> SqlResult<Self> {
        // SAFETY: plain catalog look-ups.
        let base = unsafe { pg_sys::getBaseType(oid) };
        let (class, kind) = match built_in(base) {
            Some((ValueClass::Text, kind @ (Kind::Text | Kind::Bpchar))) => {
                collated(base, kind, collation)?
            }
            Some(known) => known,
            None => Self::constructed(base, collation)?,
        };
        Ok(Type { class, kind, layout: Layout::of(base) })
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

    /// A type that is no built-in scalar: by what it is made of, or by its own hash function.
    fn constructed(oid: Oid, collation: Oid) -> SqlResult<(ValueClass, Kind)> {
        // SAFETY: plain catalog look-ups; the cache's entries live as long as the session.
        unsafe {
            if oid == pg_sys::ANYARRAYOID {
                return Ok((ValueClass::Array, Kind::Array(None)));
            }
            let element = pg_sys::get_element_type(oid);
            if element != Oid::INVALID {
                let element = (element, Box::new(Type::new(element, collation)?));
                return Ok((ValueClass::Array, Kind::Array(Some(element))));
            }
            if pg_sys::type_is_enum(oid) {
                return Ok((ValueClass::Text, Kind::Enum));
            }
            if pg_sys::type_is_rowtype(oid) {
                return Ok((ValueClass::Record, Kind::Record(Vec::new())));
            }
            if pg_sys::type_is_range(oid) {
                let range = RangeType::new(oid)?;
                return Ok((ValueClass::Range, Kind::Range(Box::new(range))));
            }
            if pg_sys::type_is_multirange(oid) {
                let range = RangeType::new(pg_sys::get_multirange_range(oid))?;
                return Ok((ValueClass::Multirange, Kind::Multirange(Box::new(range))));
            }
        }
        let (name, function) = HashFunction::of_type(oid, collation)?;
        Ok((ValueClass::Other, Kind::Other(name, function)))
    }
}

impl RangeType {
    fn new(oid: Oid) -> SqlResult<Self> {
        // SAFETY: the type is a range, so that the cache knows its bounds' type and collation.
        let (cache, bound, collation) = unsafe {
            let cache = pg_sys::lookup_type_cache(oid, pg_sys::TYPECACHE_RANGE_INFO as i32);
            (cache, (*(*cache).rngelemtype).type_id, (*cache).rng_collation)
        };
        Ok(RangeType { cache, bound: Type::new(bound, collation)? })
    }
}

impl Layout {
    fn of(oid: Oid) -> Self {
        let (mut len, mut by_value, mut align) = (0, false, 0);
        // SAFETY: a plain catalog look-up.
        unsafe { pg_sys::get_typlenbyvalalign(oid, &mut len, &mut by_value, &mut align) };
        let align = match align as u8 {
            b'c' => 1,
            b's' => 2,
            b'i' => 4,
            _ => 8,
        };
        Layout { len, by_value, align }
    }
}

/// The class and kind of the built-in scalar types.
fn built_in(oid: Oid) -> Option<(ValueClass, Kind)> {
    use BuiltinOid::*;
    Some(match BuiltinOid::try_from(oid).ok()? {
        INT2OID => (ValueClass::Number, Kind::Int2),
        INT4OID => (ValueClass::Number, Kind::Int4),
        INT8OID | XID8OID => (ValueClass::Number, Kind::Int8),
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
        _ => return None,
    })
}

/// Strings under a collation that calls different bytes equal go by the server's hash of what the
/// collation compares, in a class of their own.
fn collated(oid: Oid, kind: Kind, collation: Oid) -> SqlResult<(ValueClass, Kind)> {
    if collation == Oid::INVALID {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INDETERMINATE_COLLATION,
            "could not determine which collation to use for the value".to_owned(),
            "Use the COLLATE clause to set the collation explicitly.",
        ));
    }
    // SAFETY: a plain catalog look-up.
    if unsafe { pg_sys::get_collation_isdeterministic(collation) } {
        return Ok((ValueClass::Text, kind));
    }
    let (_, function) = HashFunction::of_type(oid, collation)?;
    Ok((ValueClass::CollatedText, Kind::CollatedText(function)))
}
