//! Building and merging.
//!
//! An aggregate gathers whole hashes, see [`gather`](super::gather), so that repeated values are
//! dropped by all 64 bits and only distinct ones get a fingerprint, and the filter is built when
//! the state is brought to rest, at the size that it needs. The states of parallel workers are
//! united hash by hash. Any other state is what single values are added to and removed from: a
//! list of cells, or a table. [`head`](super::head) has the layout.

use super::head::{self, Mode, TABLE_AT};
use super::list::{INITIAL_LEN, doubled_len};
use super::table::Refusal;
use super::view::{Body, still_gathering};
use super::{CuckooRef, Params, change, gather, merge, rest};
use crate::codec::header;
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::key_set;
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
        match head::mode(state) {
            Mode::Gather => gather::insert(state, class, hash),
            _ => Cuckoo::add_if_absent(state, class, hash),
        }
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
        header::meet_class(state, other.class())?;
        let count = other.count();
        match other.body {
            Body::Gathered(set) => gather::merge(state, set, count),
            Body::Cells(cells) => merge::cells(state, cells),
            Body::Table(table) => merge::table(state, table, count),
        }
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..TABLE_AT].copy_from_slice(&state[..TABLE_AT]);
        let body = &state[TABLE_AT..];
        match head::mode(state) {
            Mode::Gather => {
                let count = head::count(state) as usize;
                let count = key_set::copy(body, count, &mut bigger[TABLE_AT..]);
                head::set_count(bigger, count);
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
            Body::Gathered(_) => gather::len(sketch.count()),
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
