//! Building and merging.
//!
//! The working form is 28 bytes and a table:
//!
//! | offset | what |
//! | --- | --- |
//! | 0 | the header |
//! | 3 | the mode: 0 a list, 1, 2, 4 or 8 cells of so many bytes, 128 a moving list |
//! | 4 | the number of entries of a list (u32), else 0 |
//! | 8 | the total (u64) |
//! | 16 | the width (u32), the depth (u8) |
//! | 21 | seven bytes to spare, 0 |
//! | 28 | the slots of the list, or the cells |
//!
//! The length of a list, with the four bytes that a server puts before it, is a power of two, the
//! size in which memory comes; behind the head it is a multiple of 16. That of a table is eight
//! bytes more than such a multiple behind the head, so that the length alone tells what a state is
//! to become.
//!
//! A merge adds, so that taking something in twice would count it twice. It either takes in
//! everything, or asks for room before it takes anything; where it finds only on the way that a
//! cell is too small or that bytes are malformed, it takes out again what it has taken in.

use super::entries::{self, SLOT};
use super::packed::{self, PackedWriter};
use super::view::{Body, CmsRef, Entries, MAX_HEAD_LEN, Table};
use super::{Params, cells};
use crate::codec::header::CLASS_AT;
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::hash_set::{self, Place};
use crate::simd;
use crate::sketch::{Fit, Sketch};

/// The frequency sketch; [`Sketch`] has what it does, [`change`](super::change) the rest.
pub struct Cms;

pub(super) const MODE_AT: usize = header::LEN;
pub(super) const COUNT_AT: usize = 4;
pub(super) const TOTAL_AT: usize = 8;
pub(super) const WIDTH_AT: usize = 16;
pub(super) const DEPTH_AT: usize = 20;
pub(super) const SPARE_AT: usize = 21;
pub(super) const HEAD_LEN: usize = 28;

/// The mode of a list; that of a table is the size of its cells.
pub(super) const LIST: u8 = 0;
/// The mode of a list that is as long as it must be.
pub(super) const MOVING: u8 = 128;

/// With a length word of four bytes, 64.
const INITIAL_LEN: usize = 60;

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
        let sketch = CmsRef::parse(bytes)?;
        let params = sketch.params;
        Ok(match sketch.body {
            Body::Entries(Entries::Slots(count, _)) if count > params.max_entries() => {
                // The cells lie behind what is written until they are.
                let size = cells::size_for(sketch.total);
                MAX_HEAD_LEN + packed::max_len(params.cells(), size) + params.cells() * size
            }
            // So do the entries, to be sorted.
            Body::Entries(Entries::Slots(count, _)) => {
                MAX_HEAD_LEN + params::MAX_COUNT_LEN + entries::max_len(count) + SLOT * count
            }
            Body::Table(Table::Cells(count, size, _)) => {
                MAX_HEAD_LEN + packed::max_len(count, size)
            }
            // No encoding is shorter than the canonical one.
            Body::Entries(Entries::Listed(..)) | Body::Table(Table::Packed(_)) => bytes.len(),
        })
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        rest(&CmsRef::parse(bytes)?, out)
    }
}

