//! How often the bounds of a count hold it.

use sketch::hll::{HllRef, Precision};

use crate::options::Options;
use crate::trial::checkpoints;

/// How often one kind of bounds missed.
#[derive(Clone, Copy, Default)]
pub struct Hits {
    pub trials: u64,
    /// The value was below the lower bound.
    pub below: u64,
    /// The value was above the upper bound.
    pub above: u64,
    /// The widths, relative to the value, added up.
    pub width: f64,
}

impl Hits {
    pub fn add(&mut self, lower: f64, value: f64, upper: f64) {
        self.trials += 1;
        self.below += u64::from(value < lower);
        self.above += u64::from(value > upper);
        self.width += if value > 0.0 { (upper - lower) / value } else { 0.0 };
    }

    pub fn merge(&mut self, other: &Hits) {
        self.trials += other.trials;
        self.below += other.below;
        self.above += other.above;
        self.width += other.width;
    }

    /// The share of trials in which the bounds held the value.
    pub fn share(&self) -> f64 {
        1.0 - (self.below + self.above) as f64 / self.trials as f64
    }

    /// The standard error that this share has if `asked` is the true one.
    pub fn error(&self, asked: f64) -> f64 {
        (asked * (1.0 - asked) / self.trials as f64).sqrt()
    }
}

/// What was found at one size.
#[derive(Clone, Default)]
pub struct Point {
    /// For each confidence: the interval.
    pub exact: Vec<Hits>,
    /// For each confidence: the interval in whole numbers.
    pub rounded: Vec<Hits>,
}

/// What was found at one precision.
pub struct Coverage {
    pub precision: Precision,
    pub points: Vec<(u64, Point)>,
}

impl Coverage {
    pub fn measure(p: u32, options: &Options) -> Self {
        let precision = Precision::new(i64::from(p)).unwrap();
        let (trials, shallow, deep) = match p {
            ..=8 => (10_000, 100_000, 2_000),
            9..=13 => (4_000, 1_000_000, 1_000),
            _ => (2_000, 1_000_000, 1_000),
        };
        let plan = options.plan(trials, shallow, deep);
        let max = options.max_n.unwrap_or(10_000_000);
        let sizes = checkpoints(precision, 4, options.min_n, max);
        // From 30 values a register on, half as many tell as much.
        let late = 30 * precision.registers() as u64;
        let rest = checkpoints(precision, 2, options.min_n.max(late + 1), max);
        let sizes = [sizes.into_iter().filter(|&n| n <= late).collect(), rest].concat();
        let look = |points: &mut Vec<Point>, index: usize, sketch: &HllRef<'_>| {
            let n = sizes[index];
            let confidences = &options.confidences;
            points.resize(sizes.len(), Point::default());
            let Point { exact, rounded } = &mut points[index];
            exact.resize(confidences.len(), Hits::default());
            rounded.resize(confidences.len(), Hits::default());
            for (i, &confidence) in confidences.iter().enumerate() {
                let interval = sketch.interval(confidence).unwrap();
                exact[i].add(interval.lower, n as f64, interval.upper);
                let bounds = interval.rounded();
                rounded[i].add(bounds.lower as f64, n as f64, bounds.upper as f64);
            }
        };
        let title = format!("coverage, p = {p}");
        let sums = plan.grow(&title, precision, &sizes, options.seed ^ u64::from(p), look);
        let points = sizes.iter().enumerate().map(|(index, &n)| {
            let mut total = Point {
                exact: vec![Hits::default(); options.confidences.len()],
                rounded: vec![Hits::default(); options.confidences.len()],
            };
            for point in sums.iter().filter_map(|points| points.get(index)) {
                let pairs = total.exact.iter_mut().zip(&point.exact);
                pairs
                    .chain(total.rounded.iter_mut().zip(&point.rounded))
                    .for_each(|(total, hits)| total.merge(hits));
            }
            (n, total)
        });
        Coverage { precision, points: points.collect() }
    }

    /// The sizes at which every sketch holds registers: the others hold tokens, or may.
    pub fn of_registers(&self) -> impl Iterator<Item = &(u64, Point)> {
        let limit = registers_from(self.precision);
        self.points.iter().filter(move |(n, _)| *n >= limit)
    }

    /// The sizes at which every sketch holds tokens.
    pub fn of_tokens(&self) -> impl Iterator<Item = &(u64, Point)> {
        let limit = self.precision.max_tokens() as u64;
        self.points.iter().filter(move |(n, _)| *n <= limit)
    }
}

/// From this size on a sketch holds registers, however many of its values share a token: 6
/// standard deviations above the number that is expected to.
pub fn registers_from(precision: Precision) -> u64 {
    let limit = precision.max_tokens() as u64;
    let shared = (limit as f64).powi(2) / f64::from(1 << 27);
    limit + 1 + if shared > 0.01 { (shared + 6.0 * shared.sqrt()).ceil() as u64 } else { 0 }
}
