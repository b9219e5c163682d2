//! How much do two sets have in common?
//!
//! By maximum likelihood over both sketches at once (see [`super::joint`]), which is the more
//! precise than adding and subtracting three counts the smaller the overlap is. Bounds for the
//! overlap and the two differences come from the profile likelihood: the other two rates are
//! always at their best for the one in question. That also works where a rate cannot be told from
//! zero.

use glam::{DMat3, DVec3};

use super::dense::Registers;
use super::estimate::{Interval, Likelihood, token_estimate};
use super::joint::{Joint, Rates, Slope};
use super::reduce::reduced;
use super::view::{Content, HllRef};
use super::{Precision, register, token};
use crate::error::Result;
use crate::hash::ValueClass;
use crate::normal;
use crate::sketch::View;

/// What two sets have in common, in numbers of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Values in both sets.
    pub both: Interval,
    /// Values in the first set alone.
    pub only_a: Interval,
    /// Values in the second set alone.
    pub only_b: Interval,
    /// Values in either set.
    pub union: Interval,
    /// The share of the union that is in both sets (Jaccard index); 0 for two empty sets.
    pub jaccard: Interval,
}

/// The overlap of the sets behind two sketches, with bounds for a confidence between 0 and 1.
///
/// Sketches of different precisions are compared at the lower one.
pub fn overlap(a: &HllRef<'_>, b: &HllRef<'_>, confidence: f64) -> Result<Overlap> {
    let confidence = normal::check_confidence(confidence)?;
    ValueClass::unite(a.class(), b.class())?;
    let precision = a.precision.min(b.precision);
    let contents = (reduced(a, precision)?, reduced(b, precision)?);
    if let (Content::Tokens(a), Content::Tokens(b)) = &contents {
        return Ok(of_tokens(a, b, confidence));
    }
    if a.is_empty() || b.is_empty() {
        return of_one(a, b, confidence);
    }
    let (a, b) = (registers(contents.0, precision), registers(contents.1, precision));
    Ok(Profile::new(&a, &b, precision)?.overlap(confidence))
}

/// The registers of what a sketch holds.
fn registers(content: Content, precision: Precision) -> Vec<u8> {
    match content {
        Content::Registers(registers) => registers,
        Content::Tokens(tokens) => {
            let mut registers = vec![0; precision.registers()];
            token::update_registers(&mut registers, tokens, precision);
            registers
        }
    }
}

/// Two lists of tokens: exact, but for values that share one.
fn of_tokens(a: &[u32], b: &[u32], confidence: f64) -> Overlap {
    let common = a.iter().filter(|token| b.binary_search(token).is_ok()).count();
    let union = token_estimate(a.len() + b.len() - common).round();
    let (a, b) = (token_estimate(a.len()).round(), token_estimate(b.len()).round());
    let (only_a, only_b) = ((union - b).max(0.0), (union - a).max(0.0));
    let both = (a - only_a).max(0.0);
    // Two different values share a token once in 2^26 pairs.
    let shared = (a + b).powi(2) / 2.0 / f64::from(1u32 << token::PREFIX_BITS);
    let tail = 0.5 * (1.0 - confidence);
    let spread = [tail, 1.0 - tail].map(|share| (normal::poisson(shared, share) - shared).abs());
    let slack = spread[0].max(spread[1]).round();
    let interval =
        |estimate: f64| Interval::new((estimate - slack).max(0.0), estimate, estimate + slack);
    let [both, only_a, only_b, union] = [both, only_a, only_b, union].map(interval);
    let share = |both: f64, union: f64| if union > 0.0 { both / union } else { 0.0 };
    let jaccard = Interval::new(
        share(both.lower, union.upper),
        share(both.estimate, union.estimate),
        share(both.upper, union.lower.max(1.0)).min(1.0),
    );
    Overlap { both, only_a, only_b, union, jaccard }
}

/// Two sketches of which one is empty.
fn of_one(a: &HllRef<'_>, b: &HllRef<'_>, confidence: f64) -> Result<Overlap> {
    let none = Interval { lower: 0.0, estimate: 0.0, upper: 0.0 };
    let (only_a, only_b) = (a.interval(confidence)?, b.interval(confidence)?);
    let union = if a.is_empty() { only_b } else { only_a };
    Ok(Overlap { both: none, only_a, only_b, union, jaccard: none })
}

