//! How full a filter is, and what error to expect.

use super::head::MAX_LEN;
use super::{CuckooRef, Params};
use crate::error::Result;

impl CuckooRef<'_> {
    /// The share of slots that are in use, or would be in a table.
    pub fn fill(&self) -> Result<f64> {
        Ok(self.count() as f64 / self.params()?.geometry().slots() as f64)
    }

    /// The probability that a value which is not in the filter seems present: each copy answers
    /// for one of the cells. While an aggregate gathers, that of two equal 64-bit hashes.
    pub fn error_rate(&self) -> Result<f64> {
        let cells = match self.is_gathering() {
            true => u64::MAX,
            false => self.params()?.geometry().cells(),
        };
        Ok((self.count() as f64 / cells as f64).min(1.0))
    }

    /// Whether the filter holds more than it was made for, so that the error rate is higher than
    /// asked and an addition may fail.
    pub fn over_capacity(&self) -> bool {
        self.head.params.capacity().is_some_and(|capacity| self.count() as u64 > capacity)
    }
}

/// How many bytes a full filter takes at rest, give or take a few.
pub fn full_len(params: Params) -> Result<usize> {
    Ok(MAX_LEN + params.settled(0)?.geometry().packed_len())
}
