//! Any bytes are refused or make a valid filter: the fuzz target's check, over filters of every
//! form and random damage to them, for `SKETCH_FUZZ_SECONDS` (20 unless set).

#[path = "../fuzz/checks/cuckoo.rs"]
mod cuckoo;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sketch::cuckoo::{Cuckoo, Params};
use sketch::hash::{self, ValueClass};

/// Filters of every form, with and without copies.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    let mut all = vec![Params::gather(0.002).unwrap()];
    for (capacity, rate) in [(10, 0.002), (100, 0.01), (100, 0.5), (300, 1e-6)] {
        all.push(Params::new(capacity, rate).unwrap());
    }
    for params in all {
        for values in [0, 1, 3, 10, 30, 100] {
            let values = params.capacity().map_or(values, |most| values.min(most as i64));
            let gathered = cuckoo::gathered(values, params);
            let rest = cuckoo::rest(&gathered);
            let mut state = cuckoo::thaw(&rest);
            corpus.extend([gathered, rest, state.clone()]);
            for value in 0..values / 8 {
                let hash = hash::number(value / 2);
                cuckoo::apply(&mut state, |s| Cuckoo::add(s, ValueClass::Number, hash));
            }
            corpus.extend([cuckoo::rest(&state), state.clone()]);
            for value in 0..values * 3 / 4 {
                Cuckoo::remove(&mut state, ValueClass::Number, hash::number(value)).unwrap();
            }
            corpus.extend([cuckoo::rest(&state), state]);
        }
    }
    corpus
}

fn damage(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], rng: &mut impl Rng) {
    for _ in 0..rng.random_range(1..4) {
        // The head has more to get wrong than the body.
        let end = if rng.random() { bytes.len() } else { bytes.len().min(32) };
        let at = rng.random_range(0..=end);
        match rng.random_range(0..6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, rng.random()),
            2 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            3 if at < bytes.len() => bytes[at] = rng.random(),
            4 => bytes.extend_from_slice(&rng.random::<[u8; 4]>()),
            _ => {
                let other = &corpus[rng.random_range(0..corpus.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
}

#[test]
fn any_bytes_are_refused_or_valid() {
    let corpus = corpus();
    corpus.iter().for_each(|bytes| cuckoo::check(bytes));
    let seconds = std::env::var("SKETCH_FUZZ_SECONDS").map_or(20, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rng = SmallRng::seed_from_u64(1);
    while Instant::now() < end {
        let mut bytes = corpus[rng.random_range(0..corpus.len())].clone();
        damage(&mut bytes, &corpus, &mut rng);
        cuckoo::check(&bytes);
    }
}
