//! Cells: the counters of a table while it is worked on, of 1, 2, 4 or 8 bytes, little endian.
//!
//! All cells of a table have one size, and the table is copied to the next one when a count
//! outgrows it.

use super::Params;

/// The sizes that cells have, in bytes.
pub const SIZES: [usize; 4] = [1, 2, 4, 8];

/// The least size that holds a count.
pub fn size_for(count: u64) -> usize {
    SIZES.into_iter().find(|size| count <= u64::MAX >> (64 - 8 * size)).unwrap_or(8)
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

#[inline(always)]
fn set<const N: usize>(cell: &mut [u8; N], count: u64) {
    cell.copy_from_slice(&count.to_le_bytes()[..N]);
}

/// Calls a function that is generic over the size of a cell.
macro_rules! by_size {
    ($size:expr, $f:ident($($arg:expr),*)) => {
        match $size {
            1 => $f::<1>($($arg),*),
            2 => $f::<2>($($arg),*),
            4 => $f::<4>($($arg),*),
            _ => $f::<8>($($arg),*),
        }
    };
}

/// The count in a cell.
#[inline]
pub fn count(table: &[u8], size: usize, index: usize) -> u64 {
    #[inline(always)]
    fn of<const N: usize>(table: &[u8], index: usize) -> u64 {
        get(&table.as_chunks::<N>().0[index])
    }
    by_size!(size, of(table, index))
}

/// The least count of a key.
#[inline]
pub fn least(table: &[u8], size: usize, key: u64, params: Params) -> u64 {
    #[inline(always)]
    fn of<const N: usize>(table: &[u8], key: u64, params: Params) -> u64 {
        let cells = table.as_chunks::<N>().0;
        positions(key, params).map(|at| get(&cells[at])).min().unwrap_or(0)
    }
    by_size!(size, of(table, key, params))
}

/// The largest count of a key.
pub fn largest(table: &[u8], size: usize, key: u64, params: Params) -> u64 {
    positions(key, params).map(|at| count(table, size, at)).max().unwrap_or(0)
}

/// Raises the cells of a key; says whether they held it. If not, nothing has changed.
#[inline]
pub fn raise(table: &mut [u8], size: usize, key: u64, params: Params, by: u64) -> bool {
    #[inline(always)]
    fn of<const N: usize>(table: &mut [u8], key: u64, params: Params, by: u64) -> bool {
        let cells = table.as_chunks_mut::<N>().0;
        for (row, at) in positions(key, params).enumerate() {
            let count = get(&cells[at]);
            match count.checked_add(by) {
                Some(sum) if sum <= u64::MAX >> (64 - 8 * N) => set(&mut cells[at], sum),
                _ => {
                    lower_rows(cells, key, params, by, row);
                    return false;
                }
            }
        }
        true
    }
    by_size!(size, of(table, key, params, by))
}

/// Lowers the cells of a key, none of which is below `by`.
pub fn lower(table: &mut [u8], size: usize, key: u64, params: Params, by: u64) {
    fn of<const N: usize>(table: &mut [u8], key: u64, params: Params, by: u64) {
        lower_rows(table.as_chunks_mut::<N>().0, key, params, by, params.depth());
    }
    by_size!(size, of(table, key, params, by));
}

#[cold]
fn lower_rows<const N: usize>(
    cells: &mut [[u8; N]],
    key: u64,
    params: Params,
    by: u64,
    rows: usize,
) {
    for at in positions(key, params).take(rows) {
        let count = get(&cells[at]);
        set(&mut cells[at], count.wrapping_sub(by));
    }
}

/// Adds counts to the cells from `start` on, around the end of their range; says whether all sums
/// were held. [`subtract`] of the same counts gives back what was there, held or not.
#[inline(always)]
pub fn add(table: &mut [u8], size: usize, start: usize, counts: &[u64]) -> bool {
    #[inline(always)]
    fn of<const N: usize>(table: &mut [u8], start: usize, counts: &[u64]) -> bool {
        let cells = &mut table.as_chunks_mut::<N>().0[start..];
        let mut over = 0;
        for (cell, &count) in cells.iter_mut().zip(counts) {
            let (sum, wrapped) = get(cell).overflowing_add(count);
            over |= sum.checked_shr(8 * N as u32).unwrap_or(0) | u64::from(wrapped);
            set(cell, sum);
        }
        over == 0
    }
    by_size!(size, of(table, start, counts))
}

/// Subtracts counts from the cells from `start` on, around the end of their range; says whether no
/// cell went below zero. [`add`] of the same counts gives back what was there.
#[inline(always)]
pub fn subtract(table: &mut [u8], size: usize, start: usize, counts: &[u64]) -> bool {
    #[inline(always)]
    fn of<const N: usize>(table: &mut [u8], start: usize, counts: &[u64]) -> bool {
        let cells = &mut table.as_chunks_mut::<N>().0[start..];
        let mut below = false;
        for (cell, &count) in cells.iter_mut().zip(counts) {
            let (rest, wrapped) = get(cell).overflowing_sub(count);
            below |= wrapped;
            set(cell, rest);
        }
        !below
    }
    by_size!(size, of(table, start, counts))
}

/// Copies the counts from `start` on.
#[inline(always)]
pub fn read(table: &[u8], size: usize, start: usize, counts: &mut [u64]) {
    #[inline(always)]
    fn of<const N: usize>(table: &[u8], start: usize, counts: &mut [u64]) {
        let cells = &table.as_chunks::<N>().0[start..];
        for (cell, count) in cells.iter().zip(counts) {
            *count = get(cell);
        }
    }
    by_size!(size, of(table, start, counts));
}

/// An upper bound of the cells of a table of these keys and counts: the largest sum of any of a
/// thousand parts of a row. A row of fewer cells than that has a part for each.
pub fn bound(entries: impl Iterator<Item = (u64, u64)> + Clone, params: Params) -> u64 {
    const PARTS: usize = 1024;
    let width = params.width();
    let mut largest = 0;
    for row in 0..params.depth() {
        let mut sums = [0u64; PARTS];
        for (key, count) in entries.clone() {
            let at = positions(key, params).nth(row).unwrap_or(0) - row * width;
            let part = if width <= PARTS { at } else { at * PARTS / width };
            sums[part] = sums[part].saturating_add(count);
        }
        largest = sums.into_iter().fold(largest, u64::max);
    }
    largest
}
