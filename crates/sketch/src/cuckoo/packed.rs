//! A bucket at rest.
//!
//! The order of the fingerprints in a bucket means nothing, and by sorting them it is not paid
//! for (Fan et al. 2014, section 5.2, "semi-sorting"): the four top bits of the four fingerprints
//! are one of 3,876 multisets, written as its number in 12 bits instead of 16, so that a
//! fingerprint costs a bit less than it has. The number is that of the combinatorial number
//! system: `C(a, 1) + C(b + 1, 2) + C(c + 2, 3) + C(d + 3, 4)` for `a <= b <= c <= d`. Behind it
//! stand the other bits of the four in ascending order of the fingerprints. Free slots are 0 and
//! come first; an empty bucket is all zero.

use super::geometry::{Layout, SLOTS};
use crate::error::{Error, Result};

/// A bucket: four fingerprints, 0 where there is none.
pub(super) type Bucket = [u32; SLOTS];

/// The multisets of four of sixteen.
const MULTISETS: usize = 3876;

/// The bits of a multiset's number.
const NUMBER_BITS: u32 = 12;

/// `C(i + k, k + 1)` in row `k`.
const CHOOSE: [[u16; 16]; SLOTS] = choose();

/// The four nibbles of each multiset, the least in the lowest bits.
static NIBBLES: [u16; MULTISETS] = nibbles();

const fn choose() -> [[u16; 16]; SLOTS] {
    let mut table = [[0; 16]; SLOTS];
    let mut i = 0;
    while i < 16 {
        table[0][i] = i as u16;
        i += 1;
    }
    let mut k = 1;
    while k < SLOTS {
        let mut i = 1;
        while i < 16 {
            table[k][i] = table[k][i - 1] + table[k - 1][i];
            i += 1;
        }
        k += 1;
    }
    table
}

const fn number([a, b, c, d]: [usize; SLOTS]) -> usize {
    (CHOOSE[0][a] + CHOOSE[1][b] + CHOOSE[2][c] + CHOOSE[3][d]) as usize
}

const fn nibbles() -> [u16; MULTISETS] {
    let mut table = [0; MULTISETS];
    let mut packed = 0;
    while packed < 1 << 16 {
        let parts = [packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12];
        if parts[0] <= parts[1] && parts[1] <= parts[2] && parts[2] <= parts[3] {
            table[number(parts)] = packed as u16;
        }
        packed += 1;
    }
    table
}

/// The bits of a bucket.
#[inline]
pub(super) fn encode(mut bucket: Bucket, bits: u32) -> u128 {
    // A sorting network.
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        if bucket[a] > bucket[b] {
            bucket.swap(a, b);
        }
    }
    let low_bits = bits - 4;
    let mut packed = number(bucket.map(|fingerprint| (fingerprint >> low_bits) as usize)) as u128;
    let mut at = NUMBER_BITS;
    for fingerprint in bucket {
        packed |= u128::from(fingerprint & ((1u32 << low_bits) - 1)) << at;
        at += low_bits;
    }
    packed
}

/// The fingerprints of a bucket, in ascending order where the bucket is what [`encode`] gives;
/// `None` where the number is that of no multiset.
#[inline]
pub(super) fn decode(packed: u128, bits: u32) -> Option<Bucket> {
    let nibbles = u32::from(*NIBBLES.get(packed as usize & ((1 << NUMBER_BITS) - 1))?);
    let low_bits = bits - 4;
    let mut rest = packed >> NUMBER_BITS;
    Some(std::array::from_fn(|slot| {
        let low = rest as u32 & ((1u32 << low_bits) - 1);
        rest >>= low_bits;
        (nibbles >> (4 * slot) & 15) << low_bits | low
    }))
}

/// Where a bucket lies in a table at rest: its first byte, how many bytes it touches, and how
/// many bits of the first byte belong to the bucket before.
#[inline]
pub(super) fn place(layout: Layout, bucket: u32) -> (usize, usize, u32) {
    let at = u64::from(bucket) * u64::from(layout.packed_bits());
    let shift = (at % 8) as u32;
    ((at / 8) as usize, (shift + layout.packed_bits()).div_ceil(8) as usize, shift)
}

