//! Changing a state by another sketch.
//!
//! A change adds up, so that taking something in twice would count it twice. It is made in full or
//! not at all: where it finds only on the way that a cell is too small or that bytes are malformed,
//! it undoes what it has done.

use super::cells::{self, Change};
use super::state::{CmsState, wrong_entries};
use super::table::{Body, Entries, Part};
use super::view::CmsRef;
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::simd;
use crate::sketch::{Fit, View};

/// A part of a sketch that a state cannot take.
pub(super) struct Refusal {
    /// The key, if it is one.
    pub key: Option<u64>,
    /// The largest count.
    pub by: u64,
}

/// Adds a sketch.
pub(super) fn merge(state: &mut CmsState, other: &CmsRef<'_>) -> Result<Fit> {
    let (own, is_empty) = (state.params(), state.total() == 0);
    if other.is_empty() {
        if is_empty {
            state.set_params(own.of_empty(other.params));
        }
        return Ok(Fit::Done);
    }
    if own != other.params && !is_empty {
        return Err(own.mismatch(other.params));
    }
    ValueClass::unite(state.class()?, other.class())?;
    let total = state.total_with(other.total)?;
    state.set_params(other.params);
    let fit = add(state, other);
    match &fit {
        Ok(Fit::Done) => {
            state.meet_class(other.class())?;
            state.fields.total.set(total);
        }
        Ok(Fit::Needs(_)) => {}
        Err(_) => state.set_params(own),
    }
    fit
}

/// Adds what a sketch of the same parameters holds.
fn add(state: &mut CmsState, other: &CmsRef<'_>) -> Result<Fit> {
    if state.is_list() {
        match &other.body {
            Body::Entries(entries) => {
                if let Fit::Needs(growth) = reserve(state, entries)? {
                    return Ok(Fit::Needs(growth));
                }
            }
            Body::Table(_) => {
                let size = state.cell_size().max(other.mode.into());
                return Ok(Fit::Needs(CmsState::cells(other.params, size)));
            }
        }
    }
    match change(state, other, Change::Add)? {
        None => Ok(Fit::Done),
        Some(_) if state.is_list() => Err(wrong_entries()),
        Some(refusal) => widen(state, refusal.by),
    }
}

/// Whether a list has room for others, or what it is to become.
fn reserve(state: &CmsState, others: &Entries<'_>) -> Result<Fit> {
    if let Ok(Fit::Done) = state.reserve(others.count()) {
        return Ok(Fit::Done);
    }
    // Keys that both have need no room.
    let mut new = 0;
    others.visit(|key, _| {
        new += usize::from(state.find(key).is_none());
        true
    })?;
    state.reserve(new)
}

/// What a table needs whose cells do not hold a sum. The widest hold all that a total allows, so
/// that only damaged bytes, merged unchecked, bring a state to where they do not.
#[cold]
pub(super) fn widen(state: &CmsState, by: u64) -> Result<Fit> {
    if state.mode == 8 {
        return Err(Error::bytes("a cell exceeds the total"));
    }
    let size = cells::size_for(by).max(2 * usize::from(state.mode));
    Ok(Fit::Needs(CmsState::cells(state.params(), size)))
}

/// Changes a state by all that a sketch of the same parameters holds. A list is only changed by
/// entries, and has room for them.
pub(super) fn change(
    state: &mut CmsState,
    other: &CmsRef<'_>,
    change: Change,
) -> Result<Option<Refusal>> {
    let (mut done, mut sum) = (0, 0u64);
    let mut refusal = None;
    let read = simd::dispatch(
        #[inline(always)]
        || {
            other.body.visit(
                #[inline(always)]
                |part| {
                    if !step(state, &part, change) {
                        refusal = Some(part.refused());
                        return false;
                    }
                    if let Part::Entry(_, by) = part {
                        // No entry has a count of 0, nor can such a sum be the total.
                        sum = if by == 0 { u64::MAX } else { sum.saturating_add(by) };
                    }
                    done += 1;
                    true
                },
            )
        },
    );
    let is_whole = match &other.body {
        Body::Entries(entries) => (done, sum) == (entries.count(), other.total),
        Body::Table(_) => true,
    };
    if read.is_ok() && refusal.is_none() && is_whole {
        return Ok(None);
    }
    // What was read once is read alike again.
    let _ = other.body.visit(|part| {
        if done > 0 {
            step(state, &part, change.undone());
            done -= 1;
        }
        done > 0
    });
    read?;
    if refusal.is_none() { Err(wrong_entries()) } else { Ok(refusal) }
}

/// Changes a state by a part of a sketch; says whether it could. If not, nothing has changed.
#[inline(always)]
pub(super) fn step(state: &mut CmsState, part: &Part<'_>, change: Change) -> bool {
    let size = usize::from(state.mode);
    match *part {
        Part::Entry(_, 0) => true,
        Part::Entry(key, by) if state.is_list() => match change {
            Change::Add => state.raise_entry(key, by),
            Change::Take => state.lower_entry(key, by),
        },
        Part::Entry(key, by) => {
            let positions = cells::positions(key, state.params());
            cells::change_key(&mut state.body, size, positions, change, by)
        }
        Part::Block(start, counts) => {
            cells::change_block(&mut state.body, size, start, change, counts)
        }
    }
}

impl Part<'_> {
    fn refused(&self) -> Refusal {
        match *self {
            Part::Entry(key, by) => Refusal { key: Some(key), by },
            Part::Block(_, counts) => {
                Refusal { key: None, by: counts.iter().copied().fold(0, u64::max) }
            }
        }
    }
}
