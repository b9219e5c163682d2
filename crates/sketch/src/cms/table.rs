//! Cells, at rest or in a working state.

use super::block::BLOCK;
use super::cells;
use super::packed::{Packed, PackedBlocks};
use crate::error::Result;

/// Cells.
#[derive(Clone, Copy)]
pub(super) enum Table<'a> {
    /// At rest.
    Packed(Packed<'a>),
    /// So many of so many bytes, in a working state.
    Cells(usize, usize, &'a [u8]),
}

impl Table<'_> {
    /// The size of working cells that hold all counts.
    pub fn cell_size(&self) -> usize {
        match *self {
            Table::Packed(packed) => packed.cell_size(),
            Table::Cells(_, size, _) => size,
        }
    }

    /// The blocks from the first one on.
    #[inline(always)]
    pub fn blocks(&self) -> Blocks<'_> {
        let table = match *self {
            Table::Packed(packed) => BlockSource::Packed(packed.blocks()),
            Table::Cells(count, size, table) => BlockSource::Cells(count, size, table),
        };
        Blocks { table, start: 0, counts: [0; BLOCK] }
    }

    /// Calls `f` with the index of the first cell of a block and the counts of the block, for all
    /// in order until it says false.
    #[inline(always)]
    pub fn visit(&self, mut f: impl FnMut(usize, &[u64]) -> bool) -> Result<()> {
        let mut blocks = self.blocks();
        let mut start = 0;
        while let Some(counts) = blocks.next()? {
            if !f(start, counts) {
                break;
            }
            start += counts.len();
        }
        Ok(())
    }

    /// Calls `f` with the counts of cells whose indexes ascend.
    #[inline]
    pub fn counts(
        &self,
        mut indexes: impl Iterator<Item = usize>,
        mut f: impl FnMut(u64),
    ) -> Result<()> {
        match *self {
            Table::Packed(packed) => packed.counts(indexes, f),
            Table::Cells(_, size, table) => {
                indexes.by_ref().for_each(|at| f(cells::count(table, size, at)));
                Ok(())
            }
        }
    }

    /// Calls `f` with each cell's count here and in another table of the same dimensions.
    pub fn visit_with(&self, other: &Table<'_>, mut f: impl FnMut(u64, u64)) -> Result<()> {
        let mut theirs = other.blocks();
        let mut own = self.blocks();
        while let (Some(a), Some(b)) = (own.next()?, theirs.next()?) {
            a.iter().zip(b).for_each(|(&a, &b)| f(a, b));
        }
        Ok(())
    }
}

/// The counts of a table, block by block.
pub(super) struct Blocks<'a> {
    table: BlockSource<'a>,
    start: usize,
    counts: [u64; BLOCK],
}

enum BlockSource<'a> {
    Packed(PackedBlocks<'a>),
    Cells(usize, usize, &'a [u8]),
}

impl Blocks<'_> {
    /// The next block, until there is none.
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<&[u64]>> {
        let len = match &mut self.table {
            BlockSource::Packed(blocks) => blocks.next(&mut self.counts)?,
            BlockSource::Cells(count, size, table) => {
                let len = (*count - self.start).min(BLOCK);
                cells::read(table, *size, self.start, &mut self.counts[..len]);
                len
            }
        };
        self.start += len;
        Ok((len > 0).then_some(&self.counts[..len]))
    }
}
