//! Cells at rest, bit-packed by blocks.
//!
//! The cells of all rows, one after the other, are cut into blocks of 128. Most counts of a block
//! take about as many bits as each other and a few take many more, so a block has a number of bits
//! for all of its cells, and *exceptions*, whose higher bits stand apart (Zukowski, Heman, Nes &
//! Boncz 2006, "Super-Scalar RAM-CPU Cache Compression", patched frame of reference). On skewed
//! streams that takes about two bits a cell above the entropy, and a block is decoded in a few
//! hundred cycles.
//!
//! The body is a directory of three bytes a block, from which the place of each block follows, so
//! that one is read without the others; then the blocks.

use super::cells;
use crate::codec::bits::BitReader;
use crate::error::{Error, Result};

/// How many cells a block has; the last one may have fewer.
pub const BLOCK: usize = 128;

/// The bytes of a block in the directory: the bits of its largest count, the bits that all of its
/// cells have, the number of exceptions.
pub const HEAD_LEN: usize = 3;

/// The bits of the index of a cell in a block.
const INDEX_BITS: u32 = BLOCK.ilog2();

/// Counts are below 2^63.
const MAX_BITS: u32 = 63;

/// What the directory says of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    max_bits: u32,
    bits: u32,
    exceptions: usize,
    cells: usize,
}

impl Head {
    /// Reads an entry of the directory, for a block of so many cells.
    #[inline]
    pub fn read([max_bits, bits, exceptions]: [u8; HEAD_LEN], cells: usize) -> Result<Head> {
        let head = Head {
            max_bits: u32::from(max_bits),
            bits: u32::from(bits),
            exceptions: usize::from(exceptions),
            cells,
        };
        let has_exceptions = head.bits < head.max_bits;
        match head.max_bits <= MAX_BITS
            && head.bits <= head.max_bits
            && head.exceptions <= cells
            && has_exceptions == (head.exceptions > 0)
        {
            true => Ok(head),
            false => Err(Error::bytes(format!(
                "no block of {cells} cells has {max_bits} bits, {bits} in all cells and \
                 {exceptions} exceptions"
            ))),
        }
    }

    fn to_bytes(self) -> [u8; HEAD_LEN] {
        [self.max_bits as u8, self.bits as u8, self.exceptions as u8]
    }

    /// The bits of the largest count.
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

    /// The head that makes the shortest block; of several, the one with the fewest exceptions.
    fn of(counts: &[u64]) -> Head {
        let mut lengths = [0usize; MAX_BITS as usize + 2];
        for count in counts {
            lengths[(64 - count.leading_zeros()) as usize] += 1;
        }
        let max_bits = lengths.iter().rposition(|&n| n > 0).unwrap_or(0) as u32;
        let cells = counts.len();
        let mut head = Head { max_bits, bits: max_bits, exceptions: 0, cells };
        let mut best = head;
        while head.bits > 0 {
            head.exceptions += lengths[head.bits as usize];
            head.bits -= 1;
            if head.bit_len() < best.bit_len() {
                best = head;
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
            let (at, higher) = exceptions.next()?;
            counts[at] |= higher << self.bits;
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
            for _ in 0..self.exceptions {
                let (at, higher) = exceptions.next()?;
                if at == index {
                    count |= higher << self.bits;
                }
            }
        }
        Ok(count)
    }

    /// Writes a block to zero bytes; returns its length.
    fn write(self, counts: &[u64], out: &mut [u8]) -> usize {
        let len = self.byte_len();
        let mut writer = Packer { out: &mut out[..len], bits: 0, filled: 0 };
        let low = (1 << self.bits) - 1;
        counts.iter().for_each(|&count| writer.push(count & low, self.bits));
        if self.exceptions > 0 {
            if self.has_marks() {
                counts.iter().for_each(|&count| writer.push(u64::from(count > low), 1));
            }
            let exceptions = counts.iter().enumerate().filter(|&(_, &count)| count > low);
            if !self.has_marks() {
                exceptions.clone().for_each(|(at, _)| writer.push(at as u64, INDEX_BITS));
            }
            let higher_bits = self.max_bits - self.bits;
            exceptions.for_each(|(_, &count)| writer.push(count >> self.bits, higher_bits));
        }
        writer.finish();
        len
    }
}

/// Packs numbers of up to 63 bits, eight bytes at a time.
struct Packer<'a> {
    out: &'a mut [u8],
    bits: u128,
    filled: u32,
}

