//! A block of cells at rest.
//!
//! Most counts of a block take about as many bits as each other and a few take many more, so a
//! block has a number of bits for all of its cells, and *exceptions*, whose higher bits stand apart
//! (Zukowski, Heman, Nes & Boncz 2006, "Super-Scalar RAM-CPU Cache Compression", patched frame of
//! reference). On skewed streams that takes about two bits a cell above the entropy, and a block is
//! decoded in a few hundred cycles.

use super::unpack::{BLOCK, GROUP_LEN, unpack, wide};
use crate::codec::bits::BitReader;
use crate::error::{Error, Result};

/// The bytes of a block in the directory: the bits of its largest count, the bits that all of its
/// cells have, the number of exceptions.
pub const SHAPE_LEN: usize = 3;

/// The bits of the index of a cell in a block.
const INDEX_BITS: u32 = BLOCK.ilog2();

/// Counts are below 2^63.
const MAX_BITS: u32 = 63;

/// What the directory says of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    max_bits: u32,
    bits: u32,
    exceptions: usize,
    cells: usize,
}

impl Shape {
    /// Reads an entry of the directory, for a block of `cells` cells.
    #[inline]
    pub fn read([max_bits, bits, exceptions]: [u8; SHAPE_LEN], cells: usize) -> Result<Shape> {
        let shape = Shape {
            max_bits: u32::from(max_bits),
            bits: u32::from(bits),
            exceptions: usize::from(exceptions),
            cells,
        };
        let has_exceptions = shape.bits < shape.max_bits;
        if shape.max_bits > MAX_BITS
            || shape.bits > shape.max_bits
            || shape.exceptions > cells
            || has_exceptions != (shape.exceptions > 0)
        {
            return Err(Error::bytes(format!(
                "no block of {cells} cells has {max_bits} bits, {bits} in all cells and \
                 {exceptions} exceptions"
            )));
        }
        Ok(shape)
    }

    /// The entry of the directory.
    pub fn to_bytes(self) -> [u8; SHAPE_LEN] {
        [self.max_bits as u8, self.bits as u8, self.exceptions as u8]
    }

    /// How many cells the block has.
    #[inline]
    pub fn cells(self) -> usize {
        self.cells
    }

    /// The bits of the largest count.
    #[inline]
    pub fn max_bits(self) -> u32 {
        self.max_bits
    }

    /// Whether the exceptions are marked by a bit for each cell, which is less than their indexes.
    fn has_marks(self) -> bool {
        self.exceptions * INDEX_BITS as usize > self.cells
    }

    /// The bits of the whole block.
    fn bit_len(self) -> usize {
        let places = (self.exceptions * INDEX_BITS as usize).min(self.cells);
        let higher = self.exceptions * (self.max_bits - self.bits) as usize;
        self.cells * self.bits as usize + places + higher
    }

    /// The bytes of the block.
    #[inline]
    pub fn byte_len(self) -> usize {
        self.bit_len().div_ceil(8)
    }

    /// The shape of the shortest block; of several, the one with the fewest exceptions.
    pub fn of(counts: &[u64]) -> Shape {
        let mut lengths = [0usize; MAX_BITS as usize + 2];
        for count in counts {
            lengths[(64 - count.leading_zeros()) as usize] += 1;
        }
        let max_bits = lengths.iter().rposition(|&n| n > 0).unwrap_or(0) as u32;
        let cells = counts.len();
        let mut shape = Shape { max_bits, bits: max_bits, exceptions: 0, cells };
        let mut best = shape;
        while shape.bits > 0 {
            shape.exceptions += lengths[shape.bits as usize];
            shape.bits -= 1;
            if shape.bit_len() < best.bit_len() {
                best = shape;
            }
        }
        best
    }

    /// Decodes a block into as many counts as it has cells. What stands behind the block, if
    /// anything does, spares a copy.
    #[inline(always)]
    pub fn decode(self, bytes: &[u8], counts: &mut [u64; BLOCK]) -> Result<()> {
        let len = self.bits as usize * BLOCK / 8;
        if bytes.len() >= len + GROUP_LEN {
            unpack(bytes, self.bits, counts);
        } else {
            let mut padded = [0; MAX_BITS as usize * BLOCK / 8 + GROUP_LEN];
            let len = len.min(bytes.len());
            padded[..len].copy_from_slice(&bytes[..len]);
            unpack(&padded, self.bits, counts);
        }
        if self.exceptions == 0 {
            return Ok(());
        }
        let mut exceptions = Exceptions::new(self, bytes);
        for _ in 0..self.exceptions {
            let at = exceptions.next()?;
            counts[at] |= exceptions.higher(0) << self.bits;
        }
        Ok(())
    }

    /// The count of one cell of a block.
    pub fn count(self, bytes: &[u8], index: usize) -> Result<u64> {
        let mut low = BitReader::new(bytes);
        low.skip(index * self.bits as usize);
        let mut count = wide(&mut low, self.bits);
        if self.exceptions > 0 {
            let mut exceptions = Exceptions::new(self, bytes);
            for before in 0..self.exceptions {
                let at = exceptions.next()?;
                if at == index {
                    count |= exceptions.higher(before) << self.bits;
                }
                if at >= index {
                    break;
                }
            }
        }
        Ok(count)
    }

