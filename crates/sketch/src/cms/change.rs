//! Weights of either sign, and taking a part out again.
//!
//! A count never goes below zero: taking away is the undoing of what was added, and a change that
//! finds less than it is to take away changes nothing. In a table that is all that can be checked;
//! taking away what was never added can go unnoticed, and then estimates fall below the truth.
//!
//! A table stays a table, however few values are left in it, until nothing is.

use super::Params;
use super::cells::Change;
use super::entries::key_of;
use super::merge::{self, Refusal};
use super::state::{CmsState, LIST, MOVING};
use super::table::{Body, Part};
use super::view::CmsRef;
use super::working::Cms;
use crate::Owned;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{Value, ValueClass};
use crate::sketch::{Fit, View};

impl Cms {
    /// Makes `state`, of [`Sketch::initial_len`](crate::Sketch::initial_len) zero bytes, an empty *moving* state: one that
    /// keeps every value's count, however many there are up to
    /// [`MAX_MOVING`](super::MAX_MOVING), so that whatever is taken away again leaves what
    /// counting the rest would give. At rest it is as any other.
    pub fn init_moving(state: &mut CmsState, params: Params) {
        state.make(params, MOVING);
    }

    /// Adds a value `weight` times. A negative weight undoes as much as was added before; an error,
    /// with nothing changed, where there was less.
    ///
    /// For a state; [`Owned::<Cms>::add`](Owned) does the same.
    #[inline(always)]
    pub fn add(state: &mut CmsState, value: Value, weight: i64) -> Result<Fit> {
        if weight > 0 {
            Self::raise(state, value, weight as u64)
        } else {
            lower(state, value, weight)
        }
    }

    /// Takes out a sketch that was merged in before, or whose values were all added. An error,
    /// with nothing changed, where a count would go below zero, or where the state still has exact
    /// counts and the sketch does not.
    ///
    /// For a state; [`Owned::<Cms>::subtract`](Owned) does the same.
    pub fn subtract(state: &mut CmsState, other: &CmsRef<'_>) -> Result<Fit> {
        if other.is_empty() {
            return Ok(Fit::Done);
        }
        let total = state.total();
        if total > 0 && state.params() != other.params {
            return Err(state.params().mismatch(other.params));
        }
        ValueClass::unite(state.class()?, other.class())?;
        if other.total > total {
            return Err(too_much("a total", other.total, total));
        }
        if let (Body::Table(_), true) = (&other.body, state.is_list()) {
            return Err(Error::new(
                ErrorKind::Mismatch,
                format!(
                    "a cms with a table cannot be part of one that holds {} values exactly",
                    state.count()
                ),
            )
            .with_hint(HINT));
        }
        match merge::change(state, other, Change::Take)? {
            None => {
                lower_total(state, other.total);
                Ok(Fit::Done)
            }
            Some(refusal) => Err(refusal.less(state)),
        }
    }
}

impl Owned<Cms> {
    /// An empty sketch that stays exact while values are added and taken away again, at the cost of
    /// an entry for each: see [`Cms::init_moving`].
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut last_ten = Owned::<Cms>::moving(Params::DEFAULT);
    /// for i in 0..10_000 {
    ///     last_ten.add(Value::number(i), 1)?;
    ///     if i >= 10 {
    ///         last_ten.add(Value::number(i - 10), -1)?;
    ///     }
    /// }
    /// assert_eq!(CmsRef::parse(&last_ten.rest()?)?.distinct(), Some(10));
    /// # Ok(())
    /// # }
    /// ```
    pub fn moving(params: Params) -> Self {
        Self::new_by(params, Cms::init_moving)
    }

    /// Adds a value `weight` times. A negative weight undoes as much as was added before; an error,
    /// with nothing changed, where there was less.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut stock = Owned::<Cms>::new(Params::DEFAULT);
    /// stock.add(Value::text("apple"), 12)?;
    /// stock.add(Value::text("apple"), -5)?;
    /// assert!(stock.add(Value::text("apple"), -8).is_err());
    /// assert_eq!(CmsRef::parse(stock.working())?.frequency(Value::text("apple"))?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn add(&mut self, value: Value, weight: i64) -> Result<()> {
        self.apply(|state| Cms::add(state, value, weight))
    }

    /// Takes out a sketch, of any form, that was merged in before or whose values were all added.
    /// An error, with nothing changed, where a count would go below zero, or where this sketch
    /// still has exact counts and the other does not.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut monday = Owned::<Cms>::new(Params::DEFAULT);
    /// monday.add(Value::text("apple"), 12)?;
    /// let mut week = monday.clone();
    /// week.add(Value::text("pear"), 3)?;
    /// week.subtract(&monday.rest()?)?;
    /// let mut rest = Owned::<Cms>::new(Params::DEFAULT);
    /// rest.add(Value::text("pear"), 3)?;
    /// assert_eq!(week.rest()?, rest.rest()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn subtract(&mut self, bytes: &[u8]) -> Result<()> {
        let other = CmsRef::parse(bytes)?;
        self.apply(|state| Cms::subtract(state, &other))
    }
}

const HINT: &str = "Take away only what was added to the same sketch before.";

#[cold]
fn too_much(from: &str, by: u64, held: u64) -> Error {
    Error::new(ErrorKind::Mismatch, format!("cannot take {by} away from {from} of {held}"))
        .with_hint(HINT)
}

impl Refusal {
    /// The error for what the state has less of.
    fn less(&self, state: &CmsState) -> Error {
        match self.key {
            Some(key) if state.is_list() => {
                too_much("a frequency", self.by, state.find(key).unwrap_or(0))
            }
            Some(key) => {
                let held = state.look_up(key).frequency();
                too_much("a frequency of at most the estimate", self.by, held)
            }
            None => Error::new(
                ErrorKind::Mismatch,
                "cannot take a cms away from one in which a cell has less",
            )
            .with_hint(HINT),
        }
    }
}

/// Takes a value away, or nothing for a weight of 0.
fn lower(state: &mut CmsState, value: Value, weight: i64) -> Result<Fit> {
    state.expect(value)?;
    if let Some(growth) = state.shrunk() {
        return Ok(Fit::Needs(growth));
    }
    let (key, by) = (key_of(value), weight.unsigned_abs());
    if !merge::step(state, &Part::Entry(key, by), Change::Take) {
        return Err(Refusal { key: Some(key), by }.less(state));
    }
    lower_total(state, by);
    Ok(Fit::Done)
}

/// Lowers the total. A state without values has no class, and is a list again.
fn lower_total(state: &mut CmsState, by: u64) {
    let left = state.total().saturating_sub(by);
    state.fields.total.set(left);
    if left == 0 {
        state.clear_class();
        if !state.is_list() {
            state.mode = LIST;
            // Cells may be left of damaged bytes, which were merged unchecked.
            state.body.fill(0);
        }
    }
}
