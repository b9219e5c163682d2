//! The numbers that decide who owns a key: part of the format, they never change.
//!
//! | | |
//! | --- | --- |
//! | hash of a key | [`Value::hash`](crate::hash::Value::hash), that of all sketches |
//! | hash of a node | XXH3-64 of its name, with a seed of its own |
//! | score of a node for a key | `mix` of the exclusive or of both |
//! | point of a key on a ring | `mix` of its hash |
//! | points of a node on a ring | `mix` of its hash plus multiples of `STEP` |

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::mix::{STEP, mix};

/// The seed of the hashes of nodes: the ASCII letters `hashring`, read as a big-endian number. A
/// key that is spelled like a node has another hash.
pub const NODE_SEED: u64 = u64::from_be_bytes(*b"hashring");

/// The hash of a node.
#[inline]
pub fn node_hash(name: &[u8]) -> u64 {
    xxh3_64_with_seed(name, NODE_SEED)
}

/// The score of a node for a key: of nodes of equal weight the one with the greatest owns it.
#[inline(always)]
pub fn score(key: u64, node: u64) -> u64 {
    mix(key ^ node)
}

/// Where a key lies on a ring.
#[inline(always)]
pub fn place(key: u64) -> u64 {
    mix(key)
}

/// The points of a node on a ring, as many as it has.
#[inline(always)]
pub fn points(node: u64, count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(move |i| mix(node.wrapping_add(i.wrapping_mul(STEP))))
}

/// What a node of a weight must pay for a key: of several nodes the one with the least cost owns it.
///
/// The surprise is below 2^53, so that it is exactly a number of 64 bits with a point; IEEE 754
/// says what the quotient of two such numbers is.
#[inline(always)]
pub fn cost(score: u64, weight: f64) -> f64 {
    surprise(score) as f64 / weight
}

/// The bits of a score behind the first that count.
const FRACTION_BITS: u32 = 40;
/// The segments of the table.
const SEGMENT_BITS: u32 = 7;
/// The binary places of the result.
const PLACES: u32 = 44;
/// The binary places in between.
const INNER_PLACES: u32 = 56;

/// `2^44 * -log2(score / 2^64)`, exponentially distributed where scores are uniformly; the score 0
/// counts as 1.
///
/// A greater score never has a greater surprise: the result is within 3 of the logarithm of the
/// first 41 bits of the score, and those of two such numbers are at least 11 apart.
#[inline]
pub fn surprise(score: u64) -> u64 {
    let score = score | 1;
    let zeros = score.leading_zeros();
    let fraction = score << zeros << 1 >> (64 - FRACTION_BITS);
    ((u64::from(zeros) + 1) << PLACES) - log2_1p(fraction)
}

/// A number that no score's surprise is below, and few are far above: within an eleventh of 2^44.
///
/// The logarithm of `1 + f` is at most `f + 0.0861`.
#[inline(always)]
pub(super) fn least_surprise(score: u64) -> u64 {
    const MOST: u64 = (0.0861 * (1u64 << PLACES) as f64) as u64;
    let score = score | 1;
    let zeros = score.leading_zeros();
    let fraction = score << zeros << 1 >> (64 - PLACES);
    ((u64::from(zeros) + 1) << PLACES).saturating_sub(fraction + MOST)
}

/// `2^44 * log2(1 + fraction / 2^40)`, for a fraction below 2^40.
///
/// With `1 + f = (1 + i / 128) (1 + y)` it is the table's logarithm of the first factor plus the
/// first five terms of the series of the second, of which `y` is below 1 / 128: what is cut off is
/// below `y^6 / (6 ln 2)`, one unit of the result.
#[inline(always)]
fn log2_1p(fraction: u64) -> u64 {
    let rest_bits = FRACTION_BITS - SEGMENT_BITS;
    let segment = (fraction >> rest_bits) as usize;
    let rest = fraction & ((1 << rest_bits) - 1);
    let (log, reciprocal) = SEGMENTS[segment];
    // The quotient by 128 + segment: exact, since the product of both is below 2^64.
    let y = high(rest << (INNER_PLACES + SEGMENT_BITS - FRACTION_BITS), reciprocal);
    let [c1, c2, c3, c4, c5] = SERIES;
    let sum = c4 - times(y, c5);
    let sum = c3 - times(y, sum);
    let sum = c2 - times(y, sum);
    let sum = c1 - times(y, sum);
    log + (times(y, sum) >> (INNER_PLACES - PLACES))
}

