//! Frequencies, their bounds, and inner products.

use super::block::{self, BLOCK};
use super::entries::key_of;
use super::packed::{self, Places};
use super::params::MAX_DEPTH;
use super::state::{self, HEAD_LEN, LIST, MODE_AT, MOVING};
use super::table::Table;
use super::view::{Body, CmsRef, Head, MAX_HEAD_LEN};
use super::{Params, cells, entries};
use crate::codec::{Form, header};
use crate::error::Result;
use crate::hash::ValueClass;
use crate::source::Source;

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

/// The size of a join: for each value its frequency in one sketch times that in the other, added
/// up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerProduct {
    /// Not below the truth.
    pub estimate: u128,
    /// With the probability `1 - delta` the truth is at most so much below: epsilon times both
    /// totals, 0 where both sketches are exact.
    pub error: f64,
}

/// What a sketch says of one value.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    params: Params,
    total: u64,
    is_exact: bool,
    /// The frequency, or the value's cell in each row.
    counts: [u64; MAX_DEPTH],
}

impl Lookup {
    fn blank(params: Params, total: u64, is_exact: bool) -> Lookup {
        Lookup { params, total, is_exact, counts: [0; MAX_DEPTH] }
    }

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

    /// The frequency without the share of others that its cells have in the mean: of each cell `c`
    /// in a row of `w` the other `w - 1` cells have `N - c`, so `c - (N - c) / (w - 1)` is
    /// unbiased; the median over the rows (Deng & Rafiei 2007, "New Estimation Algorithms for
    /// Streaming Data: Count-min Can Do More").
    ///
    /// Kept between 0 and the estimate, which improves it but leaves the mean of many such numbers
    /// above the truth. For rare values in a full table it errs many times less than the estimate.
    /// It is no bound: a frequent value that shares no cell comes out too low.
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
        let median = match counts.len() % 2 {
            1 => unbiased(counts[middle]),
            _ => (unbiased(counts[middle - 1]) + unbiased(counts[middle])) / 2.0,
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

impl CmsRef<'_> {
    /// How often a value was added, given its class and hash: never below the truth, and above it
    /// by more than epsilon times the total for at most a share delta of values.
    #[inline]
    pub fn frequency(&self, class: ValueClass, hash: u64) -> Result<u64> {
        class.expect_held(self.class())?;
        match &self.body {
            Body::Entries(entries) => entries.find(key_of(hash)),
            Body::Table(Table::Cells(_, size, table)) => {
                Ok(cells::least(table, *size, key_of(hash), self.params))
            }
            Body::Table(table) => {
                let mut least = u64::MAX;
                let indexes = cells::positions(key_of(hash), self.params);
                table.counts(indexes, |count| least = least.min(count))?;
                Ok(least)
            }
        }
    }

    /// Everything that the sketch says of a value.
    pub fn lookup(&self, class: ValueClass, hash: u64) -> Result<Lookup> {
        class.expect_held(self.class())?;
        let mut lookup = Lookup::blank(self.params, self.total, self.is_exact());
        let key = key_of(hash);
        match &self.body {
            Body::Entries(entries) => lookup.counts[0] = entries.find(key)?,
            Body::Table(table) => {
                let mut counts = lookup.counts.iter_mut();
                table.counts(cells::positions(key, self.params), |count| {
                    if let Some(to) = counts.next() {
                        *to = count;
                    }
                })?;
            }
        }
        Ok(lookup)
    }
}

/// [`CmsRef::frequency`] of a sketch of which only the parts that it needs are read.
pub fn frequency(source: &mut (impl Source + ?Sized), class: ValueClass, hash: u64) -> Result<u64> {
    lookup(source, class, hash).map(|lookup| lookup.frequency())
}

/// [`CmsRef::lookup`] in a sketch of which only the parts that it needs are read: of a table at
/// rest the head, the directory and a block for each row.
pub fn lookup(source: &mut (impl Source + ?Sized), class: ValueClass, hash: u64) -> Result<Lookup> {
    let head = source.head(MAX_HEAD_LEN)?;
    let head = match Head::read(head) {
        Ok(head) if head.header.form == Form::Dense => head,
        _ => {
            let all = source.read(0, source.byte_len())?;
            return CmsRef::parse(all)?.lookup(class, hash);
        }
    };
    let Head { header, params, total, end } = head;
    class.expect_held(header.class)?;
    let mut lookup = Lookup::blank(params, total, false);
    let directory_len = packed::directory_len(params.cells());
    let directory = source.read(end, directory_len)?.as_chunks::<{ block::HEAD_LEN }>().0;
    let mut places = Places::new(directory, params.cells());
    let mut blocks = [None; MAX_DEPTH];
    for (block, index) in blocks.iter_mut().zip(cells::positions(key_of(hash), params)) {
        let (head, at) = places.find(index / BLOCK)?;
        *block = Some((head, at, index % BLOCK));
    }
    for (count, block) in lookup.counts.iter_mut().zip(blocks) {
        let Some((head, at, index)) = block else { break };
        let bytes = source.read(end + directory_len + at, head.byte_len())?;
        *count = head.count(bytes, index)?;
    }
    Ok(lookup)
}

/// [`CmsRef::lookup`] in a working state. It must be one that this crate has made, as
/// [`Sketch::thaw`](crate::Sketch::thaw) does.
#[inline]
pub fn lookup_state(state: &[u8], class: ValueClass, hash: u64) -> Result<Lookup> {
    header::expect_value(state, class)?;
    let (params, key, table) = (state::params(state), key_of(hash), &state[HEAD_LEN..]);
    let mode = state[MODE_AT];
    let is_exact = matches!(mode, LIST | MOVING);
    let mut lookup = Lookup::blank(params, state::total(state), is_exact);
    if is_exact {
        lookup.counts[0] = entries::find(table, key).unwrap_or(0);
    } else {
        let counts = lookup.counts.iter_mut();
        for (to, at) in counts.zip(cells::positions(key, params)) {
            *to = cells::count(table, mode.into(), at);
        }
    }
    Ok(lookup)
}

/// The inner product of the frequencies in two sketches, an upper bound of the size of their join:
/// the least over the rows of the sums of products of cells (Cormode & Muthukrishnan 2005, section
/// 4.2).
pub fn inner_product(a: &CmsRef<'_>, b: &CmsRef<'_>) -> Result<InnerProduct> {
    if a.is_empty() || b.is_empty() {
        return Ok(InnerProduct { estimate: 0, error: 0.0 });
    }
    if a.params != b.params {
        return Err(a.params.mismatch(b.params));
    }
    ValueClass::unite(a.class(), b.class())?;
    let params = a.params;
    // Both factors are below 2^63, and so are the sums of one sketch's row.
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let mut rows = [0u128; MAX_DEPTH];
    match (&a.body, &b.body) {
        (Body::Entries(a), Body::Entries(b)) => {
            let mut sum = 0u128;
            a.join(b, |a, b| sum = sum.saturating_add(product(a, b)))?;
            return Ok(InnerProduct { estimate: sum, error: 0.0 });
        }
        (Body::Entries(list), Body::Table(table)) | (Body::Table(table), Body::Entries(list)) => {
            let mut failed = Ok(());
            list.visit(|key, count| {
                let mut row = 0;
                failed = table.counts(cells::positions(key, params), |other| {
                    rows[row] = rows[row].saturating_add(product(count, other));
                    row += 1;
                });
                failed.is_ok()
            })?;
            failed?;
        }
        (Body::Table(a), Body::Table(b)) => {
            let (mut row, mut left) = (0, params.width());
            a.visit_with(b, |count, other| {
                rows[row] = rows[row].saturating_add(product(count, other));
                left -= 1;
                if left == 0 {
                    (row, left) = (row + 1, params.width());
                }
            })?;
        }
    }
    Ok(InnerProduct {
        estimate: rows[..params.depth()].iter().copied().fold(u128::MAX, u128::min),
        error: a.total as f64 * b.total as f64 * params.epsilon(),
    })
}
