//! Building and merging.
//!
//! The working form has a head of fixed width, then a table: a [`hash_set`] of keys of eight
//! bytes, or the bits, which the count `u32::MAX` marks. A state without a capacity gathers whole
//! hashes, and is sized to their number when it is brought to rest.

use super::view::{BloomRef, Body};
use super::{Params, bits};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::hash_set::{self, Place};
use crate::key_list::{self, cut, is_key};
use crate::sketch::{Fit, Sketch};

/// The Bloom filter; [`Sketch`] has what it does.
pub struct Bloom;

/// The most values that are gathered without a capacity: a state of 341 MB.
pub const MAX_GATHERED: usize = 1 << 25;

/// The header, and the fields of [`Head`]. With a length word of four bytes, 32.
pub(super) const HEAD_LEN: usize = 28;
const HASHES_AT: usize = header::LEN;
const COUNT_AT: usize = 4;
const CAPACITY_AT: usize = 8;
const SIZE_AT: usize = 16;
const RATE_AT: usize = 24;
/// In the place of the number of keys: the table holds bits.
const BITS: u32 = u32::MAX;
/// Four slots. With a length word of four bytes, 64.
const INITIAL_LEN: usize = HEAD_LEN + 32;
/// Tables of keys have a multiple of eight bytes; these behind the bits tell the two apart.
const BITS_MARK_LEN: usize = 4;

/// What stands before the table of a working state.
pub(super) struct Head {
    pub params: Params,
    /// The number of keys, unless there are bits.
    pub count: Option<usize>,
}

impl Head {
    /// Reads the fields of a state that may have come from anywhere.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() < HEAD_LEN {
            return Err(Error::bytes("a working state is cut short"));
        }
        let params = Params::from_stored(
            field(bytes, CAPACITY_AT, u64::from_le_bytes),
            field(bytes, RATE_AT, f32::from_le_bytes),
            bytes[HASHES_AT],
            field(bytes, SIZE_AT, u64::from_le_bytes),
        )?;
        let count = count(bytes);
        Ok(Head { params, count: (count != BITS).then_some(count as usize) })
    }

    fn write(params: Params, state: &mut [u8]) {
        let (hashes, size) = params.stored_geometry();
        state[HASHES_AT] = hashes;
        state[CAPACITY_AT..][..8].copy_from_slice(&params.capacity().to_le_bytes());
        state[SIZE_AT..][..8].copy_from_slice(&size.to_le_bytes());
        state[RATE_AT..][..4].copy_from_slice(&params.error_rate().to_le_bytes());
    }

    /// How many bytes of a state lie behind its bits.
    pub fn padding(params: Params) -> usize {
        bits_len(params) - HEAD_LEN - params.byte_len()
    }
}

#[inline]
fn field<const N: usize, T>(bytes: &[u8], at: usize, read: impl Fn([u8; N]) -> T) -> T {
    read(std::array::from_fn(|i| bytes[at + i]))
}

impl Sketch for Bloom {
    type Params = Params;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn initial_len(_: Params) -> usize {
        INITIAL_LEN
    }

    fn init(state: &mut [u8], params: Params) {
        let header = Header { form: Form::Working, class: None };
        state[..header::LEN].copy_from_slice(&header.to_bytes(SketchType::Bloom));
        Head::write(params, state);
    }

