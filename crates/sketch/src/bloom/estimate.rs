//! What the number of set bits tells.
//!
//! In a large working state keys are counted as often as they were added, and the last few values
//! are not among the bits: bring it to rest for exact numbers.

use super::bits;
use super::geometry::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::view::{BloomRef, Body};
use crate::interrupt::Pace;

impl BloomRef<'_> {
    /// The share of bits that are set; while there are keys, the share of those that can be.
    pub fn fill(&self) -> f64 {
        let params = self.params();
        match (&self.body, self.key_count()) {
            (Body::Bits(held, _), _) => bits::count(held) as f64 / params.layout().bits() as f64,
            (_, Some(count)) if !params.is_unsized() => count as f64 / params.max_keys() as f64,
            _ => 0.0,
        }
    }

    /// The estimated number of distinct values: `-m / k ln(1 - X / m)` for X of m bits set (Swamidass
    /// & Baldi 2007, "Mathematical Correction for Fingerprint Similarity Measures"), in either
    /// layout; exact while there are keys.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::bloom::{Bloom, BloomRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut seen = Owned::<Bloom>::new(Params::new(1000, 0.01)?);
    /// for value in [7, 42, 7] {
    ///     seen.insert(Value::number(value))?;
    /// }
    /// assert_eq!(BloomRef::parse(seen.working())?.cardinality(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cardinality(&self) -> u64 {
        self.estimate().0.round() as u64
    }

    /// Whether the filter holds more values than it was made for, beyond what chance explains:
    /// three standard errors of the estimate.
    pub fn is_over_capacity(&self) -> bool {
        let (estimate, error) = self.estimate();
        let capacity = self.params().capacity();
        capacity.is_some_and(|capacity| estimate - 3.0 * error > capacity as f64)
    }

    /// The estimate and its standard error.
    fn estimate(&self) -> (f64, f64) {
        let Body::Bits(held, _) = self.body else {
            return (self.key_count().unwrap_or(0) as f64, 0.0);
        };
        let layout = self.params().layout();
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
        let params = self.params();
        match (&self.body, self.key_count()) {
            (Body::Bits(held, _), _) => match params.layout() {
                Layout::SplitBlock { blocks } => {
                    let mut pace = Pace::default();
                    let rates = held.as_chunks::<BLOCK_LEN>().0.iter().map(|block| {
                        pace.step(BLOCK_LEN);
                        split_block::rate(block)
                    });
                    rates.sum::<f64>() / blocks as f64
                }
                Layout::Classic { bits: len, hashes } => {
                    (bits::count(held) as f64 / len as f64).powi(hashes.into())
                }
            },
            (_, count) => {
                let bits = if params.is_unsized() { 64 } else { params.key_bits() };
                count.unwrap_or(0) as f64 * 0.5f64.powi(bits as i32)
            }
        }
    }
}
