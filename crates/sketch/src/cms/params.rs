//! Epsilon and delta, and the table that follows from them.

use std::f64::consts::E;
use std::fmt;

use super::block::SHAPE_LEN;
use super::unpack::BLOCK;
use crate::codec::{header, params};
use crate::error::{Error, ErrorKind, Result};

/// The most rows; a delta of `exp(-32)` is `1.3e-14`.
pub const MAX_DEPTH: usize = 32;

/// The most bytes before the count or the directory of a sketch at rest: the header, the width,
/// the depth, the total.
pub(super) const MAX_HEAD_LEN: usize = header::LEN + params::MAX_COUNT_LEN + 1 + 9;

/// The most cells: with eight bytes each a table at rest is not longer than any sketch may be.
pub const MAX_CELLS: usize = {
    let len = crate::MAX_LEN - MAX_HEAD_LEN - SHAPE_LEN;
    len / (8 * BLOCK + SHAPE_LEN) * BLOCK
};

/// An epsilon below 1 needs so many cells in a row.
const MIN_WIDTH: u32 = 3;

/// A larger delta is none: a table of one row has less, and who gives more means the confidence.
const LARGEST_DELTA: f64 = 0.5;

/// Relative noise that parameters may carry: what a sketch reports as its epsilon and delta must
/// give the same table again.
const NOISE: f64 = 1e-12;

/// The dimensions of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    width: u32,
    depth: u8,
}

impl Params {
    /// The error as a share of the total, where the user gives none.
    pub const DEFAULT_EPSILON: f64 = 0.001;
    /// The share of values whose error may be larger, where the user gives none.
    pub const DEFAULT_DELTA: f64 = 0.01;
    /// The table of the default epsilon and delta: 5 rows of 2,719 cells.
    pub const DEFAULT: Params = Params { width: 2719, depth: 5 };

