//! Adding one sketch to another.
//!
//! A merge adds, so that taking something in twice would count it twice. It either takes in
//! everything, or asks for room before it takes anything; where it finds only on the way that a
//! cell is too small or that bytes are malformed, it takes out again what it has taken in.

use super::cells;
use super::entries;
use super::state::*;
use super::table::Table;
use super::view::{Body, CmsRef, Entries};
use super::working::{cell_above_total, cell_size_of_list, needs_wider, put, reserve};
use crate::codec::header;
use crate::error::Result;
use crate::simd;
use crate::sketch::Fit;

/// Adds a sketch. Where that fails, the head of the state may have changed.
pub(super) fn merge(state: &mut [u8], other: &CmsRef<'_>) -> Result<Fit> {
    let (own, is_empty) = (params(state), total(state) == 0);
    if other.is_empty() {
        if is_empty {
            set_params(state, own.of_empty(other.params));
        }
        return Ok(Fit::Done);
    }
    if own != other.params {
        if !is_empty {
            return Err(own.mismatch(other.params));
        }
        set_params(state, other.params);
    }
    header::meet_class(state, other.class())?;
    let sum = total(state) + other.total;
    if sum > i64::MAX as u64 {
        return Err(total_limit(total(state), other.total));
    }
    let is_list = matches!(state[MODE_AT], LIST | MOVING);
    let fit = match &other.body {
        Body::Entries(entries) if is_list => merge_lists(state, entries, other.total)?,
        Body::Entries(entries) => add_entries(state, entries, other.total)?,
        Body::Table(table) if is_list => {
            let size = cell_size_of_list(state).max(table.cell_size());
            Fit::Needs(state_len_of_cells(other.params, size))
        }
        Body::Table(table) => {
            let (size, params) = (usize::from(state[MODE_AT]), params(state));
            match add_table(&mut state[HEAD_LEN..], size, table)? {
                true => Fit::Done,
                false if size == 8 => return Err(cell_above_total()),
                false => Fit::Needs(state_len_of_cells(params, table.cell_size().max(2 * size))),
            }
        }
    };
    if fit == Fit::Done {
        set_total(state, sum);
    }
    Ok(fit)
}

fn merge_lists(state: &mut [u8], other: &Entries<'_>, total: u64) -> Result<Fit> {
    let table = &state[HEAD_LEN..];
    let mut new = 0;
    let mut left = total;
    let mut valid = true;
    other.visit(|key, by| {
        new += usize::from(entries::find(table, key).is_none());
        valid = by > 0 && by <= left;
        left = left.wrapping_sub(by);
        valid
    })?;
    if !valid || left > 0 {
        return Err(wrong_entries());
    }
    if let Fit::Needs(len) = reserve(state, new)? {
        return Ok(Fit::Needs(len));
    }
    let table = &mut state[HEAD_LEN..];
    other.visit(|key, by| {
        put(table, key, by);
        true
    })?;
    let count = count(state);
    set_count(state, count + new);
    Ok(Fit::Done)
}

/// Adds a list to cells.
fn add_entries(state: &mut [u8], other: &Entries<'_>, total: u64) -> Result<Fit> {
    let (size, params) = (usize::from(state[MODE_AT]), params(state));
    let table = &mut state[HEAD_LEN..];
    let mut fit = Ok(Fit::Done);
    let mut left = total;
    let mut taken = 0;
    let read = other.visit(|key, by| {
        if by == 0 || by > left {
            fit = Err(wrong_entries());
        } else if cells::raise(table, size, key, params, by) {
            taken += 1;
            left -= by;
        } else {
            fit = needs_wider(table, size, key, params, by);
        }
        fit == Ok(Fit::Done)
    });
    let fit = match read.and(fit) {
        Ok(Fit::Done) if left == 0 => return Ok(Fit::Done),
        Ok(Fit::Done) => Err(wrong_entries()),
        failed => failed,
    };
    // What was read once is read alike again.
    let _ = other.visit(|key, by| {
        if taken > 0 {
            cells::lower(table, size, key, params, by);
            taken -= 1;
        }
        taken > 0
    });
    fit
}

/// Adds a table to cells; says whether they held all sums. If not, nothing has changed.
pub(super) fn add_table(own: &mut [u8], size: usize, other: &Table<'_>) -> Result<bool> {
    change_table(own, size, other, cells::add, cells::subtract)
}

/// Changes cells by a table; where that is not possible for all, undoes it.
#[inline(always)]
pub(super) fn change_table(
    own: &mut [u8],
    size: usize,
    other: &Table<'_>,
    change: impl Fn(&mut [u8], usize, usize, &[u64]) -> bool,
    undo: impl Fn(&mut [u8], usize, usize, &[u64]) -> bool,
) -> Result<bool> {
    let mut end = 0;
    let mut possible = true;
    let read = simd::dispatch(
        #[inline(always)]
        || {
            other.visit(
                #[inline(always)]
                |start, counts| {
                    possible = change(own, size, start, counts);
                    end = start + counts.len();
                    possible
                },
            )
        },
    );
    if read.is_ok() && possible {
        return Ok(true);
    }
    // What was read once is read alike again.
    let _ = other.visit(|start, counts| {
        if start < end {
            undo(own, size, start, counts);
        }
        start < end
    });
    read.map(|()| false)
}