impl Packer<'_> {
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

/// Numbers of up to 63 bits.
#[inline]
fn wide(reader: &mut BitReader<'_>, width: u32) -> u64 {
    match width {
        0..=32 => reader.bits(width),
        _ => reader.bits(32) | reader.bits(width - 32) << 32,
    }
}

/// More bytes than a group of eight numbers of up to 32 bits, and the window of the last, take.
const GROUP_LEN: usize = 40;

/// Reads numbers of `bits` bits from bytes with [`GROUP_LEN`] more behind them.
#[inline(always)]
fn unpack(padded: &[u8], bits: u32, counts: &mut [u64; BLOCK]) {
    /// One arm for each width, in which all shifts are constants.
    macro_rules! by_bits {
        ($($bits:literal)*) => {
            match bits {
                0 => counts.fill(0),
                $($bits => unpack_groups::<$bits>(padded, counts),)*
                _ => {
                    let mut reader = BitReader::new(padded);
                    counts.iter_mut().for_each(|count| *count = wide(&mut reader, bits));
                }
            }
        };
    }
    by_bits!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// Eight numbers of `BITS` bits fill `BITS` bytes.
#[inline(always)]
fn unpack_groups<const BITS: usize>(padded: &[u8], counts: &mut [u64; BLOCK]) {
    for (group, counts) in counts.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let bytes: [u8; GROUP_LEN] =
            padded[group * BITS..].first_chunk().copied().unwrap_or([0; GROUP_LEN]);
        for (i, count) in counts.iter_mut().enumerate() {
            let at = i * BITS;
            let window = bytes[at / 8..].first_chunk().copied().unwrap_or_default();
            *count = u64::from_le_bytes(window) >> (at % 8) & ((1 << BITS) - 1);
        }
    }
}

/// The exceptions of a block, in order: the index of the cell, and its higher bits.
struct Exceptions<'a> {
    marks: Option<u128>,
    indexes: BitReader<'a>,
    higher: BitReader<'a>,
    higher_bits: u32,
    cells: usize,
    from: usize,
}

impl<'a> Exceptions<'a> {
    fn new(head: Head, bytes: &'a [u8]) -> Self {
        let mut indexes = BitReader::new(bytes);
        indexes.skip(head.cells * head.bits as usize);
        let mut higher = indexes.clone();
        let marks = match head.has_marks() {
            false => {
                higher.skip(head.exceptions * INDEX_BITS as usize);
                None
            }
            true => {
                let mut marks = 0;
                for at in (0..head.cells).step_by(32) {
                    let width = (head.cells - at).min(32) as u32;
                    marks |= u128::from(higher.bits(width)) << at;
                }
                Some(marks)
            }
        };
        let higher_bits = head.max_bits - head.bits;
        Exceptions { marks, indexes, higher, higher_bits, cells: head.cells, from: 0 }
    }

    #[inline]
    fn next(&mut self) -> Result<(usize, u64)> {
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
        Ok((at, wide(&mut self.higher, self.higher_bits)))
    }
}

/// The body of a dense sketch, of which the directory is checked.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    count: usize,
    directory: &'a [[u8; HEAD_LEN]],
    blocks: &'a [u8],
    max_bits: u32,
}

/// The bytes of the directory of so many cells.
pub fn directory_len(count: usize) -> usize {
    HEAD_LEN * count.div_ceil(BLOCK)
}

/// How many cells a block has.
#[inline]
pub fn cells_in(block: usize, count: usize) -> usize {
    (count - block * BLOCK).min(BLOCK)
}

impl<'a> Packed<'a> {
    /// Reads the directory of so many cells, and checks that the blocks have the length that it
    /// says.
    pub fn parse(bytes: &'a [u8], count: usize) -> Result<Self> {
        let directory_len = directory_len(count);
        if bytes.len() < directory_len {
            return Err(Error::bytes(format!("{count} cells cannot lie in {} bytes", bytes.len())));
        }
        let (directory, blocks) = bytes.split_at(directory_len);
        let directory = directory.as_chunks().0;
        let (mut len, mut max_bits) = (0, 0);
        for (block, &head) in directory.iter().enumerate() {
            let head = Head::read(head, cells_in(block, count))?;
            len += head.byte_len();
            max_bits = max_bits.max(head.max_bits);
        }
        if len != blocks.len() {
            return Err(Error::bytes(format!(
                "the blocks of the sketch have {} bytes, not {len}",
                blocks.len()
            )));
        }
        Ok(Packed { count, directory, blocks, max_bits })
    }

