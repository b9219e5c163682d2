//! One value looked up in a filter of any form, of which only a few bytes are read.

use super::geometry::{Geometry, SLOTS};
use super::head::{self, Head, Kind, MAX_LEN, Mode, TABLE_AT};
use super::table::{check_bucket, working_bucket};
use super::{gather, packed};
use crate::codec::header;
use crate::error::Result;
use crate::hash::ValueClass;
use crate::source::Source;
use crate::{key_list, key_set};

/// Whether a value, given its class and hash, seems present: always if it was added and not
/// removed since, else with a probability that [`error_rate`](super::CuckooRef::error_rate)
/// gives. The state of an aggregate answers exactly.
///
/// Of a dense filter the head and at most two buckets are read. An empty filter holds no value of
/// any class; any other refuses a value of another class.
#[inline]
pub fn contains(source: &mut (impl Source + ?Sized), class: ValueClass, hash: u64) -> Result<bool> {
    Lookup::open(source)?.contains(source, class, hash)
}

/// Whether a value seems present in a working state, which must be one that this crate has made,
/// as [`Sketch::thaw`](crate::Sketch::thaw) does.
#[inline]
pub fn holds(state: &[u8], class: ValueClass, hash: u64) -> Result<bool> {
    let count = head::count(state) as usize;
    if count == 0 {
        return Ok(false);
    }
    header::expect_value(state, class)?;
    let body = &state[TABLE_AT..];
    let geometry = head::params_of(state).geometry();
    Ok(match head::mode(state) {
        Mode::Gather => key_set::holds(body, count, gather::key(hash)),
        Mode::Table => {
            let entry = geometry.entry(hash);
            let is_in = |at| working_bucket(body, at, geometry).contains(&entry.fingerprint);
            is_in(entry.bucket) || is_in(geometry.partner(entry).bucket)
        }
        Mode::Cells | Mode::Promote | Mode::Stuck => {
            let cell = geometry.cell(geometry.entry(hash));
            let words = &body.as_chunks().0[..count];
            words.binary_search_by_key(&cell, |&word| u64::from_le_bytes(word)).is_ok()
        }
    })
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
    pub fn open(source: &mut (impl Source + ?Sized)) -> Result<Self> {
        let total = source.byte_len();
        let head = Head::read(source.head(MAX_LEN)?, total)?;
        Ok(Lookup { head, geometry: head.params.geometry() })
    }

    /// Looks a value up in the filter that was opened, which must not have changed, as
    /// [`contains`] does.
    #[inline]
    pub fn contains(
        &self,
        source: &mut (impl Source + ?Sized),
        class: ValueClass,
        hash: u64,
    ) -> Result<bool> {
        let Lookup { head, geometry } = self;
        if head.count == 0 {
            return Ok(false);
        }
        class.expect_held(head.header.class)?;
        match head.kind {
            Kind::Empty => Ok(false),
            Kind::Packed => in_table(source, head.body, *geometry, true, hash),
            Kind::Working(Mode::Table) => in_table(source, head.body, *geometry, false, hash),
            // Nobody vouches for the places of the hashes in a state that came from elsewhere.
            Kind::Working(Mode::Gather) => {
                let set = source.read(head.body, source.byte_len() - head.body)?;
                Ok(key_set::iter(set, head.count).any(|held| held == gather::key(hash)))
            }
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
    source: &mut (impl Source + ?Sized),
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

fn word(source: &mut (impl Source + ?Sized), at: usize) -> Result<u64> {
    let bytes = source.read(at, 8)?;
    Ok(bytes.first_chunk().map_or(0, |&word| u64::from_le_bytes(word)))
}

/// Looks for a cell in a sorted array.
fn is_among(source: &mut (impl Source + ?Sized), head: &Head, cell: u64) -> Result<bool> {
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
