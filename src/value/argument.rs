//! The arguments of a call that are values of any type.

use std::cell::Cell;

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum, Oid};
use sketch::hash::{Encoder, Sink, Value};

use super::types::{Kind, Type};
use super::{composite, scalar};
use crate::datum::{Args, Varlena};
use crate::error::{SqlError, SqlResult};

/// What a function that takes values keeps at its place in a query: their types, each by the place
/// of its argument.
#[derive(Default)]
pub struct Site([Option<Type>; LAST_PLACE + 1]);

/// No function takes a value in a later place.
const LAST_PLACE: usize = 3;

/// A value that a function is called with.
pub struct Input<'a> {
    ty: &'a mut Type,
    datum: Datum,
}

impl Site {
    /// The value of the argument at `index`, `None` if it is NULL.
    #[inline(always)]
    pub fn read(&mut self, args: &Args, index: usize) -> SqlResult<Option<Value>> {
        match self.input(args, index)? {
            Some(input) => input.value().map(Some),
            None => Ok(None),
        }
    }

    /// The argument at `index`, `None` if it is NULL.
    #[inline(always)]
    pub fn input(&mut self, args: &Args, index: usize) -> SqlResult<Option<Input<'_>>> {
        let Some(datum) = args.datum(index) else { return Ok(None) };
        let ty = match &mut self.0[index] {
            Some(ty) => ty,
            none => none.insert(of_argument(args, index)?),
        };
        Ok(Some(Input { ty, datum }))
    }
}

impl Input<'_> {
    /// The value as sketches take it.
    #[inline(always)]
    pub fn value(self) -> SqlResult<Value> {
        let Input { ty, datum } = self;
        let class = ty.class();
        if let Some(word) = scalar::word(ty.kind(), datum) {
            return Ok(Value::of_encoding(class, &word));
        }
        if let Kind::Text | Kind::Bytea = ty.kind() {
            // SAFETY: the type is that of the argument, and of variable length.
            return Ok(Value::of_encoding(class, &unsafe { Varlena::from_datum(datum) }));
        }
        if ty.is_composite() {
            let mut encoder = Encoder::new();
            // SAFETY: the type is that of the argument.
            unsafe { composite::encode(ty, datum, &mut encoder)? };
            return Ok(Value::of_encoder(class, &encoder));
        }
        // SAFETY: the type is that of the argument.
        unsafe { scalar::encode(ty.kind(), datum, |encoding| Value::of_encoding(class, encoding)) }
    }

    /// Writes the canonical encoding, whose hash is that of [`Input::value`].
    #[inline(never)]
    pub fn encode(self, to: &mut impl Sink) -> SqlResult<()> {
        let Input { ty, datum } = self;
        if ty.is_composite() {
            // SAFETY: the type is that of the argument.
            return unsafe { composite::encode(ty, datum, &mut Encoder::to(to)) };
        }
        // SAFETY: as above.
        unsafe { scalar::encode(ty.kind(), datum, |bytes| to.write(bytes)) }
    }
}

/// Whether two arguments have one type, for which a domain is its base type.
pub fn are_of_one_type(args: &Args, a: usize, b: usize) -> bool {
    // SAFETY: a catalog look-up.
    let [a, b] = [a, b].map(|index| unsafe { pg_sys::getBaseType(type_of(args, index)) });
    a == b
}

#[cold]
fn of_argument(args: &Args, index: usize) -> SqlResult<Type> {
    let oid = type_of(args, index);
    if oid == Oid::INVALID {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INDETERMINATE_DATATYPE,
            "could not determine the type of the value".to_owned(),
            "Call the function from SQL, with a value of a known type.",
        ));
    }
    let mut collation = args.collation();
    // SAFETY: the call is valid; a catalog look-up.
    unsafe {
        // Who gives no expression may not know a collation either, Citus for one of several arguments.
        if collation == Oid::INVALID && (*args.flinfo()).fn_expr.is_null() {
            collation = pg_sys::get_typcollation(oid);
        }
    }
    Type::new(oid, collation)
}

/// The type of an argument: that of the expression in the query, or, where the server calls without
/// one, that which the function declares, if it is a concrete one. Else the invalid one.
fn type_of(args: &Args, index: usize) -> Oid {
    // SAFETY: the call is valid.
    let (oid, function) = unsafe {
        let flinfo = args.flinfo();
        (pg_sys::get_fn_expr_argtype(flinfo, index as i32), (*flinfo).fn_oid)
    };
    if oid != Oid::INVALID || function == Oid::INVALID {
        return oid;
    }
    // Such a caller, Citus for one, looks the function up for each row.
    match DECLARED.get() {
        Some((of, at, oid)) if (of, at) == (function, index) => oid,
        _ => {
            let oid = declared_type(function, index);
            DECLARED.set(Some((function, index, oid)));
            oid
        }
    }
}

thread_local! {
    /// The type that a function declares at a place, of the last one that was asked.
    static DECLARED: Cell<Option<(Oid, usize, Oid)>> = const { Cell::new(None) };
}

/// Lets what is kept of functions go with a change of any.
pub fn init() {
    extern "C-unwind" fn forget(_: Datum, _: i32, _: u32) {
        DECLARED.set(None);
    }
    // SAFETY: the callback touches nothing but memory of its own.
    unsafe {
        pg_sys::CacheRegisterSyscacheCallback(
            pg_sys::SysCacheIdentifier::PROCOID as i32,
            Some(forget),
            Datum::null(),
        );
    }
}

/// The type that a function declares, the invalid one if that is polymorphic.
fn declared_type(function: Oid, index: usize) -> Oid {
    let (mut types, mut count) = (std::ptr::null_mut(), 0);
    // SAFETY: the function exists, since it is called; the server returns as many types as it
    // counts.
    let declared = unsafe {
        pg_sys::get_func_signature(function, &mut types, &mut count);
        std::slice::from_raw_parts(types, count as usize)[index]
    };
    // SAFETY: a catalog look-up.
    let is_pseudo = unsafe { pg_sys::get_typtype(declared) } as u8 == pg_sys::TYPTYPE_PSEUDO;
    if is_pseudo && declared != pg_sys::RECORDOID { Oid::INVALID } else { declared }
}
