//! The working form: its head, and the lengths that states have.
//!
//! The working form is 28 bytes and a table:
//!
//! | offset | what |
//! | --- | --- |
//! | 0 | the header |
//! | 3 | the mode: 0 a list, 1, 2, 4 or 8 cells of so many bytes, 128 a moving list |
//! | 4 | the number of entries of a list (u32), else 0 |
//! | 8 | the total (u64) |
//! | 16 | the width (u32), the depth (u8) |
//! | 21 | seven bytes to spare, 0 |
//! | 28 | the slots of the list, or the cells |
//!
//! The length of a list, with the four bytes that a server puts before it, is a power of two, the
//! size in which memory comes; behind the head it is a multiple of 16. That of a table is eight
//! bytes more than such a multiple behind the head, so that the length alone tells what a state is
//! to become.

use super::entries::SLOT;
use super::{Params, cells};
use crate::codec::header;
use crate::error::{Error, ErrorKind};
use crate::hash_set;

pub(super) const MODE_AT: usize = header::LEN;
pub(super) const COUNT_AT: usize = 4;
pub(super) const TOTAL_AT: usize = 8;
pub(super) const WIDTH_AT: usize = 16;
pub(super) const DEPTH_AT: usize = 20;
pub(super) const SPARE_AT: usize = 21;
pub(super) const HEAD_LEN: usize = 28;

/// The mode of a list; that of a table is the size of its cells.
pub(super) const LIST: u8 = 0;
/// The mode of a list that is as long as it must be.
pub(super) const MOVING: u8 = 128;

/// With a length word of four bytes, 64.
pub(super) const INITIAL_LEN: usize = 60;

/// The length of a list's state with room for so many entries.
pub(super) fn state_len_of_list(count: usize) -> usize {
    let mut len = INITIAL_LEN;
    while hash_set::room::<SLOT>(len - HEAD_LEN) < count {
        len = (len + 4) * 2 - 4;
    }
    len
}

/// The length of a table's state, not less than that of a new state.
pub(super) fn state_len_of_cells(params: Params, size: usize) -> usize {
    let bytes = (params.cells() * size).max(INITIAL_LEN - HEAD_LEN);
    HEAD_LEN + (bytes + 7) / SLOT * SLOT + SLOT / 2
}

/// The size of the cells in so many bytes: the widest that find room.
pub(super) fn cell_size_in(params: Params, len: usize) -> usize {
    cells::SIZES.into_iter().rfind(|size| params.cells() * size <= len).unwrap_or(1)
}

#[inline(always)]
pub(super) fn head(state: &mut [u8]) -> &mut [u8; HEAD_LEN] {
    state.first_chunk_mut().expect("a state has a head")
}

#[inline(always)]
pub(super) fn word<const N: usize>(state: &[u8], at: usize) -> [u8; N] {
    state[..HEAD_LEN][at..].first_chunk().copied().unwrap_or([0; N])
}

#[inline(always)]
pub(super) fn params(state: &[u8]) -> Params {
    Params::of_state(u32::from_le_bytes(word(state, WIDTH_AT)), state[DEPTH_AT])
}

pub(super) fn set_params(state: &mut [u8], params: Params) {
    state[WIDTH_AT..DEPTH_AT].copy_from_slice(&(params.width() as u32).to_le_bytes());
    state[DEPTH_AT] = params.depth() as u8;
}

#[inline(always)]
pub(super) fn total(state: &[u8]) -> u64 {
    u64::from_le_bytes(word(state, TOTAL_AT))
}

#[inline(always)]
pub(super) fn set_total(state: &mut [u8], total: u64) {
    state[TOTAL_AT..WIDTH_AT].copy_from_slice(&total.to_le_bytes());
}

#[inline]
pub(super) fn count(state: &[u8]) -> usize {
    u32::from_le_bytes(word(state, COUNT_AT)) as usize
}

#[inline]
pub(super) fn set_count(state: &mut [u8], count: usize) {
    state[COUNT_AT..TOTAL_AT].copy_from_slice(&(count as u32).to_le_bytes());
}

#[cold]
pub(super) fn total_limit(held: u64, more: u64) -> Error {
    Error::new(
        ErrorKind::Limit,
        format!("a total of {held} cannot be raised by {more}: a cms counts up to {}", i64::MAX),
    )
    .with_hint("Use smaller weights, or several sketches.")
}

pub(super) fn wrong_entries() -> Error {
    Error::bytes("the entries of the sketch are not as many, or do not add up to, what it says")
}