    /// The size of working cells that hold all counts.
    pub fn cell_size(&self) -> usize {
        cells::size_for((1 << self.max_bits) - 1)
    }

    /// The blocks from the first one on.
    pub fn blocks(&self) -> PackedBlocks<'a> {
        PackedBlocks { packed: *self, block: 0, at: 0 }
    }

    /// Calls `f` with the counts of cells whose indexes ascend.
    pub fn counts(
        &self,
        indexes: impl Iterator<Item = usize>,
        mut f: impl FnMut(u64),
    ) -> Result<()> {
        let mut places = Places::new(self.directory, self.count);
        for index in indexes {
            let (head, at) = places.find(index / BLOCK)?;
            f(head.count(&self.blocks[at..at + head.byte_len()], index % BLOCK)?);
        }
        Ok(())
    }
}

/// Decodes blocks, in order.
pub struct PackedBlocks<'a> {
    packed: Packed<'a>,
    block: usize,
    at: usize,
}

impl PackedBlocks<'_> {
    /// Decodes the next block; returns how many cells it has, 0 behind the last.
    #[inline(always)]
    pub fn next(&mut self, counts: &mut [u64; BLOCK]) -> Result<usize> {
        let Packed { count, directory, blocks, .. } = self.packed;
        let Some(&head) = directory.get(self.block) else { return Ok(0) };
        let head = Head::read(head, cells_in(self.block, count))?;
        let end = self.at + head.byte_len();
        head.decode(&blocks[self.at..], counts)?;
        self.block += 1;
        self.at = end;
        Ok(head.cells)
    }
}

/// Finds the places of blocks, in order.
pub struct Places<'a> {
    directory: &'a [[u8; HEAD_LEN]],
    count: usize,
    block: usize,
    at: usize,
}

impl<'a> Places<'a> {
    /// At the first of the blocks of so many cells.
    pub fn new(directory: &'a [[u8; HEAD_LEN]], count: usize) -> Self {
        Places { directory, count, block: 0, at: 0 }
    }

    /// The head of a block, not before the last one asked for, and its offset.
    pub fn find(&mut self, block: usize) -> Result<(Head, usize)> {
        loop {
            let head = Head::read(self.directory[self.block], cells_in(self.block, self.count))?;
            if self.block == block {
                return Ok((head, self.at));
            }
            self.at += head.byte_len();
            self.block += 1;
        }
    }
}

/// The most bytes that so many cells take at rest, where their counts take up to `size` bytes.
pub fn max_len(count: usize, size: usize) -> usize {
    directory_len(count) + count * size
}

/// Writes the body of a dense sketch, block by block.
pub struct PackedWriter<'a> {
    directory: &'a mut [[u8; HEAD_LEN]],
    blocks: &'a mut [u8],
    block: usize,
    at: usize,
}

impl<'a> PackedWriter<'a> {
    /// A writer of so many cells to zero bytes, as many as [`max_len`] says, or as many as an
    /// encoding of these cells has.
    pub fn new(out: &'a mut [u8], count: usize) -> Self {
        let (directory, blocks) = out.split_at_mut(directory_len(count));
        PackedWriter { directory: directory.as_chunks_mut().0, blocks, block: 0, at: 0 }
    }

    /// Adds the next block, of counts below 2^63.
    pub fn push(&mut self, counts: &[u64]) {
        let head = Head::of(counts);
        self.directory[self.block] = head.to_bytes();
        self.at += head.write(counts, &mut self.blocks[self.at..]);
        self.block += 1;
    }

