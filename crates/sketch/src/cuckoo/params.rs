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
//! machine derives one geometry; and the geometry is stored, so that a later version may derive
//! another.

use serde::{Deserialize, Serialize};

use super::geometry::{Geometry, MAX_BITS, MIN_BITS};
use super::head::TABLE_AT;
use crate::error::{Error, ErrorKind, Result};

/// The most bytes of a filter, stored or as a state: what a server can allocate at once, less its
/// own overhead.
pub const MAX_LEN: usize = (1 << 30) - 1 - 64;

/// The most values that an aggregate gathers while no capacity is given.
pub const MAX_GATHERED: usize = 1 << 25;

/// The least and the greatest error rate.
const RATES: (f32, f32) = (1e-8, 0.5);

/// Shorter fingerprints would be so few that nine values of a large filter share one and a pair
/// of buckets.
const MIN_CHOSEN_BITS: u32 = 6;

/// What a filter is made for: how many values, at what share of false positives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Params {
    /// 0 while an aggregate without a capacity gathers.
    pub(super) capacity: u64,
    pub(super) error_rate: f32,
    pub(super) fingerprint_bits: u8,
    pub(super) buckets: u32,
}

impl Params {
    /// 1,000,000 values, of which others seem present once in 500.
    pub const DEFAULT: Params =
        Params { capacity: 1_000_000, error_rate: 0.002, fingerprint_bits: 12, buckets: 271_748 };