    /// The table for estimates that exceed the truth by more than `epsilon` times the total for at
    /// most a share `delta` of the values: `ceil(e / epsilon)` cells in each of
    /// `ceil(ln(1 / delta))` rows (Cormode & Muthukrishnan 2005, theorem 1).
    ///
    /// ```
    /// use sketch::cms::Params;
    /// let params = Params::new(0.001, 0.01).unwrap();
    /// assert_eq!((params.width(), params.depth()), (2719, 5));
    /// assert!(Params::new(1.0, 0.01).is_err());
    /// ```
    pub fn new(epsilon: f64, delta: f64) -> Result<Self> {
        if !(epsilon > 0.0 && epsilon < 1.0) {
            return Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("cms epsilon {epsilon} is out of range"),
            )
            .with_hint(
                "Epsilon is the error as a share of the total, between 0 and 1; the default is \
                 0.001.",
            ));
        }
        if !(delta > 0.0 && delta < LARGEST_DELTA) {
            return Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("cms delta {delta} is out of range"),
            )
            .with_hint(delta_hint(delta)));
        }
        let Some(depth) = (1..=MAX_DEPTH).find(|&d| delta_of(d) <= delta * (1.0 + NOISE)) else {
            let least = delta_of(MAX_DEPTH);
            return Err(Error::new(
                ErrorKind::InvalidParameter,
                format!(
                    "cms delta {delta} is below {least:e}, for which a table has {MAX_DEPTH} rows"
                ),
            )
            .with_hint(format!("Use a delta of {least:e} or more; the default is 0.01.")));
        };
        let width = (E / epsilon * (1.0 - NOISE)).ceil().max(f64::from(MIN_WIDTH));
        let most = MAX_CELLS / depth;
        if width > most as f64 {
            let bytes = width * depth as f64 * 8.0;
            // Rounded up.
            let least = E / most as f64 * 1.0005;
            return Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "a cms of epsilon {epsilon} and delta {delta} has {depth} rows of {width} \
                     cells and can take {bytes:e} bytes, more than half a gigabyte"
                ),
            )
            .with_hint(format!("At this delta epsilon can be {least:.3e} or more.")));
        }
        Ok(Params { width: width as u32, depth: depth as u8 })
    }

    /// The parameters of a table of `depth` rows of `width` cells.
    ///
    /// ```
    /// use sketch::cms::Params;
    /// let params = Params::from_dimensions(272, 5).unwrap();
    /// assert_eq!(Params::new(params.epsilon(), params.delta()), Ok(params));
    /// assert!(Params::from_dimensions(272, 0).is_err());
    /// ```
    pub fn from_dimensions(width: u32, depth: u8) -> Result<Self> {
        let cells = u64::from(width) * u64::from(depth);
        if width < MIN_WIDTH
            || !(1..=MAX_DEPTH).contains(&usize::from(depth))
            || cells > MAX_CELLS as u64
        {
            return Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("a cms cannot have {depth} rows of {width} cells"),
            )
            .with_hint(format!(
                "A cms has 1 to {MAX_DEPTH} rows of {MIN_WIDTH} cells or more, and at most \
                 {MAX_CELLS} cells."
            )));
        }
        Ok(Params { width, depth })
    }

    /// Reads stored parameters; returns them and the bytes behind them.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, &[u8])> {
        let ((width, depth), rest) = params::read(bytes)?;
        Ok((Self::of_stored(width, depth)?, rest))
    }

    /// Writes what [`Params::read`] reads; returns its length.
    pub(super) fn write(self, out: &mut [u8]) -> usize {
        params::write((self.width, self.depth), out)
    }

    /// The dimensions of a sketch that may have come from anywhere.
    pub(super) fn of_stored(width: u32, depth: u8) -> Result<Self> {
        Self::from_dimensions(width, depth)
            .map_err(|error| Error::bytes(error.message().to_owned()))
    }

    /// The dimensions of a working state, which nothing but valid ones was written to.
    #[inline(always)]
    pub(super) fn of_state(width: u32, depth: u8) -> Self {
        Params { width, depth }
    }

    /// The number of cells in a row.
    #[inline]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// The number of rows.
    #[inline]
    pub fn depth(self) -> usize {
        usize::from(self.depth)
    }

    /// The number of cells.
    #[inline]
    pub fn cells(self) -> usize {
        self.width() * self.depth()
    }

    /// The error that estimates keep to, as a share of the total: `e / width`.
    pub fn epsilon(self) -> f64 {
        E / f64::from(self.width)
    }

    /// For what share of values they may not: `exp(-depth)`.
    pub fn delta(self) -> f64 {
        delta_of(self.depth())
    }

    /// The largest number of distinct keys that are kept with their counts.
    ///
    /// A list of so many, at seven to eight bytes each, takes as much as the table at rest when
    /// counts are about 20; the table is smaller sooner when all counts are 1, and later when they
    /// are large. In memory a table of as many slots is as large as that of one-byte cells.
    #[inline]
    pub fn max_entries(self) -> usize {
        self.cells() / 24
    }

    /// Which parameters two empty sketches have in common: those that somebody chose, else the
    /// smaller ones, in whatever order they meet.
    pub(super) fn of_empty(self, other: Self) -> Self {
        let rank = |params: Self| (params == Self::DEFAULT, params.width, params.depth);
        if rank(self) <= rank(other) { self } else { other }
    }

    /// The error for an operation on sketches of different parameters.
    pub(super) fn mismatch(self, other: Params) -> Error {
        Error::new(
            ErrorKind::Mismatch,
            format!("cms sketches of {self} and of {other} cannot be combined"),
        )
        .with_hint(format!(
            "Build all sketches that are to be combined with one epsilon and delta, as in \
             cms_agg(value, {:.6}, {:.6}).",
            self.epsilon(),
            self.delta()
        ))
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Params { width, depth } = self;
        write!(f, "epsilon {:.6} and delta {:.6} ({width} x {depth})", self.epsilon(), self.delta())
    }
}

fn delta_hint(delta: f64) -> String {
    let mut hint = "Delta is the share of values whose error may be larger than epsilon times the \
                    total, above 0 and below 0.5; the default is 0.01."
        .to_owned();
    if (LARGEST_DELTA..1.0).contains(&delta) {
        // Without the noise of the subtraction.
        let share = ((1.0 - delta) * 1e12).round() / 1e12;
        hint += &format!(" It is not the confidence: for a confidence of {delta} give {share}.");
    }
    hint
}

