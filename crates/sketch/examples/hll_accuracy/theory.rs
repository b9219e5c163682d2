//! How well the registers of sketches tell the size of a set, and what two sets have in common.
//!
//! Rates and levels as in `sketch::hll::joint`. A register tells of a level if it has seen none
//! more than two above. What two sketches tell of a level depends on what they tell of those above
//! it alone, so that the covariance of scores is a sum over levels.

use glam::{DMat3, DVec3};

pub struct Overlapping {
    /// Values a register: only in the first set, only in the second, in both.
    rates: [f64; 3],
    registers: f64,
}

/// The weights of the levels, and of all those more than two above.
fn levels() -> impl Iterator<Item = (f64, f64)> {
    (1..=60).map(|level| (f64::exp2(-f64::from(level)), f64::exp2(-f64::from(level + 2))))
}

/// What a register tells of the logarithm of the rate at which values come to it.
fn information(rate: f64) -> f64 {
    levels()
        .map(|(q, above)| (rate * q).powi(2) / (rate * q).exp_m1() * (-rate * above).exp())
        .sum()
}

/// The relative standard error of a count by the best estimator. It is `0.761 / sqrt(m)` from some
/// tens of values a register on, and less before.
pub fn count_error(n: f64, registers: f64) -> f64 {
    // The model lets n vary, with relative variance 1 / n; the n at hand does not.
    (1.0 / (registers * information(n / registers)) - 1.0 / n).sqrt()
}

impl Overlapping {
    pub fn new(only_a: f64, only_b: f64, both: f64, registers: f64) -> Self {
        // A rate of nothing has no logarithm; a thousandth of a value is as good.
        let rates = [only_a, only_b, both].map(|n| n.max(1e-3) / registers);
        Overlapping { rates, registers }
    }

    /// The standard error of the overlap by the best estimator of the two sketches together
    /// (Cramér and Rao), in values.
    pub fn joint(&self) -> f64 {
        let [a, b, x] = self.rates;
        let mut information = DMat3::ZERO;
        for (q, above) in levels() {
            let unseen = |rate: f64| (-rate * q).exp();
            let silent = |rate: f64| (-rate * above).exp();
            let (by_a, by_b, by_both) = (unseen(a + x), unseen(b + x), unseen(a + b + x));
            let mut outcome = |share: f64, p: f64, slope: DVec3| {
                if p > 1e-300 {
                    let outer = DMat3::from_cols(slope * slope.x, slope * slope.y, slope * slope.z);
                    information += outer * (share / p);
                }
            };
            // The gradients of the chances that a level is unseen.
            let (in_a, in_b) = (DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 1.0, 1.0));
            let [da, db, dab] = [(in_a, by_a), (in_b, by_b), (DVec3::ONE, by_both)]
                .map(|(parts, unseen)| parts * (-q * unseen));
            let together = silent(a + b + x);
            outcome(together, by_both, dab);
            outcome(together, by_a - by_both, da - dab);
            outcome(together, by_b - by_both, db - dab);
            outcome(together, 1.0 - by_a - by_b + by_both, dab - da - db);
            for (rate, unseen, slope) in [(a + x, by_a, da), (b + x, by_b, db)] {
                let alone = silent(rate) - together;
                outcome(alone, unseen, slope);
                outcome(alone, 1.0 - unseen, -slope);
            }
        }
        self.fixed(information.inverse().z_axis.z)
    }

    /// The standard error of the overlap by inclusion and exclusion: the counts of the two
    /// sketches less the count of their union, in values.
    pub fn inclusion_exclusion(&self) -> f64 {
        let [a, b, x] = self.rates;
        let (n_a, n_b, n) = (a + x, b + x, a + b + x);
        let [i_a, i_b, i] = [n_a, n_b, n].map(information);
        let shared: f64 = levels()
            .map(|(q, above)| {
                let [t_a, t_b, t] = [n_a, n_b, n].map(|n| n * q);
                let both = (-t).exp() - (-t_a - t_b).exp();
                let scores = t_a * t_b * both / ((-t_a).exp_m1() * (-t_b).exp_m1());
                scores * (-n * above).exp()
            })
            .sum();
        // The score of the union holds that of a part of it: their covariance is the variance of
        // the part's count.
        let (v_a, v_b) = (n_a * n_a / i_a, n_b * n_b / i_b);
        let variance = n * n / i - v_a - v_b + 2.0 * n_a * n_b * shared / (i_a * i_b);
        self.fixed(variance)
    }

    /// The standard error in values, given the variance of the rate in one register when the
    /// numbers of values are random; here they are not.
    fn fixed(&self, variance: f64) -> f64 {
        ((variance - self.rates[2]).max(0.0) * self.registers).sqrt()
    }
}
