//! The error of the overlap of two sketches, and how often its bounds hold.

use sketch::hll::{Overlap, Precision, overlap};

use crate::coverage::Hits;
use crate::moments::Moments;
use crate::options::Options;
use crate::sets::{Growing, Hashes};
use crate::theory::Overlapping;
use crate::trial::run;

pub const QUANTITIES: [&str; 5] = ["both", "only a", "only b", "union", "jaccard"];

/// Two sets: their sizes, and the share of the second that is in the first.
#[derive(Clone, Copy)]
pub struct Sets {
    pub p: u32,
    pub a: u64,
    pub b: u64,
    pub share: f64,
}

#[derive(Clone, Default)]
struct Sums {
    errors: [Moments; 5],
    inclusion_exclusion: Moments,
    /// For each confidence.
    hits: Vec<[Hits; 5]>,
}

pub struct Overlapped {
    pub sets: Sets,
    /// The errors of the five quantities, in values; that of the Jaccard index as it is.
    pub errors: [Moments; 5],
    /// The error of the overlap by counts of the same sketches, in values.
    pub inclusion_exclusion: Moments,
    /// For each confidence, the hits of the five intervals.
    pub hits: Vec<[Hits; 5]>,
}

/// The sets that are measured: large ones with ever less in common, one ten times the other, and
/// small ones on both sides of the change of form.
pub fn all_sets(options: &Options) -> Vec<Sets> {
    let precisions = options.precisions(&[12, 13]);
    if let Some((a, b, share)) = options.sets {
        return precisions.iter().map(|&p| Sets { p, a, b, share }).collect();
    }
    let mut all = Vec::new();
    for p in precisions {
        let limit = Precision::new(i64::from(p)).unwrap().max_tokens() as u64;
        let shares: &[f64] = match p {
            12 => &[1.0, 0.9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0],
            _ => &[0.5, 0.1, 0.01, 0.0],
        };
        for &share in shares {
            all.push(Sets { p, a: 1_000_000, b: 1_000_000, share });
        }
        for share in [0.5, 0.1, 0.01, 0.0] {
            all.push(Sets { p, a: 1_000_000, b: 100_000, share });
        }
        // A register's worth of values for each, sketches of both forms, and the last of tokens.
        let small = 3 * limit + limit / 8;
        for (a, b) in [(small, small), (limit + 8, limit), (limit, limit)] {
            for share in [1.0, 0.5, 0.0] {
                all.push(Sets { p, a, b, share });
            }
        }
    }
    all
}

impl Sets {
    /// The true values of the five quantities.
    pub fn truth(&self) -> [f64; 5] {
        let both = self.both() as f64;
        let (only_a, only_b) = (self.a as f64 - both, self.b as f64 - both);
        let union = both + only_a + only_b;
        [both, only_a, only_b, union, both / union]
    }

    fn both(&self) -> u64 {
        (self.share * self.a.min(self.b) as f64).round() as u64
    }

    pub fn theory(&self) -> Overlapping {
        let [both, only_a, only_b, ..] = self.truth();
        Overlapping::new(only_a, only_b, both, f64::exp2(f64::from(self.p)))
    }

    fn build(&self, seed: u64, trial: u64) -> [Growing; 2] {
        let precision = Precision::new(i64::from(self.p)).unwrap();
        let mut hashes = Hashes::new(seed, trial);
        let mut a = Growing::new(precision);
        a.fill(&mut hashes, 0, self.both());
        let mut b = a.clone();
        a.fill(&mut hashes, self.both(), self.a);
        b.fill(&mut hashes, self.both(), self.b);
        [a, b]
    }
}

impl Overlapped {
    pub fn measure(sets: Sets, options: &Options) -> Self {
        let trials = options.trials.unwrap_or(1_000);
        let truth = sets.truth();
        let trial = |sums: &mut Sums, trial: u64| {
            let [mut a, b] = sets.build(options.seed << 16 ^ sets.a ^ sets.b << 40, trial);
            sums.hits.resize(options.confidences.len(), Default::default());
            for (hits, &confidence) in sums.hits.iter_mut().zip(&options.confidences) {
                let found = overlap(&a.sketch(), &b.sketch(), confidence).unwrap();
                let Overlap { both, only_a, only_b, union, jaccard } = found;
                let found = [both, only_a, only_b, union, jaccard];
                for ((hits, interval), truth) in hits.iter_mut().zip(found).zip(truth) {
                    hits.add(interval.lower, truth, interval.upper);
                }
                if confidence == options.confidences[0] {
                    for ((error, interval), truth) in sums.errors.iter_mut().zip(found).zip(truth) {
                        error.add(interval.estimate - truth);
                    }
                }
            }
            let counts = a.sketch().estimate().unwrap() + b.sketch().estimate().unwrap();
            a.merge(&b);
            sums.inclusion_exclusion.add(counts - a.sketch().estimate().unwrap() - truth[0]);
        };
        let Sets { p, a, b, share } = sets;
        let title = format!("overlap, p = {p}, {a} and {b}, {share} in common");
        let mut total =
            Sums { hits: vec![Default::default(); options.confidences.len()], ..Sums::default() };
        for sums in run(&title, trials, trial) {
            total.inclusion_exclusion.merge(&sums.inclusion_exclusion);
            total.errors.iter_mut().zip(&sums.errors).for_each(|(total, sum)| total.merge(sum));
            let hits = total.hits.iter_mut().flatten().zip(sums.hits.iter().flatten());
            hits.for_each(|(total, hits)| total.merge(hits));
        }
        let Sums { errors, inclusion_exclusion, hits } = total;
        Overlapped { sets, errors, inclusion_exclusion, hits }
    }
}

impl Overlapped {
    /// Whether both sketches hold tokens.
    pub fn holds_tokens(&self) -> bool {
        let precision = Precision::new(i64::from(self.sets.p)).unwrap();
        self.sets.a.max(self.sets.b) <= precision.max_tokens() as u64
    }

    /// Whether a quantity can only be more, or only be less, than it is; and whether it is as
    /// good as exact.
    pub fn at_an_end(&self, quantity: usize) -> bool {
        let truth = self.sets.truth()[quantity];
        truth == 0.0 || self.holds_tokens() || (QUANTITIES[quantity] == "jaccard" && truth == 1.0)
    }
}
