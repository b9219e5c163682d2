//! Building and merging.
//!
//! An aggregate gathers: its state is a [`hash_set`] of whole hashes, so that repeated values are
//! dropped by all 64 bits and only distinct ones get a fingerprint, and the filter is built when
//! the state is brought to rest, at the size that it needs. The states of parallel workers are
//! united hash by hash. Any other state is what single values are added to and removed from: a
//! list of cells, or a table. [`head`](super::head) has the layout.

use super::contains::gather_key;
use super::head::{self, Mode, TABLE_AT};
use super::list::{INITIAL_LEN, doubled_len};
use super::params::{MAX_GATHERED, MAX_LEN};
use super::table::Refusal;
use super::view::{Body, gathered, still_gathering};
use super::{CuckooRef, Params, change, merge, rest};
use crate::codec::header::CLASS_AT;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::hash_set::{self, Place};
use crate::sketch::{Fit, Sketch};

/// The membership filter that can delete; [`Sketch`] has what it does.
///
/// A new state gathers distinct values for an aggregate. A state that was thawed from a filter at
/// rest takes and gives single values: [`Cuckoo::add`], [`Cuckoo::add_if_absent`],
/// [`Cuckoo::remove`], [`Cuckoo::subtract`].
pub struct Cuckoo;

impl Sketch for Cuckoo {
    type Params = Params;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn initial_len(_: Params) -> usize {
        INITIAL_LEN
    }

    /// Starts gathering.
    fn init(state: &mut [u8], params: Params) {
        head::init(state, params, Mode::Gather);
    }

    /// Adds a value to a set: nothing changes if it is there, or in a thawed state if it seems to
    /// be.
    #[inline(always)]
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        if head::mode(state) != Mode::Gather {
            return Cuckoo::add_if_absent(state, class, hash);
        }
        if state[CLASS_AT] != class as u8 {
            check_class(state, class)?;
        }
        let table = &mut state[TABLE_AT..];
        let Place::Free(slot) = hash_set::find::<8>(table, gather_key(hash)) else {
            return Ok(Fit::Done);
        };
        let count = head::count(state) as usize;
        if count >= hash_set::room::<8>(state.len() - TABLE_AT) || count >= gather_limit(state) {
            reserve_gathered(state, count + 1)?;
            return Ok(Fit::Needs(gather_len(count + 1)));
        }
        state[CLASS_AT] = class as u8;
        state[TABLE_AT..].as_chunks_mut().0[slot] = gather_key(hash).to_le_bytes();
        head::set_count(state, count + 1);
        Ok(Fit::Done)
    }

    /// Adds everything that another filter holds, as sets: of each fingerprint in a pair of
    /// buckets the larger number of copies. Both must have the same parameters, unless one is
    /// empty; and as fingerprints cannot move to another number of buckets, a union that does not
    /// fit these is an error of kind [`Limit`](crate::ErrorKind::Limit), with which the state may
    /// have taken in a part.
    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit> {
        let other = CuckooRef::parse(bytes)?;
        let own = head::params_of(state);
        if other.is_empty() {
            if head::count(state) == 0 {
                meet_empty(state, own.preferred(other.head.params))?;
            }
            return Ok(Fit::Done);
        }
        let class = ValueClass::unite(ValueClass::from_stored(state[CLASS_AT])?, other.class())?;
        let is_gathering = head::mode(state) == Mode::Gather;
        if own != other.head.params || is_gathering != other.is_gathering() {
            if head::count(state) > 0 {
                return Err(match own == other.head.params {
                    true => still_gathering(),
                    false => own.mismatch(&other.head.params),
                });
            }
            adopt(state, other.head.params, other.is_gathering());
        }
        let count = other.count();
        let fit = match other.body {
            Body::Gathered(table) => merge::gathered(state, table, count),
            Body::Cells(cells) => merge::cells(state, cells),
            Body::Table(table) => merge::table(state, table, count),
        };
        if head::count(state) > 0 {
            state[CLASS_AT] = class.map_or(0, |class| class as u8);
        }
        fit
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..TABLE_AT].copy_from_slice(&state[..TABLE_AT]);
        let body = &state[TABLE_AT..];
        match head::mode(state) {
            Mode::Gather => {
                for key in gathered(body) {
                    hash_set::insert::<8>(&mut bigger[TABLE_AT..], key);
                }
            }
            Mode::Promote if bigger.len() == table_state_len(head::params_of(state)) => {
                change::promote(state, bigger);
            }
            Mode::Cells | Mode::Promote | Mode::Stuck | Mode::Table => {
                let len = body.len().min(bigger.len() - TABLE_AT);
                bigger[TABLE_AT..][..len].copy_from_slice(&body[..len]);
            }
        }
    }

    fn thaw_len(bytes: &[u8]) -> Result<usize> {
        let sketch = CuckooRef::parse(bytes)?;
        Ok(match sketch.body {
            Body::Gathered(_) => gather_len(sketch.count()),
            Body::Cells(_) => doubled_len(sketch.count()),
            Body::Table(_) => table_state_len(sketch.head.params),
        })
    }

    /// Turns a sketch of any form into a state. That of an aggregate goes on gathering.
    fn thaw(bytes: &[u8], state: &mut [u8]) -> Result<()> {
        let sketch = CuckooRef::parse(bytes)?;
        let mode = match sketch.body {
            Body::Gathered(_) => Mode::Gather,
            Body::Cells(_) => Mode::Cells,
            Body::Table(_) => Mode::Table,
        };
        head::init(state, sketch.head.params, mode);
        match Self::merge(state, bytes)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("a cuckoo filter holds more than it says")),
        }
    }

    fn rest_bound(bytes: &[u8]) -> Result<usize> {
        rest::bound(&CuckooRef::parse(bytes)?)
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        rest::write(&CuckooRef::parse(bytes)?, out)
    }
}

