//! What a filter is too small, or too large, for.

use super::Params;
use super::params::MAX_LEN;
use crate::error::{Error, ErrorKind};

impl Params {
    /// The error for an operation on filters of different parameters.
    pub(super) fn mismatch(&self, other: &Params) -> Error {
        let describe = |params: &Params| match params.capacity {
            0 => format!("one sized to its values at error rate {}", params.error_rate),
            capacity => format!(
                "one for {capacity} values at error rate {} ({} buckets, {} bits a fingerprint)",
                params.error_rate, params.buckets, params.fingerprint_bits
            ),
        };
        Error::new(
            ErrorKind::Mismatch,
            format!(
                "two cuckoo filters cannot be combined: {} and {}",
                describe(self),
                describe(other)
            ),
        )
        .with_hint("Build both again with one capacity and one error_rate.")
    }

    /// The error for a filter that has no room for one more value.
    pub(super) fn full(&self, count: usize) -> Error {
        Error::new(
            ErrorKind::Limit,
            format!(
                "the cuckoo filter is full: it is made for {} values and holds {count}",
                self.capacity
            ),
        )
        .with_hint(
            "A filter cannot grow, since it does not keep its values: build it again from them \
             with a larger capacity.",
        )
    }

    /// The error for a ninth copy.
    pub(super) fn too_many_copies(&self) -> Error {
        Error::new(
            ErrorKind::Limit,
            "the cuckoo filter already holds this value, or others like it, 8 times, the most \
             that two buckets hold",
        )
        .with_hint("To keep each value once, add it with cuckoo_add_if_absent.")
    }

    /// The error for a filter that no value can hold, with the largest one that it can.
    #[cold]
    pub(super) fn too_large(capacity: u64, error_rate: f32, len: u128) -> Error {
        let (mut fits, mut fails) = (1, MAX_LEN as u64);
        while fits + 1 < fails {
            let middle = fits.midpoint(fails);
            match Self::derive(middle, error_rate) {
                Ok(_) => fits = middle,
                Err(_) => fails = middle,
            }
        }
        Error::new(
            ErrorKind::Limit,
            format!(
                "a cuckoo filter for {capacity} values at error rate {error_rate} would take {len} \
                 bytes, more than {MAX_LEN}"
            ),
        )
        .with_hint(format!("At this error rate a filter holds up to {fits} values."))
    }
}
