//! What filters of all types have in common: what they are made for, and how that is kept.
//!
//! A filter is made for a *capacity*, a number of distinct values, and an *error rate*, the share
//! of other values that it may take for one of them. The type derives a geometry of two numbers
//! from these, kept beside them, so that a later version may choose better and still read every
//! filter. An aggregate without a capacity *gathers* whole hashes and is given their number as its
//! capacity when it is brought to rest.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use zerocopy::little_endian::{F32, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::MAX_LEN;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::Value;
use crate::owned::Owned;
use crate::sketch::HashSketch;
use crate::source::Source;
use crate::state::State;

/// The most bytes of a state, and of the memory in which one is brought to rest: what a server can
/// allocate at once, less its own overhead.
pub(crate) const MAX_STATE_LEN: usize = (1 << 30) - 1 - 64;
/// The most bytes of the table of a filter at rest.
pub(crate) const MAX_TABLE_LEN: usize = MAX_LEN - 64;
/// The most values that are gathered without a capacity.
pub(crate) const MAX_GATHERED: usize = 1 << 25;

/// A type of filters.
pub trait Filter:
    HashSketch<Params = Params<Self>, Fields = Fields<Self>> + Copy + PartialEq + fmt::Debug
{
    /// The least and the greatest error rate.
    #[doc(hidden)]
    const ERROR_RATES: (f32, f32);

    /// The geometry that a capacity and an error rate need, of any size.
    #[doc(hidden)]
    fn derive(capacity: u64, error_rate: f32) -> Geometry;

    /// Whether there can be such a geometry, its size apart.
    #[doc(hidden)]
    fn is_possible(geometry: Geometry) -> bool;

    /// The bytes of the table at rest, and of that of a state.
    #[doc(hidden)]
    fn table_lens(geometry: Geometry) -> (u128, u128);

    /// The bytes that an aggregate needs at once.
    #[doc(hidden)]
    fn aggregate_len(capacity: u64, geometry: Geometry) -> u128;
}

/// A type that is asked whether a value is there.
pub trait Membership: Filter {
    /// Whether a state may hold a value: `false` is certain. One that was thawed answers fastest.
    fn holds(state: &State<Fields<Self>>, value: Value) -> Result<bool>;

    /// Whether a filter of any form may hold a value, of which the source reads what matters.
    fn contains_in(source: &mut dyn Source, value: Value) -> Result<bool>;
}

impl<F: Membership> Owned<F> {
    /// Whether the filter may hold a value: `false` is certain. Once there are many the values that
    /// came last are gone through one by one; a filter made [of bytes](Owned::from_bytes) has none.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::bloom::{Bloom, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut seen = Owned::<Bloom>::new(Params::new(1000, 0.01)?);
    /// seen.insert(Value::uuid([7; 16]))?;
    /// assert!(seen.contains(Value::uuid([7; 16]))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn contains(&self, value: Value) -> Result<bool> {
        F::holds(self.trusted(), value)
    }
}

/// The two numbers that say how large the table of a filter is and how it is used. What they are is
/// the type's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    pub(crate) parameter: u8,
    pub(crate) size: u64,
}

/// What a filter is made for, and the geometry that follows: filters can be combined if all of it
/// is equal.
///
/// ```
/// use sketch::bloom::Params;
/// let params = Params::new(1000, 0.01).unwrap();
/// assert_eq!(params.capacity(), Some(1000));
/// assert_eq!(params.error_rate(), 0.01);
/// assert!(Params::new(0, 0.01).is_err() && Params::new(1000, 0.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Params<F> {
    /// 0 while a state gathers.
    pub(crate) capacity: u64,
    pub(crate) error_rate: f32,
    pub(crate) parameter: u8,
    pub(crate) size: u32,
    filter: PhantomData<F>,
}

impl<F> Params<F> {
    pub(crate) const fn of(capacity: u64, error_rate: f32, parameter: u8, size: u32) -> Self {
        Params { capacity, error_rate, parameter, size, filter: PhantomData }
    }
}

impl<F: Filter> Params<F> {
    /// The parameters of a filter for `capacity` distinct values, 1 and more, which takes other
    /// values for one of them at most at the rate `error_rate` once it holds as many.
    pub fn new(capacity: i64, error_rate: f64) -> Result<Self> {
        let (capacity, error_rate) = Self::check_target(capacity, error_rate)?;
        Self::made_for(capacity, error_rate)
    }

    /// The parameters of a state that gathers values, to be sized to their number.
    pub fn gathering(error_rate: f64) -> Result<Self> {
        Ok(Self::of(0, Self::check_rate(error_rate)?, 0, 0))
    }