/// What an interval is asked for, and how the three rates are written so that it is one of the
/// coordinates: always as logarithms, the third that of the overlap or of its odds.
#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    /// One of the rates.
    Rate(usize),
    /// The overlap over the sum of the differences, `x / (a + b)`: the odds of the Jaccard index.
    Odds,
}

impl Quantity {
    /// The coordinate that is the quantity's own.
    fn index(self) -> usize {
        match self {
            Quantity::Rate(index) => index,
            Quantity::Odds => 2,
        }
    }

    fn of(self, rates: Rates) -> f64 {
        match self {
            Quantity::Rate(index) => rates[index],
            Quantity::Odds => rates[2] / (rates[0] + rates[1]),
        }
    }

    /// The rates with the quantity set.
    fn set(self, mut rates: Rates, value: f64) -> Rates {
        match self {
            Quantity::Rate(index) => rates[index] = value,
            Quantity::Odds => rates[2] = value * (rates[0] + rates[1]),
        }
        rates
    }

    /// The derivatives of the rates (rows) by the coordinates (columns).
    fn jacobian(self, [a, b, x]: Rates) -> DMat3 {
        let (by_a, by_b) = match self {
            Quantity::Rate(_) => (0.0, 0.0),
            Quantity::Odds => (x * a / (a + b), x * b / (a + b)),
        };
        DMat3::from_cols_array(&[a, 0.0, by_a, 0.0, b, by_b, 0.0, 0.0, x])
    }

    /// The rates a step away in the coordinates.
    fn step(self, rates: Rates, step: DVec3, floor: f64) -> Rates {
        let [a, b, c] = step.clamp(DVec3::splat(-3.0), DVec3::splat(3.0)).exp().to_array();
        let (first, second) = ((rates[0] * a).max(floor), (rates[1] * b).max(floor));
        let x = match self {
            Quantity::Rate(_) => (rates[2] * c).max(floor),
            Quantity::Odds => self.of(rates) * c * (first + second),
        };
        [first, second, x]
    }
}

/// The joint likelihood around its maximum.
struct Profile {
    joint: Joint,
    registers: f64,
    /// The rates at the maximum, and the log-likelihood there.
    best: Rates,
    peak: f64,
    covariance: DMat3,
    /// No rate is taken to be below this: a thousandth of a value.
    floor: f64,
}

impl Profile {
    fn new(a: &[u8], b: &[u8], precision: Precision) -> Result<Self> {
        let union: Vec<u8> = a.iter().zip(b).map(|(&a, &b)| register::union(a, b)).collect();
        let m = precision.registers() as f64;
        let rate = |registers| -> Result<f64> {
            Ok(Likelihood::new(&Registers::Raw(registers), precision)?.estimate() / m)
        };
        let (n_a, n_b, n) = (rate(a)?, rate(b)?, rate(&union)?);
        let floor = 1e-3 / m;
        let start =
            [n - n_b, n - n_a, n_a + n_b - n].map(|rate| rate.max(0.01 * n_a.min(n_b)).max(floor));
        let joint = Joint::new(a, b, precision);
        let (best, slope) = climb(&joint, start, Quantity::Rate(2), false, floor);
        let mut curvature = DMat3::from_cols_array_2d(&slope.curvature);
        // A rate at the floor stays there: it has no variance.
        for index in (0..3).filter(|&index| best[index] <= 2.0 * floor) {
            curvature.col_mut(index)[index] = -1e30;
        }
        let covariance = -curvature.inverse();
        Ok(Profile { joint, registers: m, best, peak: slope.log, covariance, floor })
    }

    fn overlap(&self, confidence: f64) -> Overlap {
        let z = normal::two_sided(confidence);
        let [only_a, only_b, both] = [0, 1, 2].map(|index| {
            let (lower, upper) = self.ends(Quantity::Rate(index), z);
            let count =
                |rate: f64| if rate <= 2.0 * self.floor { 0.0 } else { rate * self.registers };
            Interval::new(count(lower), count(self.best[index]), count(upper))
        });
        let n = both.estimate + only_a.estimate + only_b.estimate;
        // The union is known so well that its logarithm is normal.
        let rate = n / self.registers;
        let variance = DVec3::ONE.dot(self.covariance * DVec3::ONE) - rate / self.registers;
        let spread = (z * variance.max(0.0).sqrt() / rate).exp();
        let union = Interval::new(n / spread, n, n * spread);
        let (lower, upper) = self.ends(Quantity::Odds, z);
        let share = |odds: f64| odds / (1.0 + odds);
        let jaccard = Interval::new(
            if both.lower == 0.0 { 0.0 } else { share(lower) },
            both.estimate / n,
            // Differences that may both be nothing leave room for equal sets.
            if only_a.lower + only_b.lower == 0.0 { 1.0 } else { share(upper) },
        );
        Overlap { both, only_a, only_b, union, jaccard }
    }

