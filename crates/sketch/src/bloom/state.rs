//! The bytes of the working form.
//!
//! A head of fixed width, then a [`key_set`] or the bits, which the count `u32::MAX` marks.
//! Behind bits that no core's cache holds is a list of hashes whose bits are yet to be set:
//! memory is slow to reach for one, and hardly slower for many at once.

use super::split_block::BLOCK_LEN;
use super::{Params, bits};
use crate::codec::{Form, Header, SketchType, header};
use crate::error::{Error, Result};
use crate::key_list::cut;
use crate::key_set;

/// The header and the fields behind it. With a length word of four bytes, 32.
pub(super) const HEAD_LEN: usize = 28;
const HASHES_AT: usize = header::LEN;
const COUNT_AT: usize = 4;
const CAPACITY_AT: usize = 8;
const SIZE_AT: usize = 16;
const RATE_AT: usize = 24;
/// In the place of the number of keys: bits follow.
const BITS: u32 = u32::MAX;
/// Four slots. With a length word of four bytes, 64.
pub(super) const INITIAL_LEN: usize = HEAD_LEN + 32;
/// Sets of keys have a multiple of eight bytes; these at the end of a state with bits tell the two
/// apart.
const BITS_MARK_LEN: usize = 4;

/// Bits of so many bytes, half of what a core's cache holds, have a list of waiting hashes.
const MIN_LARGE: usize = 256 << 10;
/// The most hashes that wait.
const MAX_WAITING: usize = 256;
/// Their number (u32), the distance from here to the bits (u32), and they.
const WAITING_LEN: usize = 8 + 8 * MAX_WAITING;
/// The bits are moved by up to so many bytes, so that no block lies in two lines of a cache.
const MAX_SHIFT: usize = BLOCK_LEN - 1;

/// Checks the fields of a state that may have come from anywhere, and returns its parameters.
pub(super) fn check(state: &[u8]) -> Result<Params> {
    if state.len() < HEAD_LEN {
        return Err(Error::bytes("a working state is cut short"));
    }
    let params = params(state);
    params.check()?;
    Ok(params)
}

/// Makes zero bytes an empty state.
pub(super) fn init(state: &mut [u8], params: Params) {
    let header = Header { form: Form::Working, class: None };
    state[..header::LEN].copy_from_slice(&header.to_bytes(SketchType::Bloom));
    set_params(state, params);
}

#[inline]
fn field<const N: usize, T>(bytes: &[u8], at: usize, read: impl Fn([u8; N]) -> T) -> T {
    read(std::array::from_fn(|i| bytes[at + i]))
}

/// The parameters of a state.
#[inline]
pub(super) fn params(state: &[u8]) -> Params {
    Params::from_fields(
        field(state, CAPACITY_AT, u64::from_le_bytes),
        field(state, RATE_AT, f32::from_le_bytes),
        state[HASHES_AT],
        field(state, SIZE_AT, u64::from_le_bytes),
    )
}

pub(super) fn set_params(state: &mut [u8], params: Params) {
    let (hashes, size) = params.geometry_fields();
    state[HASHES_AT] = hashes;
    state[CAPACITY_AT..][..8].copy_from_slice(&params.capacity().to_le_bytes());
    state[SIZE_AT..][..8].copy_from_slice(&size.to_le_bytes());
    state[RATE_AT..][..4].copy_from_slice(&params.error_rate().to_le_bytes());
}

/// The number of keys, unless there are bits.
#[inline]
pub(super) fn count(state: &[u8]) -> Option<usize> {
    let count = field(state, COUNT_AT, u32::from_le_bytes);
    (count != BITS).then_some(count as usize)
}

/// Sets the number of keys, or marks that bits follow.
#[inline]
pub(super) fn set_count(state: &mut [u8], count: Option<usize>) {
    let count = count.map_or(BITS, |count| count as u32);
    state[COUNT_AT..][..4].copy_from_slice(&count.to_le_bytes());
}

