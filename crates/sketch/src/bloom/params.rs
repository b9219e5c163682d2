//! Capacity and error rate, and the geometry that follows from them.

use serde::{Deserialize, Serialize};

use super::geometry;
use super::split_block::BLOCK_LEN;
use crate::error::{Error, ErrorKind, Result};

/// The most bytes that the bits of a filter may take: a value of 1 GB, less what goes before.
pub const MAX_BYTES: u64 = (1 << 30) - 1 - 64;
/// The most values that are gathered without a capacity, and the most keys that are kept.
pub const MAX_GATHERED: usize = 1 << 25;
/// The fewest, those of 32 bits.
const MIN_BYTES: u64 = 4;
/// The capacity where none is given and no values tell.
const DEFAULT_CAPACITY: u64 = 1_000_000;
const DEFAULT_ERROR_RATE: f32 = 0.01;
const MIN_ERROR_RATE: f32 = 1e-9;
const MAX_ERROR_RATE: f32 = 0.5;

/// Where a value's bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In one of so many blocks of 32 bytes.
    SplitBlock {
        /// The number of blocks.
        blocks: u64,
    },
    /// Anywhere.
    Classic {
        /// The number of bits.
        bits: u64,
        /// How many of them a value sets.
        hashes: u8,
    },
}

impl Layout {
    /// The name that `bloom_info` uses.
    pub fn name(self) -> &'static str {
        match self {
            Layout::SplitBlock { .. } => "split-block",
            Layout::Classic { .. } => "classic",
        }
    }
}

/// What fixes a filter's size: filters merge if all of it is equal.
///
/// The geometry is kept beside what it was chosen for, so that a later version may choose better
/// and still read every filter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Params {
    capacity: u64,
    error_rate: f32,
    /// 0 for split blocks.
    hashes: u8,
    /// The number of blocks, or of bits.
    size: u64,
}

impl Params {
    /// One million values at 1 %.
    pub const DEFAULT: Params = Params {
        capacity: DEFAULT_CAPACITY,
        error_rate: DEFAULT_ERROR_RATE,
        hashes: 0,
        size: 41_130,
    };

    /// The parameters of a filter that has `error_rate` once it holds `capacity` values.
    ///
    /// ```
    /// use sketch::bloom::Params;
    /// let params = Params::new(1_000_000, 0.01).unwrap();
    /// assert_eq!(params, Params::DEFAULT);
    /// assert!(params.layout().bits() < 10_600_000);
    /// assert!(Params::new(0, 0.01).is_err() && Params::new(1, 0.0).is_err());
    /// ```
    pub fn new(capacity: i64, error_rate: f64) -> Result<Self> {
        let error_rate = check_rate(error_rate)?;
        let Some(capacity) = u64::try_from(capacity).ok().filter(|&capacity| capacity > 0) else {
            return Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("bloom capacity {capacity} is out of range"),
            )
            .with_hint("The capacity is the number of distinct values to come, at least 1."));
        };
        let layout = geometry::layout(capacity, f64::from(error_rate));
        if layout.byte_len() > MAX_BYTES {
            return Err(too_large(capacity, error_rate, layout));
        }
        Ok(Params::of_layout(capacity, error_rate, layout))
    }

    /// The parameters of a state that gathers values before it is sized.
    pub fn gathering(error_rate: f64) -> Result<Self> {
        Ok(Params { capacity: 0, error_rate: check_rate(error_rate)?, hashes: 0, size: 0 })
    }

    /// The parameters of a filter sized to what a gathering state holds; those of the default
    /// capacity if that is nothing.
    pub(super) fn sized(self, count: usize) -> Result<Self> {
        let capacity = if count == 0 { DEFAULT_CAPACITY } else { count as u64 };
        Params::new(capacity as i64, f64::from(self.error_rate))
    }

    fn of_layout(capacity: u64, error_rate: f32, layout: Layout) -> Self {
        let (hashes, size) = match layout {
            Layout::SplitBlock { blocks } => (0, blocks),
            Layout::Classic { bits, hashes } => (hashes, bits),
        };
        Params { capacity, error_rate, hashes, size }
    }

    /// Parameters from the fields of a state, not checked.
    #[inline]
    pub(super) fn from_fields(capacity: u64, error_rate: f32, hashes: u8, size: u64) -> Self {
        Params { capacity, error_rate, hashes, size }
    }

    /// The fields that stand for the layout: the hashes, 0 for split blocks, and the number of
    /// blocks or bits.
    pub(super) fn geometry_fields(self) -> (u8, u64) {
        (self.hashes, self.size)
    }

    /// Checks parameters that were read: ones that no filter needs but that do no harm pass.
    pub(super) fn check(self) -> Result<()> {
        let rate = f64::from(self.error_rate);
        let sound = if self.is_gathering() {
            self.hashes == 0 && self.size == 0
        } else {
            let layout = self.layout();
            self.capacity <= i64::MAX as u64
                && u64::from(self.hashes) < layout.bits()
                && self.hashes <= 64
                && (MIN_BYTES..=MAX_BYTES).contains(&layout.byte_len())
        };
        match sound && check_rate(rate).is_ok() {
            true => Ok(()),
            false => Err(Error::bytes(format!(
                "no bloom filter has capacity {}, error rate {}, {} hashes and size {}",
                self.capacity, self.error_rate, self.hashes, self.size
            ))),
        }
    }

    /// Whether these are those of a state that gathers values before it is sized.
    #[inline]
    pub fn is_gathering(self) -> bool {
        self.capacity == 0
    }

    /// The number of distinct values up to which the error rate holds.
    pub fn capacity(self) -> u64 {
        self.capacity
    }

    /// The error rate that was asked for.
    pub fn error_rate(self) -> f32 {
        self.error_rate
    }

    /// The same as the shortest decimal number that is stored so: 0.01, not 0.00999999977.
    pub fn error_rate_as_written(self) -> f64 {
        self.error_rate.to_string().parse().unwrap_or(self.error_rate.into())
    }

    /// Where the bits are.
    #[inline]
    pub fn layout(self) -> Layout {
        match self.hashes {
            0 => Layout::SplitBlock { blocks: self.size },
            hashes => Layout::Classic { bits: self.size, hashes },
        }
    }

    /// The number of bytes that the bits take.
    #[inline]
    pub(super) fn byte_len(self) -> usize {
        match self.hashes {
            0 => self.size as usize * BLOCK_LEN,
            _ => self.size.div_ceil(8) as usize,
        }
    }

    /// The largest number of distinct keys that is kept as keys: in memory, at eight bytes a key,
    /// those take about as many bytes as the bits, and fewer from a megabyte on, since it takes
    /// longer to gather a key than to set its bits.
    #[inline]
    pub fn max_keys(self) -> usize {
        match self.is_gathering() {
            true => MAX_GATHERED,
            false => {
                let len = self.byte_len();
                (len / 8).min(len / 64 + 114_688).max(1)
            }
        }
    }

    /// How many bits of a hash a filter keeps: so many that other keys than its own are taken for
    /// them a hundred times less often than the error rate allows, and that among
    /// [`Params::max_keys`] two share a key once in a hundred filters.
    #[inline]
    pub fn key_bits(self) -> u32 {
        if self.is_gathering() {
            return 64;
        }
        let bits = 8 * self.byte_len() as u64;
        let log = u64::BITS - (bits - 1).leading_zeros();
        let alike = 2 * log.max(4) - 7;
        (log + u32::from(self.hashes).max(8) + 5).max(alike).min(64)
    }

    /// The parameters of two empty filters merged: what was asked for stands before the default.
    pub(super) fn of_empty(a: Params, b: Params) -> Params {
        let rank = |p: Params| {
            (
                p == Params::DEFAULT,
                p.is_gathering(),
                p.capacity,
                p.error_rate.to_bits(),
                p.hashes,
                p.size,
            )
        };
        if rank(b) < rank(a) { b } else { a }
    }

    /// Checks that filters of these parameters can be combined.
    pub(super) fn expect_same(self, other: Params) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let name = |p: Params| match p.is_gathering() {
            true => format!("no capacity and error rate {}", p.error_rate),
            false => format!("capacity {} and error rate {}", p.capacity, p.error_rate),
        };
        let (a, b) = (name(self), name(other));
        let message = match a == b {
            true => format!(
                "bloom filters of {a} differ in geometry: {:?} and {:?}",
                self.layout(),
                other.layout()
            ),
            false => format!("bloom filters of {a} and of {b} cannot be combined"),
        };
        Err(Error::new(ErrorKind::Mismatch, message).with_hint(
            "Build all filters that are to be combined with one capacity and one error rate, \
             as in bloom_agg(value, 1000000, 0.01).",
        ))
    }
}

