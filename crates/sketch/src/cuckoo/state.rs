//! The working form: gathered hashes, a set of copies, or a table.
//!
//! The fields are the parameters, see [`crate::filter`], and the head counts the hashes or copies.
//! Only a state that has gathered hashes can still drop repeated values. Any other takes and gives
//! single values.

use super::geometry::{Layout, Mark};
use super::table::{Refusal, Table, copies_in_table};
use super::{Cuckoo, Params, set};
use crate::error::{Error, ErrorKind, Result};
use crate::filter::{Fields, MAX_STATE_LEN};
use crate::hash_set;
use crate::key_set::{self, LOG};
use crate::sketch::{Fit, Growth};
use crate::state::State;

/// A state of this type.
pub(super) type CuckooState = State<Fields<Cuckoo>>;

/// The body is a [`set`] of copies; before that a [`key_set`](crate::key_set) of whole hashes.
pub(super) const SET: u8 = 2;
/// The same, of which no table can be made.
pub(super) const STUCK: u8 = 3;
/// The body is buckets of four fingerprints, each two or four bytes; what is behind them is not used.
pub(super) const TABLE: u8 = 4;

impl CuckooState {
    /// Whether whole hashes are kept, those of the distinct values of an aggregate.
    #[inline]
    pub(super) fn is_gathering(&self) -> bool {
        self.mode <= LOG
    }

    #[inline]
    pub(super) fn layout(&self) -> Layout {
        self.params().layout()
    }

    /// Whether a copy may stand for several values, so that none can be removed.
    pub(super) fn is_union(&self) -> bool {
        !self.is_gathering() && self.has_flag()
    }

    /// Sets the number of copies; a filter without any has no class.
    pub(super) fn set_copies(&mut self, count: usize) {
        self.set_count(count);
        if count == 0 {
            self.clear_class();
        }
    }

    /// Gives a state that has no values parameters, to gather hashes or to hold copies.
    pub(super) fn set_empty(&mut self, params: Params, gathers: bool) -> Result<()> {
        let params = if gathers { params } else { params.sized(0)? };
        if gathers != self.is_gathering() || self.mode == TABLE && params != self.params() {
            self.mode = if gathers { key_set::TABLE } else { SET };
            self.body.fill(0);
        }
        self.set_params(params);
        Ok(())
    }

    /// What a state with a set of `count` copies is.
    pub(super) fn set_growth(count: usize) -> Growth {
        let len = Self::len_for(hash_set::table_len::<8>(count)).min(MAX_STATE_LEN);
        Growth { len, mode: SET }
    }

    /// What a state with a table is.
    pub(super) fn table_growth(params: Params) -> Growth {
        Growth { len: Self::BODY_AT + params.layout().working_len(), mode: TABLE }
    }

    /// Makes room for `count` copies in all, or says what the state must become.
    pub(super) fn reserve(&self, count: usize) -> Result<Fit> {
        if self.mode == TABLE
            || count <= hash_set::room::<8>(self.body.len()).min(self.layout().max_listed())
        {
            return Ok(Fit::Done);
        }
        let most = self.layout().max_listed();
        if count <= most {
            return Ok(Fit::Needs(Self::set_growth(count)));
        }
        if self.mode == STUCK {
            return Err(self.params().full(self.count()));
        }
        // The copies go into a set again if they do not fit a table.
        let Growth { len, mode } = Self::table_growth(self.params());
        Ok(Fit::Needs(Growth { len: len.max(Self::set_growth(most).len), mode }))
    }

    /// How many copies of a fingerprint there are.
    #[inline]
    pub(super) fn copies(&self, mark: Mark) -> usize {
        if self.mode == TABLE {
            copies_in_table(&self.body, self.layout(), mark)
        } else {
            set::copies(&self.body, self.layout().signature(mark))
        }
    }

    /// Adds a copy of a fingerprint.
    pub(super) fn add_copy(&mut self, mark: Mark) -> Result<Fit> {
        let count = self.count();
        let params = self.params();
        let layout = params.layout();
        if self.mode == TABLE {
            let mut table = Table { layout, bytes: &mut self.body };
            table.insert(mark).map_err(|refusal| refusal.error(params, count))?;
        } else {
            let signature = layout.signature(mark);
            let (slot, key) = set::next(&self.body, signature).ok_or_else(too_many_copies)?;
            if let Fit::Needs(growth) = self.reserve(count + 1)? {
                return Ok(Fit::Needs(growth));
            }
            hash_set::fill::<8>(&mut self.body, slot, key);
        }
        self.set_count(count + 1);
        Ok(Fit::Done)
    }

    /// Takes a copy of a fingerprint away, if there is one.
    pub(super) fn remove_copy(&mut self, mark: Mark) -> bool {
        let layout = self.layout();
        let removed = if self.mode == TABLE {
            Table { layout, bytes: &mut self.body }.remove(mark)
        } else {
            set::remove(&mut self.body, layout.signature(mark))
        };
        if removed {
            self.set_copies(self.count() - 1);
            if self.mode == STUCK {
                // Of fewer copies a table may be possible.
                self.mode = SET;
            }
        }
        removed
    }
}

impl Refusal {
    /// The error for a fingerprint that a table of `count` others has refused.
    #[cold]
    pub(super) fn error(self, params: Params, count: usize) -> Error {
        match self {
            Refusal::Copies => too_many_copies(),
            Refusal::Full => params.full(count),
        }
    }
}

/// The error for a ninth copy.
#[cold]
pub(super) fn too_many_copies() -> Error {
    Error::new(
        ErrorKind::Limit,
        "the cuckoo filter already holds this value, or others like it, 8 times, the most that two \
         buckets hold",
    )
    .with_hint("To keep each value once, add it with cuckoo_add_if_absent.")
}