/// The length of a state with a set for so many keys.
pub(super) fn keys_len(count: usize) -> usize {
    INITIAL_LEN.max(HEAD_LEN + key_set::len_for(count))
}

/// Twice the length of a state, both with a length word of four bytes.
pub(super) fn doubled_len(len: usize) -> usize {
    2 * (len + 4) - 4
}

/// The length of a state with bits.
pub(super) fn bits_len(params: Params) -> usize {
    let table = params.byte_len().next_multiple_of(8);
    let waiting = if table >= MIN_LARGE { WAITING_LEN + BLOCK_LEN } else { 0 };
    HEAD_LEN + waiting + table + BITS_MARK_LEN
}

/// Whether hashes wait in a state with bits.
#[inline]
fn is_large(state_len: usize) -> bool {
    state_len >= HEAD_LEN + WAITING_LEN + BLOCK_LEN + MIN_LARGE
}

/// Where the bits begin in a state of so many bytes with bits, given its front; the distance may
/// lie.
#[inline]
pub(super) fn bits_at(front: &[u8], state_len: usize) -> usize {
    if !is_large(state_len) {
        return HEAD_LEN;
    }
    let shift = front[HEAD_LEN..].get(4..8).and_then(|shift| shift.first_chunk());
    HEAD_LEN + WAITING_LEN + shift.map_or(0, |&s| u32::from_le_bytes(s) as usize).min(MAX_SHIFT)
}

/// The hashes that wait in a state with bits; their number may lie.
pub(super) fn waiting(state: &[u8]) -> &[[u8; 8]] {
    if !is_large(state.len()) {
        return &[];
    }
    let count = field(state, HEAD_LEN, u32::from_le_bytes) as usize;
    &state[HEAD_LEN + 8..HEAD_LEN + WAITING_LEN].as_chunks().0[..count.min(MAX_WAITING)]
}

/// The keys of hashes that wait.
#[inline]
pub(super) fn cut_all(hashes: &[[u8; 8]], params: Params) -> impl Iterator<Item = u64> {
    let bits = params.key_bits();
    hashes.iter().map(move |&hash| cut(u64::from_le_bytes(hash), bits))
}

/// Lets a hash wait until the bits of many are set; `false` where nothing waits.
#[inline]
pub(super) fn wait(state: &mut [u8], hash: u64) -> bool {
    if !is_large(state.len()) {
        return false;
    }
    let mut count = field(state, HEAD_LEN, u32::from_le_bytes) as usize;
    if count >= MAX_WAITING {
        settle(state);
        count = 0;
    }
    let list = &mut state[HEAD_LEN..HEAD_LEN + WAITING_LEN];
    list[8 + 8 * count..][..8].copy_from_slice(&hash.to_le_bytes());
    list[..4].copy_from_slice(&(count as u32 + 1).to_le_bytes());
    true
}

/// Sets the bits of the hashes that wait.
#[cold]
#[inline(never)]
fn settle(state: &mut [u8]) {
    let params = params(state);
    align(state, params.byte_len());
    let at = bits_at(state, state.len());
    let (head, table) = state.split_at_mut(at);
    let hashes = head[HEAD_LEN + 8..HEAD_LEN + WAITING_LEN].as_chunks().0;
    bits::insert_all(table, params.layout(), cut_all(hashes, params));
    head[HEAD_LEN..][..4].fill(0);
}

/// Moves the bits to a multiple of a block's length in memory, where they stay unless somebody
/// copies the state.
fn align(state: &mut [u8], bits_len: usize) {
    let at = bits_at(state, state.len());
    let first = HEAD_LEN + WAITING_LEN;
    let address = state.as_ptr() as usize + first;
    let shift = address.next_multiple_of(BLOCK_LEN) - address;
    if at != first + shift {
        state.copy_within(at..at + bits_len, first + shift);
        state[HEAD_LEN + 4..][..4].copy_from_slice(&(shift as u32).to_le_bytes());
    }
}
