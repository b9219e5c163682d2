//! What a sketch holds, at rest or in a working state, read part by part.

use super::cells;
use super::entries::{self, List, SLOT};
use super::packed::Packed;
use super::state::CmsState;
use super::unpack::BLOCK;
use crate::error::Result;
use crate::interrupt::Pace;

/// What a sketch holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// Keys with their counts.
    Entries(Entries<'a>),
    /// Cells.
    Table(Table<'a>),
}

/// A part of a body, by which a state changes at once.
pub(super) enum Part<'a> {
    /// A key and its count.
    Entry(u64, u64),
    /// The counts of the cells from an index on.
    Block(usize, &'a [u64]),
}

impl<'a> Body<'a> {
    /// What a working state holds.
    pub fn of_state(state: &'a CmsState) -> Self {
        if state.is_list() {
            return Body::Entries(Entries::Slots(state.count(), &state.body));
        }
        Body::Table(Table::of_state(state))
    }

    /// Calls `f` with each part until it says false.
    #[inline(always)]
    pub fn visit(&self, mut f: impl FnMut(Part<'_>) -> bool) -> Result<()> {
        match self {
            Body::Entries(entries) => entries.visit(|key, count| f(Part::Entry(key, count))),
            Body::Table(table) => table.visit(
                #[inline(always)]
                |start, counts| f(Part::Block(start, counts)),
            ),
        }
    }
}

/// So few entries are sorted in a few milliseconds; to count the work takes half as long again.
const UNPACED: usize = 1 << 16;

/// Keys with their counts.
#[derive(Clone)]
pub(super) enum Entries<'a> {
    /// As many, at rest, in these bytes.
    Listed(usize, &'a [u8]),
    /// As many, in the slots of a working state. One that has come from outside may have more or
    /// fewer, and none where it would be looked for.
    Slots(usize, &'a [u8]),
}

impl Entries<'_> {
    /// How many there are, as the sketch says.
    pub fn count(&self) -> usize {
        match *self {
            Entries::Listed(count, _) | Entries::Slots(count, _) => count,
        }
    }

    /// Calls `f` with each key and its count until it says false.
    #[inline]
    pub fn visit(&self, mut f: impl FnMut(u64, u64) -> bool) -> Result<()> {
        let mut pace = Pace::default();
        match *self {
            Entries::Listed(count, bytes) => {
                for entry in List::new(bytes, count) {
                    let (key, count) = entry?;
                    pace.step(entries::COST);
                    if !f(key, count) {
                        break;
                    }
                }
            }
            Entries::Slots(_, table) => {
                let _ = entries::iter(table).all(|(key, count)| {
                    pace.step(entries::COST);
                    f(key, count)
                });
            }
        }
        Ok(())
    }

    /// The count of a key, 0 where it has none.
    pub fn find(&self, wanted: u64) -> Result<u64> {
        let mut found = 0;
        let is_sorted = matches!(self, Entries::Listed(..));
        self.visit(|key, count| {
            if key == wanted {
                found = count;
            }
            key != wanted && !(is_sorted && key > wanted)
        })?;
        Ok(found)
    }

    /// All keys with their counts, by key.
    pub fn sorted(&self) -> Result<Vec<(u64, u64)>> {
        let mut sorted = Vec::with_capacity(self.count());
        self.visit(|key, count| {
            sorted.push((key, count));
            // Nothing is gained by more than there should be.
            sorted.len() <= self.count()
        })?;
        if let Entries::Slots(..) = self {
            let mut pace = Pace::default();
            if sorted.len() < UNPACED {
                sorted.sort_unstable_by_key(|&(key, _)| key);
            } else {
                sorted.sort_unstable_by_key(|&(key, _)| {
                    pace.step(SLOT);
                    key
                });
            }
        }
        Ok(sorted)
    }
}

/// Cells.
#[derive(Clone, Copy)]
pub(super) enum Table<'a> {
    /// At rest.
    Packed(Packed<'a>),
    /// In a working state: as many of as many bytes.
    Cells { count: usize, size: usize, table: &'a [u8] },
}

impl<'a> Table<'a> {
    /// The cells of a working state.
    pub fn of_state(state: &'a CmsState) -> Self {
        let (count, size) = (state.params().cells(), usize::from(state.mode));
        Table::Cells { count, size, table: &state.body }
    }

    /// The counts, block by block.
    #[inline(always)]
    pub fn blocks(&self) -> Blocks<'a> {
        Blocks { table: *self, start: 0, counts: [0; BLOCK], pace: Pace::default() }
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
}

/// The counts of a table, block by block.
pub(super) struct Blocks<'a> {
    table: Table<'a>,
    start: usize,
    counts: [u64; BLOCK],
    pace: Pace,
}

impl Blocks<'_> {
    /// The next block, until there is none.
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<&[u64]>> {
        self.pace.step(size_of_val(&self.counts));
        let len = match &mut self.table {
            Table::Packed(packed) => packed.next(&mut self.counts)?,
            Table::Cells { count, size, table } => {
                let len = (*count - self.start).min(BLOCK);
                cells::read_block(table, *size, self.start, &mut self.counts[..len]);
                len
            }
        };
        self.start += len;
        Ok((len > 0).then_some(&self.counts[..len]))
    }
}
