//! What the number of set bits tells.
//!
//! In a large working state keys are counted as often as they were added, and the last few values
//! are not among the bits: bring it to rest for exact numbers.

use super::bits;
use super::params::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::view::{BloomRef, Body};

impl BloomRef<'_> {
    /// The share of bits that are set; while there are keys, the share of those that can be.
    pub fn fill(&self) -> f64 {
        match self.body {
            Body::Bits(held, _) => bits::count(held) as f64 / self.params.layout().bits() as f64,
            _ if self.params.is_gathering() => 0.0,
            _ => self.key_count().unwrap_or(0) as f64 / self.params.max_keys().max(1) as f64,
        }
    }

    /// The estimated number of distinct values: `-m / k ln(1 - X / m)` for X of m bits set (Swamidass
    /// & Baldi 2007, "Mathematical Correction for Fingerprint Similarity Measures"), in either
    /// layout; exact while there are keys.
    pub fn cardinality(&self) -> u64 {
        self.estimate().0.round() as u64
    }

    /// Whether the filter holds more values than it was made for, beyond what chance explains:
    /// three standard errors of the estimate.
    pub fn is_over_capacity(&self) -> bool {
        let (estimate, error) = self.estimate();
        !self.params.is_gathering() && estimate - 3.0 * error > self.params.capacity() as f64
    }

    /// The estimate and its standard error.
    fn estimate(&self) -> (f64, f64) {
        let Body::Bits(held, _) = self.body else {
            return (self.key_count().unwrap_or(0) as f64, 0.0);
        };
        let layout = self.params.layout();
        let (m, k) = (layout.bits() as f64, f64::from(layout.hashes()));
        // Of a filter with all bits set no more is known than that this is likely.
        let free = (m - bits::count(held) as f64).max(0.5);
        let load = (m / free).ln();
        let error = (m * (load.exp() - load - 1.0)).max(0.0).sqrt() / k;
        (m * load / k, error)
    }

    /// The chance that a value which the filter does not hold seems to be in it, at its present
    /// fill.
    pub fn error_rate(&self) -> f64 {
        match (self.body.clone(), self.params.layout()) {
            (Body::Bits(held, _), Layout::SplitBlock { blocks }) => {
                let rates = held.as_chunks::<BLOCK_LEN>().0.iter().map(split_block::rate);
                rates.sum::<f64>() / blocks as f64
            }
            (Body::Bits(held, _), Layout::Classic { bits: len, hashes }) => {
                (bits::count(held) as f64 / len as f64).powi(hashes.into())
            }
            _ => {
                let keys = self.key_count().unwrap_or(0) as f64;
                keys * 0.5f64.powi(self.params.key_bits() as i32)
            }
        }
    }
}
