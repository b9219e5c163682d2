//! Adding and removing single values, and subtracting a filter.

use super::geometry::{Entry, MAX_COPIES};
use super::head::{self, Mode, TABLE_AT};
use super::list::{List, doubled_len};
use super::table::Table;
use super::view::{Body, still_gathering};
use super::working::{Cuckoo, refused, table_state_len};
use super::{CuckooRef, Params};
use crate::codec::header;
use crate::error::Result;
use crate::hash::ValueClass;
use crate::sketch::Fit;

impl Cuckoo {
    /// Adds one copy of a value, given its class and hash, to a thawed state. Where no room is
    /// found for it, and for a ninth copy, this is an error of kind
    /// [`Limit`](crate::ErrorKind::Limit), and the state is what it was.
    pub fn add(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        add(state, class, hash, MAX_COPIES)
    }

    /// Adds a value unless it seems present already.
    pub fn add_if_absent(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        add(state, class, hash, 0)
    }

    /// Takes away one copy of a value; returns whether there was one. If none was, nothing
    /// changes. Remove only what was added: a value that merely seems present takes the copy of
    /// another.
    pub fn remove(state: &mut [u8], class: ValueClass, hash: u64) -> Result<bool> {
        let params = thawed(state)?;
        header::expect_value(state, class)?;
        let geometry = params.geometry();
        let entry = geometry.entry(hash);
        let count = head::count(state) as usize;
        let removed = if head::mode(state) == Mode::Table {
            Table { geometry, bytes: &mut state[TABLE_AT..] }.remove(entry)
        } else {
            let mut list = List::of_state(state, count);
            let (at, copies) = list.find(geometry.cell(entry));
            if copies > 0 {
                list.remove(at);
            }
            copies > 0
        };
        if removed {
            lower(state, count - 1);
        }
        Ok(removed)
    }

    /// Takes away everything that another filter holds: for each copy in it one copy, where there
    /// is one. Both must have the same parameters, unless one is empty.
    pub fn subtract(state: &mut [u8], bytes: &[u8]) -> Result<()> {
        let params = thawed(state)?;
        let other = CuckooRef::parse(bytes)?;
        let count = head::count(state) as usize;
        if other.is_empty() || count == 0 {
            return Ok(());
        }
        if other.is_gathering() {
            return Err(still_gathering());
        }
        if params != other.head.params {
            return Err(params.mismatch(&other.head.params));
        }
        header::meet_class(state, other.class())?;
        let left = match head::mode(state) {
            Mode::Table => subtract_from_table(state, params, &other, count)?,
            _ => subtract_from_list(state, params, &other, count)?,
        };
        lower(state, left);
        Ok(())
    }
}

fn subtract_from_table(
    state: &mut [u8],
    params: Params,
    other: &CuckooRef<'_>,
    mut count: usize,
) -> Result<usize> {
    // All of it is read once, so that nothing is changed if some of it is malformed.
    other.visit(|_, _| Ok(true))?;
    let mut table = Table { geometry: params.geometry(), bytes: &mut state[TABLE_AT..] };
    other.visit(|entry, copies| {
        let removed = (0..copies).take_while(|_| table.remove(entry)).count();
        count -= removed;
        Ok(true)
    })?;
    Ok(count)
}

fn subtract_from_list(
    state: &mut [u8],
    params: Params,
    other: &CuckooRef<'_>,
    count: usize,
) -> Result<usize> {
    other.visit(|_, _| Ok(true))?;
    let geometry = params.geometry();
    let mut list = List::of_state(state, count);
    match &other.body {
        Body::Table(table) => list.retain(|cell, copies| {
            let removed = table.copies(geometry.of_cell(cell)).unwrap_or(0);
            copies.saturating_sub(removed)
        }),
        Body::Cells(cells) => {
            let mut cells = cells.clone().filter_map(Result::ok).peekable();
            list.retain(|cell, copies| {
                while cells.next_if(|&(removed, _)| removed < cell).is_some() {}
                let removed = cells.next_if(|&(removed, _)| removed == cell);
                copies.saturating_sub(removed.map_or(0, |(_, removed)| removed))
            });
        }
        Body::Gathered(_) => return Err(still_gathering()),
    }
    Ok(list.count())
}

