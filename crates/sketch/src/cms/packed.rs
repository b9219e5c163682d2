//! Cells at rest, bit-packed by [blocks](super::block).
//!
//! The cells of all rows, one after the other, are cut into blocks of 128. The body is a directory
//! of three bytes a block, from which the place of each block follows, so that one is read without
//! the others; then the blocks.

use super::block::{SHAPE_LEN, Shape};
use super::cells;
use super::unpack::BLOCK;
use crate::error::{Error, Result};

/// The bytes of the directory of `cells` cells.
pub fn directory_len(cells: usize) -> usize {
    SHAPE_LEN * cells.div_ceil(BLOCK)
}

/// The directory, read from the first block on.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'a> {
    shapes: &'a [[u8; SHAPE_LEN]],
    cells: usize,
    block: usize,
    /// Where the next block begins, among the bytes of all.
    at: usize,
}

impl<'a> Directory<'a> {
    /// The directory of `cells` cells, in [`directory_len`] bytes.
    pub fn new(bytes: &'a [u8], cells: usize) -> Self {
        Directory { shapes: bytes.as_chunks().0, cells, block: 0, at: 0 }
    }

    /// The next block and where it begins, until there is none.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<(Shape, usize)>> {
        let Some(&shape) = self.shapes.get(self.block) else { return Ok(None) };
        let shape = Shape::read(shape, (self.cells - self.block * BLOCK).min(BLOCK))?;
        let at = self.at;
        self.at += shape.byte_len();
        self.block += 1;
        Ok(Some((shape, at)))
    }

    /// The block of a cell not before the one found last, and where it begins.
    pub fn find(&mut self, cell: usize) -> Result<(Shape, usize)> {
        while self.block < (cell / BLOCK).min(self.shapes.len()) {
            self.next()?;
        }
        // The block may be that of the next cell too.
        match { *self }.next()? {
            Some(found) => Ok(found),
            None => Err(Error::bytes(format!("a table without a cell {cell}"))),
        }
    }
}

/// The body of a dense sketch, of which the directory is checked, read block by block.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    directory: Directory<'a>,
    blocks: &'a [u8],
}

impl<'a> Packed<'a> {
    /// Reads the directory of `cells` cells, and checks that the blocks have the length that it
    /// says. Returns the size of working cells that hold all counts as well.
    pub fn parse(bytes: &'a [u8], cells: usize) -> Result<(Self, usize)> {
        let Some((directory, blocks)) = bytes.split_at_checked(directory_len(cells)) else {
            return Err(Error::bytes(format!("{cells} cells cannot lie in {} bytes", bytes.len())));
        };
        let directory = Directory::new(directory, cells);
        let (mut end, mut max_bits) = (directory, 0);
        while let Some((shape, _)) = end.next()? {
            max_bits = max_bits.max(shape.max_bits());
        }
        if end.at != blocks.len() {
            return Err(Error::bytes(format!(
                "the blocks of the sketch have {} bytes, not {}",
                blocks.len(),
                end.at
            )));
        }
        Ok((Packed { directory, blocks }, cells::size_for((1 << max_bits) - 1)))
    }

    /// Decodes the next block; returns how many cells it has, 0 behind the last.
    #[inline(always)]
    pub fn next(&mut self, counts: &mut [u64; BLOCK]) -> Result<usize> {
        let Some((shape, at)) = self.directory.next()? else { return Ok(0) };
        shape.decode(&self.blocks[at..], counts)?;
        Ok(shape.cells())
    }
}

/// The most bytes that `cells` cells take at rest, where their counts take up to `size` bytes.
pub const fn max_len(cells: usize, size: usize) -> usize {
    SHAPE_LEN * cells.div_ceil(BLOCK) + cells * size
}

/// Writes the body of a dense sketch, block by block.
pub struct PackedWriter<'a> {
    directory: &'a mut [[u8; SHAPE_LEN]],
    blocks: &'a mut [u8],
    block: usize,
    at: usize,
}

impl<'a> PackedWriter<'a> {
    /// A writer of `cells` cells to zero bytes, as many as [`max_len`] says, or as many as an
    /// encoding of these cells has.
    pub fn new(out: &'a mut [u8], cells: usize) -> Self {
        let (directory, blocks) = out.split_at_mut(directory_len(cells));
        PackedWriter { directory: directory.as_chunks_mut().0, blocks, block: 0, at: 0 }
    }

    /// Adds the next block, of counts below 2^63.
    pub fn push(&mut self, counts: &[u64]) {
        let shape = Shape::of(counts);
        self.directory[self.block] = shape.to_bytes();
        self.at += shape.write(counts, &mut self.blocks[self.at..]);
        self.block += 1;
    }

    /// How many bytes the body takes.
    pub fn byte_len(&self) -> usize {
        SHAPE_LEN * self.directory.len() + self.at
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
        let (mut packed, _) = Packed::parse(bytes, count)?;
        let (mut counts, mut block) = (Vec::new(), [0; BLOCK]);
        while let len @ 1.. = packed.next(&mut block)? {
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
            assert_eq!(written(&counts).len(), SHAPE_LEN + len);
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
            let (directory, blocks) = bytes.split_at(directory_len(counts.len()));
            let mut directory = Directory::new(directory, counts.len());
            for (at, &count) in counts.iter().enumerate() {
                let (shape, start) = directory.find(at).unwrap();
                let block = &blocks[start..start + shape.byte_len()];
                prop_assert_eq!(shape.count(block, at % BLOCK), Ok(count));
            }
            prop_assert!(directory.find(counts.len().next_multiple_of(BLOCK)).is_err());
        }
    }
}
