//! The union with another filter, by what that one holds.

use super::change;
use super::head::{self, Mode, TABLE_AT};
use super::list::{List, doubled_len};
use super::rest::miscounted;
use super::table::{Buckets, Table};
use super::view::Cells;
use crate::error::Result;
use crate::sketch::Fit;

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