/// The length of a state that holds a table.
pub(super) fn table_state_len(params: Params) -> usize {
    TABLE_AT + params.geometry().working_len()
}

/// Checks the class of a value that a state is to take or to lose.
#[cold]
pub(super) fn check_class(state: &[u8], class: ValueClass) -> Result<()> {
    match ValueClass::from_stored(state[CLASS_AT])? {
        Some(held) if held != class => Err(class.mismatch(held)),
        _ => Ok(()),
    }
}

/// The most hashes that a state of any length holds.
fn gather_room() -> usize {
    hash_set::room::<8>(MAX_LEN - TABLE_AT)
}

/// The most hashes that a state may gather.
#[inline]
fn gather_limit(state: &[u8]) -> usize {
    match head::capacity(state) {
        0 => MAX_GATHERED,
        capacity => capacity.min(gather_room() as u64) as usize,
    }
}

/// The length of a state with room for so many hashes.
pub(super) fn gather_len(count: usize) -> usize {
    doubled_len(hash_set::table_len::<8>(count) / 8)
}

/// Checks that a state may gather so many hashes.
pub(super) fn reserve_gathered(state: &[u8], count: usize) -> Result<()> {
    let limit = gather_limit(state);
    if count <= limit {
        return Ok(());
    }
    let params = head::params_of(state);
    match params.capacity() {
        Some(capacity) if capacity == limit as u64 => Err(params.full(limit)),
        capacity => Err(Error::new(
            ErrorKind::Limit,
            format!(
                "a cuckoo filter of more than {limit} distinct values cannot be gathered at once"
            ),
        )
        .with_hint(match capacity {
            None => "Give a capacity.",
            Some(_) => "Build filters of this capacity from parts of the values, and merge them.",
        })),
    }
}

/// Gives an empty state the parameters that stay when it meets another empty filter.
fn meet_empty(state: &mut [u8], params: Params) -> Result<()> {
    if params != head::params_of(state) {
        let is_gathering = head::mode(state) == Mode::Gather;
        let params = if is_gathering { params } else { params.settled(0)? };
        adopt(state, params, is_gathering);
    }
    Ok(())
}

/// Gives an empty state other parameters.
fn adopt(state: &mut [u8], params: Params, is_gathering: bool) {
    head::set_params(state, params);
    head::set_mode(state, if is_gathering { Mode::Gather } else { Mode::Cells });
    state[TABLE_AT..].fill(0);
}

/// The error for a fingerprint that a table has refused.
#[cold]
pub(super) fn refused(refusal: Refusal, params: Params, count: usize) -> Error {
    match refusal {
        Refusal::Copies => params.too_many_copies(),
        Refusal::Full => params.full(count),
    }
}
