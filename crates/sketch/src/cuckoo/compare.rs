//! Whether two filters hold the same.
//!
//! One multiset has many arrangements in a table, so equal filters may differ in their bytes:
//! what counts is the class, the parameters and the copies of each signature.

use super::view::{Body, CuckooRef};
use super::{Cuckoo, set};
use crate::codec::Form;
use crate::error::Result;
use crate::owned::rest_of;
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
        if self.params() != other.params()
            || self.count() != other.count()
            || self.class() != other.class()
        {
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

    /// A hash of what the filter holds: equal filters have equal ones. Each seed gives another hash.
    pub fn content_hash(&self, seed: u64) -> Result<u64> {
        if self.form() == Form::Working {
            let rest = rest_of::<Cuckoo>(self)?;
            return CuckooRef::parse(&rest)?.content_hash(seed);
        }
        let (params, layout) = (self.params(), self.params().layout());
        let mut sum = 0u64;
        self.visit(|mark, copies| {
            sum = sum.wrapping_add(mix(set::key(layout.signature(mark), copies - 1)));
            Ok(true)
        })?;
        for part in [
            params.capacity,
            params.error_rate.to_bits().into(),
            u64::from(params.size) << 8 | u64::from(params.parameter),
            self.class().map_or(0, |class| class as u64),
            seed,
        ] {
            sum = mix(sum ^ part);
        }
        Ok(sum)
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014), in which each bit depends on all.
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
