//! The capacity and the error rate of a filter, and the geometry that follows from them.
//!
//! A filter for `n` values has `25 n / 92 + 8` buckets of four slots, rounded up to an even
//! number: 92 % of its slots are in use at capacity, fewer in a small filter. Cuckoo tables of
//! four slots a bucket stay fillable up to 97 to 98 %, but a small one may by bad luck have more
//! values for some of its buckets than these hold. The eight buckets more make that unlikely at
//! every size. Simulated filters with fingerprints of 12 bits were filled to exactly their capacity:
//! 20 million each for 30, 50 and 70 values, where the slack is least, a million each for seven
//! sizes from 1 to 200, and 100,000 each for 500 and 1,000. None failed: the probability is below
//! 10^-7. Of two million with 8 bits for 50, 100 and 300 values each none failed either, and with
//! 6 bits, for error rates of more than 6 %, 7, 3 and none: so few fingerprints go to the same
//! pairs of buckets more often.
//!
//! This is for distinct values: many copies of one crowd its two buckets, and a value that shares
//! a bucket with several such may be refused much earlier.
//!
//! A value seems present when one of the up to eight fingerprints of its two buckets is its own.
//! With `c` copies in `m` buckets and fingerprints of `f` bits, of which 0 marks a free slot, that
//! is once in `m (2^f - 1) / 2c` values. The fingerprint has as many bits as bring this below
//! the error rate at capacity. All of it is exact or correctly rounded arithmetic, so that every
//! machine derives one geometry.
//!
//! The parameter of the geometry is `f`, and its size `m`.

use super::Cuckoo;
use super::geometry::{Layout, MAX_BITS, MIN_BITS};
use super::state::CuckooState;
use crate::error::{Error, ErrorKind};
use crate::filter::{self, Filter, Geometry, MAX_GATHERED, MAX_STATE_LEN};
use crate::key_set::longest_log;

/// The most distinct hashes in a state of any length, beside which a log has room for repeats.
const MAX_WHOLE: u64 = (MAX_STATE_LEN as u64 - 64) / 8 / 17 * 16;

/// Shorter fingerprints would be so few that nine values of a large filter share one and a pair
/// of buckets.
const MIN_CHOSEN_BITS: u32 = 6;

/// What a filter is made for, and its geometry.
pub type Params = filter::Params<Cuckoo>;

impl Params {
    /// 1,000,000 values, of which others seem present once in 500.
    pub const DEFAULT: Params = Params::of(1_000_000, 0.002, 12, 271_748);

    /// The share of other values that seem present at capacity.
    ///
    /// ```
    /// use sketch::cuckoo::Params;
    /// let rate = Params::new(1000, 0.002).unwrap().expected_error_rate();
    /// assert!(rate > 0.001 && rate <= 0.002);
    /// ```
    pub fn expected_error_rate(self) -> f64 {
        self.capacity as f64 / self.layout().signatures() as f64
    }

    /// The bits of a fingerprint, f.
    pub fn fingerprint_bits(self) -> u32 {
        self.parameter.into()
    }

    /// The number of buckets, m; four slots each.
    pub fn buckets(self) -> u32 {
        self.size
    }

    #[inline]
    pub(super) fn layout(self) -> Layout {
        Layout::new(self.size, self.fingerprint_bits())
    }

    /// The most distinct values that an aggregate gathers.
    #[inline]
    pub(super) fn most_gathered(self) -> usize {
        if self.is_unsized() { MAX_GATHERED } else { self.capacity.min(MAX_WHOLE) as usize }
    }

    /// The error for more of them.
    #[cold]
    pub(super) fn too_many_gathered(self) -> Error {
        let most = self.most_gathered();
        if self.capacity == most as u64 {
            return self.full(most);
        }
        Error::new(
            ErrorKind::Limit,
            format!("more than {most} distinct values cannot be gathered for a cuckoo filter"),
        )
        .with_hint(if self.is_unsized() {
            "Give the number of values to expect, as in cuckoo_agg(value, 100000000)."
        } else {
            "Keep several filters, one for each part of the values."
        })
    }

    /// The error for a filter that has no room for one more value.
    #[cold]
    pub(super) fn full(self, count: usize) -> Error {
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
}

impl Filter for Cuckoo {
    const ERROR_RATES: (f32, f32) = (1e-8, 0.5);

    fn derive(capacity: u64, error_rate: f32) -> Geometry {
        let buckets = ((u128::from(capacity) * 25).div_ceil(92) + 8).next_multiple_of(2);
        let falls_short = |&bits: &u32| {
            let fingerprints = ((1u64 << bits) - 1) as f64;
            2.0 * capacity as f64 > f64::from(error_rate) * buckets as f64 * fingerprints
        };
        let bits = (MIN_CHOSEN_BITS..MAX_BITS).find(|bits| !falls_short(bits)).unwrap_or(MAX_BITS);
        Geometry { parameter: bits as u8, size: buckets as u64 }
    }

    fn is_possible(geometry: Geometry) -> bool {
        (MIN_BITS..=MAX_BITS).contains(&geometry.parameter.into())
            && geometry.size > 0
            && geometry.size.is_multiple_of(2)
    }

    fn table_lens(geometry: Geometry) -> (u128, u128) {
        let (bits, buckets) = (u32::from(geometry.parameter), u128::from(geometry.size));
        let working = buckets * 4 * Layout::slot_len(bits) as u128;
        (buckets / 2 * u128::from(bits.saturating_sub(1)), working + CuckooState::BODY_AT as u128)
    }

    /// The table is built beside the hashes.
    fn aggregate_len(capacity: u64, geometry: Geometry) -> u128 {
        // More than fits in any case stand for all that do not fit.
        8 * longest_log(capacity.min(2 * MAX_WHOLE) as usize) as u128 + Self::table_lens(geometry).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_derived() {
        assert_eq!(Params::new(1_000_000, 0.002), Ok(Params::DEFAULT));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (capacity, rate) in [
            (0, 0.002),
            (-1, 0.002),
            (i64::MIN, 0.002),
            (1000, 0.0),
            (1000, -0.1),
            (1000, 0.51),
            (1000, 1e-9),
            (1000, f64::NAN),
            (1000, f64::INFINITY),
        ] {
            let error = Params::new(capacity, rate).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidParameter);
            assert!(error.hint().is_some());
        }
        assert!(Params::gathering(0.6).is_err());
    }

    #[test]
    fn what_is_too_large_is_refused_with_what_is_not() {
        for rate in [0.5, 0.002, 1e-8] {
            for new in [
                |capacity, rate| Params::new(capacity, rate),
                |capacity, rate| Params::for_aggregate(Some(capacity), Some(rate)),
            ] {
                let error = new(i64::MAX, rate).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Limit);
                let hint = error.hint().unwrap();
                let most: i64 = hint.split(' ').find_map(|word| word.parse().ok()).unwrap();
                let params = new(most, rate).unwrap();
                assert!(params.layout().packed_len() < 500_000_000);
                assert!(params.layout().working_len() < MAX_STATE_LEN);
                let error = new(most + 1, rate).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Limit);
                assert_eq!(error.hint(), Some(hint));
            }
        }
    }

    #[test]
    fn a_fingerprint_is_as_short_as_the_error_rate_allows() {
        for (capacity, rate, bits) in [
            (1000, 0.5, 6),
            (1_000_000, 0.03, 8),
            (1_000_000, 0.002, 12),
            (1_000_000, 0.0001, 17),
            (1_000_000, 1e-8, 30),
        ] {
            assert_eq!(Params::new(capacity, rate).unwrap().fingerprint_bits(), bits);
        }
    }
}
