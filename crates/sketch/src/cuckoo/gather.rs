//! What an aggregate has gathered: a [`key_set`] of whole hashes.
//!
//! A large one is a log in which hashes repeat, so that its count is an upper bound of how many
//! distinct ones there are. How many a filter may have is checked on the number of distinct ones:
//! whenever a log is rid of repeats, and exactly when the state is brought to rest.

use super::Params;
use super::head::{self, TABLE_AT};
use super::list::doubled_len;
use super::params::{MAX_GATHERED, MAX_LEN};
use crate::codec::header;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::key_set::{self, Added, Room};
use crate::sketch::Fit;

/// The most distinct hashes in a state of any length: a quarter of a log is for repeats.
const MAX_WHOLE: usize = (MAX_LEN - TABLE_AT) / 8 / 5 * 4;

/// What is kept of a hash: all of it, but never 0.
#[inline]
pub(super) fn key(hash: u64) -> u64 {
    hash.max(1)
}

/// Adds a value to a state.
#[inline(always)]
pub(super) fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
    header::meet_value(state, class)?;
    insert_key(state, key(hash))
}

#[inline(always)]
fn insert_key(state: &mut [u8], key: u64) -> Result<Fit> {
    let count = head::count(state) as usize;
    if count >= most(head::capacity(state)) && key_set::is_exact(&state[TABLE_AT..]) {
        return expect_held(state, count, key);
    }
    match key_set::insert(&mut state[TABLE_AT..], count, key) {
        Added::Held => Ok(Fit::Done),
        Added::New => {
            head::set_count(state, count + 1);
            Ok(Fit::Done)
        }
        Added::Full => match make_room(state, 1)? {
            Fit::Done => insert_key_again(state, key),
            needs => Ok(needs),
        },
    }
}

#[cold]
#[inline(never)]
fn insert_key_again(state: &mut [u8], key: u64) -> Result<Fit> {
    insert_key(state, key)
}

/// Checks that a state with as many hashes as it may have holds one more already.
#[cold]
#[inline(never)]
fn expect_held(state: &[u8], count: usize, key: u64) -> Result<Fit> {
    match key_set::holds(&state[TABLE_AT..], count, key) {
        true => Ok(Fit::Done),
        false => Err(too_many(head::params_of(state))),
    }
}

/// Makes room for `more` hashes by ridding those of a state of repeats, or says what it needs.
#[cold]
#[inline(never)]
fn make_room(state: &mut [u8], more: usize) -> Result<Fit> {
    let params = head::params_of(state);
    let held = head::count(state) as usize;
    // More room than there can be hashes only saves a log from being sorted for every few of them.
    let most = most(params.capacity);
    let bigger = doubled_len((state.len() - TABLE_AT) / 8 + 1).min(len(most + most / 4 + 1));
    let set = &mut state[TABLE_AT..];
    let Room::Settled(held, is_short) = key_set::make_room(set, held, more, bigger - TABLE_AT)
    else {
        return Ok(Fit::Needs(bigger));
    };
    head::set_count(state, held);
    check(params, held)?;
    if is_short {
        let bigger = bigger.max(len(held + more));
        // A state of the greatest length takes in others bit by bit.
        if bigger > state.len() {
            return Ok(Fit::Needs(bigger));
        }
    }
    Ok(Fit::Done)
}

/// Takes in a set of which another state says that it has so many hashes.
pub(super) fn merge(state: &mut [u8], set: &[u8], said: usize) -> Result<Fit> {
    let keys = key_set::iter(set, said);
    if keys.clone().count() != said {
        return Err(Error::bytes("a working state holds another number of hashes than it says"));
    }
    // Hashes that come in their order would pile up in a table that is not made for all of them.
    if key_set::room(state.len() - TABLE_AT) < head::count(state) as usize + said
        && let Fit::Needs(len) = make_room(state, said)?
    {
        return Ok(Fit::Needs(len));
    }
    for key in keys {
        if let Fit::Needs(len) = insert_key(state, key)? {
            return Ok(Fit::Needs(len));
        }
    }
    Ok(Fit::Done)
}

/// The length of a state with room for so many hashes, or the greatest there is.
pub(super) fn len(count: usize) -> usize {
    doubled_len(key_set::len_for(count) / 8)
}

/// The most distinct hashes for a capacity, 0 while there is none.
#[inline]
fn most(capacity: u64) -> usize {
    match capacity {
        0 => MAX_GATHERED,
        capacity => capacity.min(MAX_WHOLE as u64) as usize,
    }
}

/// Checks that a filter may have so many distinct values.
pub(super) fn check(params: Params, distinct: usize) -> Result<()> {
    match distinct <= most(params.capacity) {
        true => Ok(()),
        false => Err(too_many(params)),
    }
}

#[cold]
fn too_many(params: Params) -> Error {
    let most = most(params.capacity);
    if params.capacity == most as u64 {
        return params.full(most);
    }
    Error::new(
        ErrorKind::Limit,
        format!("a cuckoo filter of more than {most} distinct values cannot be gathered at once"),
    )
    .with_hint(match params.capacity {
        0 => "Give the number of values to expect, as in cuckoo_agg(value, 100000000).",
        _ => "Build filters of this capacity from parts of the values, and merge them.",
    })
}
