//! Tables of buckets: read in either coding, changed in the working one.

use super::geometry::{Layout, MAX_COPIES, Mark, SLOTS};
use super::packed::{self, Bucket};
use crate::error::Result;
use crate::interrupt::{self, Pace};

/// How many fingerprints are moved to make room for one.
const MAX_KICKS: usize = 500;

/// A table, at rest or working.
#[derive(Clone, Copy)]
pub(super) struct Buckets<'a> {
    pub layout: Layout,
    pub bytes: &'a [u8],
    pub is_packed: bool,
}

impl Buckets<'_> {
    /// One bucket, or an error where no fingerprints are written so.
    #[inline]
    pub fn get(&self, at: u32) -> Result<Bucket> {
        if self.is_packed {
            let (first, len, shift) = packed::place(self.layout, at);
            return packed::read(&self.bytes[first..first + len], shift, self.layout);
        }
        let bucket = working_bucket(self.bytes, at, self.layout);
        check_bucket(bucket, self.layout)
    }

    /// How many copies of a fingerprint its two buckets hold.
    #[inline]
    pub fn copies(&self, mark: Mark) -> Result<usize> {
        let here = copies_in(self.get(mark.bucket)?, mark.fingerprint);
        let partner = self.layout.partner(mark);
        Ok(here + copies_in(self.get(partner.bucket)?, mark.fingerprint))
    }

    /// Visits every signature that is held once, with where its first copy lies and how many there
    /// are, until the visitor returns `false`; returns whether it never did.
    pub fn visit(&self, mut visit: impl FnMut(Mark, usize) -> Result<bool>) -> Result<bool> {
        let mut pace = Pace::default();
        for at in 0..self.layout.buckets {
            pace.step(64);
            let bucket = self.get(at)?;
            for (slot, &fingerprint) in bucket.iter().enumerate() {
                if fingerprint == 0 || bucket[..slot].contains(&fingerprint) {
                    continue;
                }
                let partner = self.layout.partner(Mark { bucket: at, fingerprint });
                let there = copies_in(self.get(partner.bucket)?, fingerprint);
                if there > 0 && partner.bucket < at {
                    continue;
                }
                let copies = there + copies_in(bucket, fingerprint);
                if !visit(Mark { bucket: at, fingerprint }, copies)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// How many copies of a fingerprint a working table holds.
#[inline]
pub(super) fn copies_in_table(table: &[u8], layout: Layout, mark: Mark) -> usize {
    let copies = |at| copies_in(working_bucket(table, at, layout), mark.fingerprint);
    copies(mark.bucket) + copies(layout.partner(mark).bucket)
}

#[inline]
pub(super) fn copies_in(bucket: Bucket, fingerprint: u32) -> usize {
    bucket.iter().filter(|&&held| held == fingerprint).count()
}

/// Checks that a bucket of a working table holds nothing but fingerprints.
#[inline]
pub(super) fn check_bucket(bucket: Bucket, layout: Layout) -> Result<Bucket> {
    match bucket.iter().all(|&fingerprint| u64::from(fingerprint) >> layout.bits == 0) {
        true => Ok(bucket),
        false => Err(packed::malformed()),
    }
}

/// A bucket of a working table.
#[inline]
pub(super) fn working_bucket(table: &[u8], at: u32, layout: Layout) -> Bucket {
    let at = at as usize;
    if Layout::slot_len(layout.bits) == 2 {
        let slots = table.as_chunks::<2>().0.as_chunks::<SLOTS>().0[at];
        slots.map(|slot| u32::from(u16::from_le_bytes(slot)))
    } else {
        table.as_chunks::<4>().0.as_chunks::<SLOTS>().0[at].map(u32::from_le_bytes)
    }
}

/// Why a fingerprint was not put into a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Both buckets are full of it.
    Copies,
    /// No way was found to make room.
    Full,
}

/// A working table.
pub(super) struct Table<'a> {
    pub layout: Layout,
    pub bytes: &'a mut [u8],
}

impl Table<'_> {
    #[inline]
    fn get(&self, at: u32) -> Bucket {
        working_bucket(self.bytes, at, self.layout)
    }

    #[inline]
    fn set(&mut self, at: u32, slot: usize, fingerprint: u32) {
        let slot = SLOTS * at as usize + slot;
        if Layout::slot_len(self.layout.bits) == 2 {
            self.bytes.as_chunks_mut::<2>().0[slot] = (fingerprint as u16).to_le_bytes();
        } else {
            self.bytes.as_chunks_mut::<4>().0[slot] = fingerprint.to_le_bytes();
        }
    }

    /// Fills a bucket of an empty table.
    #[inline]
    pub fn set_bucket(&mut self, at: u32, bucket: Bucket) {
        for (slot, fingerprint) in bucket.into_iter().enumerate() {
            self.set(at, slot, fingerprint);
        }
    }

    /// Puts a fingerprint into one of its buckets, the named one first.
    #[inline]
    pub fn insert(&mut self, mark: Mark) -> std::result::Result<(), Refusal> {
        let own = self.get(mark.bucket);
        if let Some(slot) = free_slot(own) {
            self.set(mark.bucket, slot, mark.fingerprint);
            return Ok(());
        }
        let partner = self.layout.partner(mark);
        let other = self.get(partner.bucket);
        if let Some(slot) = free_slot(other) {
            self.set(partner.bucket, slot, mark.fingerprint);
            return Ok(());
        }
        let copies = copies_in(own, mark.fingerprint) + copies_in(other, mark.fingerprint);
        match copies {
            MAX_COPIES => Err(Refusal::Copies),
            _ if self.make_room(partner) => Ok(()),
            _ => Err(Refusal::Full),
        }
    }

    /// Puts a fingerprint into a full bucket: it takes the slot of another, picked at random,
    /// which goes to its own other bucket, and so on. If that comes to no end, every step is
    /// taken back, and the table is what it was.
    fn make_room(&mut self, mut mark: Mark) -> bool {
        // The same table and mark make the same choices.
        let mut random = u64::from(mark.bucket) << 32 | u64::from(mark.fingerprint);
        let mut path = [0; MAX_KICKS];
        for taken in &mut path {
            interrupt::count_step();
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            *taken = (random >> 62) as u8;
            mark = self.layout.partner(self.swap(mark, *taken));
            if let Some(slot) = free_slot(self.get(mark.bucket)) {
                self.set(mark.bucket, slot, mark.fingerprint);
                return true;
            }
        }
        for &taken in path.iter().rev() {
            mark = self.swap(self.layout.partner(mark), taken);
        }
        false
    }

    /// Puts an mark into a slot of its bucket; returns what was there.
    #[inline]
    fn swap(&mut self, mark: Mark, slot: u8) -> Mark {
        let fingerprint = self.get(mark.bucket)[usize::from(slot)];
        self.set(mark.bucket, slot.into(), mark.fingerprint);
        Mark { bucket: mark.bucket, fingerprint }
    }

    /// Takes one copy of a fingerprint out, if there is one.
    #[inline]
    pub fn remove(&mut self, mark: Mark) -> bool {
        for Mark { bucket, fingerprint } in [mark, self.layout.partner(mark)] {
            if let Some(slot) = self.get(bucket).iter().position(|&held| held == fingerprint) {
                self.set(bucket, slot, 0);
                return true;
            }
        }
        false
    }
}

