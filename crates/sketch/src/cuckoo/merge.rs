//! The union with another filter, by what that one holds.

use super::change;
use super::head::{self, Mode, TABLE_AT};
use super::list::{List, doubled_len};
use super::rest::miscounted;
use super::table::{Buckets, Table};
use super::view::{Cells, gathered as hashes};
use super::working::{gather_len, reserve_gathered};
use crate::error::{Error, Result};
use crate::hash_set::{self, Place};
use crate::sketch::Fit;

/// Unites what two aggregates have gathered.
pub(super) fn gathered(state: &mut [u8], table: &[u8], said: usize) -> Result<Fit> {
    let own = &state[TABLE_AT..];
    let is_new = |&key: &u64| matches!(hash_set::find::<8>(own, key), Place::Free(_));
    let keys = hashes(table);
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

/// Takes in a list.
pub(super) fn cells(state: &mut [u8], cells: Cells<'_>) -> Result<Fit> {
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

/// Takes in a table.
pub(super) fn table(state: &mut [u8], other: Buckets<'_>, said: usize) -> Result<Fit> {
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
    if count != said {
        return Err(miscounted(count, said));
    }
    head::set_count(state, count);
    Ok(Fit::Done)
}
