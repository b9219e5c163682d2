//! Reading ranges and multiranges.

use std::ffi::c_void;

use pgrx::pg_sys::{self, Oid, RangeBound, TypeCacheEntry};
use sketch::hash::{Encoder, Sink};

use super::part::Part;
use crate::error::SqlResult;

/// A range type, which is made for good.
pub struct RangeType<T> {
    /// The server's description, which lasts as long as the session.
    cache: *mut TypeCacheEntry,
    bound: T,
}

impl<T: Part> RangeType<T> {
    /// A range type by its OID.
    pub fn new(oid: Oid) -> SqlResult<Box<Self>> {
        // SAFETY: a catalog look-up; that of a range has the type and collation of its bounds.
        let (cache, bound, collation) = unsafe {
            let cache = pg_sys::lookup_type_cache(oid, pg_sys::TYPECACHE_RANGE_INFO as i32);
            (cache, (*(*cache).rngelemtype).type_id, (*cache).rng_collation)
        };
        Ok(Box::new(RangeType { cache, bound: T::of(bound, collation)? }))
    }
}

/// Writes a byte of marks (1 empty, 2 lower bound inclusive, 4 upper bound inclusive, 8 no lower
/// bound, 16 no upper bound), then the bounds that there are.
///
/// # Safety
///
/// `range` must be a range of the type with a plain length word.
pub unsafe fn encode<T: Part, S: Sink>(
    range_type: &mut RangeType<T>,
    range: *const pg_sys::RangeType,
    to: &mut Encoder<S>,
) -> SqlResult<()> {
    let (mut lower, mut upper, mut empty) = (RangeBound::default(), RangeBound::default(), false);
    // SAFETY: the caller passes a range of this type.
    unsafe {
        pg_sys::range_deserialize(range_type.cache, range, &mut lower, &mut upper, &mut empty);
    }
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
            // SAFETY: the bounds are of the type that the range has bounds of.
            unsafe { range_type.bound.encode(Some(bound.val), to)? };
        }
    }
    Ok(())
}

// Missing from pgrx's bindings.
unsafe extern "C-unwind" {
    fn multirange_deserialize(
        range_type: *mut TypeCacheEntry,
        multirange: *const c_void,
        range_count: *mut i32,
        ranges: *mut *mut *mut pg_sys::RangeType,
    );
}

/// Writes the number of ranges, then the ranges.
///
/// # Safety
///
/// `multirange` must be a multirange over the range type with a plain length word.
pub unsafe fn encode_many<T: Part, S: Sink>(
    range_type: &mut RangeType<T>,
    multirange: *const c_void,
    to: &mut Encoder<S>,
) -> SqlResult<()> {
    let (mut count, mut ranges) = (0, std::ptr::null_mut());
    // SAFETY: the caller passes a multirange over this range type; the guard turns an error of the
    // server into one that unwinds. The server returns as many ranges as it counts.
    let ranges = unsafe {
        pg_sys::ffi::pg_guard_ffi_boundary(|| {
            multirange_deserialize(range_type.cache, multirange, &mut count, &mut ranges);
        });
        match count {
            0 => &[],
            count => std::slice::from_raw_parts(ranges, count as usize),
        }
    };
    to.count(ranges.len());
    for &range in ranges {
        pgrx::check_for_interrupts!();
        // SAFETY: each is a range of the type.
        unsafe { encode(range_type, range, to)? };
    }
    Ok(())
}