    #[inline(always)]
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        header::meet_value(state, class)?;
        let params = params(state);
        let key = cut(hash, params.key_bits());
        if count(state) == BITS {
            bits::insert(&mut state[HEAD_LEN..], params.layout(), key);
            return Ok(Fit::Done);
        }
        insert_key(state, params, key)
    }

    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit> {
        let other = BloomRef::parse(bytes)?;
        let own = params(state);
        let is_empty = count(state) == 0;
        if other.is_empty() {
            if is_empty {
                Head::write(Params::of_empty(own, other.params), state);
            }
            return Ok(Fit::Done);
        }
        if is_empty {
            Head::write(other.params, state);
        } else {
            own.expect_same(other.params)?;
        }
        header::meet_class(state, other.class())?;
        match &other.body {
            Body::Bits(_) if count(state) != BITS => Ok(Fit::Needs(bits_len(other.params))),
            Body::Bits(bits) => {
                bits::unite(&mut state[HEAD_LEN..], bits);
                Ok(Fit::Done)
            }
            Body::Keys(keys) => merge_keys(state, keys.total(), keys.clone()),
            Body::KeyTable(count, table) => {
                merge_keys(state, *count, hash_set::iter::<8>(table).map(Ok))
            }
            Body::Empty => Ok(Fit::Done),
        }
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..HEAD_LEN].copy_from_slice(&state[..HEAD_LEN]);
        let params = params(state);
        let keys = hash_set::iter::<8>(&state[HEAD_LEN..]);
        if !params.is_gathering() && bigger.len() == bits_len(params) {
            set_count(bigger, BITS);
            keys.for_each(|key| bits::insert(&mut bigger[HEAD_LEN..], params.layout(), key));
        } else {
            for key in keys {
                hash_set::insert::<8>(&mut bigger[HEAD_LEN..], key);
            }
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
        if let Body::Bits(bits) = filter.body {
            bits::check(bits, filter.params)?;
            set_count(state, BITS);
        }
        match Self::merge(state, bytes)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("a filter holds more keys than it says")),
        }
    }

    fn rest_bound(bytes: &[u8]) -> Result<usize> {
        let filter = BloomRef::parse(bytes)?;
        let params = rest_params(&filter)?;
        Ok(header::LEN
            + params::MAX_LEN
            + match filter.key_count() {
                Some(count) if count <= params.max_keys() => {
                    key_list::write_bound(count, params.key_bits())
                }
                _ => params.byte_len(),
            })
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        let filter = BloomRef::parse(bytes)?;
        let params = rest_params(&filter)?;
        let class = filter.class();
        match filter.body {
            Body::Empty => Ok(write_head(out, Form::Empty, None, params)),
            Body::Bits(bits) => {
                bits::check(bits, params)?;
                let at = write_head(out, Form::Dense, Some(needed(class)?), params);
                out[at..at + bits.len()].copy_from_slice(bits);
                Ok(at + bits.len())
            }
            Body::Keys(keys) => rest_keys(keys.total(), keys, class, params, out),
            Body::KeyTable(count, table) => {
                rest_keys(count, hash_set::iter::<8>(table).map(Ok), class, params, out)
            }
        }
    }
}

/// The parameters that a filter has at rest.
fn rest_params(filter: &BloomRef<'_>) -> Result<Params> {
    match filter.params.is_gathering() {
        true => filter.params.sized(filter.key_count().unwrap_or(0)),
        false => Ok(filter.params),
    }
}

/// Writes `count` keys in the form for rest, where many become bits.
fn rest_keys(
    count: usize,
    keys: impl Iterator<Item = Result<u64>>,
    class: Option<ValueClass>,
    params: Params,
    out: &mut [u8],
) -> Result<usize> {
    if count == 0 {
        return Ok(write_head(out, Form::Empty, None, params));
    }
    if count <= params.max_keys() {
        let given = write_keys(keys, count, params, out)?;
        return match given == count {
            true => rest_written(count, needed(class)?, params, out),
            false => Err(wrong_count(given, count)),
        };
    }
    let at = write_head(out, Form::Dense, Some(needed(class)?), params);
    let table = &mut out[at..at + params.byte_len()];
    let mut given = 0;
    for key in keys {
        bits::insert(table, params.layout(), cut(key?, params.key_bits()));
        given += 1;
    }
    match given == count {
        true => Ok(at + params.byte_len()),
        false => Err(wrong_count(given, count)),
    }
}

/// Puts up to `most` keys where [`rest_written`] takes them from; returns how many there are.
pub(super) fn write_keys(
    keys: impl Iterator<Item = Result<u64>>,
    most: usize,
    params: Params,
    out: &mut [u8],
) -> Result<usize> {
    // From the back, so that fewer than `most` are still the last ones.
    let mut slots = key_list::keys_to_write(out, most).iter_mut().rev();
    let mut given = 0;
    for key in keys {
        let key = key?;
        if !is_key(key, params.key_bits()) {
            return Err(Error::bytes(format!("{key:#018x} is not a key of the filter")));
        }
        if let Some(slot) = slots.next() {
            *slot = key.to_le_bytes();
        }
        given += 1;
    }
    Ok(given)
}

