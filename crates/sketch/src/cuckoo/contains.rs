//! One value looked up in a filter of any form, of which only a few bytes are read.

use super::geometry::{Geometry, SLOTS};
use super::head::{Head, Kind, MAX_LEN, Mode};
use super::packed;
use super::table::{check_bucket, working_bucket};
use crate::error::Result;
use crate::hash::ValueClass;
use crate::key_list;
use crate::source::{Source, check_range};

/// Whether a value, given its class and hash, seems present: always if it was added and not
/// removed since, else with a probability that [`error_rate`](super::CuckooRef::error_rate)
/// gives. The state of an aggregate answers exactly.
///
/// Of a dense filter the head and at most two buckets are read. An empty filter holds no value of
/// any class; any other refuses a value of another class.
#[inline]
pub fn contains(source: &mut impl Source, class: ValueClass, hash: u64) -> Result<bool> {
    Lookup::open(source)?.contains(source, class, hash)
}

/// The head of a filter, read and checked: what looking up many values in one filter need not do
/// again for each.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    head: Head,
    geometry: Geometry,
}

impl Lookup {
    /// Reads the head of a filter of any form.
    #[inline]
    pub fn open(source: &mut impl Source) -> Result<Self> {
        let total = source.byte_len();
        let head = Head::read(source.head(MAX_LEN)?, total)?;
        Ok(Lookup { head, geometry: head.params.geometry() })
    }

    /// Looks a value up in the filter that was opened, which must not have changed, as
    /// [`contains`] does.
    #[inline]
    pub fn contains(&self, source: &mut impl Source, class: ValueClass, hash: u64) -> Result<bool> {
        let Lookup { head, geometry } = self;
        if head.count == 0 {
            return Ok(false);
        }
        if let Some(held) = head.header.class
            && held != class
        {
            return Err(class.mismatch(held));
        }
        match head.kind {
            Kind::Empty => Ok(false),
            Kind::Packed => in_table(source, head.body, *geometry, true, hash),
            Kind::Working(Mode::Table) => in_table(source, head.body, *geometry, false, hash),
            Kind::Working(Mode::Gather) => is_gathered(source, head.body, hash),
            Kind::Working(Mode::Cells | Mode::Promote | Mode::Stuck) => {
                is_among(source, head, geometry.cell(geometry.entry(hash)))
            }
            Kind::List => {
                let key = geometry.key(geometry.cell(geometry.entry(hash)));
                let bits = geometry.key_bits();
                Ok(key_list::copies(source, head.body, head.count, bits, key)? > 0)
            }
        }
    }
}

#[inline]
fn in_table(
    source: &mut impl Source,
    table: usize,
    geometry: Geometry,
    is_packed: bool,
    hash: u64,
) -> Result<bool> {
    let entry = geometry.entry(hash);
    for bucket in [entry.bucket, geometry.partner(entry).bucket] {
        let bucket = match is_packed {
            true => {
                let (at, len, shift) = packed::place(geometry, bucket);
                packed::read(source.read(table + at, len)?, shift, geometry)?
            }
            false => {
                let len = SLOTS * Geometry::slot_len(geometry.bits);
                let bytes = source.read(table + len * bucket as usize, len)?;
                check_bucket(working_bucket(bytes, 0, geometry), geometry)?
            }
        };
        if bucket.contains(&entry.fingerprint) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn word(source: &mut impl Source, at: usize) -> Result<u64> {
    let bytes = source.read(at, 8)?;
    Ok(bytes.first_chunk().map_or(0, |&word| u64::from_le_bytes(word)))
}

/// Looks for a hash in the hash set of an aggregate. Its slots may come from outside, so no free
/// one is relied on.
fn is_gathered(source: &mut impl Source, table: usize, hash: u64) -> Result<bool> {
    check_range(table, 0, source.byte_len())?;
    let slots = (source.byte_len() - table) / 8;
    let first = ((u128::from(gather_key(hash)) * slots as u128) >> 64) as usize;
    for slot in (first..slots).chain(0..first) {
        match word(source, table + 8 * slot)? {
            0 => return Ok(false),
            held if held == gather_key(hash) => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}

/// What an aggregate keeps of a hash: all of it, but never 0.
#[inline]
pub(super) fn gather_key(hash: u64) -> u64 {
    hash.max(1)
}

/// Looks for a cell in a sorted array.
fn is_among(source: &mut impl Source, head: &Head, cell: u64) -> Result<bool> {
    let (mut from, mut to) = (0, head.count);
    while from < to {
        let middle = from.midpoint(to);
        match word(source, head.body + 8 * middle)? {
            held if held < cell => from = middle + 1,
            held if held > cell => to = middle,
            _ => return Ok(true),
        }
    }
    Ok(false)
}
