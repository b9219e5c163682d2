//! The classic layout: a value sets a few bits anywhere.
//!
//! Their positions are successive numbers of a linear congruential generator that starts from the
//! value's hash. Double hashing, also enhanced (Dillinger & Manolios 2004, "Bloom Filters in
//! Probabilistic Verification", section 5), is no faster, and its values meet too few different
//! patterns in a small filter: with 10 values at a rate of 0.0001 it errs 3.9 times as often.

/// The multiplier and the increment of Knuth's MMIX.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;

/// The positions of a mixed key's bits among `bits`.
#[inline]
pub fn positions(mixed: u64, bits: u64, hashes: u32) -> impl Iterator<Item = u64> {
    let mut state = mixed;
    (0..hashes).map(move |_| {
        let position = ((u128::from(state) * u128::from(bits)) >> 64) as u64;
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        position
    })
}

/// The byte and the bit of a position.
#[inline]
pub fn split(position: u64) -> (usize, u8) {
    ((position / 8) as usize, 1 << (position % 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_within_the_bits() {
        for bits in [32, 64, 100, 1 << 33, 8 * ((1 << 30) - 1)] {
            for mixed in [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef] {
                assert!(positions(mixed, bits, 32).all(|at| at < bits));
                assert_eq!(positions(mixed, bits, 32).count(), 32);
            }
        }
    }
}