    /// A filter for `capacity` values (1 and more), at which others seem present with probability
    /// `error_rate` (1e-8 to 0.5).
    ///
    /// ```
    /// use sketch::cuckoo::Params;
    /// let params = Params::new(1000, 0.002).unwrap();
    /// assert_eq!((params.capacity(), params.fingerprint_bits()), (Some(1000), 12));
    /// assert!(Params::new(0, 0.002).is_err());
    /// ```
    pub fn new(capacity: i64, error_rate: f64) -> Result<Self> {
        let error_rate = checked_rate(error_rate)?;
        match u64::try_from(capacity) {
            Ok(capacity @ 1..) => Self::sized(capacity, error_rate),
            _ => Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("cuckoo capacity {capacity} is out of range"),
            )
            .with_hint("The capacity is a whole number from 1; the default is 1000000.")),
        }
    }

    /// A filter that an aggregate builds, sized to what came.
    pub fn gather(error_rate: f64) -> Result<Self> {
        let error_rate = checked_rate(error_rate)?;
        Ok(Params { capacity: 0, error_rate, fingerprint_bits: 0, buckets: 0 })
    }

    /// For how many values the filter is made; `None` while that is yet to come.
    pub fn capacity(&self) -> Option<u64> {
        Some(self.capacity).filter(|&capacity| capacity > 0)
    }

    /// The share of other values that seem present at capacity, at most.
    pub fn error_rate(&self) -> f32 {
        self.error_rate
    }

    /// The same as the shortest decimal number that is stored so: 0.002, not 0.00200000009.
    pub fn error_rate_as_written(&self) -> f64 {
        self.error_rate.to_string().parse().unwrap_or(self.error_rate.into())
    }

    /// The share of other values that seem present at capacity.
    pub fn expected_error_rate(&self) -> f64 {
        self.capacity as f64 / self.geometry().cells() as f64
    }

    /// The bits of a fingerprint, f.
    pub fn fingerprint_bits(&self) -> u32 {
        u32::from(self.fingerprint_bits)
    }

    /// The number of buckets, m; four slots each.
    pub fn buckets(&self) -> u32 {
        self.buckets
    }

    pub(super) fn geometry(&self) -> Geometry {
        Geometry::new(self.buckets, self.fingerprint_bits())
    }

    /// The parameters of what an aggregate that has gathered so many values builds.
    pub(super) fn settled(self, count: usize) -> Result<Self> {
        match (self.capacity, count) {
            (0, 0) => Self::sized(Self::DEFAULT.capacity, self.error_rate),
            (0, _) => Self::sized(count as u64, self.error_rate),
            _ => Ok(self),
        }
    }

    fn sized(capacity: u64, error_rate: f32) -> Result<Self> {
        match Self::derive(capacity, error_rate) {
            Ok(params) => Ok(params),
            Err(len) => Err(Self::too_large(capacity, error_rate, len)),
        }
    }

    /// The parameters, or the length of the state that would be needed.
    pub(super) fn derive(capacity: u64, error_rate: f32) -> std::result::Result<Self, u128> {
        let buckets = ((u128::from(capacity) * 25).div_ceil(92) + 8).next_multiple_of(2);
        let falls_short = |&bits: &u32| {
            let fingerprints = ((1u64 << bits) - 1) as f64;
            2.0 * capacity as f64 > f64::from(error_rate) * buckets as f64 * fingerprints
        };
        let bits = (MIN_CHOSEN_BITS..MAX_BITS).find(|bits| !falls_short(bits)).unwrap_or(MAX_BITS);
        let len = state_len(buckets, bits);
        match u32::try_from(buckets) {
            Ok(buckets) if len <= MAX_LEN as u128 => {
                Ok(Params { capacity, error_rate, fingerprint_bits: bits as u8, buckets })
            }
            _ => Err(len),
        }
    }

    /// Checks what was stored: any geometry, but a possible one.
    pub(super) fn check(self) -> Result<Self> {
        let rates = RATES.0..=RATES.1;
        let bits = self.fingerprint_bits();
        let is_sane = self.capacity > 0
            && rates.contains(&self.error_rate)
            && (MIN_BITS..=MAX_BITS).contains(&bits)
            && self.buckets > 0
            && self.buckets.is_multiple_of(2)
            && state_len(self.buckets.into(), bits) <= MAX_LEN as u128;
        match is_sane {
            true => Ok(self),
            false => Err(Error::bytes(format!(
                "no cuckoo filter has capacity {}, error rate {}, {bits} bits a fingerprint and \
                 {} buckets",
                self.capacity, self.error_rate, self.buckets
            ))),
        }
    }

    /// The same for an aggregate, which may have no geometry yet.
    pub(super) fn check_gathering(self) -> Result<Self> {
        match Self::gather(self.error_rate.into()) {
            Ok(gathering) if gathering == self => Ok(self),
            _ => self.check(),
        }
    }

    /// Of two empty filters, which one stays: one that somebody asked for before the default,
    /// then the smaller. A total order, so that it does not matter how several meet.
    pub(super) fn preferred(self, other: Self) -> Self {
        let rank = |params: Self| {
            let settled = params.settled(0).unwrap_or(params);
            let is_default = settled == Self::DEFAULT;
            let Params { capacity, error_rate, fingerprint_bits, buckets } = settled;
            let is_unsettled = params.capacity == 0;
            (is_default, capacity, error_rate.to_bits(), fingerprint_bits, buckets, is_unsettled)
        };
        if rank(other) < rank(self) { other } else { self }
    }
}

fn state_len(buckets: u128, bits: u32) -> u128 {
    TABLE_AT as u128 + buckets * 4 * Geometry::slot_len(bits) as u128
}

fn checked_rate(error_rate: f64) -> Result<f32> {
    match error_rate as f32 {
        rate if rate >= RATES.0 && rate <= RATES.1 => Ok(rate),
        _ => Err(Error::new(
            ErrorKind::InvalidParameter,
            format!("cuckoo error rate {error_rate} is out of range"),
        )
        .with_hint("The error rate is a number from 1e-8 to 0.5; the default is 0.002.")),
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
        assert!(Params::gather(0.6).is_err());
    }

    #[test]
    fn what_is_too_large_is_refused_with_what_is_not() {
        for rate in [0.5, 0.002, 1e-8] {
            let error = Params::new(i64::MAX, rate).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit);
            let hint = error.hint().unwrap();
            let most: i64 = hint.split(' ').find_map(|word| word.parse().ok()).unwrap();
            let params = Params::new(most, rate).unwrap();
            assert!(state_len(params.buckets.into(), params.fingerprint_bits()) <= MAX_LEN as u128);
            assert!(Params::new(most + 1, rate).is_err());
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
