//! Spreading the bits of numbers. Stored bytes depend on it, so that it never changes.

/// What numbers differ by that are to be mixed one after the other: 2^64 by the golden ratio.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads what numbers differ in over all bits: the finalizer of SplitMix64 (Steele, Lea & Flood
/// 2014, "Fast Splittable Pseudorandom Number Generators", figure 16). It is a bijection.
#[inline(always)]
pub fn mix(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// The two halves of a product, one over the other.
#[inline(always)]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
