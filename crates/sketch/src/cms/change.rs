//! Weights of either sign, and taking a part out again.
//!
//! A count never goes below zero: taking away is the undoing of what was added, and a change that
//! finds less than it is to take away changes nothing. In a table that is all that can be checked;
//! taking away what was never added can go unnoticed, and then estimates fall below the truth.
//!
//! A table stays a table, however few values are left in it, until nothing is.

use super::entries::{self, SLOT};
use super::state::{HEAD_LEN, LIST, MODE_AT, MOVING, count, params, set_count, set_total, total};
use super::table::Table;
use super::view::{Body, CmsRef, Entries};
use super::working::Cms;
use super::{Params, cells, merge};
use crate::codec::header;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::hash_set;
use crate::sketch::{Fit, Sketch};

impl Cms {
    /// Makes `state`, of [`Sketch::initial_len`] zero bytes, an empty *moving* state: one that
    /// keeps every value's count, however many there are up to
    /// [`MAX_MOVING`](super::MAX_MOVING), so that whatever is taken away again leaves what
    /// counting the rest would give. At rest it is as any other.
    pub fn init_moving(state: &mut [u8], params: Params) {
        Self::init(state, params);
        state[MODE_AT] = MOVING;
    }

    /// Adds a value `weight` times, given its class and hash. A negative weight undoes as much as
    /// was added before; an error, with nothing changed, where there was less.
    pub fn add(state: &mut [u8], class: ValueClass, hash: u64, weight: i64) -> Result<Fit> {
        if weight > 0 {
            return Self::raise(state, class, hash, weight as u64);
        }
        header::expect_value(state, class)?;
        if weight < 0 {
            lower(state, entries::key_of(hash), weight.unsigned_abs())?;
        }
        Ok(Fit::Done)
    }

    /// Takes out a sketch that was merged in before, or whose values were all added. An error,
    /// with nothing changed, where a count would go below zero, or where the state still has exact
    /// counts and the sketch does not.
    pub fn subtract(state: &mut [u8], bytes: &[u8]) -> Result<()> {
        let other = CmsRef::parse(bytes)?;
        if other.is_empty() {
            return Ok(());
        }
        if total(state) > 0 {
            if params(state) != other.params {
                return Err(params(state).mismatch(other.params));
            }
            // The class is that of the state, or an error.
            header::meet_class(state, other.class())?;
        }
        if other.total > total(state) {
            return Err(too_much("a total", other.total, total(state)));
        }
        match (state[MODE_AT], &other.body) {
            (LIST | MOVING, Body::Entries(entries)) => subtract_lists(state, entries)?,
            (LIST | MOVING, Body::Table(_)) => {
                return Err(Error::new(
                    ErrorKind::Mismatch,
                    format!(
                        "a cms with a table cannot be part of one that holds {} values exactly",
                        count(state)
                    ),
                )
                .with_hint(HINT));
            }
            (_, Body::Entries(entries)) => subtract_entries(state, entries)?,
            (_, Body::Table(table)) => subtract_table(state, table)?,
        }
        lower_total(state, other.total);
        Ok(())
    }
}

const HINT: &str = "Take away only what was added to the same sketch before.";

#[cold]
fn too_much(from: &str, by: u64, held: u64) -> Error {
    Error::new(ErrorKind::Mismatch, format!("cannot take {by} away from {from} of {held}"))
        .with_hint(HINT)
}

/// Lowers the count of a key.
fn lower(state: &mut [u8], key: u64, by: u64) -> Result<()> {
    let params = params(state);
    match state[MODE_AT] {
        LIST | MOVING => {
            let held = entries::find(&state[HEAD_LEN..], key).unwrap_or(0);
            if held < by {
                return Err(too_much("a frequency", by, held));
            }
            lower_entry(state, key, by);
        }
        size => {
            let (size, table) = (usize::from(size), &mut state[HEAD_LEN..]);
            let held = cells::least(table, size, key, params);
            if held < by {
                return Err(too_much("a frequency of at most the estimate", by, held));
            }
            cells::lower(table, size, key, params, by);
        }
    }
    lower_total(state, by);
    Ok(())
}

/// Lowers the count of a key that has as much. Without a count a key is none.
fn lower_entry(state: &mut [u8], key: u64, by: u64) {
    let table = &mut state[HEAD_LEN..];
    let Some(slot) = hash_set::held::<SLOT>(table, key) else { return };
    let left = entries::count(table, slot).saturating_sub(by);
    if left > 0 {
        entries::set_count(table, slot, left);
    } else {
        hash_set::remove::<SLOT>(table, slot);
        let count = count(state);
        set_count(state, count - 1);
    }
}

/// Lowers the total. A state without values has no class, and is a list again.
fn lower_total(state: &mut [u8], by: u64) {
    let left = total(state).saturating_sub(by);
    set_total(state, left);
    if left == 0 {
        header::clear_class(state);
        if state[MODE_AT] != MOVING {
            state[MODE_AT] = LIST;
        }
    }
}

fn subtract_lists(state: &mut [u8], other: &Entries<'_>) -> Result<()> {
    let table = &state[HEAD_LEN..];
    let mut lacks = None;
    other.visit(|key, by| {
        let held = entries::find(table, key).unwrap_or(0);
        if held < by {
            lacks = Some(too_much("a frequency", by, held));
        }
        held >= by
    })?;
    match lacks {
        Some(error) => Err(error),
        None => other.visit(|key, by| {
            lower_entry(state, key, by);
            true
        }),
    }
}

fn subtract_entries(state: &mut [u8], other: &Entries<'_>) -> Result<()> {
    let (size, params) = (usize::from(state[MODE_AT]), params(state));
    let table = &mut state[HEAD_LEN..];
    let mut lacks = None;
    let mut taken = 0;
    let read = other.visit(|key, by| {
        let held = cells::least(table, size, key, params);
        if held < by {
            lacks = Some(too_much("a frequency of at most the estimate", by, held));
            return false;
        }
        cells::lower(table, size, key, params, by);
        taken += 1;
        true
    });
    if read.is_ok() && lacks.is_none() {
        return Ok(());
    }
    // What was read once is read alike again.
    let _ = other.visit(|key, by| {
        if taken > 0 {
            cells::raise(table, size, key, params, by);
            taken -= 1;
        }
        taken > 0
    });
    read.and(lacks.map_or(Ok(()), Err))
}

fn subtract_table(state: &mut [u8], other: &Table<'_>) -> Result<()> {
    let size = usize::from(state[MODE_AT]);
    let table = &mut state[HEAD_LEN..];
    match merge::change_table(table, size, other, cells::subtract, cells::add)? {
        true => Ok(()),
        false => Err(Error::new(
            ErrorKind::Mismatch,
            "cannot take a cms away from one in which a cell has less",
        )
        .with_hint(HINT)),
    }
}
