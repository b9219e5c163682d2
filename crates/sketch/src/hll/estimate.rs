//! The count and its bounds, by maximum likelihood.
//!
//! With `n` values in `m` registers, let `x = n / m`. A level `u` of a register stays unseen with
//! probability `exp(-x 2^-u)`, independently of the others when `n` is Poisson (Ertl 2024, section
//! 3.1; the last level has the weight of the one before). So the log-likelihood of all registers
//! is `sum_u b_u ln(1 - exp(-x 2^-u)) - a x`, where `b_u` counts the registers that saw `u` and
//! `a` adds the weights of all levels known to be unseen.

use super::dense::Registers;
use super::view::{Body, HllRef};
use super::{Precision, token};
use crate::error::Result;
use crate::normal;

/// The bias of the maximum likelihood estimate is about this share over m (Ertl 2024, section
/// 4.2, for registers with two extra bits).
const BIAS: f64 = 0.481_473_765_277_200_65;

/// A count that no sketch of 64-bit hashes can tell from infinity.
const MAX_COUNT: f64 = (1u64 << 63) as f64;

/// An estimate with bounds that hold with the confidence asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub lower: f64,
    /// The estimate.
    pub estimate: f64,
    /// The upper bound.
    pub upper: f64,
}

/// An [`Interval`] in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound.
    pub lower: i64,
    /// The estimate.
    pub estimate: i64,
    /// The upper bound.
    pub upper: i64,
}

impl Interval {
    /// An interval that holds its estimate, also where a bound that was searched for has stopped
    /// short of it.
    pub(super) fn new(lower: f64, estimate: f64, upper: f64) -> Self {
        Interval { lower: lower.min(estimate), estimate, upper: upper.max(estimate) }
    }

    /// The interval in whole numbers: the bounds rounded outwards, so that they hold what they
    /// held.
    pub fn rounded(self) -> Bounds {
        // Float-to-integer casts saturate.
        let estimate = self.estimate.round() as i64;
        Bounds {
            lower: (self.lower.floor() as i64).min(estimate),
            estimate,
            upper: (self.upper.ceil() as i64).max(estimate),
        }
    }
}

impl HllRef<'_> {
    /// The estimated number of distinct values, rounded to a whole number.
    pub fn cardinality(&self) -> Result<i64> {
        // A float-to-integer cast saturates.
        Ok(self.estimate()?.round() as i64)
    }

    /// The estimated number of distinct values.
    pub fn estimate(&self) -> Result<f64> {
        Ok(match &self.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => token_estimate(*count),
            Body::Registers(registers) => Likelihood::new(registers, self.precision)?.estimate(),
        })
    }

    /// The estimate with bounds for a confidence between 0 and 1.
    ///
    /// Over tokens the only uncertainty is how many values share one, a Poisson count; over
    /// registers the bounds come from the likelihood ratio.
    pub fn bounds(&self, confidence: f64) -> Result<Bounds> {
        self.interval(confidence).map(Interval::rounded)
    }

    /// [`HllRef::bounds`] before rounding.
    pub fn interval(&self, confidence: f64) -> Result<Interval> {
        let confidence = normal::check_confidence(confidence)?;
        Ok(match &self.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => {
                // Whole, as the bounds are: its fraction says nothing.
                let estimate = token_estimate(*count).round();
                let shared = token_estimate(*count) - *count as f64;
                let tail = 0.5 * (1.0 - confidence);
                let bound = |share| *count as f64 + normal::poisson(shared, share);
                Interval::new(bound(tail), estimate, bound(1.0 - tail))
            }
            Body::Registers(registers) => {
                Likelihood::new(registers, self.precision)?.interval(confidence)
            }
        })
    }
}

/// The number of values behind so many distinct tokens: linear counting over `2^26` places
/// (Whang, Vander-Zanden & Taylor 1990).
pub(super) fn token_estimate(count: usize) -> f64 {
    let places = f64::from(1u32 << token::PREFIX_BITS);
    -places * (-(count as f64) / places).ln_1p()
}

/// The likelihood of the registers as a function of `ln(n / m)`.
pub(super) struct Likelihood {
    precision: Precision,
    /// The weights of the levels known to be unseen, added up.
    unseen: f64,
    /// The levels that were seen by any register: the weight and the number of registers.
    seen: Vec<(f64, f64)>,
}

impl Likelihood {
    pub(super) fn new(registers: &Registers<'_>, precision: Precision) -> Result<Self> {
        let mut counts = Histogram::default();
        registers.visit(|_, block| counts.add(block))?;
        Ok(Self::from_histogram(&counts.sum(), precision))
    }

