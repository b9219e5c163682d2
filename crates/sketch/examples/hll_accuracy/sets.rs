//! Random sets and their sketches.

use sketch::hash::ValueClass;
use sketch::hll::{Hll, HllRef, Precision};
use sketch::{Fit, Sketch};

/// Distinct random hashes: splitmix64 (Steele, Lea & Flood 2014) is a bijection of a counter, so a
/// stream never repeats itself, and `n` hashes stand for `n` values.
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
}

/// A sketch that grows as that of an aggregate does.
pub struct Growing(Vec<u8>);

impl Growing {
    pub fn new(precision: Precision) -> Self {
        let mut state = vec![0; Hll::initial_len(precision)];
        Hll::init(&mut state, precision);
        Growing(state)
    }

    #[inline]
    pub fn add(&mut self, hash: u64) {
        while let Fit::Needs(len) = Hll::insert(&mut self.0, ValueClass::Number, hash).unwrap() {
            self.grow(len);
        }
    }

    pub fn merge(&mut self, other: &Growing) {
        while let Fit::Needs(len) = Hll::merge(&mut self.0, &other.0).unwrap() {
            self.grow(len);
        }
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        let mut bigger = vec![0; len];
        Hll::grow(&self.0, &mut bigger);
        self.0 = bigger;
    }

    pub fn sketch(&self) -> HllRef<'_> {
        HllRef::parse(&self.0).unwrap()
    }
}
