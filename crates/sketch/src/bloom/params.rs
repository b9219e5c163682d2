//! Capacity and error rate, and the geometry that follows from them.
//!
//! The parameter of the geometry is the number of bits that a value sets in the classic layout, 0
//! for split blocks, and its size the number of bits or of blocks.

use super::Bloom;
use super::geometry::{self, Layout};
use super::split_block::BLOCK_LEN;
use crate::filter::{self, Filter, Geometry};

/// The fewest bytes of a filter's bits.
const MIN_LEN: u64 = 4;
const MAX_HASHES: u8 = 64;

/// What a filter is made for, and its geometry.
pub type Params = filter::Params<Bloom>;

impl Params {
    /// One million values at 1 %.
    pub const DEFAULT: Params = Params::of(1_000_000, 0.01, 0, 41_130);

    /// Where the bits are.
    #[inline]
    pub fn layout(self) -> Layout {
        Layout::of(self.geometry())
    }

    /// The share of other values that seem present at capacity.
    ///
    /// ```
    /// use sketch::bloom::Params;
    /// let rate = Params::new(1000, 0.01).unwrap().expected_error_rate();
    /// assert!(rate > 0.005 && rate <= 0.01);
    /// ```
    pub fn expected_error_rate(self) -> f64 {
        self.layout().error_rate(self.capacity)
    }

    /// The number of bytes that the bits take.
    #[inline]
    pub(super) fn byte_len(self) -> usize {
        if self.parameter == 0 {
            self.size as usize * BLOCK_LEN
        } else {
            self.size.div_ceil(8) as usize
        }
    }

    /// The largest number of distinct keys that is kept as keys: in memory, at eight bytes a key,
    /// those take about as many bytes as the bits, and fewer from a megabyte on, since it takes
    /// longer to gather a key than to set its bits.
    #[inline]
    pub fn max_keys(self) -> usize {
        let len = self.byte_len();
        (len / 8).min(len / 64 + 114_688).max(1)
    }

    /// How many bits of a hash a filter keeps: so many that other keys than its own are taken for
    /// them a hundred times less often than the error rate allows, and that among
    /// [`Params::max_keys`] two share a key once in a hundred filters.
    #[inline]
    pub fn key_bits(self) -> u32 {
        let bits = 8 * self.byte_len() as u64;
        let log = u64::BITS - (bits - 1).leading_zeros();
        let alike = 2 * log.max(4) - 7;
        (log + u32::from(self.parameter).max(8) + 5).max(alike).min(64)
    }
}

impl Filter for Bloom {
    const ERROR_RATES: (f32, f32) = (1e-9, 0.5);

    fn derive(capacity: u64, error_rate: f32) -> Geometry {
        geometry::layout(capacity, f64::from(error_rate)).geometry()
    }

    fn is_possible(geometry: Geometry) -> bool {
        let layout = Layout::of(geometry);
        geometry.parameter <= MAX_HASHES
            && u64::from(geometry.parameter) < layout.bits()
            && layout.byte_len() >= MIN_LEN
    }

    fn table_lens(geometry: Geometry) -> (u128, u128) {
        let len = Layout::of(geometry).byte_len().into();
        (len, len)
    }

    /// A filter that is sized sets its bits at once.
    fn aggregate_len(_: u64, geometry: Geometry) -> u128 {
        Self::table_lens(geometry).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

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
            assert!(error.hint().unwrap().contains("from 1e-9 to 0.5; the default is 0.01"));
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
        let params = Params::new(fits, 0.01).unwrap();
        assert_eq!(params, Params::for_aggregate(Some(fits), Some(0.01)).unwrap());
        assert!(params.check().is_ok() && params.byte_len() < 500_000_000);
        assert_eq!(Params::new(fits + 1, 0.01).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(Params::new(i64::MAX, 1e-9).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn cut_keys_hardly_ever_coincide() {
        for rate in [0.5, 0.01, 0.0001, 1e-9] {
            for capacity in [1, 10, 1000, 1_000_000, 80_000_000] {
                let params = Params::new(capacity, rate).unwrap();
                let share = 0.5f64.powi(params.key_bits() as i32);
                assert!(capacity as f64 * share < rate / 100.0, "{params:?}");
                let keys = params.max_keys() as f64;
                assert!(keys * keys / 2.0 * share < 0.02, "{params:?}");
            }
        }
    }
}
