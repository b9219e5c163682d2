//! Cells: the counters of a table while it is worked on, of 1, 2, 4 or 8 bytes, little endian.
//!
//! All cells of a table have one size, and the table is copied to a wider one when a count
//! outgrows it.

use super::params::{MAX_DEPTH, Params};

/// The sizes that cells have, in bytes.
const SIZES: [usize; 4] = [1, 2, 4, 8];

/// The least size that holds a count.
pub fn size_for(count: u64) -> usize {
    SIZES.into_iter().find(|size| count <= u64::MAX >> (64 - 8 * size)).unwrap_or(8)
}

/// What is done to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Counts are added.
    Add,
    /// Counts are taken away.
    Take,
}

impl Change {
    /// The change that undoes this one.
    pub fn undone(self) -> Change {
        if self == Change::Add { Change::Take } else { Change::Add }
    }

    /// Changes a cell, around the end of its range; says whether it stayed within. The change that
    /// undoes this one gives back what was there, in either case.
    #[inline(always)]
    fn apply<const N: usize>(self, cell: &mut [u8; N], by: u64) -> bool {
        let count = get(cell);
        let (result, wrapped) = match self {
            Change::Add => count.overflowing_add(by),
            Change::Take => count.overflowing_sub(by),
        };
        cell.copy_from_slice(&result.to_le_bytes()[..N]);
        !wrapped & (result.checked_shr(8 * N as u32).unwrap_or(0) == 0)
    }
}

/// The cell of a key in each row, first row first, as indexes into the table.
///
/// The rows, two by two, take the halves of the outputs of the SplitMix64 generator (Steele, Lea &
/// Flood 2014) seeded with the key, the low half first: a half has bits to spare for any width. Two
/// numbers from one hash, combined as `h1 + i h2` (Kirsch & Mitzenmacher 2006), would be cheaper,
/// but two keys that share both share their cells in all rows, once in about `width^2` pairs, where
/// delta promises less.
#[inline(always)]
pub fn positions(key: u64, params: Params) -> impl Iterator<Item = usize> + Clone {
    let width = params.width() as u64;
    let (mut seed, mut mixed, mut start) = (key, 0u64, 0);
    (0..params.depth()).map(move |row| {
        mixed >>= 32;
        if row % 2 == 0 {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
        }
        let at = start + (((mixed & u64::from(u32::MAX)) * width) >> 32) as usize;
        start += width as usize;
        at
    })
}

#[inline(always)]
fn get<const N: usize>(cell: &[u8; N]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(cell);
    u64::from_le_bytes(bytes)
}

/// Code for each size of a cell, in which the size is a constant.
macro_rules! by_size {
    ($size:expr, $N:ident => $code:expr) => {
        match $size {
            1 => by_size!(@ 1, $N => $code),
            2 => by_size!(@ 2, $N => $code),
            4 => by_size!(@ 4, $N => $code),
            _ => by_size!(@ 8, $N => $code),
        }
    };
    (@ $size:literal, $N:ident => $code:expr) => {{
        const $N: usize = $size;
        $code
    }};
}

/// Changes the cells at the positions of a key; says whether they held the counts. If not, nothing
/// has changed.
#[inline(always)]
pub fn change_key(
    table: &mut [u8],
    size: usize,
    positions: impl Iterator<Item = usize> + Clone,
    change: Change,
    by: u64,
) -> bool {
    by_size!(size, N => {
        let cells = table.as_chunks_mut::<N>().0;
        let mut held = true;
        for at in positions.clone() {
            held &= change.apply(&mut cells[at], by);
        }
        if !held {
            for at in positions {
                change.undone().apply(&mut cells[at], by);
            }
        }
        held
    })
}

/// Changes the cells from `start` on by a count each; says whether they held the counts. If not,
/// nothing has changed.
#[inline(always)]
pub fn change_block(
    table: &mut [u8],
    size: usize,
    start: usize,
    change: Change,
    counts: &[u64],
) -> bool {
    by_size!(size, N => {
        let cells = &mut table.as_chunks_mut::<N>().0[start..];
        let mut held = true;
        for (cell, &count) in cells.iter_mut().zip(counts) {
            held &= change.apply(cell, count);
        }
        if !held {
            for (cell, &count) in cells.iter_mut().zip(counts) {
                change.undone().apply(cell, count);
            }
        }
        held
    })
}

/// The counts of a key, row by row.
#[inline(always)]
pub fn read_key(table: &[u8], size: usize, key: u64, params: Params) -> [u64; MAX_DEPTH] {
    let mut counts = [0; MAX_DEPTH];
    by_size!(size, N => {
        let cells = table.as_chunks::<N>().0;
        for (count, at) in counts.iter_mut().zip(positions(key, params)) {
            *count = get(&cells[at]);
        }
    });
    counts
}

/// Copies the counts from `start` on.
#[inline(always)]
pub fn read_block(table: &[u8], size: usize, start: usize, counts: &mut [u64]) {
    by_size!(size, N => {
        let cells = &table.as_chunks::<N>().0[start..];
        for (cell, count) in cells.iter().zip(counts) {
            *count = get(cell);
        }
    });
}

/// An upper bound of the cells of a table of these keys and counts: the largest sum in any of a
/// thousand parts of a row. In a narrower row each cell is a part.
pub fn bound(entries: impl Iterator<Item = (u64, u64)>, params: Params) -> u64 {
    let width = params.width();
    let parts = width.min(1024);
    let mut sums = vec![0u64; parts * params.depth()];
    for (key, count) in entries {
        let rows = sums.chunks_exact_mut(parts).enumerate();
        for ((row, sums), at) in rows.zip(positions(key, params)) {
            let sum = &mut sums[(at - row * width) * parts / width];
            *sum = sum.saturating_add(count);
        }
    }
    sums.into_iter().max().unwrap_or(0)
}
