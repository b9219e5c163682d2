//! The error of the estimate.

use sketch::hll::{HllRef, Precision};

use crate::coverage::registers_from;
use crate::moments::{Measured, Moments};
use crate::options::Options;
use crate::trial::checkpoints;

/// Sizes an octave: at so many the line has no gaps in which a bump could hide.
const AN_OCTAVE: u32 = 12;

pub struct Errors {
    pub precision: Precision,
    pub trials: u64,
    /// Up to here all trials went.
    pub shallow: u64,
    /// The relative errors at each size.
    pub points: Vec<(u64, Moments)>,
}

/// A measured number, as a multiple of the theoretical standard error, and where it was found.
pub struct Worst {
    pub ratio: Measured,
    pub n: u64,
}

impl Errors {
    pub fn measure(p: u32, options: &Options) -> Self {
        let precision = Precision::new(i64::from(p)).unwrap();
        let registers = precision.registers() as u64;
        let trials = match p {
            ..=6 => 40_000,
            7..=9 => 10_000,
            10..=13 => 4_000,
            14..=16 => 1_000,
            _ => 500,
        };
        // Up to 100 values a register, where everything has long been periodic.
        let shallow = 100 * registers;
        let plan = options.plan(trials, shallow, trials.min(1_000));
        let max = options.max_n.unwrap_or(10_000_000.max(shallow));
        let mut sizes = checkpoints(precision, AN_OCTAVE, options.min_n, max.min(shallow));
        sizes.extend(checkpoints(precision, 1, options.min_n.max(shallow + 1), max));
        let look = |sums: &mut Vec<Moments>, index: usize, sketch: &HllRef<'_>| {
            sums.resize(sizes.len(), Moments::default());
            sums[index].add(sketch.estimate().unwrap() / sizes[index] as f64 - 1.0);
        };
        let title = format!("error, p = {p}");
        let sums = plan.grow(&title, precision, &sizes, options.seed << 8 ^ u64::from(p), look);
        let points = sizes.iter().enumerate().map(|(index, &n)| {
            let mut total = Moments::default();
            sums.iter().filter_map(|sums| sums.get(index)).for_each(|sum| total.merge(sum));
            (n, total)
        });
        Errors { precision, trials: plan.trials, shallow, points: points.collect() }
    }

    /// The points of a range of sizes, all of whose sketches hold registers and that all trials
    /// reached.
    fn registers(&self, range: std::ops::Range<f64>) -> impl Iterator<Item = &(u64, Moments)> {
        let m = self.precision.registers() as f64;
        let from = registers_from(self.precision);
        self.points
            .iter()
            .filter(move |(n, _)| *n >= from && *n <= self.shallow)
            .filter(move |(n, _)| range.contains(&(*n as f64 / m)))
    }

    fn worst(
        &self,
        range: std::ops::Range<f64>,
        what: impl Fn(&Moments) -> Measured,
    ) -> Option<Worst> {
        let sigma = self.precision.standard_error();
        self.registers(range)
            .map(|(n, moments)| Worst { ratio: what(moments) / sigma, n: *n })
            .max_by(|a, b| a.ratio.value.abs().total_cmp(&b.ratio.value.abs()))
    }

    /// The greatest root mean square for a range of values a register.
    pub fn worst_rms(&self, range: std::ops::Range<f64>) -> Option<Worst> {
        self.worst(range, Moments::rms)
    }

    /// The greatest bias.
    pub fn worst_bias(&self) -> Option<Worst> {
        self.worst(0.0..f64::INFINITY, Moments::bias)
    }

    /// The root mean square over a range of values a register, as a multiple of the theory.
    pub fn mean_rms(&self, range: std::ops::Range<f64>) -> f64 {
        let sigma = self.precision.standard_error();
        let squares: Vec<f64> = self
            .registers(range)
            .map(|(_, moments)| (moments.rms().value / sigma).powi(2))
            .collect();
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    }

    /// The greatest root mean square while sketches hold tokens, relative to the size.
    pub fn worst_of_tokens(&self) -> Option<(f64, u64)> {
        let limit = self.precision.max_tokens() as u64;
        self.points
            .iter()
            .filter(|(n, _)| *n <= limit)
            .map(|(n, moments)| (moments.rms().value, *n))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }
}