#[inline]
fn free_slot(bucket: Bucket) -> Option<usize> {
    bucket.iter().position(|&fingerprint| fingerprint == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Value;

    /// Fills a table until it takes no more; each refusal leaves it as it was.
    #[test]
    fn a_refused_fingerprint_changes_nothing() {
        for (buckets, bits) in [(2, 12), (10, 6), (64, 12), (64, 20), (1000, 8)] {
            let layout = Layout::new(buckets, bits);
            let mut bytes = vec![0; layout.working_len()];
            let mut table = Table { layout, bytes: &mut bytes };
            let mut held = 0;
            let mut refused = 0;
            for value in 0.. {
                let before = table.bytes.to_vec();
                match table.insert(layout.mark(Value::number(value).hash())) {
                    Ok(()) => held += 1,
                    Err(_) => {
                        assert_eq!(table.bytes, before);
                        refused += 1;
                    }
                }
                if refused == 20 {
                    break;
                }
            }
            assert!(held > layout.slots() * 9 / 10, "{held} in {} slots", layout.slots());
            let mut copies = 0;
            let read = Buckets { layout, bytes: table.bytes, is_packed: false };
            let all = read.visit(|_, more| {
                copies += more;
                Ok(true)
            });
            assert_eq!((all, copies), (Ok(true), held));
        }
    }

    #[test]
    fn two_buckets_hold_eight_copies() {
        let layout = Layout::new(10, 12);
        let mut bytes = vec![0; layout.working_len()];
        let mut table = Table { layout, bytes: &mut bytes };
        let mark = layout.mark(Value::number(1).hash());
        for copies in 0..8 {
            assert_eq!(copies_in_table(table.bytes, layout, mark), copies);
            assert_eq!(table.insert(mark), Ok(()));
        }
        assert_eq!(table.insert(layout.partner(mark)), Err(Refusal::Copies));
        assert!((0..8).all(|_| table.remove(layout.partner(mark))));
        assert!(!table.remove(mark));
        assert!(table.bytes.iter().all(|&byte| byte == 0));
    }
}