    /// Writes a block to zero bytes; returns its length.
    pub fn write(self, counts: &[u64], out: &mut [u8]) -> usize {
        let len = self.byte_len();
        let mut writer = Packer { out: &mut out[..len], bits: 0, filled: 0 };
        match self.bits {
            0 => {}
            1..=8 => writer.push_low::<8>(counts, self.bits),
            9..=16 => writer.push_low::<4>(counts, self.bits),
            17..=32 => writer.push_low::<2>(counts, self.bits),
            _ => writer.push_low::<1>(counts, self.bits),
        }
        if self.exceptions > 0 {
            let (mut places, mut found) = ([0u8; BLOCK], 0);
            for (at, count) in counts.iter().enumerate() {
                places[found] = at as u8;
                found += usize::from(count >> self.bits > 0);
            }
            let places = &places[..found];
            if self.has_marks() {
                let marks = places.iter().fold(0u128, |marks, at| marks | 1 << at);
                for at in (0..self.cells).step_by(32) {
                    let width = (self.cells - at).min(32) as u32;
                    writer.push((marks >> at) as u64 & u64::from(u32::MAX), width);
                }
            } else {
                places.iter().for_each(|&at| writer.push(u64::from(at), INDEX_BITS));
            }
            let higher_bits = self.max_bits - self.bits;
            let higher = places.iter().map(|&at| counts[usize::from(at)] >> self.bits);
            higher.for_each(|higher| writer.push(higher, higher_bits));
        }
        writer.finish();
        len
    }
}

/// Packs numbers of up to 64 bits, eight bytes at a time.
struct Packer<'a> {
    out: &'a mut [u8],
    bits: u128,
    filled: u32,
}

impl Packer<'_> {
    /// Packs the low bits of counts, `N` of which have up to 64 bits together.
    #[inline(always)]
    fn push_low<const N: usize>(&mut self, counts: &[u64], bits: u32) {
        let low = (1 << bits) - 1;
        let (groups, rest) = counts.as_chunks::<N>();
        for group in groups {
            let word = group.iter().rev().fold(0, |word, count| word << bits | count & low);
            self.push(word, N as u32 * bits);
        }
        rest.iter().for_each(|count| self.push(count & low, bits));
    }

    #[inline(always)]
    fn push(&mut self, value: u64, width: u32) {
        self.bits |= u128::from(value) << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            let (word, rest) = std::mem::take(&mut self.out).split_at_mut(8);
            word.copy_from_slice(&(self.bits as u64).to_le_bytes());
            self.out = rest;
            self.bits >>= 64;
            self.filled -= 64;
        }
    }

    fn finish(self) {
        let len = self.out.len();
        self.out.copy_from_slice(&self.bits.to_le_bytes()[..len]);
    }
}

/// The exceptions of a block, in order.
struct Exceptions<'a> {
    marks: Option<u128>,
    indexes: BitReader<'a>,
    higher: BitReader<'a>,
    higher_bits: u32,
    cells: usize,
    from: usize,
}

impl<'a> Exceptions<'a> {
    #[inline(always)]
    fn new(shape: Shape, bytes: &'a [u8]) -> Self {
        let mut indexes = BitReader::new(bytes);
        indexes.skip(shape.cells * shape.bits as usize);
        let mut higher = indexes.clone();
        let marks = if shape.has_marks() {
            let mut marks = 0;
            for at in (0..shape.cells).step_by(32) {
                let width = (shape.cells - at).min(32) as u32;
                marks |= u128::from(higher.bits(width)) << at;
            }
            Some(marks)
        } else {
            higher.skip(shape.exceptions * INDEX_BITS as usize);
            None
        };
        let higher_bits = shape.max_bits - shape.bits;
        Exceptions { marks, indexes, higher, higher_bits, cells: shape.cells, from: 0 }
    }

    /// The index of the next exception.
    #[inline(always)]
    fn next(&mut self) -> Result<usize> {
        let at = match &mut self.marks {
            None => self.indexes.bits(INDEX_BITS) as usize,
            Some(marks) => {
                let at = marks.trailing_zeros() as usize;
                *marks &= marks.wrapping_sub(1);
                at
            }
        };
        if at < self.from || at >= self.cells {
            return Err(Error::bytes("the exceptions of a block are malformed"));
        }
        self.from = at + 1;
        Ok(at)
    }

    /// The higher bits of the next exception behind as many others.
    #[inline(always)]
    fn higher(&mut self, others: usize) -> u64 {
        self.higher.skip(others * self.higher_bits as usize);
        wide(&mut self.higher, self.higher_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn heads_that_cannot_be_are_refused() {
        for (shape, cells) in [
            ([64, 64, 0], 128),
            ([3, 4, 1], 128),
            ([3, 3, 1], 128),
            ([3, 2, 0], 128),
            ([3, 2, 129], 128),
            ([3, 2, 8], 7),
        ] {
            assert!(Shape::read(shape, cells).is_err(), "{shape:?}");
        }
    }

    proptest! {
        #[test]
        fn no_other_head_makes_a_shorter_block(
            counts in proptest::collection::vec((any::<u64>(), 1u32..64), 1..=BLOCK)
        ) {
            let counts: Vec<u64> = counts.iter().map(|(count, shift)| count >> shift).collect();
            let shape = Shape::of(&counts);
            for bits in 0..=shape.max_bits {
                let exceptions = counts.iter().filter(|&&count| count >> bits > 0).count();
                let other = Shape { bits, exceptions, ..shape };
                prop_assert!(other.byte_len() >= shape.byte_len());
            }
        }
    }
}