/// `2^56 / (k ln 2)`, rounded, for k from 1 to 5.
const SERIES: [u64; 5] = [
    103_957_133_576_908_769,
    51_978_566_788_454_385,
    34_652_377_858_969_590,
    25_989_283_394_227_192,
    20_791_426_715_381_754,
];

/// For each segment `i` the logarithm `2^44 * log2(1 + i / 128)`, rounded, and 2^64 by `128 + i`,
/// rounded up.
static SEGMENTS: [(u64, u64); 1 << SEGMENT_BITS] = {
    let mut segments = [(0, 0); 1 << SEGMENT_BITS];
    let mut i = 0;
    while i < segments.len() {
        segments[i] = (log2_of_segment(i as u64), u64::MAX / (128 + i as u64) + 1);
        i += 1;
    }
    segments
};

/// Squares a number from 1 to 2 again and again: each time that it passes 2, the next digit of its
/// logarithm is 1.
const fn log2_of_segment(i: u64) -> u64 {
    let one = 1u128 << 63;
    let mut power = (128 + i as u128) << (63 - SEGMENT_BITS);
    let mut log = 0;
    let mut digit = 0;
    while digit < PLACES + 1 {
        power = power * power / one;
        log *= 2;
        if power >= 2 * one {
            power /= 2;
            log += 1;
        }
        digit += 1;
    }
    // One digit more than is needed rounds.
    log / 2 + log % 2
}

#[inline(always)]
fn high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The product of two numbers of so many binary places.
#[inline(always)]
fn times(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> INNER_PLACES) as u64
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    const UNIT: f64 = (1u64 << PLACES) as f64;

    #[test]
    fn the_table_is_that_of_any_library() {
        for (i, &(log, reciprocal)) in SEGMENTS.iter().enumerate() {
            let exact = libm::log2(1.0 + i as f64 / 128.0) * UNIT;
            assert_eq!(log, exact.round() as u64, "{i}");
            let d = 128 + i as u64;
            for n in [0, 1, d - 1, d, d * 1234 - 1, d * 1234, (1 << 56) - 1, ((1 << 56) / d) * d] {
                assert_eq!(high(n, reciprocal), n / d);
            }
        }
        for (k, coefficient) in (1..).zip(SERIES) {
            let exact = (1u64 << INNER_PLACES) as f64 / (f64::from(k) * std::f64::consts::LN_2);
            assert!((coefficient as f64 - exact).abs() < 64.0);
        }
    }

    #[test]
    fn a_surprise_is_the_logarithm() {
        let mut rng = SmallRng::seed_from_u64(7);
        for _ in 0..1_000_000 {
            let score = rng.random::<u64>() >> rng.random_range(0..64);
            let cut = (score | 1) & !(u64::MAX >> 41 >> (score | 1).leading_zeros());
            let exact = (64.0 - libm::log2(cut as f64)) * UNIT;
            let error = surprise(score) as f64 - exact;
            assert!(error.abs() < 3.0 + 0.25, "{score:#x}: {error}");
            let above = surprise(score).checked_sub(least_surprise(score)).unwrap();
            assert!(above < (1 << PLACES) / 11, "{score:#x}: {above}");
        }
        assert_eq!(surprise(0), 64 << PLACES);
        assert_eq!(surprise(1 << 63), 1 << PLACES);
        assert!((9..28).contains(&surprise(u64::MAX)));
    }

    #[test]
    fn a_greater_score_has_no_greater_surprise() {
        let last = (1u64 << FRACTION_BITS) - 1;
        let mut rng = SmallRng::seed_from_u64(8);
        let edges = (0..128u64).flat_map(|i| (i << 33).saturating_sub(3)..=(i << 33) + 3);
        let any = (0..2_000_000).map(|_| rng.random_range(0..last));
        for fraction in edges.chain(any).chain(last - 3..last) {
            let step = log2_1p(fraction + 1) - log2_1p(fraction);
            assert!((9..28).contains(&step), "{fraction:#x}: {step}");
        }
        for zeros in 0..63 {
            let power = 1u64 << (63 - zeros);
            assert!(
                surprise(power - 1) >= surprise(power) && surprise(power) >= surprise(power | 1)
            );
        }
    }

    /// Anybody who writes a client can check these by hand.
    #[test]
    fn known_numbers() {
        assert_eq!(mix(1), 0x5692_161d_100b_05e5);
        assert_eq!(node_hash(b"alpha"), xxh3_64_with_seed(b"alpha", 0x6861_7368_7269_6e67));
        assert_eq!(surprise(0x8000_0000_0000_0000), 1 << 44);
    }
}