fn check_rate(error_rate: f64) -> Result<f32> {
    match error_rate as f32 {
        rate if (MIN_ERROR_RATE..=MAX_ERROR_RATE).contains(&rate) => Ok(rate),
        _ => Err(Error::new(
            ErrorKind::InvalidParameter,
            format!("bloom error rate {error_rate} is out of range"),
        )
        .with_hint("The error rate lies between 1e-9 and 0.5; the default is 0.01.")),
    }
}

/// The error for a filter that no value can hold, with what one could.
#[cold]
fn too_large(capacity: u64, error_rate: f32, layout: Layout) -> Error {
    let fits = |capacity| geometry::layout(capacity, f64::from(error_rate)).byte_len() <= MAX_BYTES;
    let (mut low, mut high) = (1, capacity);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    Error::new(
        ErrorKind::Limit,
        format!(
            "a bloom filter of {capacity} values at error rate {error_rate} would take {} bytes, \
             more than the {MAX_BYTES} that fit a value",
            layout.byte_len()
        ),
    )
    .with_hint(format!(
        "At this error rate {low} values fit. Keep several filters, one for each part of the \
         values, or ask for a higher error rate."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_what_new_finds() {
        assert_eq!(Params::new(1_000_000, 0.01).unwrap(), Params::DEFAULT);
        Params::DEFAULT.check().unwrap();
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        for capacity in [0, -1, i64::MIN] {
            let error = Params::new(capacity, 0.01).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidParameter);
        }
        for rate in [0.0, -0.1, 0.51, 1.0, 1e-10, f64::NAN, f64::INFINITY] {
            let error = Params::new(10, rate).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidParameter, "{rate}");
            assert!(Params::gathering(rate).is_err());
        }
    }

    #[test]
    fn what_does_not_fit_says_what_does() {
        let error = Params::new(1_000_000_000, 0.01).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("1316"), "{error}");
        let hint = error.hint().unwrap();
        let fits: i64 = hint.split(' ').nth(4).unwrap().parse().unwrap();
        assert!(Params::new(fits, 0.01).is_ok());
        assert_eq!(Params::new(fits + 1, 0.01).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(Params::new(i64::MAX, 1e-9).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn cut_keys_hardly_ever_coincide() {
        for rate in [0.5, 0.01, 0.0001, 1e-9] {
            for capacity in [1, 10, 1000, 1_000_000, 100_000_000] {
                let params = Params::new(capacity, rate).unwrap();
                let share = 0.5f64.powi(params.key_bits() as i32);
                assert!(capacity as f64 * share < rate / 100.0, "{params:?}");
                let keys = params.max_keys() as f64;
                assert!(keys * keys / 2.0 * share < 0.02, "{params:?}");
            }
        }
    }
}
