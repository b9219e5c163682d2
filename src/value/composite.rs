//! Reading values that are made of others: arrays, rows, ranges.

use pgrx::PgTupleDesc;
use pgrx::pg_sys::{self, Datum, Oid};
use pgrx::varlena::varsize_any;
use sketch::hash::Encoder;

use super::types::{Kind, Layout, RangeType, RowType, Type};
use super::{encode_part, jsonb};
use crate::error::SqlResult;

/// Writes a composite value, without its class.
///
/// # Safety
///
/// `datum` must be a value of the type, which is composite.
pub unsafe fn encode(ty: &mut Type, datum: Datum, to: &mut Encoder) -> SqlResult<()> {
    // SAFETY: the caller passes a value of the type.
    unsafe {
        // Arrays of arrays of rows nest as deep as their types do, which a user can choose.
        pg_sys::check_stack_depth();
        let detoasted = Detoasted::new(datum);
        match ty.kind() {
            Kind::Array(element) => array(element, detoasted.value.cast(), to),
            Kind::Record(seen) => record(seen, detoasted.value.cast(), to),
            Kind::Range(range_type) => range(range_type, detoasted.value.cast(), to),
            Kind::Multirange(range_type) => multirange(range_type, detoasted.value.cast(), to),
            Kind::Jsonb => jsonb::encode(detoasted.value.cast(), to),
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
        let original = datum.cast_mut_ptr();
        // SAFETY: the caller passes a valid value.
        let value = unsafe { pg_sys::pg_detoast_datum(original) };
        Detoasted { value, copied: value != original }
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

/// The shape (number of dimensions, then length and lower bound of each), then the elements.
unsafe fn array(
    element: &mut Option<(Oid, Box<Type>)>,
    array: *const pg_sys::ArrayType,
    to: &mut Encoder,
) -> SqlResult<()> {
    // SAFETY: an array has its dimensions behind the header, then the bitmap of NULLs if there
    // are any, then at the offset that it names, or the next aligned place, its elements.
    unsafe {
        let (dimensions, oid) = ((*array).ndim as usize, (*array).elemtype);
        if element.as_ref().is_none_or(|(known, _)| *known != oid) {
            *element = Some((oid, Box::new(Type::new(oid, pg_sys::DEFAULT_COLLATION_OID)?)));
        }
        let element = &mut *element.as_mut().expect("just set").1;
        let shape: *const i32 = array.add(1).cast();
        to.count(dimensions);
        let mut count = usize::from(dimensions > 0);
        for dimension in 0..dimensions {
            to.i32(*shape.add(dimension));
            to.i32(*shape.add(dimensions + dimension));
            count *= *shape.add(dimension) as usize;
        }
        let bitmap: *const u8 = shape.add(2 * dimensions).cast();
        let header = size_of::<pg_sys::ArrayType>() + 8 * dimensions;
        let (nulls, offset) = match (*array).dataoffset {
            0 => (None, header.next_multiple_of(pg_sys::MAXIMUM_ALIGNOF as usize)),
            offset => (Some(bitmap), offset as usize),
        };
        let mut at: *const u8 = array.cast::<u8>().add(offset);
        for index in 0..count {
            if nulls.is_some_and(|bits| *bits.add(index / 8) >> (index % 8) & 1 == 0) {
                to.null();
                continue;
            }
            let (datum, next) = fetch(element.layout, at);
            encode_part(element, Some(datum), to)?;
            at = next;
        }
        Ok(())
    }
}

/// The element that lies at the next aligned place, and where it ends.
///
/// An array aligns every element, also those with a short length word, unlike a row.
unsafe fn fetch(layout: Layout, at: *const u8) -> (Datum, *const u8) {
    // SAFETY: an element of this layout lies there.
    unsafe {
        let at = at.add(at.align_offset(layout.align));
        let len = match layout.len {
            -1 => varsize_any(at.cast()),
            -2 => std::ffi::CStr::from_ptr(at.cast()).to_bytes_with_nul().len(),
            len => len as usize,
        };
        let datum = match (layout.by_value, len) {
            (false, _) => Datum::from(at),
            (true, 1) => Datum::from(i64::from(at.cast::<i8>().read())),
            (true, 2) => Datum::from(i64::from(at.cast::<i16>().read())),
            (true, 4) => Datum::from(i64::from(at.cast::<i32>().read())),
            (true, _) => Datum::from(at.cast::<i64>().read()),
        };
        (datum, at.add(len))
    }
}

/// How many row types a place in a query remembers; a column of type record may mix them.
const MAX_ROW_TYPES: usize = 8;

/// The number of columns, then the columns.
unsafe fn record(
    seen: &mut Vec<RowType>,
    row: pg_sys::HeapTupleHeader,
    to: &mut Encoder,
) -> SqlResult<()> {
    // SAFETY: a row carries its type; the arrays have as many entries as that has columns.
    unsafe {
        let datum = (*row).t_choice.t_datum;
        let key = (datum.datum_typeid, datum.datum_typmod);
        let desc = PgTupleDesc::from_pg(pg_sys::lookup_rowtype_tupdesc(key.0, key.1));
        if !seen.iter().any(|known| known.key == key) {
            let columns = desc.iter().map(column_type).collect::<SqlResult<_>>()?;
            seen.truncate(MAX_ROW_TYPES - 1);
            seen.insert(0, RowType { key, columns });
        }
        let known = seen.iter_mut().find(|known| known.key == key).expect("just inserted");
        let mut tuple = pg_sys::HeapTupleData {
            t_len: (datum.datum_len_ as u32) >> 2,
            t_data: row,
            ..Default::default()
        };
        let mut values = vec![Datum::null(); desc.len()];
        let mut nulls = vec![true; desc.len()];
        pg_sys::heap_deform_tuple(
            &mut tuple,
            desc.as_ptr(),
            values.as_mut_ptr(),
            nulls.as_mut_ptr(),
        );
        to.count(known.columns.iter().flatten().count());
        for (index, column) in known.columns.iter_mut().enumerate() {
            if let Some(column) = column {
                encode_part(column, (!nulls[index]).then_some(values[index]), to)?;
            }
        }
        Ok(())
    }
}

fn column_type(column: &pg_sys::FormData_pg_attribute) -> SqlResult<Option<Type>> {
    match column.attisdropped {
        true => Ok(None),
        false => Type::new(column.atttypid, column.attcollation).map(Some),
    }
}

/// A byte of marks (1 empty, 2 lower bound inclusive, 4 upper bound inclusive, 8 no lower bound,
/// 16 no upper bound), then the bounds that there are.
unsafe fn range(
    range_type: &mut RangeType,
    range: *const pg_sys::RangeType,
    to: &mut Encoder,
) -> SqlResult<()> {
    let (mut lower, mut upper) = (pg_sys::RangeBound::default(), pg_sys::RangeBound::default());
    let mut empty = false;
    // SAFETY: the value is a range of this type.
    unsafe {
        pg_sys::range_deserialize(range_type.cache, range, &mut lower, &mut upper, &mut empty);
        if empty {
            to.byte(1);
            return Ok(());
        }
        to.byte(
            u8::from(lower.inclusive) << 1
                | u8::from(upper.inclusive) << 2
                | u8::from(lower.infinite) << 3
                | u8::from(upper.infinite) << 4,
        );
        for bound in [lower, upper] {
            if !bound.infinite {
                encode_part(&mut range_type.bound, Some(bound.val), to)?;
            }
        }
    }
    Ok(())
}

// Missing from pgrx's bindings.
unsafe extern "C-unwind" {
    fn multirange_deserialize(
        range_type: *mut pg_sys::TypeCacheEntry,
        multirange: *const std::ffi::c_void,
        range_count: *mut i32,
        ranges: *mut *mut *mut pg_sys::RangeType,
    );
}

/// The number of ranges, then the ranges.
unsafe fn multirange(
    range_type: &mut RangeType,
    multirange: *const std::ffi::c_void,
    to: &mut Encoder,
) -> SqlResult<()> {
    let (mut count, mut ranges) = (0, std::ptr::null_mut());
    // SAFETY: the value is a multirange over this range type; the guard turns an error of the
    // server into one that unwinds.
    unsafe {
        pg_sys::ffi::pg_guard_ffi_boundary(|| {
            multirange_deserialize(range_type.cache, multirange, &mut count, &mut ranges);
        });
        to.count(count as usize);
        for index in 0..count as usize {
            range(range_type, *ranges.add(index), to)?;
        }
    }
    Ok(())
}
