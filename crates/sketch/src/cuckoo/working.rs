//! Building and merging.
//!
//! An aggregate gathers: its state is a [`hash_set`] of whole hashes, so that repeated values are
//! dropped by all 64 bits and only distinct ones get a fingerprint, and the filter is built when
//! the state is brought to rest, at the size that it needs. The states of parallel workers are
//! united hash by hash. Any other state is what single values are added to and removed from: a
//! list of cells, or a table. [`head`](super::head) has the layout.

use super::contains::gather_key;
use super::head::{self, Mode, TABLE_AT};
use super::list::{INITIAL_LEN, List, doubled_len};
use super::params::{MAX_GATHERED, MAX_LEN};
use super::table::{Buckets, Refusal, Table};
use super::view::{Body, Cells, gathered, still_gathering};
use super::{CuckooRef, Params, change, rest};
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
    /// fit these is an error of kind [`Limit`](crate::ErrorKind::Limit).
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
            Body::Gathered(table) => merge_gathered(state, table, count),
            Body::Cells(cells) => merge_cells(state, cells),
            Body::Table(table) => merge_table(state, table, count),
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
            Mode::Promote => change::promote(state, bigger),
            Mode::Cells | Mode::Stuck | Mode::Table => {
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
            Body::Table(table) => TABLE_AT + table.geometry.working_len(),
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
fn gather_len(count: usize) -> usize {
    doubled_len(hash_set::table_len::<8>(count) / 8)
}

/// Checks that a state may gather so many hashes.
fn reserve_gathered(state: &[u8], count: usize) -> Result<()> {
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

fn merge_gathered(state: &mut [u8], table: &[u8], said: usize) -> Result<Fit> {
    let own = &state[TABLE_AT..];
    let is_new = |&key: &u64| matches!(hash_set::find::<8>(own, key), Place::Free(_));
    let keys = gathered(table);
    if keys.clone().count() != said {
        return Err(Error::bytes("a working state holds another number of hashes than it says"));
    }
    let mut count = head::count(state) as usize;
    let union = count + keys.clone().filter(is_new).count();
    reserve_gathered(state, union)?;
    // The other's hashes come nearly in order: they would pile up in a table too small.
    if union > hash_set::room::<8>(own.len()) {
        return Ok(Fit::Needs(gather_len(union)));
    }
    for key in keys {
        count += usize::from(matches!(
            hash_set::insert::<8>(&mut state[TABLE_AT..], key),
            Place::Free(_)
        ));
    }
    head::set_count(state, count);
    Ok(Fit::Done)
}

fn merge_cells(state: &mut [u8], cells: Cells<'_>) -> Result<Fit> {
    let geometry = head::params_of(state).geometry();
    // All of them are read once, so that nothing is changed if one is malformed.
    if head::mode(state) == Mode::Table {
        cells.clone().try_for_each(|run| run.map(drop))?;
        for (cell, copies) in cells.filter_map(Result::ok) {
            change::raise(state, geometry.of_cell(cell), copies)?;
        }
        return Ok(Fit::Done);
    }
    let mut count = head::count(state) as usize;
    let mut list = List::of_state(state, count);
    for run in cells.clone() {
        let (cell, copies) = run?;
        count += copies.saturating_sub(list.find(cell).1);
    }
    if count > geometry.max_listed() {
        return change::needs_table(state);
    }
    if count > list.room() {
        return Ok(Fit::Needs(doubled_len(count)));
    }
    list.unite(cells.filter_map(Result::ok));
    head::set_count(state, count);
    Ok(Fit::Done)
}

fn merge_table(state: &mut [u8], other: Buckets<'_>, said: usize) -> Result<Fit> {
    if head::mode(state) != Mode::Table {
        return change::needs_table(state);
    }
    let held = head::count(state) as usize;
    if held > 0 {
        other.visit(|entry, copies| {
            change::raise(state, entry, copies)?;
            Ok(true)
        })?;
        return Ok(Fit::Done);
    }
    // The other's arrangement serves an empty table as it is.
    let mut table = Table { geometry: other.geometry, bytes: &mut state[TABLE_AT..] };
    let mut count = 0;
    for at in 0..other.geometry.buckets {
        let bucket = other.get(at)?;
        count += bucket.iter().filter(|&&fingerprint| fingerprint != 0).count();
        table.set_bucket(at, bucket);
    }
    match count == said {
        true => head::set_count(state, count),
        false => {
            return Err(Error::bytes(format!(
                "a cuckoo filter holds {count} copies but says {said}"
            )));
        }
    }
    Ok(Fit::Done)
}

/// The error for a fingerprint that a table has refused.
#[cold]
pub(super) fn refused(refusal: Refusal, params: Params, count: usize) -> Error {
    match refusal {
        Refusal::Copies => params.too_many_copies(),
        Refusal::Full => params.full(count),
    }
}
