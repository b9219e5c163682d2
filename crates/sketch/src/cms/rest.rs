//! Bringing to rest: the canonical form of what a sketch holds.

use super::entries::{self, SLOT};
use super::packed::{self, PackedWriter};
use super::state::wrong_entries;
use super::table::Table;
use super::view::{Body, CmsRef, Entries, MAX_HEAD_LEN};
use super::{Params, cells};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};

/// Enough bytes for [`write`].
pub(super) fn bound(sketch: &CmsRef<'_>) -> usize {
    let params = sketch.params;
    match sketch.body {
        Body::Entries(Entries::Slots(count, _)) if count > params.max_entries() => {
            // The cells lie behind what is written until they are.
            let size = cells::size_for(sketch.total);
            MAX_HEAD_LEN + packed::max_len(params.cells(), size) + params.cells() * size
        }
        // So do the entries, to be sorted.
        Body::Entries(Entries::Slots(count, _)) => {
            MAX_HEAD_LEN + params::MAX_COUNT_LEN + entries::max_len(count) + SLOT * count
        }
        Body::Table(Table::Cells(count, size, _)) => MAX_HEAD_LEN + packed::max_len(count, size),
        // No encoding is shorter than the canonical one.
        Body::Entries(Entries::Listed(..)) | Body::Table(Table::Packed(_)) => sketch.byte_len(),
    }
}

/// Writes a sketch in its form for rest.
pub(super) fn write(sketch: &CmsRef<'_>, out: &mut [u8]) -> Result<usize> {
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
