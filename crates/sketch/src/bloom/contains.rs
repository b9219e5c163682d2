//! Membership, of which only the bytes that matter are read.

use super::params::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::state::{self, HEAD_LEN};
use super::view::{Holds, MAX_HEAD_LEN, Prefix};
use super::{Params, bits, classic};
use crate::codec::{Form, header};
use crate::error::Result;
use crate::hash::ValueClass;
use crate::key_list::{self, cut};
use crate::key_set;
use crate::source::{Source, check_range};

/// Whether a filter of any form may hold a value, given its class and hash: `false` is certain.
///
/// Of the source are read its first bytes, and then one block, or as many bytes as a value has
/// bits, or one group of keys and its place in the directory. Values of another class than the
/// filter's are an error.
pub fn contains(source: &mut (impl Source + ?Sized), class: ValueClass, hash: u64) -> Result<bool> {
    let total = source.byte_len();
    let Prefix { header, params, holds, at } = Prefix::read(source.head(MAX_HEAD_LEN)?, total)?;
    class.expect_held(header.class)?;
    let key = cut(hash, params.key_bits());
    match holds {
        Holds::Nothing => Ok(false),
        Holds::Keys(count) => Ok(key_list::copies(source, at, count, params.key_bits(), key)? > 0),
        // Nobody vouches for the places of the keys in a state that came from elsewhere.
        Holds::KeySet(count) => {
            Ok(key_set::iter(source.read(at, total - at)?, count).any(|held| held == key))
        }
        Holds::Bits if header.form == Form::Working => {
            let state = source.read(0, total)?;
            Ok(bits::contains(&state[at..], params.layout(), key) || waits(state, params, key))
        }
        Holds::Bits => {
            let mixed = bits::mix(key);
            match params.layout() {
                Layout::SplitBlock { blocks } => {
                    let block = at + BLOCK_LEN * split_block::block_of(key, blocks);
                    check_range(block, BLOCK_LEN, total)?;
                    let block = source.read(block, BLOCK_LEN)?;
                    Ok(block.first_chunk().is_some_and(|block| split_block::contains(block, mixed)))
                }
                Layout::Classic { bits, hashes } => {
                    for position in classic::positions(mixed, bits, hashes.into()) {
                        let (byte, bit) = classic::split(position);
                        if source.read(at + byte, 1)?[0] & bit == 0 {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
            }
        }
    }
}

/// Whether a working state may hold a value. It must be one that this crate has made, as
/// [`Sketch::thaw`](crate::Sketch::thaw) does.
#[inline]
pub fn holds(state: &[u8], class: ValueClass, hash: u64) -> Result<bool> {
    header::expect_value(state, class)?;
    let params = state::params(state);
    let key = cut(hash, params.key_bits());
    Ok(match state::count(state) {
        Some(count) => key_set::holds(&state[HEAD_LEN..], count, key),
        None => {
            let bits = &state[state::bits_at(state, state.len())..];
            bits::contains(bits, params.layout(), key) || waits(state, params, key)
        }
    })
}

/// Whether the bits of a key are yet to be set.
fn waits(state: &[u8], params: Params, key: u64) -> bool {
    state::cut_all(state::waiting(state), params).any(|waiting| waiting == key)
}
