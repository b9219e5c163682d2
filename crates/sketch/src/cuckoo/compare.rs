//! Whether two filters hold the same.
//!
//! One multiset has many arrangements in a table, so equal filters may differ in their bytes:
//! what counts is the class, the parameters and the copies of each signature.

use std::cmp::Ordering;

use super::Cuckoo;
use super::view::{Body, CuckooRef};
use crate::codec::Form;
use crate::error::Result;
use crate::mix::{STEP, mix};
use crate::owned::{rest_of, zeroed};
use crate::sketch::View;

impl CuckooRef<'_> {
    /// Whether two filters are equal: of one class, made for the same, and with the same copies of
    /// the same fingerprints in the same pairs of buckets.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let [mut a, mut b] = [0; 2].map(|_| Owned::<Cuckoo>::new(Params::DEFAULT));
    /// a.add(Value::text("alice"))?;
    /// b.insert(Value::text("alice"))?;
    /// let (a, b) = (CuckooRef::parse(a.working())?, CuckooRef::parse(b.working())?);
    /// assert!(a.equals(&b)?);
    /// assert_eq!(a.content_hash(0)?, b.content_hash(0)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn equals(&self, other: &CuckooRef<'_>) -> Result<bool> {
        if self.form() == Form::Working {
            let rest = rest_of::<Cuckoo>(self)?;
            return CuckooRef::parse(&rest)?.equals(other);
        }
        if other.form() == Form::Working {
            return other.equals(self);
        }
        if self.parts() != other.parts() || self.count() != other.count() {
            return Ok(false);
        }
        let (own, its) = (&self.bytes[self.head.at..], &other.bytes[other.head.at..]);
        match &other.body {
            _ if own == its => Ok(true),
            // As the numbers of copies are equal, it is enough that all of one are in the other.
            Body::Table(table) => self.visit(|mark, copies| Ok(table.copies(mark)? == copies)),
            // A list has one arrangement.
            _ => Ok(false),
        }
    }

    /// A total order of filters at rest in which equal ones are equal; it means nothing else.
    pub(super) fn compare(&self, other: &CuckooRef<'_>) -> Result<Ordering> {
        if self.equals(other)? {
            return Ok(Ordering::Equal);
        }
        let order = (self.parts(), self.count()).cmp(&(other.parts(), other.count()));
        if order.is_ne() {
            return Ok(order);
        }
        let order = self.content_hash(0)?.cmp(&other.content_hash(0)?);
        if order.is_ne() { Ok(order) } else { Ok(self.signatures()?.cmp(&other.signatures()?)) }
    }

    /// What the filter is for, and the class; equal filters share it.
    fn parts(&self) -> [u64; 4] {
        let params = self.params();
        [
            params.capacity,
            params.error_rate.to_bits().into(),
            u64::from(params.size) << 8 | u64::from(params.parameter),
            self.class().map_or(0, |class| class as u64),
        ]
    }

    /// The signatures of all copies, sorted.
    fn signatures(&self) -> Result<Vec<u64>> {
        let layout = self.params().layout();
        let mut signatures = zeroed(self.count())?;
        let mut slots = signatures.iter_mut();
        self.visit(|mark, copies| {
            slots.by_ref().take(copies).for_each(|slot| *slot = layout.signature(mark));
            Ok(true)
        })?;
        signatures.sort_unstable();
        Ok(signatures)
    }

    /// A hash of what the filter holds: equal filters have equal ones. Each seed gives another hash.
    pub fn content_hash(&self, seed: u64) -> Result<u64> {
        if self.form() == Form::Working {
            let rest = rest_of::<Cuckoo>(self)?;
            return CuckooRef::parse(&rest)?.content_hash(seed);
        }
        let layout = self.params().layout();
        let mut sum = 0u64;
        self.visit(|mark, copies| {
            sum = sum.wrapping_add(mixed(
                layout.signature(mark).wrapping_mul(9).wrapping_add(copies as u64),
            ));
            Ok(true)
        })?;
        Ok(self.parts().into_iter().chain([seed]).fold(sum, |hash, part| mixed(hash ^ part)))
    }
}

/// Mixes the number behind a word, as SplitMix64 does: 0 becomes another number too.
fn mixed(word: u64) -> u64 {
    mix(word.wrapping_add(STEP))
}