    /// The part of the quantity's variance that is left when the numbers of values are given: the
    /// model lets each vary, with its own size as variance.
    fn fixed(&self, quantity: Quantity) -> f64 {
        let [a, b, x] = self.best;
        let gradient = match quantity {
            Quantity::Rate(index) => DVec3::AXES[index],
            Quantity::Odds => {
                let by_difference = -x / (a + b).powi(2);
                DVec3::new(by_difference, by_difference, 1.0 / (a + b))
            }
        };
        let own = gradient * gradient * DVec3::from(self.best) / self.registers;
        let share = own.element_sum() / gradient.dot(self.covariance * gradient);
        if (0.0..1.0).contains(&share) { (1.0 - share).max(1e-3) } else { 1.0 }
    }

    /// The two ends of the interval for a quantity.
    fn ends(&self, quantity: Quantity, z: f64) -> (f64, f64) {
        let drop = 0.5 * z * z * self.fixed(quantity);
        let (lowest, highest) = match quantity {
            Quantity::Rate(_) => (self.floor, MAX_RATE),
            Quantity::Odds => (1e-9, 1e9),
        };
        let best = quantity.of(self.best).clamp(lowest, highest);
        let end = |factor: f64| {
            // From each point the climb starts at the rates that were best for the one before.
            let mut rates = self.best;
            let mut inside = |value: f64| {
                let start = quantity.set(rates, value);
                let (best, slope) = climb(&self.joint, start, quantity, true, self.floor);
                let inside = self.peak - slope.log < drop;
                if inside {
                    rates = best;
                }
                inside
            };
            let (mut near, mut far) = (best, best);
            let mut factor = factor;
            loop {
                far = (far * factor).clamp(lowest, highest);
                if !inside(far) {
                    break;
                }
                if far == lowest || far == highest {
                    return far;
                }
                near = far;
                factor *= factor;
            }
            // Halving the logarithm's distance: rates differ by orders of magnitude.
            while (far / near).ln().abs() > 1e-3 {
                let middle = (near * far).sqrt();
                if inside(middle) { near = middle } else { far = middle }
            }
            near
        };
        (end(1.0 / 1.02), end(1.02))
    }
}

/// More values a register than hashes of 64 bits can tell apart.
const MAX_RATE: f64 = (1u64 << 63) as f64;

/// Climbs to the greatest likelihood from the given rates, with the quantity held if so asked;
/// returns the rates and the slope there. Newton's steps in the quantity's coordinates,
/// shortened (Levenberg 1944) until they climb.
fn climb(
    joint: &Joint,
    mut rates: Rates,
    quantity: Quantity,
    held: bool,
    floor: f64,
) -> (Rates, Slope) {
    let mut slope = joint.slope(rates);
    let mut damping = 1e-3;
    for _ in 0..60 {
        let jacobian = quantity.jacobian(rates);
        let mut gradient = jacobian.transpose() * DVec3::from(slope.gradient);
        let curvature = DMat3::from_cols_array_2d(&slope.curvature);
        let own = DMat3::from_diagonal(gradient);
        let mut system = -(jacobian.transpose() * curvature * jacobian + own);
        for i in 0..3 {
            let diagonal = system.col(i)[i].abs();
            system.col_mut(i)[i] = diagonal * (1.0 + damping) + 1e-12;
        }
        if held {
            let index = quantity.index();
            gradient[index] = 0.0;
            for i in 0..3 {
                system.col_mut(i)[index] = 0.0;
            }
            *system.col_mut(index) = DVec3::AXES[index];
        }
        let next = quantity.step(rates, system.inverse() * gradient, floor);
        let next_slope = joint.slope(next);
        if next_slope.log >= slope.log {
            let gain = next_slope.log - slope.log;
            (rates, slope) = (next, next_slope);
            damping = (damping * 0.2).max(1e-9);
            if gain < 1e-6 {
                break;
            }
        } else if damping > 1e9 {
            break;
        } else {
            damping = (damping * 10.0).max(1e-3);
        }
    }
    (rates, slope)
}
