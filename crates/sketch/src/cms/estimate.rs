//! What counts say: frequencies, their bounds, and inner products.

use super::Params;
use super::params::MAX_DEPTH;
use super::state::{CmsState, zeroed};
use super::table::{Body, Entries};
use super::view::CmsRef;
use super::working::Cms;
use crate::error::Result;
use crate::hash::ValueClass;
use crate::sketch::{Sketch, View};

/// A frequency between bounds. The lower one holds for all but a share delta of the values, the
/// upper one, which is the estimate, for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The estimate less epsilon times the total, not below 0.
    pub lower: u64,
    /// The estimate.
    pub estimate: u64,
    /// The estimate, which the truth never exceeds.
    pub upper: u64,
}

/// What a sketch says of one value.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    params: Params,
    total: u64,
    is_exact: bool,
    /// The frequency, or the value's cell in each row.
    counts: [u64; MAX_DEPTH],
}

impl Estimate {
    /// The estimate from an exact count.
    #[inline]
    pub(super) fn exact(params: Params, total: u64, count: u64) -> Self {
        let mut counts = [0; MAX_DEPTH];
        counts[0] = count;
        Estimate { params, total, is_exact: true, counts }
    }

    /// The estimate from the cells of a value, row by row.
    #[inline]
    pub(super) fn of_cells(params: Params, total: u64, counts: [u64; MAX_DEPTH]) -> Self {
        Estimate { params, total, is_exact: false, counts }
    }

    /// The frequency, or the value's cell in each row.
    fn counts(&self) -> &[u64] {
        &self.counts[..if self.is_exact { 1 } else { self.params.depth() }]
    }

    /// The estimated frequency: the least of the cells (Cormode & Muthukrishnan 2005, section
    /// 4.1).
    pub fn frequency(&self) -> u64 {
        self.counts().iter().copied().fold(u64::MAX, u64::min)
    }

    /// The frequency and its bounds.
    pub fn bounds(&self) -> Bounds {
        let estimate = self.frequency();
        let error = if self.is_exact { 0 } else { error_of(self.params, self.total) };
        Bounds { lower: estimate.saturating_sub(error), estimate, upper: estimate }
    }

    /// The frequency less what other values add to its cells on average: of each cell `c` in a row
    /// of `w` the other `w - 1` cells have `N - c`, so `c - (N - c) / (w - 1)` is unbiased; the
    /// median over the rows (Deng & Rafiei 2007, "New Estimation Algorithms for Streaming Data:
    /// Count-min Can Do More").
    ///
    /// Kept between 0 and the estimate, which improves it but leaves the average of many such
    /// numbers above the truth. For rare values in a full table it errs many times less than the
    /// estimate. It is no bound: a frequent value that shares no cell comes out too low.
    pub fn unbiased_frequency(&self) -> f64 {
        if self.is_exact {
            return self.frequency() as f64;
        }
        let mut counts = self.counts;
        let counts = &mut counts[..self.params.depth()];
        // The estimate grows with the cell, so the median of the cells gives that of the rows.
        counts.sort_unstable();
        let unbiased = |count: u64| {
            let others = self.total.saturating_sub(count) as f64;
            count as f64 - others / (self.params.width() - 1) as f64
        };
        let middle = counts.len() / 2;
        let median = if counts.len() % 2 == 1 {
            unbiased(counts[middle])
        } else {
            (unbiased(counts[middle - 1]) + unbiased(counts[middle])) / 2.0
        };
        median.clamp(0.0, self.frequency() as f64)
    }
}

/// `e / width` of the total, rounded down: so the truth, a whole number, is at least the estimate
/// less that where it is at least the estimate less epsilon times the total.
fn error_of(params: Params, total: u64) -> u64 {
    // Rounded up in the eighteenth place; totals are below 2^63, so the product has 125 bits.
    const E: u128 = 2_718_281_828_459_045_236;
    const ONE: u128 = 1_000_000_000_000_000_000;
    (u128::from(total) * E / (ONE * params.width() as u128)) as u64
}

/// The size of a join: for each value its frequency in one sketch times that in the other, added
/// up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerProduct {
    /// Not below the truth.
    pub estimate: u128,
    /// With the probability `1 - delta` the truth is at most this much below: epsilon times both
    /// totals, 0 where both sketches are exact.
    pub error: f64,
}

/// The inner product of the frequencies in two sketches, an upper bound of the size of their join:
/// the least over the rows of the sums of products of cells (Cormode & Muthukrishnan 2005, section
/// 4.2).
///
/// ```
/// use sketch::Owned;
/// use sketch::cms::{Cms, CmsRef, Params, inner_product};
/// use sketch::hash::Value;
///
/// # fn main() -> sketch::Result<()> {
/// let [mut orders, mut visits] = [0; 2].map(|_| Owned::<Cms>::new(Params::DEFAULT));
/// orders.add(Value::text("alice"), 3)?;
/// visits.add(Value::text("alice"), 20)?;
/// visits.add(Value::text("bob"), 7)?;
/// let product =
///     inner_product(&CmsRef::parse(orders.working())?, &CmsRef::parse(visits.working())?)?;
/// assert_eq!((product.estimate, product.error), (60, 0.0));
/// # Ok(())
/// # }
/// ```
pub fn inner_product(a: &CmsRef<'_>, b: &CmsRef<'_>) -> Result<InnerProduct> {
    if a.is_empty() || b.is_empty() {
        return Ok(InnerProduct { estimate: 0, error: 0.0 });
    }
    if a.params != b.params {
        return Err(a.params.mismatch(b.params));
    }
    ValueClass::unite(a.class(), b.class())?;
    let mut rows = [0u128; MAX_DEPTH];
    match (&a.body, &b.body) {
        (Body::Entries(entries), _) => join(entries, b, &mut rows)?,
        (_, Body::Entries(entries)) => join(entries, a, &mut rows)?,
        (Body::Table(own), Body::Table(others)) => {
            let (mut own, mut others) = (own.blocks(), others.blocks());
            let (mut row, mut left) = (0, a.params.width());
            while let (Some(own), Some(others)) = (own.next()?, others.next()?) {
                for (&count, &other) in own.iter().zip(others) {
                    rows[row] = rows[row].saturating_add(product(count, other));
                    left -= 1;
                    if left == 0 {
                        (row, left) = (row + 1, a.params.width());
                    }
                }
            }
        }
    }
    let is_exact = a.is_exact() && b.is_exact();
    let rows = &rows[..if is_exact { 1 } else { a.params.depth() }];
    Ok(InnerProduct {
        estimate: rows.iter().copied().fold(u128::MAX, u128::min),
        error: if is_exact { 0.0 } else { a.total as f64 * b.total as f64 * a.params.epsilon() },
    })
}

/// Both factors are below 2^63, and so are the sums of one sketch's row.
fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// Adds the products of the counts of keys with those that another sketch has of them, row by row.
fn join(entries: &Entries<'_>, other: &CmsRef<'_>, rows: &mut [u128; MAX_DEPTH]) -> Result<()> {
    // In a state a key is found at once.
    let mut state = zeroed(Cms::thaw_len(other))?;
    let state = CmsState::of(&mut state);
    Cms::thaw(other, state)?;
    entries.visit(|key, count| {
        let found = state.look_up(key);
        for (row, &other) in rows.iter_mut().zip(found.counts()) {
            *row = row.saturating_add(product(count, other));
        }
        true
    })
}
