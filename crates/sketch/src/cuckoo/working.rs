//! Building and merging.
//!
//! An aggregate gathers whole hashes, so that repeated values are dropped by all 64 bits and only
//! distinct ones get a fingerprint, and the filter is built when the state is brought to rest, at
//! the size that it needs. The states of parallel workers are united hash by hash. Any other state
//! is what single values are added to and removed from: a set of copies, or a table.

use std::cmp::Ordering;

use super::state::{CuckooState, SET, STUCK};
use super::table::Table;
use super::view::{Body, CuckooRef};
use super::{Params, merge, rest, set};
use crate::codec::SketchType;
use crate::error::{Error, Result};
use crate::filter::Fields;
use crate::hash::Value;
use crate::hash_set;
use crate::interrupt::Pace;
use crate::key_list::cut;
use crate::key_set;
use crate::sketch::{Fit, Growth, HashSketch, Sketch, private};

/// The type of filters that can remove: [`Owned<Cuckoo>`](crate::Owned) builds and changes one,
/// [`CuckooRef`] reads one.
///
/// A new state gathers distinct values for an aggregate, [inserted](HashSketch::insert) one by one.
/// A state that was thawed from a filter at rest, or that is empty, takes and gives single values:
/// [`Cuckoo::add`], [`Cuckoo::add_if_absent`], [`Cuckoo::remove`], [`Cuckoo::subtract`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cuckoo {}

impl private::Sealed for Cuckoo {}

impl Sketch for Cuckoo {
    const TYPE: SketchType = SketchType::Cuckoo;

    type Params = Params;
    type Fields = Fields<Cuckoo>;
    type Ref<'a> = CuckooRef<'a>;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn parse(bytes: &[u8]) -> Result<CuckooRef<'_>> {
        CuckooRef::parse(bytes)
    }

    /// Starts gathering.
    fn init(state: &mut CuckooState, params: Params) {
        state.begin(Self::TYPE);
        state.set_params(params);
    }

    fn params(state: &CuckooState) -> Params {
        state.params()
    }

    /// Adds everything that another filter holds, as sets: of each fingerprint in a pair of
    /// buckets the larger number of copies. Unless one of the two is empty, or both are gathered by
    /// an aggregate, the state is then a union: one copy may stand for several values, and nothing
    /// can be removed. Both must have the same parameters, unless one is empty.
    ///
    /// Fingerprints cannot move to another number of buckets: a union that does not fit those there
    /// are is an error of kind [`Limit`](crate::ErrorKind::Limit), with which the state may have
    /// taken in a part.
    fn merge(state: &mut CuckooState, other: &CuckooRef<'_>) -> Result<Fit> {
        merge::take_in(state, other, false)
    }

    fn grow(state: &CuckooState, bigger: &mut CuckooState, growth: Growth) {
        bigger.begin_as(state);
        bigger.mode = growth.mode;
        if growth.mode < SET {
            bigger.copy_keys(state);
        } else if growth.mode == SET || !fill_table(state, bigger) {
            let mut pace = Pace::default();
            for key in hash_set::iter::<8>(&state.body) {
                pace.step(32);
                hash_set::insert::<8>(&mut bigger.body, key);
            }
        }
    }

    fn thaw_len(sketch: &CuckooRef<'_>) -> usize {
        thawed(sketch).len
    }

    /// Turns a sketch of any form into a state. That of an aggregate goes on gathering.
    fn thaw(sketch: &CuckooRef<'_>, state: &mut CuckooState) -> Result<()> {
        Self::init(state, sketch.params());
        state.mode = thawed(sketch).mode;
        match Self::merge(state, sketch)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("a cuckoo filter holds more than it says")),
        }
    }

    fn rest_bound(sketch: &CuckooRef<'_>) -> Result<usize> {
        rest::bound(sketch)
    }

    fn rest(sketch: &CuckooRef<'_>, out: &mut [u8]) -> Result<usize> {
        rest::write(sketch, out)
    }

    fn compare(a: &[u8], b: &[u8]) -> Result<Ordering> {
        CuckooRef::parse(a)?.compare(&CuckooRef::parse(b)?)
    }

    fn content_hash(bytes: &[u8], seed: u64) -> Result<u64> {
        CuckooRef::parse(bytes)?.content_hash(seed)
    }
}

impl HashSketch for Cuckoo {
    /// Adds a value to a set: nothing changes if it is there, or in a state that does not gather if
    /// it seems to be.
    #[inline(always)]
    fn insert(state: &mut CuckooState, value: Value) -> Result<Fit> {
        if !state.is_gathering() {
            return Cuckoo::add_if_absent(state, value);
        }
        state.meet(value)?;
        let params = state.params();
        let added = state.insert_key(cut(value.hash(), 64), params.most_gathered());
        added.fit(|| Err(params.too_many_gathered()))
    }
}

/// What a state is that holds what a sketch holds.
fn thawed(sketch: &CuckooRef<'_>) -> Growth {
    match sketch.body {
        Body::Gathered(set) => {
            let most = sketch.params().most_gathered();
            CuckooState::keys_state(key_set::TABLE, set.count, most)
        }
        Body::Table(_) => CuckooState::table_growth(sketch.params()),
        Body::List(_) | Body::Set(_) => CuckooState::set_growth(sketch.count()),
    }
}

/// Makes a table of a set. Where that cannot be done, which takes more copies in few buckets than
/// these hold, the set stays and remembers it: growing has no way to fail.
fn fill_table(state: &CuckooState, bigger: &mut CuckooState) -> bool {
    let layout = state.layout();
    let mut table = Table { layout, bytes: &mut bigger.body };
    let mut pace = Pace::default();
    let all_fit = set::signatures(&state.body, layout, state.count()).is_ok_and(|signatures| {
        signatures.iter().all(|&signature| {
            pace.step(64);
            table.insert(layout.of_signature(u64::from_le_bytes(signature))).is_ok()
        })
    });
    if !all_fit {
        bigger.body.fill(0);
        bigger.mode = STUCK;
    }
    all_fit
}
