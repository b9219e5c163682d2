//! Building and merging.
//!
//! A state without a capacity gathers whole hashes, and is sized to their number when it is
//! brought to rest.

use super::params::MAX_GATHERED;
use super::state::{
    HEAD_LEN, INITIAL_LEN, bits_at, bits_len, count, cut_all, doubled_len, keys_len, params,
    set_count, set_params, wait,
};
use super::view::{BloomRef, Body};
use super::{Params, bits, state};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::key_list::{self, cut, is_key};
use crate::key_set::{self, Added, Room};
use crate::sketch::{Fit, Sketch};

/// The Bloom filter; [`Sketch`] has what it does.
pub struct Bloom;

impl Sketch for Bloom {
    type Params = Params;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn initial_len(_: Params) -> usize {
        INITIAL_LEN
    }

    fn init(state: &mut [u8], params: Params) {
        state::init(state, params);
    }

    #[inline(always)]
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        header::meet_value(state, class)?;
        if count(state).is_none() && wait(state, hash) {
            return Ok(Fit::Done);
        }
        insert_hash(state, hash)
    }

    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit> {
        let other = BloomRef::parse(bytes)?;
        let own = params(state);
        let is_empty = count(state) == Some(0);
        if other.is_empty() {
            if is_empty {
                set_params(state, Params::of_empty(own, other.params));
            }
            return Ok(Fit::Done);
        }
        if is_empty {
            set_params(state, other.params);
        } else {
            own.expect_same(other.params)?;
        }
        header::meet_class(state, other.class())?;
        let params = other.params;
        match &other.body {
            Body::Empty => Ok(Fit::Done),
            Body::Bits(..) if count(state).is_some() => Ok(Fit::Needs(bits_len(params))),
            Body::Bits(bits, waiting) => {
                let at = bits_at(state, state.len());
                bits::unite(&mut state[at..], bits);
                bits::insert_all(&mut state[at..], params.layout(), cut_all(waiting, params));
                Ok(Fit::Done)
            }
            Body::Keys(keys) => merge_keys(state, keys.total(), keys.clone()),
            Body::KeySet(count, set) => {
                merge_keys(state, *count, key_set::iter(set, *count).map(Ok))
            }
        }
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..HEAD_LEN].copy_from_slice(&state[..HEAD_LEN]);
        let params = params(state);
        let (set, count) = (&state[HEAD_LEN..], count(state).unwrap_or(0));
        if !params.is_gathering() && bigger.len() == bits_len(params) {
            set_count(bigger, None);
            let at = bits_at(bigger, bigger.len());
            let keys = key_set::iter(set, count);
            bits::insert_all(&mut bigger[at..], params.layout(), keys);
        } else {
            let count = key_set::copy(set, count, &mut bigger[HEAD_LEN..]);
            set_count(bigger, Some(count));
        }
    }

    fn thaw_len(bytes: &[u8]) -> Result<usize> {
        let filter = BloomRef::parse(bytes)?;
        Ok(match filter.key_count() {
            Some(count) => keys_len(count),
            None => bits_len(filter.params),
        })
    }

    fn thaw(bytes: &[u8], state: &mut [u8]) -> Result<()> {
        let filter = BloomRef::parse(bytes)?;
        Self::init(state, filter.params);
        if let Body::Bits(bits, _) = filter.body {
            bits::check(bits, filter.params)?;
            set_count(state, None);
        }
        if let Fit::Needs(_) = Self::merge(state, bytes)? {
            return Err(Error::bytes("a filter holds more keys than it says"));
        }
        // Sorted, a large set is looked into fast.
        if let Some(count) = count(state) {
            let count = key_set::settle(&mut state[HEAD_LEN..], count);
            set_count(state, Some(count));
        }
        Ok(())
    }

    fn rest_bound(bytes: &[u8]) -> Result<usize> {
        let filter = BloomRef::parse(bytes)?;
        let count = filter.key_count();
        let params = rest_params(filter.params, count.unwrap_or(0))?;
        let sparse = count.unwrap_or(0).min(params.max_keys());
        let sparse = key_list::max_len(sparse, params.key_bits()) + params::MAX_COUNT_LEN;
        let body = match count {
            // A log may have fewer keys than it says.
            Some(count) if count > params.max_keys() => params.byte_len().max(sparse),
            Some(_) => sparse,
            None => params.byte_len(),
        };
        Ok(header::LEN + params::MAX_LEN + body + 8 * count.unwrap_or(0))
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        let filter = BloomRef::parse(bytes)?;
        let (class, params) = (filter.class(), filter.params);
        match filter.body {
            Body::Empty => Ok(write_head(out, Form::Empty, None, params)),
            Body::Bits(bits, waiting) => {
                bits::check(bits, params)?;
                let at = write_head(out, Form::Dense, Some(needed(class)?), params);
                let table = &mut out[at..at + bits.len()];
                table.copy_from_slice(bits);
                bits::insert_all(table, params.layout(), cut_all(waiting, params));
                Ok(at + bits.len())
            }
            Body::Keys(keys) => {
                let count = keys.total();
                match write_keys(keys, count, out)? == count {
                    true => rest_written(count, class, params, out),
                    false => Err(Error::bytes(format!("a filter does not hold {count} keys"))),
                }
            }
            Body::KeySet(count, set) => {
                let count = key_set::sorted(set, count, key_list::keys_to_write(out, count))?;
                let keys = key_list::keys_to_write(out, count);
                if !params.is_gathering() {
                    check_keys(keys, params)?;
                    return rest_written(count, class, params, out);
                }
                let params = rest_params(params, count)?;
                let bits = params.key_bits();
                keys.iter_mut().for_each(|key| {
                    *key = cut(u64::from_le_bytes(*key), bits).to_le_bytes();
                });
                rest_written(count, class, params, out)
            }
        }
    }
}

