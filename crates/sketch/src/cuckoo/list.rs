//! The cells of a small filter while building: sorted words with room behind them.
//!
//! Sorted, and not a hash set, since a filter that grows by single values is mostly brought to
//! rest after each: then reading and writing the sorted list is what costs.

use super::head::TABLE_AT;
use super::params::MAX_LEN;

/// With a length word of four bytes, 64.
pub(super) const INITIAL_LEN: usize = 60;

/// The length of a state that has `TABLE_AT` bytes before words of eight bytes, so many of them.
/// With the length word it is a power of two, the size in which memory comes.
pub(super) fn doubled_len(words: usize) -> usize {
    let mut len = INITIAL_LEN;
    while (len - TABLE_AT) / 8 < words {
        len = (len + 4) * 2 - 4;
    }
    len.min(TABLE_AT + (MAX_LEN - TABLE_AT) / 8 * 8)
}

/// A list with its room.
pub(super) struct List<'a> {
    words: &'a mut [[u8; 8]],
    count: usize,
}

impl<'a> List<'a> {
    /// The list of `count` cells behind the head of a state.
    pub fn of_state(state: &'a mut [u8], count: usize) -> Self {
        List { words: state[TABLE_AT..].as_chunks_mut().0, count }
    }

    /// How many cells there is room for.
    pub fn room(&self) -> usize {
        self.words.len()
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where a cell begins or would begin, and how often it is there.
    pub fn find(&self, cell: u64) -> (usize, usize) {
        let held = &self.words[..self.count];
        let at = held.partition_point(|&word| u64::from_le_bytes(word) < cell);
        let copies = held[at..].iter().take_while(|&&word| word == cell.to_le_bytes()).count();
        (at, copies)
    }

    /// Puts a cell where [`List::find`] has said; there must be room.
    pub fn insert(&mut self, at: usize, cell: u64) {
        self.words.copy_within(at..self.count, at + 1);
        self.words[at] = cell.to_le_bytes();
        self.count += 1;
    }

    /// Takes the cell at a place out.
    pub fn remove(&mut self, at: usize) {
        self.words.copy_within(at + 1..self.count, at);
        self.count -= 1;
    }

    /// Takes in sorted cells with their copies, of each as many as the larger number of both;
    /// there must be room for all.
    pub fn unite(&mut self, cells: impl Iterator<Item = (u64, usize)>) {
        // Own cells go to the end of the room, so that the union can be written from the front:
        // it never gets ahead of what it has not read yet.
        let mut from = self.words.len() - self.count;
        self.words.copy_within(..self.count, from);
        let mut to = 0;
        for (cell, copies) in cells {
            while let Some(&word) = self.words.get(from)
                && u64::from_le_bytes(word) < cell
            {
                self.words[to] = word;
                (from, to) = (from + 1, to + 1);
            }
            let own = self.words[from..].iter().take_while(|&&word| word == cell.to_le_bytes());
            let own = own.count();
            let copies = copies.max(own);
            self.words[to..to + copies].fill(cell.to_le_bytes());
            (from, to) = (from + own, to + copies);
        }
        let left = self.words.len() - from;
        self.words.copy_within(from.., to);
        self.count = to + left;
    }

    /// Keeps of each cell as many copies as `keep` says, given the cell and how many there are.
    pub fn retain(&mut self, mut keep: impl FnMut(u64, usize) -> usize) {
        let (mut from, mut to) = (0, 0);
        while from < self.count {
            let word = self.words[from];
            let copies = self.words[from..self.count].iter().take_while(|&&w| w == word).count();
            let kept = keep(u64::from_le_bytes(word), copies).min(copies);
            self.words[to..to + kept].fill(word);
            (from, to) = (from + copies, to + kept);
        }
        self.count = to;
    }
}
