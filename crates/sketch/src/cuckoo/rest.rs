//! The forms at rest.

use super::geometry::{Layout, MAX_COPIES};
use super::set::miscounted;
use super::state::too_many_copies;
use super::table::{Buckets, Table, working_bucket};
use super::view::{Body, CuckooRef, MAX_HEAD_LEN};
use super::{Params, packed, set};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::Result;
use crate::filter::MAX_GATHERED;
use crate::interrupt::Pace;
use crate::key_list::{self, keys_to_write};
use crate::sketch::View;

/// Enough bytes for [`write`]: more than the form at rest takes where a list is sorted or a table
/// is built in them first.
pub(super) fn bound(sketch: &CuckooRef<'_>) -> Result<usize> {
    let count = sketch.count();
    let layout = sketch.params().sized(count.min(MAX_GATHERED))?.layout();
    Ok(MAX_HEAD_LEN
        + match sketch.body {
            Body::Table(_) if count > layout.max_listed() => layout.packed_len(),
            // A log may have fewer hashes than it says, and then a filter without a capacity fewer
            // buckets, the fingerprints of which may by rounding have a bit more.
            Body::Gathered(_) if count > layout.max_listed() => {
                let bits = if sketch.params().is_unsized() { layout.bits + 1 } else { layout.bits };
                let table = layout.slots() * Layout::slot_len(bits);
                let list = key_list::max_len(layout.max_listed(), layout.key_bits());
                table.max(list) + 8 * count
            }
            _ => key_list::write_bound(count, layout.key_bits()),
        })
}

/// Writes what a filter of any form holds in its form for rest, all of it checked.
pub(super) fn write(sketch: &CuckooRef<'_>, out: &mut [u8]) -> Result<usize> {
    let params = sketch.params();
    let mut rest = Rest { sketch, params, count: sketch.count(), out };
    match &sketch.body {
        _ if rest.count == 0 => {
            rest.params = params.sized(0)?;
            rest.head(Form::Empty)
        }
        Body::Table(table) if rest.count > params.layout().max_listed() => rest.table(*table),
        Body::Gathered(set) => {
            // Sorted, so that the filter does not depend on how the state has come about.
            rest.count = set.sorted(keys_to_write(rest.out, rest.count))?;
            if rest.count > params.most_gathered() {
                return Err(params.too_many_gathered());
            }
            rest.params = params.sized(rest.count)?;
            if rest.count > rest.params.layout().max_listed() {
                rest.built_table()
            } else {
                rest.built_list()
            }
        }
        Body::Set(table) => {
            let layout = params.layout();
            let words = keys_to_write(rest.out, rest.count);
            set::write_signatures(table, layout, words)?;
            for word in words {
                *word = layout.key(u64::from_le_bytes(*word)).to_le_bytes();
            }
            rest.list()
        }
        _ => {
            let layout = params.layout();
            let mut keys = keys_to_write(rest.out, rest.count).iter_mut();
            sketch.visit(|mark, copies| {
                for _ in 0..copies {
                    let key = layout.key(layout.signature(mark));
                    *keys.next().ok_or_else(miscounted)? = key.to_le_bytes();
                }
                Ok(true)
            })?;
            if keys.next().is_some() {
                return Err(miscounted());
            }
            rest.list()
        }
    }
}

/// A filter that is brought to rest.
struct Rest<'a> {
    sketch: &'a CuckooRef<'a>,
    params: Params,
    count: usize,
    out: &'a mut [u8],
}

impl Rest<'_> {
    /// Writes the head; returns its length.
    fn head(&mut self, form: Form) -> Result<usize> {
        let class = self.sketch.class().filter(|_| self.count > 0);
        let mut at = Header { form, class }.write(SketchType::Cuckoo, self.out)?;
        let is_union = self.count > 0 && self.sketch.is_union();
        at += params::write(self.params.with_flag(is_union), &mut self.out[at..]);
        if self.count > 0 {
            at += params::write(self.count as u32, &mut self.out[at..]);
        }
        Ok(at)
    }

    /// Writes a list of the keys at the end of `out`.
    fn list(&mut self) -> Result<usize> {
        let at = self.head(Form::Sparse)?;
        let bits = self.params.layout().key_bits();
        Ok(at + key_list::write(&mut self.out[at..], self.count, bits))
    }

    /// Writes a list for the hashes at the end of `out`.
    fn built_list(&mut self) -> Result<usize> {
        let layout = self.params.layout();
        for key in keys_to_write(self.out, self.count) {
            let mark = layout.mark(u64::from_le_bytes(*key));
            *key = layout.key(layout.signature(mark)).to_le_bytes();
        }
        let len = self.list()?;
        // Writing has sorted them.
        let mut runs = keys_to_write(self.out, self.count).windows(MAX_COPIES + 1);
        if runs.any(|run| run[0] == run[MAX_COPIES]) { Err(too_many_copies()) } else { Ok(len) }
    }

    /// Builds a table for the sorted hashes at the end of `out`.
    fn built_table(&mut self) -> Result<usize> {
        let layout = self.params.layout();
        let head = self.head(Form::Dense)?;
        let keys_at = self.out.len() - 8 * self.count;
        let (space, keys) = self.out.split_at_mut(keys_at);
        let mut pace = Pace::default();
        // The table is built behind the head, and each bucket is written before it, in fewer bytes.
        let mut table = Table { layout, bytes: &mut space[MAX_HEAD_LEN..][..layout.working_len()] };
        for (done, &hash) in keys.as_chunks().0.iter().enumerate() {
            pace.step(64);
            let mark = layout.mark(u64::from_le_bytes(hash));
            table.insert(mark).map_err(|refusal| refusal.error(self.params, done))?;
        }
        for at in 0..layout.buckets {
            pace.step(32);
            let bucket = working_bucket(&space[MAX_HEAD_LEN..], at, layout);
            packed::write(&mut space[head..], at, bucket, layout);
        }
        Ok(head + layout.packed_len())
    }

    /// Writes a table as it is arranged.
    fn table(&mut self, table: Buckets<'_>) -> Result<usize> {
        let at = self.head(Form::Dense)?;
        let mut pace = Pace::default();
        let mut held = 0;
        for bucket_at in 0..table.layout.buckets {
            pace.step(32);
            let bucket = table.get(bucket_at)?;
            held += bucket.iter().filter(|&&fingerprint| fingerprint != 0).count();
            packed::write(&mut self.out[at..], bucket_at, bucket, table.layout);
        }
        if held == self.count { Ok(at + table.layout.packed_len()) } else { Err(miscounted()) }
    }
}