/// Adds a hash where there are keys, or the bits are few.
#[inline(never)]
fn insert_hash(state: &mut [u8], hash: u64) -> Result<Fit> {
    let params = params(state);
    insert_key(state, params, cut(hash, params.key_bits()))
}

/// The parameters that a filter has at rest, given the number of its keys.
fn rest_params(params: Params, count: usize) -> Result<Params> {
    check_gathered(params, count)?;
    match params.is_gathering() {
        true => params.sized(count),
        false => Ok(params),
    }
}

/// Puts up to `most` keys where [`rest_written`] takes them from; returns how many there are.
pub(super) fn write_keys(
    keys: impl Iterator<Item = Result<u64>>,
    most: usize,
    out: &mut [u8],
) -> Result<usize> {
    // From the back, so that fewer than `most` are still the last ones.
    let mut slots = key_list::keys_to_write(out, most).iter_mut().rev();
    let mut given = 0;
    for key in keys {
        let key = key?.to_le_bytes();
        given += 1;
        if let Some(slot) = slots.next() {
            *slot = key;
        }
    }
    Ok(given)
}

/// Checks keys that may have come from anywhere.
fn check_keys(keys: &[[u8; 8]], params: Params) -> Result<()> {
    let bits = params.key_bits();
    match keys.iter().map(|&key| u64::from_le_bytes(key)).find(|&key| !is_key(key, bits)) {
        Some(key) => Err(Error::bytes(format!("{key:#018x} is not a key of the filter"))),
        None => Ok(()),
    }
}

/// Writes the form for rest of the last `count` words of `out`, distinct keys, where many become
/// bits.
pub(super) fn rest_written(
    count: usize,
    class: Option<ValueClass>,
    params: Params,
    out: &mut [u8],
) -> Result<usize> {
    if count == 0 {
        return Ok(write_head(out, Form::Empty, None, params));
    }
    let class = Some(needed(class)?);
    if count > params.max_keys() {
        let at = write_head(out, Form::Dense, class, params);
        let (front, keys) = out.split_at_mut(out.len() - 8 * count);
        let keys = keys.as_chunks().0.iter().map(|&key| u64::from_le_bytes(key));
        bits::insert_all(&mut front[at..at + params.byte_len()], params.layout(), keys);
        return Ok(at + params.byte_len());
    }
    let mut at = write_head(out, Form::Sparse, class, params);
    at += params::write(count as u32, &mut out[at..]);
    let len = key_list::write(&mut out[at..], count, params.key_bits());
    let sorted = key_list::keys_to_write(out, count);
    match sorted.is_sorted_by(|a, b| u64::from_le_bytes(*a) < u64::from_le_bytes(*b)) {
        true => Ok(at + len),
        false => Err(Error::bytes("a filter holds a key twice")),
    }
}

