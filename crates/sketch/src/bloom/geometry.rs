//! How many bits a capacity and an error rate need.
//!
//! Only additions, multiplications and divisions are used, so that every machine finds the same
//! size: the geometry goes into the filter, and filters of different geometry do not merge.

use super::split_block::{BLOCK_LEN, WORDS};
use crate::filter::Geometry;

/// Where a value's bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In one of so many blocks of 32 bytes.
    SplitBlock {
        /// The number of blocks.
        blocks: u64,
    },
    /// Anywhere.
    Classic {
        /// The number of bits.
        bits: u64,
        /// How many of them a value sets.
        hashes: u8,
    },
}

/// Error rates from here on take split blocks, which below need too many more bits.
const MIN_SPLIT_BLOCK_RATE: f64 = 0.003;
/// Filters below so many bytes are classic: all of them lies in the nearest cache anyway.
const MIN_SPLIT_BLOCK_LEN: u64 = 4096;
/// Fewer bits save nothing.
const MIN_BITS: u64 = 32;

/// Far more values than any filter holds, and few enough to be counted exactly in an `f64` and
/// its powers.
const MAX_EXACT: u64 = 1 << 34;

/// The smallest layout whose expected error rate at `capacity` is at most `rate`.
pub fn layout(capacity: u64, rate: f64) -> Layout {
    if capacity > MAX_EXACT {
        // Only of use to say how far too large it is.
        let times = capacity.div_ceil(MAX_EXACT);
        return layout(MAX_EXACT, rate).times(times);
    }
    let classic = classic(capacity, rate);
    if rate < MIN_SPLIT_BLOCK_RATE || classic.byte_len() < MIN_SPLIT_BLOCK_LEN {
        return classic;
    }
    // A block for each value meets every rate.
    let fits = |blocks| split_block_rate(blocks, capacity) <= rate;
    Layout::SplitBlock { blocks: smallest(capacity.max(2), fits) }
}

fn classic(capacity: u64, rate: f64) -> Layout {
    // The best number of hashes is near log2(1 / rate), which is where halving gets there.
    let mut near = 1u32;
    let mut power = 0.5;
    while power > rate {
        power *= 0.5;
        near += 1;
    }
    let mut best = Layout::Classic { bits: u64::MAX, hashes: 0 };
    for hashes in near.saturating_sub(2).max(1)..=near {
        // 64 bits a value, twice what the lowest rate takes, meet every rate.
        let most = capacity.saturating_mul(64).max(2 * MIN_BITS);
        let bits = smallest(most, |bits| classic_rate(bits, hashes, capacity) <= rate);
        let bits = bits.max(MIN_BITS);
        if bits < best.bits() {
            best = Layout::Classic { bits, hashes: hashes as u8 };
        }
    }
    best
}

/// The smallest number from 2 to `most` that fits, where all above it fit as well.
fn smallest(most: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (1, most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) { high = middle } else { low = middle }
    }
    high
}

/// The expected error rate of `bits` bits with `values` values that set `hashes` bits each.
///
/// The mean of the k-th power of the share of set bits, to second order: the first-order formula
/// `(1 - e^(-kn/m))^k` is too low for small filters (Bose et al. 2008, "On the false-positive rate
/// of Bloom filters").
pub fn classic_rate(bits: u64, hashes: u32, values: u64) -> f64 {
    let m = bits as f64;
    let k = f64::from(hashes);
    let throws = values.saturating_mul(u64::from(hashes));
    let free = power(1.0 - 1.0 / m, throws);
    let set = 1.0 - free;
    let two_free = power(1.0 - 2.0 / m, throws);
    let variance = ((1.0 - 1.0 / m) * two_free + free / m - free * free).max(0.0);
    let rate = power(set, u64::from(hashes));
    (rate * (1.0 + k * (k - 1.0) / 2.0 * variance / (set * set))).min(1.0)
}

/// The expected error rate of `blocks` split blocks with `values` values: the mean over the number
/// of values in a block, which is binomial, of the chance that the eight bits of another value
/// are set (Putze, Sanders & Singler 2009, "Cache-, Hash- and Space-Efficient Bloom Filters",
/// section 3).
pub fn split_block_rate(blocks: u64, values: u64) -> f64 {
    let odds = 1.0 / (blocks as f64 - 1.0);
    let mean = values as f64 / blocks as f64;
    let mut share = power(1.0 - 1.0 / blocks as f64, values);
    if share < f64::MIN_POSITIVE {
        // Hundreds of values in each block: all bits are set.
        return 1.0;
    }
    let mut free = 1.0;
    let mut rate = 0.0;
    for in_block in 0..values.saturating_add(1) {
        rate += share * power(1.0 - free, WORDS as u64);
        if in_block as f64 > mean && share < 1e-18 {
            break;
        }
        share *= (values - in_block) as f64 / (in_block + 1) as f64 * odds;
        free *= 1.0 - 1.0 / 32.0;
    }
    rate.min(1.0)
}

