//! Reading values that are made of others.

use pgrx::pg_sys::{self, Datum, Oid};
use pgrx::varlena::varatt_is_4b_u;
use sketch::hash::{Encoder, Sink};

use super::part::Part;
use super::types::{Kind, Type};
use super::{array, jsonb, range, record, scalar};
use crate::error::SqlResult;

impl Part for Type {
    fn of(oid: Oid, collation: Oid) -> SqlResult<Self> {
        Type::new(oid, collation)
    }

    unsafe fn encode<S: Sink>(
        &mut self,
        datum: Option<Datum>,
        to: &mut Encoder<S>,
    ) -> SqlResult<()> {
        let Some(datum) = datum else {
            to.null();
            return Ok(());
        };
        let class = self.class();
        if self.is_composite() {
            to.class(class);
            // SAFETY: the caller passes a value of the type.
            return unsafe { encode(self, datum, to) };
        }
        // SAFETY: as above.
        unsafe { scalar::encode(self.kind(), datum, |bytes| to.scalar(class, bytes)) }
    }
}

/// Writes a composite value, without its class.
///
/// # Safety
///
/// `datum` must be a value of the type, which is composite.
pub unsafe fn encode<S: Sink>(ty: &mut Type, datum: Datum, to: &mut Encoder<S>) -> SqlResult<()> {
    // SAFETY: values nest as deep as their maker likes; this raises an error where the stack ends.
    unsafe { pg_sys::check_stack_depth() };
    // SAFETY: the caller passes a value of the type; all these are of variable length.
    let detoasted = unsafe { Detoasted::new(datum) };
    let value = detoasted.value;
    // SAFETY: the value is of the type, and has a plain length word.
    unsafe {
        match ty.kind() {
            Kind::Array(elements) => array::encode(elements, value.cast(), to),
            Kind::Record(row_types) => record::encode(row_types, value.cast(), to),
            Kind::Range(range_type) => range::encode(range_type, value.cast(), to),
            Kind::Multirange(range_type) => range::encode_many(range_type, value.cast(), to),
            Kind::Jsonb => jsonb::encode(value.cast(), to),
            _ => unreachable!("a scalar is no collection"),
        }
    }
}

/// A value with a plain length word and full alignment, a copy where the datum has neither.
struct Detoasted {
    value: *mut pg_sys::varlena,
    copied: bool,
}

impl Detoasted {
    /// # Safety
    ///
    /// `datum` must be a value of variable length.
    unsafe fn new(datum: Datum) -> Self {
        let value = datum.cast_mut_ptr();
        // SAFETY: the caller passes a valid value.
        if unsafe { varatt_is_4b_u(value) } {
            return Detoasted { value, copied: false };
        }
        // SAFETY: as above.
        Detoasted { value: unsafe { pg_sys::pg_detoast_datum(value) }, copied: true }
    }
}

impl Drop for Detoasted {
    fn drop(&mut self) {
        if self.copied {
            // SAFETY: detoasting allocated the copy, and nothing else refers to it.
            unsafe { pg_sys::pfree(self.value.cast()) }
        }
    }
}
