//! Cells at rest, bit-packed by [blocks](super::block).
//!
//! The cells of all rows, one after the other, are cut into blocks of 128. The body is a directory
//! of three bytes a block, from which the place of each block follows, so that one is read without
//! the others; then the blocks.

use super::block::{BLOCK, HEAD_LEN, Head};
use super::cells;
use crate::error::{Error, Result};

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
            max_bits = max_bits.max(head.max_bits());
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
        Ok(head.cells())
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
        }
    }
}