    /// The parameters of an aggregate, with the default for what is not given. An aggregate may
    /// need more memory than the filter that it builds: what would not fit is an error here, before
    /// there is any value.
    ///
    /// ```
    /// use sketch::cuckoo::Params;
    /// let capacity = 200_000_000;
    /// assert!(Params::new(capacity, 0.002).is_ok());
    /// let error = Params::for_aggregate(Some(capacity), None).unwrap_err();
    /// assert!(error.hint().unwrap().contains("At this error rate 100"));
    /// ```
    pub fn for_aggregate(capacity: Option<i64>, error_rate: Option<f64>) -> Result<Self> {
        let error_rate = error_rate.unwrap_or(F::DEFAULT_PARAMS.error_rate_as_written());
        let Some(capacity) = capacity else { return Self::gathering(error_rate) };
        let (capacity, error_rate) = Self::check_target(capacity, error_rate)?;
        let fits = |capacity| {
            let geometry = F::derive(capacity, error_rate);
            fits::<F>(geometry) && F::aggregate_len(capacity, geometry) <= MAX_STATE_LEN as u128
        };
        match Self::made_for(capacity, error_rate) {
            Ok(params) if fits(capacity) => Ok(params),
            Ok(_) => Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "{capacity} values are too many to gather for one {} filter",
                    F::TYPE.name()
                ),
            )
            .with_hint(what_fits(capacity, fits))),
            Err(error) => Err(error.with_hint(what_fits(capacity, fits))),
        }
    }

    /// The parameters that a filter has at rest, given how many values a state without a capacity
    /// has gathered; those of the default capacity if that is none.
    pub(crate) fn sized(self, count: usize) -> Result<Self> {
        match (self.capacity, count) {
            (0, 0) => Self::made_for(F::DEFAULT_PARAMS.capacity, self.error_rate),
            (0, _) => Self::made_for(count as u64, self.error_rate),
            _ => Ok(self),
        }
    }

    fn made_for(capacity: u64, error_rate: f32) -> Result<Self> {
        let geometry = F::derive(capacity, error_rate);
        match u32::try_from(geometry.size) {
            Ok(size) if fits::<F>(geometry) => {
                Ok(Self::of(capacity, error_rate, geometry.parameter, size))
            }
            _ => Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "a {} filter of {capacity} values at error rate {error_rate} would take {} \
                     bytes, more than half a gigabyte",
                    F::TYPE.name(),
                    F::table_lens(geometry).0
                ),
            )
            .with_hint(what_fits(capacity, |capacity| fits::<F>(F::derive(capacity, error_rate))))),
        }
    }

    fn check_target(capacity: i64, error_rate: f64) -> Result<(u64, f32)> {
        let error_rate = Self::check_rate(error_rate)?;
        match u64::try_from(capacity) {
            Ok(capacity @ 1..) => Ok((capacity, error_rate)),
            _ => Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("{} capacity {capacity} is out of range", F::TYPE.name()),
            )
            .with_hint("The capacity is the number of distinct values to come, at least 1.")),
        }
    }

    fn check_rate(error_rate: f64) -> Result<f32> {
        let (least, greatest) = F::ERROR_RATES;
        match error_rate as f32 {
            rate if (least..=greatest).contains(&rate) => Ok(rate),
            _ => Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("{} error rate {error_rate} is out of range", F::TYPE.name()),
            )
            .with_hint(format!(
                "The error rate is a number from {least:e} to {greatest}; the default is {}.",
                F::DEFAULT_PARAMS.error_rate
            ))),
        }
    }

    /// Checks parameters that were read: any geometry passes that a filter can have.
    pub(crate) fn check(self) -> Result<Self> {
        let (least, greatest) = F::ERROR_RATES;
        let is_sound = (1..=i64::MAX as u64).contains(&self.capacity)
            && (least..=greatest).contains(&self.error_rate)
            && F::is_possible(self.geometry())
            && fits::<F>(self.geometry());
        if is_sound {
            return Ok(self);
        }
        Err(Error::bytes(format!(
            "no {} filter has capacity {}, error rate {} and the geometry {}, {}",
            F::TYPE.name(),
            self.capacity,
            self.error_rate,
            self.parameter,
            self.size
        )))
    }

    pub(crate) fn geometry(self) -> Geometry {
        Geometry { parameter: self.parameter, size: self.size.into() }
    }

    /// The parameters as they are stored with a flag.
    pub(crate) fn with_flag(self, flag: bool) -> Self {
        Params { parameter: self.parameter | if flag { FLAG } else { 0 }, ..self }
    }

    /// The parameters and the flag that were stored.
    pub(crate) fn without_flag(self) -> (Self, bool) {
        let parameter = self.parameter & !FLAG;
        (Params { parameter, ..self }, parameter != self.parameter)
    }

    /// Whether these are those of a state that gathers values and is yet to be sized.
    #[inline]
    pub(crate) fn is_unsized(self) -> bool {
        self.capacity == 0
    }

    /// For how many distinct values the filter is made; `None` while that is yet to come.
    pub fn capacity(self) -> Option<u64> {
        Some(self.capacity).filter(|&capacity| capacity > 0)
    }

    /// The error rate that was asked for.
    pub fn error_rate(self) -> f32 {
        self.error_rate
    }

    /// The same as the shortest decimal number that is stored so: 0.01, not 0.00999999977.
    pub fn error_rate_as_written(self) -> f64 {
        self.error_rate.to_string().parse().unwrap_or(self.error_rate.into())
    }

    /// Of the parameters of two empty filters those that stay when they are merged: explicit ones
    /// before the default, then the smaller. A total order, so that it does not matter how several
    /// meet.
    pub(crate) fn preferred(self, other: Self) -> Self {
        let rank = |params: Self| {
            let sized = params.sized(0).unwrap_or(params);
            let Params { capacity, error_rate, parameter, size, .. } = sized;
            let is_default = sized == F::DEFAULT_PARAMS;
            (is_default, capacity, error_rate.to_bits(), parameter, size, params.is_unsized())
        };
        if rank(other) < rank(self) { other } else { self }
    }

    /// Checks that filters of these parameters can be combined.
    pub(crate) fn expect_same(self, other: Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let name = F::TYPE.name();
        let (own, its) = (self.to_string(), other.to_string());
        let message = if own == its {
            format!(
                "{name} filters of {own} differ in geometry: {}, {} and {}, {}",
                self.parameter, self.size, other.parameter, other.size
            )
        } else {
            format!("{name} filters of {own} and of {its} cannot be combined")
        };
        let hint = match self.capacity {
            0 => "Bring both to rest first.".to_owned(),
            capacity => format!(
                "Filters are combined if they are built with one capacity and one error rate; the \
                 first is one of {name}_agg(value, {capacity}, {}).",
                self.error_rate
            ),
        };
        Err(Error::new(ErrorKind::Mismatch, message).with_hint(hint))
    }
}

