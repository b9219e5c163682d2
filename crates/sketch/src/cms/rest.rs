//! The forms at rest.

use super::cells::{self, Change};
use super::entries::{self, ListWriter, SLOT};
use super::merge;
use super::packed::{self, PackedWriter};
use super::params::{MAX_HEAD_LEN, Params};
use super::state::{CmsState, wrong_entries, zeroed};
use super::table::{Body, Entries, Table};
use super::view::CmsRef;
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::interrupt::Pace;
use crate::sketch::View;

/// Enough bytes for [`write`].
pub(super) fn bound(sketch: &CmsRef<'_>) -> usize {
    let (params, cells) = (sketch.params, sketch.params.cells());
    match &sketch.body {
        Body::Entries(entries) if entries.count() > params.max_entries() => {
            MAX_HEAD_LEN + packed::max_len(cells, cells::size_for(sketch.total))
        }
        Body::Entries(Entries::Slots(count, _)) => {
            MAX_HEAD_LEN + params::MAX_COUNT_LEN + entries::max_len(*count)
        }
        Body::Table(Table::Cells { size, .. }) => MAX_HEAD_LEN + packed::max_len(cells, *size),
        // No encoding is shorter than the canonical one.
        Body::Entries(Entries::Listed(..)) | Body::Table(Table::Packed(_)) => sketch.byte_len(),
    }
}

/// Writes a sketch in its form for rest.
pub(super) fn write(sketch: &CmsRef<'_>, out: &mut [u8]) -> Result<usize> {
    match &sketch.body {
        Body::Entries(entries) if entries.count() > sketch.params.max_entries() => {
            write_as_table(sketch, out)
        }
        Body::Entries(entries) => write_entries(sketch, entries, out),
        Body::Table(table) => write_table(sketch, table, out),
    }
}

fn write_entries(sketch: &CmsRef<'_>, entries: &Entries<'_>, out: &mut [u8]) -> Result<usize> {
    let sorted = entries.sorted()?;
    let sum = sorted.iter().fold(0u64, |sum, &(_, count)| sum.saturating_add(count));
    if (sorted.len(), sum) != (entries.count(), sketch.total)
        || !sorted.is_sorted_by(|(a, _), (b, _)| a < b)
        || sorted.iter().any(|&(_, count)| count == 0)
    {
        return Err(wrong_entries());
    }
    if sorted.is_empty() {
        return Ok(write_head(sketch, Form::Empty, out));
    }
    let mut at = write_head(sketch, Form::Sparse, out);
    at += params::write(sorted.len() as u32, &mut out[at..]);
    let mut writer = ListWriter::new(&mut out[at..], sorted.len());
    let mut pace = Pace::default();
    for (key, count) in sorted {
        writer.push(key, count);
        pace.step(SLOT);
    }
    Ok(at + writer.byte_len())
}

/// Writes the table of a list that is too long for the sparse form.
fn write_as_table(sketch: &CmsRef<'_>, out: &mut [u8]) -> Result<usize> {
    let growth = CmsState::cells(sketch.params, cells::size_for(sketch.total));
    let mut table = zeroed(growth.len)?;
    let table = CmsState::of(&mut table);
    table.make(sketch.params, growth.mode);
    if merge::change(table, sketch, Change::Add)?.is_some() {
        return Err(wrong_entries());
    }
    write_table(sketch, &Table::of_state(table), out)
}

fn write_table(sketch: &CmsRef<'_>, table: &Table<'_>, out: &mut [u8]) -> Result<usize> {
    if sketch.is_empty() {
        return Err(Error::bytes("a table without values"));
    }
    let at = write_head(sketch, Form::Dense, out);
    let width = sketch.params.width();
    let mut writer = PackedWriter::new(&mut out[at..], sketch.params.cells());
    let (mut sum, mut left) = (0u64, width);
    let mut is_valid = true;
    table.visit(|_, mut counts| {
        let block = counts;
        while !counts.is_empty() {
            let (row, next) = counts.split_at(left.min(counts.len()));
            sum = row.iter().fold(sum, |sum, &count| sum.saturating_add(count));
            left -= row.len();
            counts = next;
            if left == 0 {
                is_valid &= sum == sketch.total;
                (sum, left) = (0, width);
            } else {
                is_valid &= sum <= sketch.total;
            }
        }
        // Counts above the total may be more than a block can hold.
        if is_valid {
            writer.push(block);
        }
        is_valid
    })?;
    if !is_valid {
        return Err(Error::bytes("the cells of a row do not add up to the total"));
    }
    Ok(at + writer.byte_len())
}

/// Writes what stands before the entries or cells; returns its length.
fn write_head(sketch: &CmsRef<'_>, form: Form, out: &mut [u8]) -> usize {
    let head = Header { form, class: sketch.class() }.to_bytes(SketchType::Cms);
    out[..head.len()].copy_from_slice(&head);
    let mut at = head.len();
    at += sketch.params.write(&mut out[at..]);
    if form != Form::Empty {
        at += params::write(sketch.total, &mut out[at..]);
    }
    at
}

/// How many bytes a sketch with a table takes at rest after `total` values, give or take a tenth:
/// a cell costs about as many bits as the mean count has, and 1.5 more.
///
/// ```
/// use sketch::cms::{Params, full_len};
/// assert_eq!(full_len(Params::DEFAULT, 1_000_000), 17_377);
/// ```
pub fn full_len(params: Params, total: u64) -> usize {
    let mean = total as f64 / params.width() as f64;
    let bits = libm::log2(mean + 1.0) + 1.5 * mean.min(1.0);
    let cells = params.cells();
    MAX_HEAD_LEN + packed::directory_len(cells) + (cells as f64 * bits / 8.0) as usize
}

/// The most bytes that a sketch takes at rest after `total` values.
///
/// ```
/// use sketch::cms::{Params, full_len, max_len};
/// assert!(max_len(Params::DEFAULT, 1_000_000) > full_len(Params::DEFAULT, 1_000_000));
/// ```
pub fn max_len(params: Params, total: u64) -> usize {
    let bits = 64 - total.leading_zeros() as usize;
    let cells = params.cells();
    MAX_HEAD_LEN + packed::directory_len(cells) + (cells * bits).div_ceil(8)
}
