//! How full a filter is, and what error to expect.

use super::Params;
use super::view::{CuckooRef, MAX_HEAD_LEN};

impl CuckooRef<'_> {
    /// The share of slots that are in use, or would be in a table; 0 while there is no capacity.
    pub fn fill(&self) -> f64 {
        if self.params().is_unsized() {
            return 0.0;
        }
        self.count() as f64 / self.params().layout().slots() as f64
    }

    /// The probability that a value which is not in the filter seems present: each copy answers
    /// for one of the signatures. While an aggregate gathers, that of two equal 64-bit hashes.
    pub fn error_rate(&self) -> f64 {
        let signatures =
            if self.is_gathering() { u64::MAX } else { self.params().layout().signatures() };
        (self.count() as f64 / signatures as f64).min(1.0)
    }

    /// Whether the filter holds more than it was made for, so that the error rate is higher than
    /// asked and an addition may fail.
    pub fn is_over_capacity(&self) -> bool {
        self.params().capacity().is_some_and(|capacity| self.count() as u64 > capacity)
    }
}

/// How many bytes a full filter takes at rest, give or take a few.
pub fn full_len(params: Params) -> usize {
    MAX_HEAD_LEN + params.layout().packed_len()
}