/// As messages name them.
impl<F> fmt::Display for Params<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.capacity {
            0 => write!(f, "no capacity and error rate {}", self.error_rate),
            capacity => write!(f, "capacity {capacity} and error rate {}", self.error_rate),
        }
    }
}

/// Whether a filter fits a value, at rest and as a state.
fn fits<F: Filter>(geometry: Geometry) -> bool {
    let (at_rest, working) = F::table_lens(geometry);
    at_rest <= MAX_TABLE_LEN as u128 && working <= MAX_STATE_LEN as u128
}

/// The way out for a capacity that does not fit.
fn what_fits(capacity: u64, fits: impl Fn(u64) -> bool) -> String {
    let (mut low, mut high) = (1, capacity);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if fits(middle) { low = middle } else { high = middle }
    }
    format!(
        "At this error rate {low} values fit. Keep several filters, one for each part of the \
         values, or ask for a higher error rate."
    )
}

/// The fields of a filter's state: its parameters, of which one lies in the common head.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Fields<F> {
    capacity: U64,
    size: U32,
    error_rate: F32,
    filter: PhantomData<F>,
}

/// In the parameter, a flag of the type's own.
const FLAG: u8 = 1 << 7;

impl<F: Filter> State<Fields<F>> {
    /// The parameters of a state that may have come from anywhere.
    pub(crate) fn checked_params(&self) -> Result<Params<F>> {
        let params = self.params();
        let unsized_one = Params::gathering(params.error_rate.into());
        if unsized_one.as_ref() == Ok(&params) { unsized_one } else { params.check() }
    }

    /// The parameters.
    #[inline]
    pub(crate) fn params(&self) -> Params<F> {
        let Fields { capacity, size, error_rate, .. } = self.fields;
        Params::of(capacity.get(), error_rate.get(), self.parameter & !FLAG, size.get())
    }

    /// Whether the flag is set.
    pub(crate) fn has_flag(&self) -> bool {
        self.parameter & FLAG != 0
    }

    pub(crate) fn set_flag(&mut self) {
        self.parameter |= FLAG;
    }

    /// Sets the parameters, and no flag.
    pub(crate) fn set_params(&mut self, params: Params<F>) {
        self.parameter = params.parameter;
        self.fields.capacity.set(params.capacity);
        self.fields.size.set(params.size);
        self.fields.error_rate.set(params.error_rate);
    }
}