/// The bucket in the bytes that [`place`] has named.
#[inline]
pub(super) fn read(bytes: &[u8], shift: u32, layout: Layout) -> Result<Bucket> {
    let packed = load(bytes) >> shift & ((1 << layout.packed_bits()) - 1);
    decode(packed, layout.bits).ok_or_else(malformed)
}

/// Writes a bucket; buckets must be written one after the other from the first.
#[inline]
pub(super) fn write(table: &mut [u8], at: u32, bucket: Bucket, layout: Layout) {
    let (first, len, shift) = place(layout, at);
    let out = &mut table[first..first + len];
    let mut packed = encode(bucket, layout.bits) << shift;
    if shift > 0 {
        packed |= u128::from(out[0] & 0x0f);
    }
    out.copy_from_slice(&packed.to_le_bytes()[..len]);
}

/// Up to 16 bytes as a number.
#[inline]
fn load(bytes: &[u8]) -> u128 {
    let word = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk());
    let half = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk());
    // Two reads that overlap, since a copy of some bytes is a call.
    match bytes.len() {
        8.. => {
            let behind = bytes.len().min(16) - 8;
            let low = word(0).map_or(0, |&word| u64::from_le_bytes(word));
            let high = word(behind).map_or(0, |&word| u64::from_le_bytes(word));
            u128::from(low) | u128::from(high) << (8 * behind)
        }
        4.. => {
            let behind = bytes.len() - 4;
            let low = half(0).map_or(0, |&half| u32::from_le_bytes(half));
            let high = half(behind).map_or(0, |&half| u32::from_le_bytes(half));
            u128::from(u64::from(low) | u64::from(high) << (8 * behind))
        }
        _ => bytes.iter().rev().fold(0, |packed, &byte| packed << 8 | u128::from(byte)),
    }
}

#[cold]
pub(super) fn malformed() -> Error {
    Error::bytes("a bucket of the cuckoo filter is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_numbers_are_those_of_all_multisets() {
        assert_eq!(number([15; 4]), MULTISETS - 1);
        assert_eq!(number([0; 4]), 0);
        assert_eq!(number([0, 0, 0, 1]), 1);
        assert!(NIBBLES[1..].iter().all(|&nibbles| nibbles != 0));
        assert_eq!(decode(MULTISETS as u128, 12), None);
        assert_eq!(decode(0xfff, 4), None);
    }

    proptest! {
        #[test]
        fn buckets_round_trip(bucket: Bucket, bits in 4u32..=32, zeros in 0usize..5, same: bool) {
            let mut bucket = bucket.map(|fingerprint| fingerprint >> (32 - bits));
            bucket[..zeros].fill(0);
            if same {
                bucket[2] = bucket[3];
            }
            let packed = encode(bucket, bits);
            prop_assert!(packed >> (4 * (bits - 1)) == 0);
            bucket.sort_unstable();
            prop_assert_eq!(decode(packed, bits), Some(bucket));
        }

        #[test]
        fn tables_round_trip(buckets in proptest::collection::vec(any::<Bucket>(), 1..20), bits in 4u32..=32) {
            let count = 2 * buckets.len() as u32;
            let layout = Layout::new(count, bits);
            let bucket = |at: u32| {
                let mut bucket = buckets[at as usize / 2].map(|f| (f ^ at) >> (32 - bits));
                bucket.sort_unstable();
                bucket
            };
            let mut table = vec![0xff; layout.packed_len()];
            (0..count).for_each(|at| write(&mut table, at, bucket(at), layout));
            for at in 0..count {
                let (first, len, shift) = place(layout, at);
                prop_assert_eq!(read(&table[first..first + len], shift, layout), Ok(bucket(at)));
            }
        }
    }
}
