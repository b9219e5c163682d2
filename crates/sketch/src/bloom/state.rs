//! The working form: a set of keys, or bits.
//!
//! The fields are the parameters, see [`crate::filter`]. The body is a [`key_set`](crate::key_set)
//! of whole hashes while the filter has no capacity, one of keys, or the bits. Before bits that no
//! core's cache holds is a list of hashes whose bits are yet to be set, since memory is slow to
//! reach for one, and hardly slower for many at once:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-7 | the distance (u64) from 2,056 to the bits |
//! | 8-2,055 | room for 256 hashes, of which the first wait, as many as the head counts |
//! | 2,056 | the bits, moved by up to 31 bytes so that no block lies in two lines of a cache |

use super::split_block::BLOCK_LEN;
use super::{Bloom, Params, bits};
use crate::filter::Fields;
use crate::key_list::cut;
use crate::key_set::LOG;
use crate::sketch::Growth;
use crate::state::State;

/// A state of this type.
pub(super) type BloomState = State<Fields<Bloom>>;

/// The body is a set of keys, from here on; up to here one of whole hashes.
pub(super) const KEYS: u8 = 2;
/// The body is bits.
pub(super) const BITS: u8 = 4;
/// The body is bits, with hashes that wait.
pub(super) const LARGE_BITS: u8 = 5;

/// Bits of so many bytes, half of what a core's cache holds, have a list of waiting hashes.
const MIN_LARGE: usize = 256 << 10;
/// The most hashes that wait.
const MAX_WAITING: usize = 256;
const WAITING_AT: usize = 8;
const BITS_AT: usize = WAITING_AT + 8 * MAX_WAITING;
const MAX_SHIFT: usize = BLOCK_LEN - 1;

impl BloomState {
    /// Whether nothing was added.
    pub(super) fn is_empty(&self) -> bool {
        self.mode < BITS && self.count() == 0
    }

    /// Whether whole hashes are kept, since there is no capacity yet.
    #[inline]
    pub(super) fn is_gathering(&self) -> bool {
        self.mode <= LOG
    }

    /// Gives a state that has no values parameters.
    pub(super) fn set_empty(&mut self, params: Params) {
        self.set_params(params);
        let is_log = self.mode % 2;
        self.mode = if params.is_unsized() { is_log } else { KEYS + is_log };
    }

    /// What becomes of a state that needs bits.
    pub(super) fn bits_growth(params: Params) -> Growth {
        let len = Self::BODY_AT + params.byte_len();
        if params.byte_len() < MIN_LARGE {
            Growth { len, mode: BITS }
        } else {
            Growth { len: len + BITS_AT + MAX_SHIFT, mode: LARGE_BITS }
        }
    }

    /// The bits of a state that has them.
    #[inline]
    pub(super) fn bits_mut(&mut self) -> &mut [u8] {
        let at = if self.mode == LARGE_BITS { BITS_AT + shift(&self.body) } else { 0 };
        &mut self.body[at..]
    }

    /// The hashes that wait and the bits, of a state with bits of the length that its parameters
    /// ask for; what else it says of itself may be wrong.
    pub(super) fn waiting_and_bits(&self, params: Params) -> (&[[u8; 8]], &[u8]) {
        if self.mode != LARGE_BITS {
            return (&[], &self.body);
        }
        let waiting = &self.body[WAITING_AT..][..8 * self.count().min(MAX_WAITING)];
        (waiting.as_chunks().0, &self.body[BITS_AT + shift(&self.body)..][..params.byte_len()])
    }

    /// Lets a hash wait until the bits of many are set.
    #[inline]
    pub(super) fn wait(&mut self, hash: u64) {
        let mut count = self.count();
        if count >= MAX_WAITING {
            self.set_waiting_bits();
            count = 0;
        }
        self.body[WAITING_AT + 8 * count..][..8].copy_from_slice(&hash.to_le_bytes());
        self.set_count(count + 1);
    }

    #[cold]
    #[inline(never)]
    fn set_waiting_bits(&mut self) {
        let params = self.params();
        self.align(params.byte_len());
        let at = BITS_AT + shift(&self.body);
        let (front, bits) = self.body.split_at_mut(at);
        let hashes = front[WAITING_AT..BITS_AT].as_chunks().0;
        bits::insert_all(bits, params.layout(), cut_all(hashes, params));
        self.set_count(0);
    }

    /// Moves the bits to a multiple of a block's length in memory, where they stay unless somebody
    /// copies the state.
    fn align(&mut self, bits_len: usize) {
        let address = self.body.as_ptr() as usize + BITS_AT;
        let (now, then) = (shift(&self.body), address.next_multiple_of(BLOCK_LEN) - address);
        if now != then {
            self.body.copy_within(BITS_AT + now..BITS_AT + now + bits_len, BITS_AT + then);
            self.body[..WAITING_AT].copy_from_slice(&(then as u64).to_le_bytes());
        }
    }
}

fn shift(body: &[u8]) -> usize {
    body.first_chunk().map_or(0, |&shift| u64::from_le_bytes(shift).min(MAX_SHIFT as u64) as usize)
}

/// The keys of hashes that wait.
#[inline]
pub(super) fn cut_all(hashes: &[[u8; 8]], params: Params) -> impl Iterator<Item = u64> {
    let bits = params.key_bits();
    hashes.iter().map(move |&hash| cut(u64::from_le_bytes(hash), bits))
}
