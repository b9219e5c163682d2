//! The sparse form at rest: a sorted list of hashes, as the Rice codes of their gaps.
//!
//! The gaps between `n` hashes drawn from `2^bits` are geometric with mean `2^bits / n`, for which
//! a Rice code of parameter `floor(log2(ln 2 * 2^bits / n))` is within a tenth of a bit of the
//! best (Kiely 2004, "Selecting the Golomb parameter in Rice coding").

use crate::codec::bits::{BitReader, BitWriter};
use crate::error::{Error, Result};
use crate::interrupt;

/// The Rice parameter for `count` hashes of `bits` bits.
pub(crate) fn parameter(count: usize, bits: u32) -> u32 {
    // ln 2 as a fraction of 2^16; a u128 holds 2^64 * 2^16.
    let mean = (1u128 << bits) * 45_426 / (1 << 16) / count.max(1) as u128;
    mean.checked_ilog2().unwrap_or(0)
}

/// The most bytes that a list of `count` hashes of `bits` bits can take, with `extra` bits more.
pub fn max_len(count: usize, bits: u32, extra: usize) -> usize {
    let k = parameter(count, bits);
    (count * (k as usize + 1) + quotients(count, bits) + extra).div_ceil(8)
}

/// More bits than the quotients in a list for `count` hashes of `bits` bits take.
pub(crate) fn quotients(count: usize, bits: u32) -> usize {
    ((1u128 << bits) >> parameter(count, bits)) as usize
}

/// The fewest bytes that a list of `count` hashes of `bits` bits can take.
pub fn min_len(count: usize, bits: u32) -> usize {
    (count * (parameter(count, bits) as usize + 1)).div_ceil(8)
}

/// Writes a list.
pub struct HashListWriter<'a> {
    bits: BitWriter<'a>,
    k: u32,
    last: u64,
}

impl<'a> HashListWriter<'a> {
    /// A writer of `count` hashes of `bits` bits to `out`, which has at least [`max_len`] bytes
    /// and is zero.
    pub fn new(out: &'a mut [u8], count: usize, bits: u32) -> Self {
        HashListWriter { bits: BitWriter::new(out), k: parameter(count, bits), last: 0 }
    }

    /// Adds the next hash, not below the one before.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        self.bits.rice(hash - self.last, self.k);
        self.last = hash;
    }

    /// Adds bits that belong to the hash just written.
    #[inline]
    pub fn push_bits(&mut self, value: u64, width: u32) {
        self.bits.bits(value, width);
    }

    /// How many bytes the list takes.
    pub fn byte_len(&self) -> usize {
        self.bits.byte_len()
    }

    /// How many bits the list takes.
    pub fn bit_len(&self) -> usize {
        self.bits.bit_len()
    }

    /// The last hash, 0 before the first.
    pub fn last(&self) -> u64 {
        self.last
    }
}

/// Reads a list.
#[derive(Clone)]
pub struct HashListReader<'a> {
    bits: BitReader<'a>,
    hash_bits: u32,
    k: u32,
    last: u64,
}

impl<'a> HashListReader<'a> {
    /// A reader of `count` hashes of `bits` bits from exactly `bytes`.
    pub fn new(bytes: &'a [u8], count: usize, bits: u32) -> Self {
        HashListReader {
            bits: BitReader::new(bytes),
            hash_bits: bits,
            k: parameter(count, bits),
            last: 0,
        }
    }

    /// The reader at a bit of the list, given the last hash before it.
    pub fn at(mut self, bit: usize, last: u64) -> Self {
        self.bits.skip(bit);
        self.last = last;
        self
    }

    /// Whether a hash is among the next `count`.
    pub fn contains(mut self, count: usize, wanted: u64) -> Result<bool> {
        for _ in 0..count {
            match self.next_hash()? {
                hash if hash < wanted => {}
                hash => return Ok(hash == wanted),
            }
        }
        Ok(false)
    }

    /// The next hash, not below the one before.
    #[inline]
    pub fn next_hash(&mut self) -> Result<u64> {
        interrupt::count_step();
        let gap = self.bits.rice(self.k);
        match self.last.checked_add(gap) {
            Some(hash) if u128::from(hash) >> self.hash_bits == 0 && !self.bits.is_exhausted() => {
                self.last = hash;
                Ok(hash)
            }
            _ => Err(Error::bytes("the list of hashes is cut short or runs over its range")),
        }
    }

    /// Bits that belong to the hash just read.
    #[inline]
    pub fn next_bits(&mut self, width: u32) -> u64 {
        self.bits.bits(width)
    }

    /// Checks that nothing is left.
    pub fn finish(&self) -> Result<()> {
        self.bits.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parameters_follow_the_mean_gap() {
        assert_eq!(parameter(1, 26), 25);
        assert_eq!(parameter(1 << 25, 26), 0);
        assert_eq!(parameter(1 << 30, 26), 0);
        assert_eq!(parameter(1000, 26), 15);
        assert_eq!(parameter(0, 26), 25);
    }

    proptest! {
        #[test]
        fn lists_round_trip_within_their_bound(
            mut hashes in proptest::collection::vec(0u64..1 << 26, 0..300), low in 0u32..20
        ) {
            for hash in &mut hashes {
                *hash >>= low;
            }
            hashes.sort_unstable();
            let mut out = vec![0; max_len(hashes.len(), 26, 0)];
            let mut writer = HashListWriter::new(&mut out, hashes.len(), 26);
            hashes.iter().for_each(|&hash| writer.push(hash));
            let len = writer.byte_len();
            let mut reader = HashListReader::new(&out[..len], hashes.len(), 26);
            for &hash in &hashes {
                prop_assert_eq!(reader.next_hash(), Ok(hash));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}
