//! Building; the module `state` has the layout, and `merge` adds sketches.

use super::entries::{self, SLOT};
use super::merge::{add_table, merge};
use super::state::*;
use super::table::Table;
use super::view::{Body, CmsRef};
use super::{Params, cells, rest};
use crate::codec::{Form, Header, SketchType, header};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::hash_set::{self, Place};
use crate::sketch::{Fit, Sketch};

/// The frequency sketch; [`Sketch`] has what it does, [`change`](super::change) the rest.
pub struct Cms;

/// The most distinct values in a moving state: as many as half a gigabyte of slots takes, since a
/// whole one is more than a server holds in one value.
pub const MAX_MOVING: usize = 25_000_000;

impl Sketch for Cms {
    type Params = Params;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn initial_len(_: Params) -> usize {
        INITIAL_LEN
    }

    fn init(state: &mut [u8], params: Params) {
        let head = Header { form: Form::Working, class: None }.to_bytes(SketchType::Cms);
        state[..head.len()].copy_from_slice(&head);
        set_params(state, params);
    }

    #[inline(always)]
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        Cms::raise(state, class, hash, 1)
    }

    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit> {
        let other = CmsRef::parse(bytes)?;
        let before = *head(state);
        let fit = merge(state, &other);
        if fit.is_err() {
            *head(state) = before;
        }
        fit
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..HEAD_LEN].copy_from_slice(&state[..HEAD_LEN]);
        let params = params(state);
        let (from, to) = (&state[HEAD_LEN..], &mut bigger[HEAD_LEN..]);
        let entries = entries::iter(from);
        match (state[MODE_AT], to.len() % SLOT == 0) {
            (LIST | MOVING, true) => entries.for_each(|(key, count)| put(to, key, count)),
            (LIST | MOVING, false) => {
                let size = cell_size_in(params, to.len());
                for (key, count) in entries {
                    let fits = cells::raise(to, size, key, params, count);
                    debug_assert!(fits);
                }
                set_count(bigger, 0);
                bigger[MODE_AT] = size as u8;
            }
            (size, _) => {
                let new_size = cell_size_in(params, to.len());
                let table = Table::Cells(params.cells(), usize::from(size), from);
                let fits = add_table(to, new_size, &table);
                debug_assert_eq!(fits, Ok(true));
                bigger[MODE_AT] = new_size as u8;
            }
        }
    }

    fn thaw_len(bytes: &[u8]) -> Result<usize> {
        let sketch = CmsRef::parse(bytes)?;
        Ok(match sketch.body {
            Body::Entries(entries) => state_len_of_list(entries.count()),
            Body::Table(table) => state_len_of_cells(sketch.params, table.cell_size()),
        })
    }

    fn thaw(bytes: &[u8], state: &mut [u8]) -> Result<()> {
        let sketch = CmsRef::parse(bytes)?;
        Self::init(state, sketch.params);
        if sketch.is_exact() {
            // Until all is in: the list is not to become a table.
            state[MODE_AT] = MOVING;
        } else {
            state[MODE_AT] = cell_size_in(sketch.params, state.len() - HEAD_LEN) as u8;
        }
        match merge(state, &sketch)? {
            Fit::Done => {}
            Fit::Needs(_) => return Err(Error::bytes("a sketch holds more than it says")),
        }
        if sketch.is_exact() {
            state[MODE_AT] = if sketch.is_moving() { MOVING } else { LIST };
        }
        Ok(())
    }

    fn rest_bound(bytes: &[u8]) -> Result<usize> {
        Ok(rest::bound(&CmsRef::parse(bytes)?))
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        rest::write(&CmsRef::parse(bytes)?, out)
    }
}

impl Cms {
    /// Adds a value `by` times, from 1 to 2^63 - 1.
    #[inline(always)]
    pub(super) fn raise(state: &mut [u8], class: ValueClass, hash: u64, by: u64) -> Result<Fit> {
        header::meet_value(state, class)?;
        let Some(total) = total(state).checked_add(by).filter(|&sum| sum <= i64::MAX as u64) else {
            return Err(total_limit(total(state), by));
        };
        let key = entries::key_of(hash);
        let params = params(state);
        let fit = match state[MODE_AT] {
            LIST | MOVING => raise_entry(state, key, by)?,
            size => {
                let (size, table) = (usize::from(size), &mut state[HEAD_LEN..]);
                match cells::raise(table, size, key, params, by) {
                    true => Fit::Done,
                    false => needs_wider(table, size, key, params, by)?,
                }
            }
        };
        if fit == Fit::Done {
            set_total(state, total);
        }
        Ok(fit)
    }
}

/// What a table needs whose cells do not hold a count. The widest hold all that a total allows,
/// so that only damaged bytes, merged unchecked, bring a state to where they do not.
#[cold]
pub(super) fn needs_wider(
    table: &[u8],
    size: usize,
    key: u64,
    params: Params,
    by: u64,
) -> Result<Fit> {
    if size == 8 {
        return Err(cell_above_total());
    }
    let largest = cells::largest(table, size, key, params).saturating_add(by);
    Ok(Fit::Needs(state_len_of_cells(params, cells::size_for(largest))))
}

pub(super) fn cell_above_total() -> Error {
    Error::bytes("a cell exceeds the total")
}

/// Raises the count of a key in a list.
#[inline]
fn raise_entry(state: &mut [u8], key: u64, by: u64) -> Result<Fit> {
    let table = &mut state[HEAD_LEN..];
    match hash_set::find::<SLOT>(table, key) {
        Place::Held(slot) => {
            let count = entries::count(table, slot);
            entries::set_count(table, slot, count.wrapping_add(by));
            Ok(Fit::Done)
        }
        Place::Free(_) => {
            let fit = reserve(state, 1)?;
            if fit == Fit::Done {
                put(&mut state[HEAD_LEN..], key, by);
                let count = count(state);
                set_count(state, count + 1);
            }
            Ok(fit)
        }
    }
}

/// Adds to the count of a key in a table of slots that has room for it.
pub(super) fn put(table: &mut [u8], key: u64, by: u64) {
    let (Place::Held(slot) | Place::Free(slot)) = hash_set::insert::<SLOT>(table, key);
    let count = entries::count(table, slot);
    entries::set_count(table, slot, count.wrapping_add(by));
}

/// Whether a list has room for so many keys more, or what it needs.
pub(super) fn reserve(state: &[u8], more: usize) -> Result<Fit> {
    let params = params(state);
    let table = &state[HEAD_LEN..];
    let count = count(state) + more;
    if state[MODE_AT] == MOVING {
        if count > MAX_MOVING {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("more than {MAX_MOVING} distinct values in a moving frame"),
            )
            .with_hint("Make the frame shorter, or let it start at UNBOUNDED PRECEDING."));
        }
    } else if count > params.max_entries() {
        return Ok(Fit::Needs(state_len_of_cells(params, cell_size_of_list(state))));
    }
    match count <= hash_set::room::<SLOT>(table.len()) {
        true => Ok(Fit::Done),
        false => Ok(Fit::Needs(state_len_of_list(count))),
    }
}

/// The size of the cells of a list's table.
pub(super) fn cell_size_of_list(state: &[u8]) -> usize {
    cells::size_for(cells::bound(entries::iter(&state[HEAD_LEN..]), params(state)))
}
