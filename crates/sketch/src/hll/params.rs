//! The precision of a sketch, and what follows from it.

use std::fmt;

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};

/// The binary logarithm of the number of registers, 4 to 18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Precision(u8);

impl Precision {
    /// 4: 16 registers, 19 % standard error.
    pub const MIN: Precision = Precision(4);
    /// 18: 262,144 registers, 0.15 % standard error.
    pub const MAX: Precision = Precision(18);
    /// 12: 4,096 registers, 1.19 % standard error.
    pub const DEFAULT: Precision = Precision(12);

    /// Checks the range.
    ///
    /// ```
    /// use sketch::hll::Precision;
    /// assert_eq!(Precision::new(11).unwrap().registers(), 2048);
    /// assert!(Precision::new(19).is_err());
    /// ```
    pub fn new(precision: i64) -> Result<Self> {
        match u8::try_from(precision) {
            Ok(p) if (Self::MIN.0..=Self::MAX.0).contains(&p) => Ok(Precision(p)),
            _ => Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("hll precision {precision} is out of range"),
            )
            .with_hint("The precision is a whole number from 4 to 18; the default is 12.")),
        }
    }

    /// The precision of a working state, which nothing but valid ones was written to.
    #[inline]
    pub(super) fn of_state(byte: u8) -> Self {
        debug_assert!((Self::MIN.0..=Self::MAX.0).contains(&byte));
        Precision(byte.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// The byte that stands for it in a state.
    #[inline]
    pub(super) fn to_state(self) -> u8 {
        self.0
    }

    /// The precision as a number.
    #[inline]
    pub fn get(self) -> u32 {
        u32::from(self.0)
    }

    /// The number of registers, m.
    #[inline]
    pub fn registers(self) -> usize {
        1 << self.0
    }

    /// The highest level that a register can reach: a hash has `64 - p` bits behind the index.
    #[inline]
    pub fn max_level(self) -> u32 {
        65 - self.get()
    }

    /// The largest number of distinct tokens that is kept as tokens: at the default precision as
    /// many as take no more bytes than the registers of a full sketch.
    #[inline]
    pub fn max_tokens(self) -> usize {
        self.registers() * 15 / 64
    }

    /// The relative standard error of a sketch in dense form: `0.761 / sqrt(m)` (Ertl 2024,
    /// section 4).
    pub fn standard_error(self) -> f64 {
        0.7609 / (self.registers() as f64).sqrt()
    }

    /// The error for an operation on sketches of different precisions.
    pub(super) fn mismatch(self, other: Precision) -> Error {
        let low = self.min(other);
        Error::new(
            ErrorKind::Mismatch,
            format!("sketches of precision {} and {} cannot be merged", self.0, other.0),
        )
        .with_hint(format!("Bring both to the lower one with hll_reduce(sketch, {}).", low.0))
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "precision {}", self.0)
    }
}
