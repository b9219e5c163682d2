//! Random sets and their sketches.

use sketch::Owned;
use sketch::hash::Value;
use sketch::hll::{Hll, HllRef, Precision, register};

/// Random hashes: splitmix64 (Steele, Lea & Flood 2014) is a bijection of a counter, so a stream
/// never repeats itself, and `n` hashes stand for `n` values.
pub struct Hashes(u64);

impl Hashes {
    /// The stream of one trial.
    pub fn new(seed: u64, trial: u64) -> Self {
        // The numbers of a second stream are far apart as starts of the first.
        let mut starts = Hashes(seed.rotate_left(32) ^ trial);
        Hashes(starts.next())
    }

    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// How many hashes come before the next of those that are one in `2^bits`.
    fn gap(&mut self, bits: u32) -> u64 {
        let share = f64::exp2(-f64::from(bits));
        let uniform = ((self.next() >> 11) as f64 + 0.5) * f64::exp2(-53.0);
        (uniform.ln() / (-share).ln_1p()) as u64
    }
}

/// A sketch of a random set.
#[derive(Clone)]
pub struct Growing {
    sketch: Owned<Hll>,
    precision: Precision,
}

impl Growing {
    pub fn new(precision: Precision) -> Self {
        Growing { sketch: Owned::new(precision), precision }
    }

    pub fn sketch(&self) -> HllRef<'_> {
        HllRef::parse(self.sketch.working()).unwrap()
    }

    pub fn merge(&mut self, other: &Growing) {
        self.sketch.merge(other.sketch.working()).unwrap();
    }

    /// Adds values that are `held` so far until they are `n`.
    ///
    /// Most hashes of a large set have low levels that no register can learn from any more. Those
    /// are not drawn: how many come before one of a higher level is.
    pub fn fill(&mut self, hashes: &mut Hashes, mut held: u64, n: u64) {
        let p = self.precision.get();
        while held < n && self.sketch.registers().is_none() {
            self.sketch.insert(Value::number(hashes.next() as i64)).unwrap();
            held += 1;
        }
        while held < n {
            let precision = self.precision;
            let Some(registers) = self.sketch.registers() else { break };
            // While a set doubles, what can be skipped stays about the same.
            let end = n.min(held + held.max(registers.len() as u64));
            // A register tells of its highest level and the two below.
            let lowest = registers.iter().map(|register| register >> 2).min().unwrap_or(0);
            let settled = u32::from(lowest).saturating_sub(3);
            let mut add = |hash| {
                let (index, level) = register::place(hash, precision);
                register::update(&mut registers[index], level);
            };
            if settled == 0 {
                (held..end).for_each(|_| add(hashes.next()));
            } else {
                // The level is one more than the zeros behind the index.
                let keep = !(u64::MAX >> p) | u64::MAX >> (p + settled);
                held += hashes.gap(settled);
                while held < end {
                    add(hashes.next() & keep);
                    held += 1 + hashes.gap(settled);
                }
            }
            held = end;
        }
    }
}
