//! The forms at rest.

use super::geometry::{Entry, Geometry, MAX_COPIES};
use super::head::{Head, MAX_LEN};
use super::table::{Buckets, Table, working_bucket};
use super::view::Body;
use super::working::refused;
use super::{CuckooRef, Params, gather, packed};
use crate::codec::Form;
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::{key_list, key_set};

/// Enough bytes for [`write`]: more than the form at rest takes where a list is sorted or a table
/// is built in them first.
pub(super) fn bound(sketch: &CuckooRef<'_>) -> Result<usize> {
    let count = sketch.count();
    let params = sketch.params()?;
    let geometry = params.geometry();
    Ok(MAX_LEN
        + match sketch.body {
            _ if count == 0 => 0,
            Body::Table(_) if count > geometry.max_listed() => geometry.packed_len(),
            // A log may have fewer hashes than it says, and then a filter without a capacity fewer
            // buckets, the fingerprints of which may by rounding have a bit more.
            Body::Gathered(_) if count > geometry.max_listed() => {
                let table = geometry.slots() * Geometry::slot_len(geometry.bits + 1);
                let list = key_list::max_len(geometry.max_listed(), geometry.key_bits());
                table.max(list) + 8 * count
            }
            _ => key_list::write_bound(count, geometry.key_bits()),
        })
}

/// Writes what a filter of any form holds in its form for rest, all of it checked.
pub(super) fn write(sketch: &CuckooRef<'_>, out: &mut [u8]) -> Result<usize> {
    let count = sketch.count();
    let params = sketch.params()?;
    if count == 0 {
        return Head::write(out, Form::Empty, None, params, 0);
    }
    let class = sketch.class();
    match &sketch.body {
        Body::Table(table) if count > params.geometry().max_listed() => {
            write_table(*table, class, params, count, out)
        }
        Body::Table(table) => list_table(*table, class, params, count, out),
        Body::Gathered(set) => {
            // Sorted, so that the filter does not depend on how the state has come about.
            let count = key_set::sorted(set, count, key_list::keys_to_write(out, count))?;
            gather::check(sketch.head.params, count)?;
            let params = sketch.head.params.settled(count)?;
            match count > params.geometry().max_listed() {
                true => build_table(class, params, count, out),
                false => build_list(class, params, count, out),
            }
        }
        Body::Cells(cells) => {
            let geometry = params.geometry();
            let mut keys = key_list::keys_to_write(out, count).iter_mut();
            for run in cells.clone() {
                let (cell, copies) = run?;
                for _ in 0..copies {
                    let Some(key) = keys.next() else { break };
                    *key = geometry.key(cell).to_le_bytes();
                }
            }
            if keys.next().is_some() {
                return Err(Error::bytes("a cuckoo filter lists fewer copies than it says"));
            }
            write_list(class, params, count, out)
        }
    }
}

/// Writes a list of the keys at the end of `out`.
fn write_list(
    class: Option<ValueClass>,
    params: Params,
    count: usize,
    out: &mut [u8],
) -> Result<usize> {
    let at = Head::write(out, Form::Sparse, class, params, count)?;
    Ok(at + key_list::write(&mut out[at..], count, params.geometry().key_bits()))
}

/// Writes a list for the hashes at the end of `out`.
fn build_list(
    class: Option<ValueClass>,
    params: Params,
    count: usize,
    out: &mut [u8],
) -> Result<usize> {
    let geometry = params.geometry();
    let keys = key_list::keys_to_write(out, count);
    for key in keys.iter_mut() {
        let entry = geometry.entry(u64::from_le_bytes(*key));
        *key = geometry.key(geometry.cell(entry)).to_le_bytes();
    }
    let len = write_list(class, params, count, out)?;
    // Writing has sorted them.
    let keys = key_list::keys_to_write(out, count);
    match keys.windows(MAX_COPIES + 1).any(|run| run[0] == run[MAX_COPIES]) {
        true => Err(params.too_many_copies()),
        false => Ok(len),
    }
}

/// Builds a table for the sorted hashes at the end of `out`.
fn build_table(
    class: Option<ValueClass>,
    params: Params,
    count: usize,
    out: &mut [u8],
) -> Result<usize> {
    let geometry = params.geometry();
    let head = Head::write(out, Form::Dense, class, params, count)?;
    let keys_at = out.len() - 8 * count;
    let (space, keys) = out.split_at_mut(keys_at);
    // The table is built behind the head, and each bucket is written before it, in fewer bytes.
    let mut table =
        Table { geometry, bytes: &mut space[MAX_LEN..MAX_LEN + geometry.working_len()] };
    for (done, &hash) in keys.as_chunks().0.iter().enumerate() {
        let entry = geometry.entry(u64::from_le_bytes(hash));
        table.insert(entry).map_err(|refusal| refused(refusal, params, done))?;
    }
    for at in 0..geometry.buckets {
        let bucket = working_bucket(&space[MAX_LEN..], at, geometry);
        packed::write(&mut space[head..], at, bucket, geometry);
    }
    Ok(head + geometry.packed_len())
}

/// Writes a list of what few copies a table holds.
fn list_table(
    table: Buckets<'_>,
    class: Option<ValueClass>,
    params: Params,
    count: usize,
    out: &mut [u8],
) -> Result<usize> {
    let geometry = table.geometry;
    let mut keys = key_list::keys_to_write(out, count).iter_mut();
    let mut held = 0;
    for bucket in 0..geometry.buckets {
        for fingerprint in table.get(bucket)?.into_iter().filter(|&fingerprint| fingerprint != 0) {
            held += 1;
            if let Some(key) = keys.next() {
                let cell = geometry.cell(Entry { bucket, fingerprint });
                *key = geometry.key(cell).to_le_bytes();
            }
        }
    }
    match held == count {
        true => write_list(class, params, count, out),
        false => Err(miscounted(held, count)),
    }
}

fn write_table(
    table: Buckets<'_>,
    class: Option<ValueClass>,
    params: Params,
    count: usize,
    out: &mut [u8],
) -> Result<usize> {
    let at = Head::write(out, Form::Dense, class, params, count)?;
    let mut held = 0;
    for bucket_at in 0..table.geometry.buckets {
        let bucket = table.get(bucket_at)?;
        held += bucket.iter().filter(|&&fingerprint| fingerprint != 0).count();
        packed::write(&mut out[at..], bucket_at, bucket, table.geometry);
    }
    match held == count {
        true => Ok(at + table.geometry.packed_len()),
        false => Err(miscounted(held, count)),
    }
}

#[cold]
pub(super) fn miscounted(held: usize, said: usize) -> Error {
    Error::bytes(format!("a cuckoo filter holds {held} copies but says {said}"))
}
