//! The joint likelihood of two sketches, as a function of three rates.
//!
//! With `a` values a register only in the first set, `b` only in the second and `x` in both, all
//! Poisson, a level of weight `q` stays unseen by the first sketch with probability
//! `exp(-(a + x) q)`, by the second with `exp(-(b + x) q)`, by both with `exp(-(a + b + x) q)`. A
//! register says of each level that it was seen, that it was not, or nothing. The levels are
//! independent, so the log-likelihood is a sum over levels of eight counts times the logarithms
//! of these probabilities; Ertl 2017 ("New cardinality estimation algorithms for HyperLogLog
//! sketches", section 4) has it for registers without the two extra bits.

use super::Precision;
use super::register;

/// Rates, gradients: in the order only in the first, only in the second, in both.
pub type Rates = [f64; 3];
/// Second derivatives, covariances.
pub type Matrix = [[f64; 3]; 3];

/// What a register says of a level.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No = 0,
    Yes = 1,
    Unknown = 2,
}

/// How many pairs of registers say what of a level; the index is `first * 3 + second`.
type Counts = [f64; 9];

/// The joint likelihood of two tables of registers.
pub struct Joint {
    /// For each level that tells something: its weight and the counts.
    levels: Vec<(f64, Counts)>,
}

/// The log-likelihood with its first and second derivatives.
pub struct Slope {
    /// The log-likelihood.
    pub log: f64,
    /// Its gradient.
    pub gradient: Rates,
    /// Its matrix of second derivatives.
    pub curvature: Matrix,
}

impl Joint {
    /// Collects the counts of two tables of equal length.
    pub fn new(first: &[u8], second: &[u8], precision: Precision) -> Self {
        // Few pairs of values are common, so each is looked at once.
        let mut pairs = vec![0u32; 1 << 16];
        for (&a, &b) in first.iter().zip(second) {
            pairs[usize::from(a) << 8 | usize::from(b)] += 1;
        }
        let max = precision.max_level() as u8;
        let mut levels = vec![[0.0; 9]; usize::from(max) + 1];
        for (pair, &count) in pairs.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let (a, b) = ((pair >> 8) as u8, pair as u8);
            for (level, counts) in levels.iter_mut().enumerate().skip(1) {
                let said = seen(a, level as u8) as usize * 3 + seen(b, level as u8) as usize;
                counts[said] += f64::from(count);
            }
        }
        let weight = |level: usize| (-f64::from((level as u8).min(max - 1))).exp2();
        let levels = levels
            .into_iter()
            .enumerate()
            .skip(1)
            .map(|(level, counts)| (weight(level), counts))
            .filter(|(_, counts)| counts[..8].iter().any(|&count| count > 0.0))
            .collect();
        Joint { levels }
    }

    /// The likelihood at the given rates, all above zero.
    pub fn slope(&self, rates: Rates) -> Slope {
        let [a, b, x] = rates;
        let mut sum = Slope { log: 0.0, gradient: [0.0; 3], curvature: [[0.0; 3]; 3] };
        for (q, counts) in &self.levels {
            let [nn, ny, nu, yn, yy, yu, un, uy, _] = *counts;
            sum.unseen(*q, [nn + ny + nu, nn + yn + un, nn + ny + nu + yn + un], rates);
            sum.seen(*q, ny, b, [0.0, 1.0, 0.0]);
            sum.seen(*q, yn, a, [1.0, 0.0, 0.0]);
            sum.seen(*q, yu, a + x, [1.0, 0.0, 1.0]);
            sum.seen(*q, uy, b + x, [0.0, 1.0, 1.0]);
            if yy > 0.0 {
                sum.seen_by_both(*q, yy, rates);
            }
        }
        sum
    }
}

impl Slope {
    /// Levels unseen, by the share of each rate.
    fn unseen(&mut self, q: f64, counts: Rates, rates: Rates) {
        for i in 0..3 {
            self.log -= q * counts[i] * rates[i];
            self.gradient[i] -= q * counts[i];
        }
    }

    /// Levels seen through values of a rate that is the sum of some: `ln(1 - exp(-rate q))`.
    fn seen(&mut self, q: f64, count: f64, rate: f64, parts: Rates) {
        if count == 0.0 {
            return;
        }
        let t = rate * q;
        let odds = 1.0 / t.exp_m1();
        self.log += count * (-(-t).exp_m1()).ln();
        for i in 0..3 {
            self.gradient[i] += count * q * odds * parts[i];
            for j in 0..3 {
                self.curvature[i][j] -= count * q * q * odds * (1.0 + odds) * parts[i] * parts[j];
            }
        }
    }

    /// Levels that both sketches saw: through a common value, or through one of each.
    fn seen_by_both(&mut self, q: f64, count: f64, rates: Rates) {
        let [a, b, x] = rates.map(|rate| (-rate * q).exp());
        let [seen_a, seen_b, seen_x] = rates.map(|rate| -(-rate * q).exp_m1());
        let p = seen_x + x * seen_a * seen_b;
        let first = [q * x * a * seen_b, q * x * b * seen_a, q * x * (a + b - a * b)];
        let second = [
            [-q * first[0], q * q * a * b * x, -q * first[0]],
            [q * q * a * b * x, -q * first[1], -q * first[1]],
            [-q * first[0], -q * first[1], -q * first[2]],
        ];
        self.log += count * p.ln();
        for i in 0..3 {
            self.gradient[i] += count * first[i] / p;
            for j in 0..3 {
                self.curvature[i][j] += count * (second[i][j] / p - first[i] * first[j] / (p * p));
            }
        }
    }
}

/// What a register says of a level.
fn seen(register: u8, level: u8) -> Seen {
    let top = register >> 2;
    if register == 0 || level > top {
        return Seen::No;
    }
    if level + 2 < top {
        return Seen::Unknown;
    }
    match register::levels(register).any(|seen| seen == level) {
        true => Seen::Yes,
        false => Seen::No,
    }
}