impl Cms {
    /// Adds a value `by` times, from 1 to 2^63 - 1.
    #[inline(always)]
    pub(super) fn raise(state: &mut [u8], class: ValueClass, hash: u64, by: u64) -> Result<Fit> {
        if state[CLASS_AT] != class as u8 {
            meet_value(state, class)?;
        }
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
fn needs_wider(table: &[u8], size: usize, key: u64, params: Params, by: u64) -> Result<Fit> {
    if size == 8 {
        return Err(cell_above_total());
    }
    let largest = cells::largest(table, size, key, params).saturating_add(by);
    Ok(Fit::Needs(state_len_of_cells(params, cells::size_for(largest))))
}

fn cell_above_total() -> Error {
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
fn put(table: &mut [u8], key: u64, by: u64) {
    let (Place::Held(slot) | Place::Free(slot)) = hash_set::insert::<SLOT>(table, key);
    let count = entries::count(table, slot);
    entries::set_count(table, slot, count.wrapping_add(by));
}

/// Whether a list has room for so many keys more, or what it needs.
fn reserve(state: &[u8], more: usize) -> Result<Fit> {
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
fn cell_size_of_list(state: &[u8]) -> usize {
    cells::size_for(cells::bound(entries::iter(&state[HEAD_LEN..]), params(state)))
}

/// Adds a sketch. Where that fails, the head of the state may have changed.
fn merge(state: &mut [u8], other: &CmsRef<'_>) -> Result<Fit> {
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
    let class = ValueClass::unite(ValueClass::from_stored(state[CLASS_AT])?, other.class())?;
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
        state[CLASS_AT] = class.map_or(0, |class| class as u8);
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
fn add_table(own: &mut [u8], size: usize, other: &Table<'_>) -> Result<bool> {
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

/// Writes a sketch in its form for rest.
fn rest(sketch: &CmsRef<'_>, out: &mut [u8]) -> Result<usize> {
    let params = sketch.params;
    match &sketch.body {
        Body::Entries(entries) if entries.count() > params.max_entries() => {
            let size = cells::size_for(sketch.total);
            let at = out.len() - params.cells() * size;
            let (out, table) = out.split_at_mut(at);
            let mut distinct = 0;
            let mut fits = true;
            entries.visit(|key, count| {
                distinct += 1;
                fits = count > 0 && cells::raise(table, size, key, params, count);
                fits
            })?;
            if !fits || distinct != entries.count() {
                return Err(wrong_entries());
            }
            rest_table(sketch, &Table::Cells(params.cells(), size, table), out)
        }
        Body::Entries(entries) => rest_entries(sketch, entries, out),
        Body::Table(table) => rest_table(sketch, table, out),
    }
}

fn rest_entries(sketch: &CmsRef<'_>, entries: &Entries<'_>, out: &mut [u8]) -> Result<usize> {
    let form = if sketch.is_empty() { Form::Empty } else { Form::Sparse };
    let mut at = write_head(sketch, form, out);
    let count = entries.count();
    if count > 0 {
        at += params::write(count as u32, &mut out[at..]);
    }
    let (mut sum, mut distinct, mut last) = (0u64, 0, 0);
    let mut valid = true;
    let mut check = |key: u64, count: u64| {
        sum = sum.saturating_add(count);
        distinct += 1;
        valid &= key > last && count > 0;
        last = key;
        valid
    };
    match *entries {
        Entries::Listed(..) => {
            let mut writer = entries::ListWriter::new(&mut out[at..], count);
            entries.visit(|key, count| {
                let valid = check(key, count);
                writer.push(key, count);
                valid
            })?;
            at += writer.byte_len();
        }
        Entries::Slots(_, table) => {
            let scratch = out.len() - SLOT * count;
            let (out, sorted) = out.split_at_mut(scratch);
            let sorted = sorted.as_chunks_mut::<SLOT>().0;
            let mut free = sorted.iter_mut();
            for slot in table.as_chunks::<SLOT>().0.iter().filter(|slot| slot[..8] != [0; 8]) {
                match free.next() {
                    Some(free) => *free = *slot,
                    None => return Err(wrong_entries()),
                }
            }
            sorted.sort_unstable_by_key(|slot| u128::from_le_bytes(*slot) as u64);
            let mut writer = entries::ListWriter::new(&mut out[at..], count);
            for slot in &*sorted {
                let word = u128::from_le_bytes(*slot);
                let (key, count) = (word as u64, (word >> 64) as u64);
                if !check(key, count) {
                    break;
                }
                writer.push(key, count);
            }
            at += writer.byte_len();
        }
    }
    match valid && distinct == count && sum == sketch.total {
        true => Ok(at),
        false => Err(wrong_entries()),
    }
}

fn rest_table(sketch: &CmsRef<'_>, table: &Table<'_>, out: &mut [u8]) -> Result<usize> {
    if sketch.is_empty() {
        return Err(Error::bytes("a table without values"));
    }
    let at = write_head(sketch, Form::Dense, out);
    let width = sketch.params.width();
    let mut writer = PackedWriter::new(&mut out[at..], sketch.params.cells());
    let (mut sum, mut left) = (0u64, width);
    let mut valid = true;
    table.visit(|_, mut counts| {
        let block = counts;
        while !counts.is_empty() {
            let (row, next) = counts.split_at(left.min(counts.len()));
            sum = row.iter().fold(sum, |sum, &count| sum.saturating_add(count));
            left -= row.len();
            counts = next;
            if left == 0 {
                valid &= sum == sketch.total;
                (sum, left) = (0, width);
            } else {
                valid &= sum <= sketch.total;
            }
        }
        // Counts above the total may be more than a block can hold.
        if valid {
            writer.push(block);
        }
        valid
    })?;
    match valid {
        true => Ok(at + writer.byte_len()),
        false => Err(Error::bytes("the cells of a row do not add up to the total")),
    }
}

fn wrong_entries() -> Error {
    Error::bytes("the entries of the sketch are not as many, or do not add up to, what it says")
}

/// Writes what stands before the entries or cells; returns its length.
fn write_head(sketch: &CmsRef<'_>, form: Form, out: &mut [u8]) -> usize {
    let head = Header { form, class: sketch.class() }.to_bytes(SketchType::Cms);
    out[..head.len()].copy_from_slice(&head);
    let mut at = head.len();
    at += params::write(sketch.params, &mut out[at..]);
    if form != Form::Empty {
        at += params::write(sketch.total, &mut out[at..]);
    }
    at
}

/// How many bytes a sketch with a table takes at rest after so many values, give or take a tenth:
/// a cell costs about as many bits as the mean count has, and 1.5 more.
pub fn full_len(params: Params, total: u64) -> usize {
    let mean = total as f64 / params.width() as f64;
    let bits = libm::log2(mean + 1.0) + 1.5 * mean.min(1.0);
    let cells = params.cells();
    MAX_HEAD_LEN + packed::directory_len(cells) + (cells as f64 * bits / 8.0) as usize
}

/// The most bytes that a sketch takes at rest after so many values.
pub fn max_len(params: Params, total: u64) -> usize {
    let bits = 64 - total.leading_zeros() as usize;
    let cells = params.cells();
    MAX_HEAD_LEN + packed::directory_len(cells) + (cells * bits).div_ceil(8)
}

/// The length of a list's state with room for so many entries.
fn state_len_of_list(count: usize) -> usize {
    let mut len = INITIAL_LEN;
    while hash_set::room::<SLOT>(len - HEAD_LEN) < count {
        len = (len + 4) * 2 - 4;
    }
    len
}

/// The length of a table's state, not less than that of a new state.
pub(super) fn state_len_of_cells(params: Params, size: usize) -> usize {
    let bytes = (params.cells() * size).max(INITIAL_LEN - HEAD_LEN);
    HEAD_LEN + (bytes + 7) / SLOT * SLOT + SLOT / 2
}

/// The size of the cells in so many bytes: the widest that find room.
fn cell_size_in(params: Params, len: usize) -> usize {
    cells::SIZES.into_iter().rfind(|size| params.cells() * size <= len).unwrap_or(1)
}

#[inline(always)]
pub(super) fn head(state: &mut [u8]) -> &mut [u8; HEAD_LEN] {
    state.first_chunk_mut().expect("a state has a head")
}

#[inline(always)]
fn word<const N: usize>(state: &[u8], at: usize) -> [u8; N] {
    state[..HEAD_LEN][at..].first_chunk().copied().unwrap_or([0; N])
}

#[inline(always)]
pub(super) fn params(state: &[u8]) -> Params {
    Params::of_state(u32::from_le_bytes(word(state, WIDTH_AT)), state[DEPTH_AT])
}

fn set_params(state: &mut [u8], params: Params) {
    state[WIDTH_AT..DEPTH_AT].copy_from_slice(&(params.width() as u32).to_le_bytes());
    state[DEPTH_AT] = params.depth() as u8;
}

#[inline(always)]
pub(super) fn total(state: &[u8]) -> u64 {
    u64::from_le_bytes(word(state, TOTAL_AT))
}

#[inline(always)]
pub(super) fn set_total(state: &mut [u8], total: u64) {
    state[TOTAL_AT..WIDTH_AT].copy_from_slice(&total.to_le_bytes());
}

#[inline]
pub(super) fn count(state: &[u8]) -> usize {
    u32::from_le_bytes(word(state, COUNT_AT)) as usize
}

#[inline]
pub(super) fn set_count(state: &mut [u8], count: usize) {
    state[COUNT_AT..TOTAL_AT].copy_from_slice(&(count as u32).to_le_bytes());
}

/// Gives a state the class of its first value, or says that the classes differ.
#[cold]
fn meet_value(state: &mut [u8], class: ValueClass) -> Result<()> {
    match ValueClass::from_stored(state[CLASS_AT])? {
        Some(held) => Err(class.mismatch(held)),
        None => {
            state[CLASS_AT] = class as u8;
            Ok(())
        }
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