    fn from_histogram(histogram: &[u32; 256], precision: Precision) -> Self {
        let max = precision.max_level();
        let weight = |level: u32| (-f64::from(level.min(max - 1))).exp2();
        let mut unseen = f64::from(histogram[0]);
        let mut seen = [0.0; 64];
        for (register, &count) in histogram.iter().enumerate().skip(4) {
            if count == 0 {
                continue;
            }
            let count = f64::from(count);
            let top = register as u32 >> 2;
            seen[top as usize] += count;
            if top < max {
                // All levels above add up to the weight of the top one.
                unseen += count * weight(top);
            }
            for below in 1..=2u32 {
                if top > below {
                    let level = top - below;
                    match register >> (2 - below) & 1 {
                        1 => seen[level as usize] += count,
                        _ => unseen += count * weight(level),
                    }
                }
            }
        }
        let seen = (1..64u32)
            .filter(|&level| seen[level as usize] > 0.0)
            .map(|level| (weight(level), seen[level as usize]))
            .collect();
        Likelihood { precision, unseen, seen }
    }

    /// The derivative of the log-likelihood, and the negative of its second derivative.
    fn slope(&self, log_x: f64) -> (f64, f64) {
        let x = log_x.exp();
        let mut slope = -self.unseen * x;
        let mut curve = self.unseen * x;
        for &(weight, count) in &self.seen {
            let t = x * weight;
            // t / (e^t - 1), which is 1 at 0.
            let h = if t < 1e-300 { 1.0 } else { t / t.exp_m1() };
            slope += count * h;
            curve += count * h * (h + t - 1.0);
        }
        (slope, curve)
    }

    /// The log-likelihood.
    fn log(&self, log_x: f64) -> f64 {
        let x = log_x.exp();
        let seen = self.seen.iter().map(|&(weight, count)| count * (-(-x * weight).exp_m1()).ln());
        seen.sum::<f64>() - self.unseen * x
    }

    /// Where the likelihood is greatest, as `ln(n / m)`; infinite if every level was seen.
    fn maximum(&self) -> f64 {
        if self.unseen == 0.0 {
            return f64::INFINITY;
        }
        let seen: f64 = self.seen.iter().map(|&(_, count)| count).sum();
        // The slope is not positive there, since h is at most 1.
        let mut log_x = (seen / self.unseen).ln();
        for _ in 0..100 {
            let (slope, curve) = self.slope(log_x);
            let step = (slope / curve).clamp(-1.0, 1.0);
            log_x += step;
            if step.abs() < 1e-9 {
                break;
            }
        }
        log_x
    }

    fn count(&self, log_x: f64) -> f64 {
        (log_x.exp() * self.precision.registers() as f64).min(MAX_COUNT)
    }

    pub(super) fn estimate(&self) -> f64 {
        self.corrected(self.maximum())
    }

    fn corrected(&self, log_x: f64) -> f64 {
        self.count(log_x) / (1.0 + BIAS / self.precision.registers() as f64)
    }

    pub(super) fn interval(&self, confidence: f64) -> Interval {
        let top = self.maximum();
        if top.is_infinite() {
            return Interval { lower: 0.0, estimate: MAX_COUNT, upper: MAX_COUNT };
        }
        let (_, information) = self.slope(top);
        // The model lets n vary, with relative variance 1 / n; the n at hand does not.
        let fixed = (1.0 - information / self.count(top)).max(1e-3);
        let z = normal::two_sided(confidence);
        let drop = 0.5 * z * z * fixed;
        let peak = self.log(top);
        let reach = 4.0 * z / information.sqrt() + 1e-9;
        let inside = |log_x: f64| peak - self.log(log_x) < drop;
        let estimate = self.corrected(top);
        Interval {
            lower: self.count(normal::bisect(top - reach, top, |x| !inside(x))).min(estimate),
            estimate,
            upper: self.count(normal::bisect(top, top + reach, inside)).max(estimate),
        }
    }
}

/// How often each register value occurs. Four tables, so that runs of one value do not wait for
/// each other.
struct Histogram([[u32; 256]; 4]);

impl Default for Histogram {
    fn default() -> Self {
        Histogram([[0; 256]; 4])
    }
}

impl Histogram {
    fn add(&mut self, registers: &[u8]) {
        let (chunks, rest) = registers.as_chunks::<4>();
        for chunk in chunks {
            for (part, &register) in self.0.iter_mut().zip(chunk) {
                part[usize::from(register)] += 1;
            }
        }
        for &register in rest {
            self.0[0][usize::from(register)] += 1;
        }
    }

    fn sum(&self) -> [u32; 256] {
        std::array::from_fn(|value| self.0.iter().map(|part| part[value]).sum())
    }
}
