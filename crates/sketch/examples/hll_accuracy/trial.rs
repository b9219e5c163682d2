//! Many random sets, on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sketch::hll::{HllRef, Precision};

use crate::sets::{Growing, Hashes};

/// The sizes at which a growing set is looked at: so many an octave, with all sizes around the
/// change of form and the powers of ten.
pub fn checkpoints(precision: Precision, an_octave: u32, min: u64, max: u64) -> Vec<u64> {
    let limit = precision.max_tokens() as u64;
    let octaves = 64 - max.leading_zeros();
    let geometric = (0..=octaves * an_octave)
        .map(|step| f64::exp2(f64::from(step) / f64::from(an_octave)).round() as u64);
    let around = limit.saturating_sub(2)..=limit + 8;
    let decades = (0..12).map(|exponent| 10u64.pow(exponent));
    let mut sizes: Vec<u64> = geometric
        .chain(around)
        .chain(decades)
        .filter(|&n| n > 0 && (min..=max).contains(&n))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Many trials: how many, and how many of them go on beyond a size.
#[derive(Clone, Copy)]
pub struct Plan {
    pub trials: u64,
    /// Only so many trials go on beyond `shallow`.
    pub deep: u64,
    pub shallow: u64,
}

impl Plan {
    /// The trials that reach a size.
    pub fn reaching(&self, n: u64) -> u64 {
        if n <= self.shallow { self.trials } else { self.deep }
    }

    /// Grows one set a trial and calls `look` at each size, with its index and the sketch.
    pub fn grow<A: Send + Default>(
        &self,
        title: &str,
        precision: Precision,
        sizes: &[u64],
        seed: u64,
        look: impl Fn(&mut A, usize, &HllRef<'_>) + Sync,
    ) -> Vec<A> {
        run(title, self.trials, |sum: &mut A, trial| {
            let mut hashes = Hashes::new(seed, trial);
            let mut sketch = Growing::new(precision);
            let mut held = 0;
            for (index, &n) in sizes.iter().enumerate() {
                if trial >= self.reaching(n) {
                    break;
                }
                sketch.fill(&mut hashes, held, n);
                held = n;
                look(sum, index, &sketch.sketch());
            }
        })
    }
}

/// Runs the trials on all cores; gives what each core has summed up.
pub fn run<A: Send + Default>(
    title: &str,
    trials: u64,
    trial: impl Fn(&mut A, u64) + Sync,
) -> Vec<A> {
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let said = Mutex::new(Instant::now());
    let work = || {
        let mut sum = A::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= trials {
                return sum;
            }
            trial(&mut sum, number);
            let mut said = said.lock().unwrap();
            if said.elapsed() > Duration::from_secs(5) {
                *said = Instant::now();
                eprintln!("{title}: {number} of {trials} trials");
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    eprintln!("{title}: {trials} trials in {:.1} s", started.elapsed().as_secs_f64());
    sums
}
