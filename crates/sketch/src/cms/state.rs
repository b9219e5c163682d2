//! The working form: a list of keys with their counts, or cells.
//!
//! The depth is the parameter of the head, see [`crate::state`]; the other fields are the total
//! and the width. The body of a list is a [`hash_set`] of 16-byte slots, as many of them in use as
//! the head counts; that of a table is its cells.

use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::entries::{self, SLOT};
use super::{Params, cells};
use crate::codec::SketchType;
use crate::error::{Error, ErrorKind, Result};
use crate::hash_set::{self, Place};
use crate::interrupt::Pace;
use crate::sketch::{Fit, Growth};
use crate::state::{INITIAL_LEN, State};

/// The mode of a list; that of a table is the size of its cells.
pub(super) const LIST: u8 = 0;
/// The mode of a list that is as long as it must be.
pub(super) const MOVING: u8 = 128;

/// The most distinct values in a moving state: as many as half a gigabyte of slots takes, since a
/// whole one is more than a server holds in one value.
pub const MAX_MOVING: usize = 25_000_000;

/// What a state of this type has besides the common head.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct CmsFields {
    pub(super) total: U64,
    pub(super) width: U32,
    /// The body is then as aligned as its cells, where the state stands behind four bytes.
    pub(super) spare: [u8; 4],
}

/// A state of this type.
pub(super) type CmsState = State<CmsFields>;

impl CmsState {
    /// Makes zero bytes an empty state.
    pub(super) fn make(&mut self, params: Params, mode: u8) {
        self.begin(SketchType::Cms);
        self.set_params(params);
        self.mode = mode;
    }

    #[inline(always)]
    pub(super) fn params(&self) -> Params {
        Params::of_state(self.fields.width.get(), self.parameter)
    }

    pub(super) fn set_params(&mut self, params: Params) {
        self.fields.width.set(params.width() as u32);
        self.parameter = params.depth() as u8;
    }

    #[inline(always)]
    pub(super) fn total(&self) -> u64 {
        self.fields.total.get()
    }

    /// The total with as many more, which is below 2^63.
    #[inline(always)]
    pub(super) fn total_with(&self, more: u64) -> Result<u64> {
        let total = self.total();
        match total.checked_add(more) {
            Some(sum) if sum <= i64::MAX as u64 => Ok(sum),
            _ => Err(total_limit(total, more)),
        }
    }

    #[inline(always)]
    pub(super) fn is_list(&self) -> bool {
        matches!(self.mode, LIST | MOVING)
    }

    /// What becomes of a state that needs cells of so many bytes.
    pub(super) fn cells(params: Params, size: usize) -> Growth {
        // One that loses all its values is a list again, and needs room for an entry.
        let len = (Self::BODY_AT + params.cells() * size).max(INITIAL_LEN);
        Growth { len, mode: size as u8 }
    }

    /// What becomes of a list of so many entries.
    pub(super) fn list(count: usize, mode: u8) -> Growth {
        Growth { len: Self::len_for(hash_set::table_len::<SLOT>(count)), mode }
    }

    /// How many entries a list may have before it becomes a table.
    #[inline]
    fn max_entries(&self) -> usize {
        if self.mode == MOVING { MAX_MOVING } else { self.params().max_entries() }
    }

    /// Whether a list has room for as many entries more, or what it is to become.
    pub(super) fn reserve(&self, more: usize) -> Result<Fit> {
        let count = self.count() + more;
        if count > self.max_entries() {
            if self.mode == MOVING {
                return Err(moving_limit());
            }
            return Ok(Fit::Needs(Self::cells(self.params(), self.cell_size())));
        }
        if count > hash_set::room::<SLOT>(self.body.len()) {
            return Ok(Fit::Needs(Self::list(count, self.mode)));
        }
        Ok(Fit::Done)
    }

    /// What becomes of a list that has lost most of its entries: else whoever goes through what is
    /// left would go through all the free slots, row after row of a moving frame.
    pub(super) fn shrunk(&self) -> Option<Growth> {
        let shrunk = Self::list(2 * self.count(), self.mode);
        (self.is_list() && 4 * shrunk.len <= self.bytes().len()).then_some(shrunk)
    }

    /// The size of the cells of the table that a list becomes.
    pub(super) fn cell_size(&self) -> usize {
        let (params, mut pace) = (self.params(), Pace::default());
        let entries =
            entries::iter(&self.body).inspect(|_| pace.step(entries::COST * params.depth()));
        cells::size_for(cells::bound(entries, params))
    }

    /// The count of a key in a list.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        match hash_set::find::<SLOT>(&self.body, key) {
            Place::Held(slot) => Some(entries::count(&self.body, slot)),
            Place::Free(_) => None,
        }
    }

    /// Raises the count of a key in a list; says whether there was room for the key, and the count
    /// is no forged one that is too large.
    #[inline]
    pub(super) fn raise_entry(&mut self, key: u64, by: u64) -> bool {
        match hash_set::find::<SLOT>(&self.body, key) {
            Place::Held(slot) => {
                let Some(sum) = entries::count(&self.body, slot).checked_add(by) else {
                    return false;
                };
                entries::set_count(&mut self.body, slot, sum);
            }
            Place::Free(slot) => {
                let count = self.count();
                if count >= hash_set::room::<SLOT>(self.body.len()) || count >= self.max_entries() {
                    return false;
                }
                hash_set::fill::<SLOT>(&mut self.body, slot, key);
                entries::set_count(&mut self.body, slot, by);
                self.set_count(count + 1);
            }
        }
        true
    }

    /// Lowers the count of a key in a list, and removes the key whose count reaches 0; says whether
    /// there was as much.
    #[inline]
    pub(super) fn lower_entry(&mut self, key: u64, by: u64) -> bool {
        let Place::Held(slot) = hash_set::find::<SLOT>(&self.body, key) else { return by == 0 };
        let Some(left) = entries::count(&self.body, slot).checked_sub(by) else { return false };
        if left > 0 {
            entries::set_count(&mut self.body, slot, left);
        } else {
            hash_set::remove::<SLOT>(&mut self.body, slot);
            self.set_count(self.count() - 1);
        }
        true
    }
}

#[cold]
fn total_limit(held: u64, more: u64) -> Error {
    Error::new(
        ErrorKind::Limit,
        format!("a total of {held} cannot be raised by {more}: a cms counts up to {}", i64::MAX),
    )
    .with_hint("Use smaller weights, or several sketches.")
}

#[cold]
fn moving_limit() -> Error {
    Error::new(
        ErrorKind::Limit,
        format!("more than {MAX_MOVING} distinct values in a moving frame"),
    )
    .with_hint("Make the frame shorter, or let it start at UNBOUNDED PRECEDING.")
}

pub(super) fn wrong_entries() -> Error {
    Error::bytes("the entries of the sketch are not as many, or do not add up to, what it says")
}

/// Zero bytes, or an error where there is no memory for them.
pub(super) fn zeroed(len: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(len).is_err() {
        return Err(Error::new(ErrorKind::Limit, format!("no memory for a table of {len} bytes")));
    }
    bytes.resize(len, 0);
    Ok(bytes)
}
