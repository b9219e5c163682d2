//! Whether two filters hold the same.
//!
//! One multiset has many arrangements in a table, so equal filters may differ in their bytes:
//! what counts is the class, the parameters and the copies in each cell.

use super::CuckooRef;
use super::view::{Body, still_gathering};
use crate::error::Result;

/// Whether two filters of any form, but not states of an aggregate, are equal: of one class, made
/// for the same, and with the same copies of the same fingerprints in the same pairs of buckets.
pub fn equal(a: &[u8], b: &[u8]) -> Result<bool> {
    let (a_ref, b_ref) = (CuckooRef::parse(a)?, CuckooRef::parse(b)?);
    if a_ref.is_gathering() || b_ref.is_gathering() {
        return Err(still_gathering());
    }
    if a == b {
        return Ok(true);
    }
    if a_ref.head.params != b_ref.head.params
        || a_ref.count() != b_ref.count()
        || a_ref.class() != b_ref.class()
    {
        return Ok(false);
    }
    match (&a_ref.body, &b_ref.body) {
        (Body::Cells(a), Body::Cells(b)) => {
            let mut b = b.clone();
            for run in a.clone() {
                if b.next().transpose()? != Some(run?) {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        // As the numbers of copies are equal, it is enough that all of one are in the other.
        (_, Body::Table(table)) => a_ref.visit(|entry, copies| Ok(table.copies(entry)? == copies)),
        (Body::Table(table), _) => b_ref.visit(|entry, copies| Ok(table.copies(entry)? == copies)),
        _ => Err(still_gathering()),
    }
}

/// A hash of a filter, but not of the state of an aggregate: equal filters have equal ones. Each
/// seed gives another hash.
pub fn content_hash(bytes: &[u8], seed: u64) -> Result<u64> {
    let sketch = CuckooRef::parse(bytes)?;
    let geometry = sketch.head.params.geometry();
    let mut sum = 0u64;
    sketch.visit(|entry, copies| {
        sum = sum.wrapping_add(mix(geometry.cell(entry) * 9 + copies as u64));
        Ok(true)
    })?;
    let params = sketch.head.params;
    for part in [
        params.capacity,
        params.error_rate.to_bits().into(),
        u64::from(params.buckets) << 8 | u64::from(params.fingerprint_bits),
        sketch.class().map_or(0, |class| class as u64),
        seed,
    ] {
        sum = mix(sum ^ part);
    }
    Ok(sum)
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014), in which each bit depends on all.
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
