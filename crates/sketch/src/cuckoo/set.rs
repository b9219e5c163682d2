//! The set of copies of a small filter's state: a [`hash_set`] in which each has a key of its own.
//!
//! The key is the [signature](super::geometry), the number of the copy from 0 in the lowest three
//! bits, and 1 added. So the copies of both of two filters, of each signature the larger number, are
//! the union of their sets.

use super::geometry::{Layout, MAX_COPIES};
use crate::error::{Error, Result};
use crate::hash_set::{self, Place};
use crate::interrupt::Pace;
use crate::owned::zeroed;
use crate::sort::sort;

const COPY_BITS: u32 = MAX_COPIES.ilog2();

/// The key of a copy of a signature.
#[inline]
pub(super) fn key(signature: u64, copy: usize) -> u64 {
    (signature << COPY_BITS | copy as u64) + 1
}

/// How many copies of a signature there are.
#[inline]
pub(super) fn copies(table: &[u8], signature: u64) -> usize {
    let is_held =
        |&copy: &usize| matches!(hash_set::find::<8>(table, key(signature, copy)), Place::Held(_));
    (0..MAX_COPIES).take_while(is_held).count()
}

/// The slot and the key of one more copy, unless there are too many.
#[inline]
pub(super) fn next(table: &[u8], signature: u64) -> Option<(usize, u64)> {
    (0..MAX_COPIES).find_map(|copy| {
        let key = key(signature, copy);
        match hash_set::find::<8>(table, key) {
            Place::Held(_) => None,
            Place::Free(slot) => Some((slot, key)),
        }
    })
}

/// Takes away a copy of a signature, if there is one.
pub(super) fn remove(table: &mut [u8], signature: u64) -> bool {
    let Some(last) = copies(table, signature).checked_sub(1) else { return false };
    if let Place::Held(slot) = hash_set::find::<8>(table, key(signature, last)) {
        hash_set::remove::<8>(table, slot);
    }
    true
}

/// The signatures of the `count` copies in a set that may have come from anywhere, in ascending
/// order.
pub(super) fn signatures(table: &[u8], layout: Layout, count: usize) -> Result<Vec<[u8; 8]>> {
    let mut signatures = zeroed(count)?;
    write_signatures(table, layout, &mut signatures)?;
    Ok(signatures)
}

/// The same to `out`, which has a word for each copy.
pub(super) fn write_signatures(table: &[u8], layout: Layout, out: &mut [[u8; 8]]) -> Result<()> {
    let mut pace = Pace::default();
    let mut slots = out.iter_mut();
    for key in hash_set::iter::<8>(table) {
        pace.step(8);
        *slots.next().ok_or_else(miscounted)? = (key - 1).to_le_bytes();
    }
    if slots.next().is_some() {
        return Err(miscounted());
    }
    sort(out);
    let mut next = 0;
    for word in out {
        pace.step(8);
        let copy = u64::from_le_bytes(*word);
        let signature = copy >> COPY_BITS;
        // The next copy of the same signature, or the first one of a higher signature.
        let is_due = copy == next || copy > next && copy == signature << COPY_BITS;
        if !is_due || signature >= layout.signatures() {
            return Err(Error::bytes("a cuckoo filter holds what is not a copy of a fingerprint"));
        }
        next = copy + 1;
        *word = signature.to_le_bytes();
    }
    Ok(())
}

/// The error for another number of copies than a filter says.
#[cold]
pub(super) fn miscounted() -> Error {
    Error::bytes("a cuckoo filter holds another number of copies than it says")
}