/// Writes the sparse form of the `count` keys that [`write_keys`] has put behind it.
pub(super) fn rest_written(
    count: usize,
    class: ValueClass,
    params: Params,
    out: &mut [u8],
) -> Result<usize> {
    let mut at = write_head(out, Form::Sparse, Some(class), params);
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

fn wrong_count(given: usize, said: usize) -> Error {
    Error::bytes(format!("a filter holds {given} keys but says {said}"))
}

/// The parameters of a state, which nothing but valid ones was written to.
#[inline]
pub(super) fn params(state: &[u8]) -> Params {
    Params::of_state(
        field(state, CAPACITY_AT, u64::from_le_bytes),
        field(state, RATE_AT, f32::from_le_bytes),
        state[HASHES_AT],
        field(state, SIZE_AT, u64::from_le_bytes),
    )
}

#[inline]
fn count(state: &[u8]) -> u32 {
    field(state, COUNT_AT, u32::from_le_bytes)
}

#[inline]
fn set_count(state: &mut [u8], count: u32) {
    state[COUNT_AT..][..4].copy_from_slice(&count.to_le_bytes());
}

/// The table of a state: the bits, or the keys.
#[inline]
pub(super) fn table(state: &[u8]) -> std::result::Result<&[u8], &[u8]> {
    let table = &state[HEAD_LEN..];
    if count(state) == BITS { Ok(table) } else { Err(table) }
}

/// The length of a state with bits.
fn bits_len(params: Params) -> usize {
    HEAD_LEN + params.byte_len().next_multiple_of(8) + BITS_MARK_LEN
}

/// The length of a state with room for so many keys.
fn keys_len(count: usize) -> usize {
    INITIAL_LEN.max(HEAD_LEN + hash_set::table_len::<8>(count))
}

/// The length of a state with room for so many keys, and for more to come if it is a small one;
/// the bits never wait for more than they take themselves.
fn grown_len(state: &[u8], count: usize, params: Params) -> usize {
    let doubled = HEAD_LEN + 2 * (state.len() - HEAD_LEN);
    doubled.min(keys_len(params.max_keys().min(MAX_GATHERED))).max(keys_len(count))
}

fn insert_key(state: &mut [u8], params: Params, key: u64) -> Result<Fit> {
    let count = count(state) as usize;
    let table = &mut state[HEAD_LEN..];
    if count < hash_set::room::<8>(table.len()) && count < params.max_keys() {
        if let Place::Free(_) = hash_set::insert::<8>(table, key) {
            if count >= MAX_GATHERED && params.is_gathering() {
                return Err(too_many_gathered());
            }
            set_count(state, count as u32 + 1);
        }
        return Ok(Fit::Done);
    }
    if let Place::Held(_) = hash_set::find::<8>(table, key) {
        return Ok(Fit::Done);
    }
    if count >= params.max_keys() {
        return Ok(Fit::Needs(bits_len(params)));
    }
    if count >= MAX_GATHERED {
        return Err(too_many_gathered());
    }
    Ok(Fit::Needs(grown_len(state, count + 1, params)))
}

#[cold]
fn too_many_gathered() -> Error {
    Error::new(
        ErrorKind::Limit,
        format!("more than {MAX_GATHERED} distinct values for a bloom filter without a capacity"),
    )
    .with_hint("Give the number of values to expect, as in bloom_agg(value, 100000000).")
}

fn merge_keys(
    state: &mut [u8],
    more: usize,
    keys: impl Iterator<Item = Result<u64>>,
) -> Result<Fit> {
    let params = params(state);
    if count(state) == BITS {
        for key in keys {
            bits::insert(&mut state[HEAD_LEN..], params.layout(), cut(key?, params.key_bits()));
        }
        return Ok(Fit::Done);
    }
    // Keys that come in their order would pile up in a table that is not made for all of them.
    let most = count(state) as usize + more;
    if hash_set::room::<8>(state.len() - HEAD_LEN) < most {
        return Ok(Fit::Needs(grown_len(state, most, params)));
    }
    for key in keys {
        if let Fit::Needs(len) = insert_key(state, params, cut(key?, params.key_bits()))? {
            return Ok(Fit::Needs(len));
        }
    }
    Ok(Fit::Done)
}