/// The same on every machine: no call of the system's library.
fn delta_of(depth: usize) -> f64 {
    libm::exp(-(depth as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cms::state::CmsState;
    use crate::cms::{entries, packed};

    #[test]
    fn out_of_range_is_refused_with_a_hint() {
        for bad in [0.0, -0.1, 1.0, 7.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for error in [Params::new(bad, 0.01).unwrap_err(), Params::new(0.01, bad).unwrap_err()]
            {
                assert_eq!(error.kind(), ErrorKind::InvalidParameter);
                assert!(error.message().contains(&bad.to_string()) && error.hint().is_some());
            }
        }
        let error = Params::new(0.01, 1e-15).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParameter);
        for (width, depth) in [(2, 1), (3, 0), (3, 33), (u32::MAX, 1), (MAX_CELLS as u32, 2)] {
            assert!(Params::from_dimensions(width, depth).is_err());
        }
    }

    #[test]
    fn a_confidence_is_no_delta() {
        assert_eq!(Params::new(0.01, 0.4999).map(Params::depth), Ok(1));
        for (confidence, delta) in [("0.5", "0.5"), ("0.998", "0.002"), ("0.99999", "0.00001")] {
            let error = Params::new(0.001, confidence.parse().unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidParameter);
            let hint = error.hint().unwrap();
            let end = format!("for a confidence of {confidence} give {delta}.");
            assert!(hint.contains("share") && hint.ends_with(&end), "{hint}");
        }
    }

    /// At the largest table that the parameters allow everything that is built of it fits: the
    /// sketch at rest, and a state behind a length word of four bytes.
    #[test]
    fn what_cannot_be_built_is_refused_with_the_way_out() {
        const SERVER: usize = (1 << 30) - 1 - 64;
        for depth in [1, 5, 32] {
            let params = Params::from_dimensions((MAX_CELLS / depth) as u32, depth as u8).unwrap();
            let total = i64::MAX as u64;
            assert!(crate::cms::max_len(params, total) <= crate::MAX_LEN);
            assert!(MAX_HEAD_LEN + packed::max_len(params.cells(), 8) <= crate::MAX_LEN);
            assert!(CmsState::cells(params, 8).len + 4 <= SERVER);
            let list = CmsState::list(params.max_entries(), 0).len;
            assert!(list + 4 <= SERVER && entries::max_len(params.max_entries()) <= crate::MAX_LEN);
        }
        assert!(CmsState::list(crate::cms::MAX_MOVING, 0).len + 4 <= SERVER);
        for (epsilon, delta) in
            [(2e-7, 0.01), (1e-8, 0.4), (1e-7, 1e-13), (1e-300, 0.01), (f64::MIN_POSITIVE, 0.01)]
        {
            let error = Params::new(epsilon, delta).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{epsilon}");
            assert!(error.message().contains("half a gigabyte"), "{error}");
            let hint = error.hint().unwrap();
            let least: f64 = hint.split(' ').find_map(|word| word.parse().ok()).unwrap();
            let params = Params::new(least, delta).unwrap();
            assert!(params.cells() as f64 > MAX_CELLS as f64 * 0.998, "{least}");
        }
    }

    #[test]
    fn dimensions_follow_the_paper() {
        let default = Params::new(Params::DEFAULT_EPSILON, Params::DEFAULT_DELTA);
        assert_eq!(default, Ok(Params::DEFAULT));
        for (epsilon, delta, width, depth) in [
            (0.999, 0.4999, 3, 1),
            (0.01, 0.05, 272, 3),
            (0.0001, 0.001, 27_183, 7),
            (0.5, 0.37, 6, 1),
            (0.5, 0.36, 6, 2),
        ] {
            let params = Params::new(epsilon, delta).unwrap();
            assert_eq!((params.width(), params.depth()), (width, depth));
            assert!(params.epsilon() <= epsilon && params.delta() <= delta);
        }
    }

    #[test]
    fn what_a_sketch_reports_gives_its_table_again() {
        for width in (3..3000).chain((1 << 20) - 40..1 << 20) {
            for depth in [1, 5, 17, 32] {
                let params = Params::from_dimensions(width, depth).unwrap();
                assert_eq!(Params::new(params.epsilon(), params.delta()), Ok(params));
            }
        }
    }
}