/// A power by squaring, in the same order of multiplications everywhere.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result *= base;
        }
        base *= base;
        exponent /= 2;
    }
    result
}

impl Layout {
    #[inline]
    pub(super) fn of(geometry: Geometry) -> Self {
        match geometry {
            Geometry { parameter: 0, size } => Layout::SplitBlock { blocks: size },
            Geometry { parameter, size } => Layout::Classic { bits: size, hashes: parameter },
        }
    }

    pub(super) fn geometry(self) -> Geometry {
        match self {
            Layout::SplitBlock { blocks } => Geometry { parameter: 0, size: blocks },
            Layout::Classic { bits, hashes } => Geometry { parameter: hashes, size: bits },
        }
    }

    /// The name that `bloom_info` uses.
    pub fn name(self) -> &'static str {
        match self {
            Layout::SplitBlock { .. } => "split-block",
            Layout::Classic { .. } => "classic",
        }
    }

    /// The number of bits.
    pub fn bits(self) -> u64 {
        match self {
            Layout::SplitBlock { blocks } => blocks.saturating_mul(8 * BLOCK_LEN as u64),
            Layout::Classic { bits, .. } => bits,
        }
    }

    fn times(self, factor: u64) -> Self {
        match self {
            Layout::SplitBlock { blocks } => {
                Layout::SplitBlock { blocks: blocks.saturating_mul(factor) }
            }
            Layout::Classic { bits, hashes } => {
                Layout::Classic { bits: bits.saturating_mul(factor), hashes }
            }
        }
    }

    /// The number of bytes.
    pub fn byte_len(self) -> u64 {
        self.bits().div_ceil(8)
    }

    /// The number of bits that a value sets, up to coincidence.
    pub fn hashes(self) -> u32 {
        match self {
            Layout::SplitBlock { .. } => WORDS as u32,
            Layout::Classic { hashes, .. } => u32::from(hashes),
        }
    }

    /// The expected error rate with so many values.
    pub fn error_rate(self, values: u64) -> f64 {
        match self {
            Layout::SplitBlock { blocks } if blocks < 2 => 1.0,
            Layout::SplitBlock { blocks } => split_block_rate(blocks, values),
            Layout::Classic { bits, hashes } => classic_rate(bits, u32::from(hashes), values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_near_the_theory() {
        // Bits a value: the classic form of Bloom's formula, and split blocks as Lang, Neumann,
        // Kemper & Boncz 2019 and others compute them.
        for (rate, capacity, expected) in [
            (0.01, 100_000, 10.53),
            (0.01, 1000, 9.59),
            (0.001, 100_000, 14.38),
            (0.0001, 1_000_000, 19.17),
            (0.03, 1_000_000, 8.20),
            (0.003, 1_000_000, 13.56),
            (0.000_001, 1000, 28.8),
        ] {
            let bits = layout(capacity, rate).bits() as f64 / capacity as f64;
            assert!((bits / expected - 1.0).abs() < 0.005, "{rate} {capacity}: {bits}");
        }
    }

    #[test]
    fn low_rates_and_small_filters_are_classic() {
        let split = |capacity, rate| matches!(layout(capacity, rate), Layout::SplitBlock { .. });
        assert!(split(1_000_000, 0.01) && split(1_000_000, 0.003) && split(3500, 0.01));
        assert!(!split(1_000_000, 0.0029) && !split(3300, 0.01) && !split(1, 0.01));
    }

    #[test]
    fn no_capacity_is_too_large_to_say_so() {
        for capacity in [1 << 34, 1 << 40, i64::MAX as u64, u64::MAX] {
            let bits = layout(capacity, 0.01).bits();
            assert!(bits as f64 >= 10.5 * capacity as f64 || bits >= u64::MAX / 2, "{capacity}");
        }
    }

    #[test]
    fn every_layout_meets_its_rate_tightly() {
        for rate in [0.5, 0.05, 0.01, 0.001, 1e-6, 1e-9] {
            for capacity in [1, 2, 10, 100, 5000, 1_000_000, 1 << 34] {
                let layout = layout(capacity, rate);
                let expected = layout.error_rate(capacity);
                assert!(expected <= rate, "{rate} {capacity}: {layout:?}");
                // One bit or block less would not do, and a bit among many changes little.
                assert!(
                    capacity < 10 || rate > 0.4 || expected > 0.95 * rate,
                    "{rate} {capacity}: {expected} of {layout:?}"
                );
            }
        }
    }
}
