//! Equality, order and hashing, by the bytes at rest.
//!
//! The order means nothing but is total and agrees with equality, so that sketches can be sorted,
//! grouped and deduplicated.

use std::cmp::Ordering;

use pgrx::pg_sys::Datum;
use sketch::Sketch;

use super::with_rest;
use crate::datum::{Args, Returned};
use crate::error::SqlResult;

fn order<S: Sketch>(args: &Args) -> SqlResult<Option<Ordering>> {
    let (Some(a), Some(b)) = (args.varlena(0), args.varlena(1)) else { return Ok(None) };
    with_rest::<S, _>(&a, |a| with_rest::<S, _>(&b, |b| Ok(Some(S::compare(a, b)?))))
}

fn is<S: Sketch>(args: &Args, test: impl FnOnce(Ordering) -> bool) -> Returned {
    Ok(order::<S>(args)?.map(|order| Datum::from(test(order))))
}

/// `a = b`.
pub fn equal<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_eq)
}

/// `a <> b`.
pub fn not_equal<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_ne)
}

/// `a < b`.
pub fn less<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_lt)
}

/// `a <= b`.
pub fn less_or_equal<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_le)
}

/// `a > b`.
pub fn greater<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_gt)
}

/// `a >= b`.
pub fn greater_or_equal<S: Sketch>(args: &Args) -> Returned {
    is::<S>(args, Ordering::is_ge)
}

/// -1, 0 or 1.
pub fn compare<S: Sketch>(args: &Args) -> Returned {
    Ok(order::<S>(args)?.map(|order| Datum::from(order as i32)))
}

/// A hash of 32 bits.
pub fn hash<S: Sketch>(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    with_rest::<S, _>(&bytes, |bytes| Ok(Some(Datum::from(S::content_hash(bytes, 0)? as i32))))
}

/// A hash of 64 bits, which with the seed 0 begins with that of 32.
pub fn hash_extended<S: Sketch>(args: &Args) -> Returned {
    let (Some(bytes), Some(seed)) = (args.varlena(0), args.i64(1)) else { return Ok(None) };
    with_rest::<S, _>(&bytes, |bytes| {
        Ok(Some(Datum::from(S::content_hash(bytes, seed as u64)? as i64)))
    })
}