/// Writes the header and the parameters; returns how many bytes they take.
pub(super) fn write_head(
    out: &mut [u8],
    form: Form,
    class: Option<ValueClass>,
    params: Params,
) -> usize {
    out[..header::LEN].copy_from_slice(&Header { form, class }.to_bytes(SketchType::Bloom));
    header::LEN + params::write(params, &mut out[header::LEN..])
}

/// How many bytes a full filter takes at rest.
pub fn full_len(params: Params) -> usize {
    let mut head = [0; header::LEN + params::MAX_LEN];
    write_head(&mut head, Form::Dense, None, params) + params.byte_len()
}

fn needed(class: Option<ValueClass>) -> Result<ValueClass> {
    class.ok_or_else(|| Error::bytes("a filter with values has no value class"))
}

#[inline(always)]
fn insert_key(state: &mut [u8], params: Params, key: u64) -> Result<Fit> {
    let Some(count) = count(state) else {
        let at = bits_at(state, state.len());
        bits::insert(&mut state[at..], params.layout(), key);
        return Ok(Fit::Done);
    };
    let set = &mut state[HEAD_LEN..];
    // Not added before there are bits: a second try would find it and think that all is well.
    if count >= params.max_keys() && key_set::is_exact(set) && !key_set::holds(set, count, key) {
        return Ok(Fit::Needs(bits_len(params)));
    }
    match key_set::insert(set, count, key) {
        Added::Held => Ok(Fit::Done),
        Added::New => {
            set_count(state, Some(count + 1));
            Ok(Fit::Done)
        }
        Added::Full => match make_room(state, params, 1)? {
            Fit::Done => insert_key_again(state, params, key),
            needs => Ok(needs),
        },
    }
}

#[cold]
#[inline(never)]
fn insert_key_again(state: &mut [u8], params: Params, key: u64) -> Result<Fit> {
    insert_key(state, params, key)
}

/// Makes room for `more` keys by ridding those of a state of repeats, or says what it needs.
#[cold]
#[inline(never)]
fn make_room(state: &mut [u8], params: Params, more: usize) -> Result<Fit> {
    let max_keys = params.max_keys();
    let held = count(state).unwrap_or(0);
    // More room than there can be keys only saves a log from being sorted for every few of them.
    let bigger = doubled_len(state.len()).min(keys_len(max_keys + max_keys / 4 + 1));
    let set = &mut state[HEAD_LEN..];
    let Room::Settled(held, is_short) = key_set::make_room(set, held, more, bigger - HEAD_LEN)
    else {
        return Ok(Fit::Needs(bigger));
    };
    set_count(state, Some(held));
    check_gathered(params, held)?;
    if held > max_keys {
        return Ok(Fit::Needs(bits_len(params)));
    }
    match is_short {
        true => Ok(Fit::Needs(bigger.max(keys_len(held + more)))),
        false => Ok(Fit::Done),
    }
}

fn check_gathered(params: Params, count: usize) -> Result<()> {
    match params.is_gathering() && count > MAX_GATHERED {
        false => Ok(()),
        true => Err(Error::new(
            ErrorKind::Limit,
            format!(
                "more than {MAX_GATHERED} distinct values for a bloom filter without a capacity"
            ),
        )
        .with_hint("Give the number of values to expect, as in bloom_agg(value, 100000000).")),
    }
}

fn merge_keys(
    state: &mut [u8],
    more: usize,
    keys: impl Iterator<Item = Result<u64>>,
) -> Result<Fit> {
    let params = params(state);
    // Keys that come in their order would pile up in a table that is not made for all of them.
    if let Some(count) = count(state)
        && key_set::room(state.len() - HEAD_LEN) < count + more
        && let Fit::Needs(len) = make_room(state, params, more)?
    {
        return Ok(Fit::Needs(len));
    }
    for key in keys {
        if let Fit::Needs(len) = insert_key(state, params, cut(key?, params.key_bits()))? {
            return Ok(Fit::Needs(len));
        }
    }
    Ok(Fit::Done)
}