    /// How many bytes the body takes.
    pub fn byte_len(&self) -> usize {
        HEAD_LEN * self.directory.len() + self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(counts: &[u64]) -> Vec<u8> {
        let mut out = vec![0; max_len(counts.len(), 8)];
        let mut writer = PackedWriter::new(&mut out, counts.len());
        counts.chunks(BLOCK).for_each(|block| writer.push(block));
        let len = writer.byte_len();
        out.truncate(len);
        out
    }

    fn read(bytes: &[u8], count: usize) -> Result<Vec<u64>> {
        let mut blocks = Packed::parse(bytes, count)?.blocks();
        let (mut counts, mut block) = (Vec::new(), [0; BLOCK]);
        while let len @ 1.. = blocks.next(&mut block)? {
            counts.extend_from_slice(&block[..len]);
        }
        Ok(counts)
    }

    #[test]
    fn heads_that_cannot_be_are_refused() {
        for (head, cells) in [
            ([64, 64, 0], 128),
            ([3, 4, 1], 128),
            ([3, 3, 1], 128),
            ([3, 2, 0], 128),
            ([3, 2, 129], 128),
            ([3, 2, 8], 7),
        ] {
            assert!(Head::read(head, cells).is_err(), "{head:?}");
        }
    }

    #[test]
    fn damaged_exceptions_are_refused() {
        // Exceptions by index: 9 and 9 again, 9 and then 8, 9 in a block of eight cells.
        let body = |cells: usize, indexes: [u8; 2]| {
            let mut bytes = vec![0; 5];
            bytes[..3].copy_from_slice(&[1, 0, 2]);
            let coded = u16::from(indexes[0]) | u16::from(indexes[1]) << 7 | 3 << 14;
            bytes[3..].copy_from_slice(&coded.to_le_bytes());
            read(&bytes, cells)
        };
        assert!(body(128, [8, 9]).is_ok());
        assert!(body(128, [9, 9]).is_err());
        assert!(body(128, [9, 8]).is_err());
        assert!(body(20, [8, 20]).is_err());
        // Exceptions by marks, of which there are too few.
        assert!(read(&[1, 0, 2, 0b0000_0101, 0b11], 8).is_ok());
        assert!(read(&[1, 0, 2, 0b0000_0100, 0b11], 8).is_err());
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        let counts: Vec<u64> = (0..300).map(|i| i * i).collect();
        let bytes = written(&counts);
        assert_eq!(read(&bytes, 300), Ok(counts));
        assert!(read(&bytes[..bytes.len() - 1], 300).is_err());
        assert!(read(&bytes, 299).is_err() && read(&bytes, 500).is_err());
        assert!(read(&[], 300).is_err());
    }

    #[test]
    fn blocks_cost_what_their_counts_need() {
        for (counts, len) in [
            (vec![0; 128], 0),
            (vec![1; 128], 16),
            // One exception: 7 bits for the index, 20 for the count.
            ((0..128).map(|i| if i == 5 { 1 << 19 } else { 0 }).collect(), 4),
            // Half of them: a bit for each cell, 10 for each exception.
            ((0..128).map(|i| if i % 2 == 0 { 1000 } else { 0 }).collect(), 16 + 80),
            (vec![(1 << 63) - 1; 128], 63 * 16),
        ] {
            assert_eq!(written(&counts).len(), HEAD_LEN + len);
        }
    }

    proptest! {
        #[test]
        fn cells_round_trip(
            counts in proptest::collection::vec((any::<u64>(), 1u32..=64), 1..400),
            common in 1u32..=64
        ) {
            let counts: Vec<u64> = counts
                .iter()
                .map(|(count, shift)| count.checked_shr((*shift).max(common)).unwrap_or(0))
                .collect();
            let bytes = written(&counts);
            prop_assert_eq!(read(&bytes, counts.len()), Ok(counts.clone()));
            let packed = Packed::parse(&bytes, counts.len()).unwrap();
            let mut again = Vec::new();
            packed.counts(0..counts.len(), |count| again.push(count)).unwrap();
            prop_assert_eq!(&again, &counts);
            // No other head makes a shorter block.
            for (block, counts) in counts.chunks(BLOCK).enumerate() {
                let head = Head::read(packed.directory[block], counts.len()).unwrap();
                for bits in 0..=head.max_bits {
                    let exceptions = counts.iter().filter(|&&count| count >> bits > 0).count();
                    let other = Head { bits, exceptions, ..head };
                    prop_assert!(other.byte_len() >= head.byte_len());
                }
            }
        }
    }
}
