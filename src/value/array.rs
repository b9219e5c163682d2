//! Reading arrays.

use std::ffi::CStr;

use pgrx::pg_sys::{self, ArrayType, Datum, Oid};
use pgrx::varlena::varsize_any;
use sketch::hash::{Encoder, Sink};

use super::part::Part;
use crate::error::SqlResult;

/// The type of the elements, by its OID, and how they lie: columns of type `anyarray` mix them.
pub struct Elements<T>(Option<(Oid, Layout, Box<T>)>);

impl<T> Default for Elements<T> {
    fn default() -> Self {
        Elements(None)
    }
}

impl<T: Part> Elements<T> {
    /// Elements of a type, whose strings have this collation.
    pub fn new(oid: Oid, collation: Oid) -> SqlResult<Self> {
        Ok(Elements(Some((oid, Layout::of(oid), Box::new(T::of(oid, collation)?)))))
    }

    fn of(&mut self, oid: Oid) -> SqlResult<(Layout, &mut T)> {
        if self.0.as_ref().is_none_or(|(known, ..)| *known != oid) {
            *self = Self::new(oid, pg_sys::DEFAULT_COLLATION_OID)?;
        }
        let (_, layout, element) = self.0.as_mut().expect("just set");
        Ok((*layout, element))
    }
}

/// How values of a type lie in memory, as `pg_type` says.
#[derive(Clone, Copy)]
struct Layout {
    /// The length, -1 for values with a length word, -2 for strings that a zero byte ends.
    len: i16,
    /// Whether a datum is the value itself.
    by_value: bool,
    /// The alignment: 1, 2, 4 or 8.
    align: usize,
}

impl Layout {
    /// The layout of a type.
    fn of(oid: Oid) -> Self {
        let (mut len, mut by_value, mut align) = (0, false, 0);
        // SAFETY: a catalog look-up.
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

/// Writes the shape (number of dimensions, then length and lower bound of each), then the elements.
///
/// # Safety
///
/// `array` must be an array of such elements, with a plain length word.
pub unsafe fn encode<T: Part, S: Sink>(
    elements: &mut Elements<T>,
    array: *const ArrayType,
    to: &mut Encoder<S>,
) -> SqlResult<()> {
    // SAFETY: the caller passes an array.
    let header = unsafe { &*array };
    let (layout, element) = elements.of(header.elemtype)?;
    let dimensions = header.ndim as usize;
    // SAFETY: behind the header an array has the lengths of its dimensions, then the lower bounds.
    let shape = unsafe { std::slice::from_raw_parts(array.add(1).cast::<i32>(), 2 * dimensions) };
    let (lens, lower_bounds) = shape.split_at(dimensions);
    to.count(dimensions);
    for (&len, &lower_bound) in lens.iter().zip(lower_bounds) {
        to.i32(len);
        to.i32(lower_bound);
    }
    let count = match lens {
        [] => 0,
        lens => lens.iter().map(|&len| len as usize).product(),
    };
    let shape_len = size_of::<ArrayType>() + size_of_val(shape);
    let bytes: *const u8 = array.cast();
    let (nulls, offset) = match header.dataoffset {
        0 => (None, shape_len.next_multiple_of(pg_sys::MAXIMUM_ALIGNOF as usize)),
        // SAFETY: then, if there are NULLs, a bit for each element, zero for a NULL.
        offset => (
            Some(unsafe { std::slice::from_raw_parts(bytes.add(shape_len), count.div_ceil(8)) }),
            offset as usize,
        ),
    };
    // SAFETY: the elements lie there.
    let mut at = unsafe { bytes.add(offset) };
    for index in 0..count {
        pgrx::check_for_interrupts!();
        if nulls.is_some_and(|bits| bits[index / 8] >> (index % 8) & 1 == 0) {
            to.null();
            continue;
        }
        // SAFETY: the next element lies there.
        let (datum, next) = unsafe { fetch(layout, at) };
        // SAFETY: it is of the type.
        unsafe { element.encode(Some(datum), to)? };
        at = next;
    }
    Ok(())
}

/// The element that lies at the next aligned place, and where it ends.
///
/// An array aligns every element, also those with a short length word, unlike a row.
///
/// # Safety
///
/// An element of this layout must lie there.
unsafe fn fetch(layout: Layout, at: *const u8) -> (Datum, *const u8) {
    // SAFETY: the element begins within the same array.
    let at = unsafe { at.add(at.align_offset(layout.align)) };
    let len = match layout.len {
        // SAFETY: the element lies there, and begins with a length word.
        -1 => unsafe { varsize_any(at.cast()) },
        // SAFETY: the element lies there, and ends with a zero byte.
        -2 => unsafe { CStr::from_ptr(at.cast()) }.count_bytes() + 1,
        len => len as usize,
    };
    // SAFETY: an element by value has one of these lengths, and is aligned.
    let datum = unsafe {
        match (layout.by_value, len) {
            (false, _) => Datum::from(at),
            (true, 1) => Datum::from(i64::from(at.cast::<i8>().read())),
            (true, 2) => Datum::from(i64::from(at.cast::<i16>().read())),
            (true, 4) => Datum::from(i64::from(at.cast::<i32>().read())),
            (true, _) => Datum::from(at.cast::<i64>().read()),
        }
    };
    // SAFETY: the element ends within the same array, or with it.
    (datum, unsafe { at.add(len) })
}