/// The parameters of a state that takes single values.
fn thawed(state: &[u8]) -> Result<Params> {
    match head::mode(state) {
        Mode::Gather => Err(still_gathering()),
        _ => Ok(head::params_of(state)),
    }
}

/// Sets a number of copies that has fallen, with which a table may become possible.
fn lower(state: &mut [u8], count: usize) {
    head::set_count(state, count);
    if head::mode(state) != Mode::Table {
        head::set_mode(state, Mode::Cells);
    }
}

/// Adds one copy of a value of which there are at most so many.
fn add(state: &mut [u8], class: ValueClass, hash: u64, at_most: usize) -> Result<Fit> {
    let params = thawed(state)?;
    header::expect_value(state, class)?;
    let geometry = params.geometry();
    let entry = geometry.entry(hash);
    let count = head::count(state) as usize;
    if head::mode(state) == Mode::Table {
        let mut table = Table { geometry, bytes: &mut state[TABLE_AT..] };
        if at_most < MAX_COPIES && table.buckets().copies(entry)? > at_most {
            return Ok(Fit::Done);
        }
        table.insert(entry).map_err(|refusal| refused(refusal, params, count))?;
    } else {
        let mut list = List::of_state(state, count);
        let cell = geometry.cell(entry);
        let (at, copies) = list.find(cell);
        if copies > at_most {
            return Ok(Fit::Done);
        }
        if copies == MAX_COPIES {
            return Err(params.too_many_copies());
        }
        if count >= geometry.max_listed() {
            return needs_table(state);
        }
        if count >= list.room() {
            return Ok(Fit::Needs(doubled_len(count + 1)));
        }
        list.insert(at, cell);
    }
    head::set_count(state, count + 1);
    header::meet_value(state, class)?;
    Ok(Fit::Done)
}

/// Puts copies of an entry into a table until there are so many.
pub(super) fn raise(state: &mut [u8], entry: Entry, copies: usize) -> Result<()> {
    let params = head::params_of(state);
    let mut count = head::count(state) as usize;
    let mut table = Table { geometry: params.geometry(), bytes: &mut state[TABLE_AT..] };
    let own = table.buckets().copies(entry)?;
    for _ in own..copies {
        table.insert(entry).map_err(|refusal| refused(refusal, params, count))?;
        count += 1;
    }
    head::set_count(state, count);
    Ok(())
}

/// Asks for a table in place of a list, unless that was tried in vain.
pub(super) fn needs_table(state: &mut [u8]) -> Result<Fit> {
    let params = head::params_of(state);
    match head::mode(state) {
        Mode::Stuck => Err(params.full(head::count(state) as usize)),
        _ => {
            head::set_mode(state, Mode::Promote);
            Ok(Fit::Needs(table_state_len(params)))
        }
    }
}

/// Makes a table of a list. Where that cannot be done, which takes more copies in few buckets than
/// these hold, the list stays and remembers it: growing has no way to fail.
pub(super) fn promote(state: &[u8], bigger: &mut [u8]) {
    let geometry = head::params_of(state).geometry();
    let words = &state[TABLE_AT..].as_chunks::<8>().0[..head::count(state) as usize];
    let mut table = Table { geometry, bytes: &mut bigger[TABLE_AT..] };
    let all_fit =
        words.iter().all(|&word| table.insert(geometry.of_cell(u64::from_le_bytes(word))).is_ok());
    if all_fit {
        head::set_mode(bigger, Mode::Table);
    } else {
        bigger[TABLE_AT..].fill(0);
        bigger[TABLE_AT..].as_chunks_mut::<8>().0[..words.len()].copy_from_slice(words);
        head::set_mode(bigger, Mode::Stuck);
    }
}
