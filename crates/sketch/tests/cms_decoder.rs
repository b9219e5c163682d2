//! Any bytes are refused or make a valid sketch: the fuzz target's check, over random damage to
//! sketches of every form, for `SKETCH_FUZZ_SECONDS` (20 unless set).

#[path = "../fuzz/checks/cms.rs"]
mod cms;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sketch::cms::Params;

/// Sketches of every form.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for (width, depth) in [(3, 1), (5, 4), (24, 2), (100, 2), (700, 3)] {
        let params = Params::from_dimensions(width, depth).unwrap();
        for values in [0, 1, 3, 8, 50, 400] {
            for weight in [1, 1000, 1 << 33] {
                let state = cms::working(values, weight, params);
                corpus.push(cms::rest(&state));
                corpus.push(state);
                corpus.push(cms::moving(values, weight, params));
            }
        }
    }
    corpus
}

fn damage(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], rng: &mut impl Rng) {
    for _ in 0..rng.random_range(1..4) {
        let at = match rng.random() {
            // The head, more often than its share of the bytes.
            true => rng.random_range(0..=bytes.len().min(32)),
            false => rng.random_range(0..=bytes.len()),
        };
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
    corpus.iter().for_each(|bytes| cms::check(bytes));
    let seconds = std::env::var("SKETCH_FUZZ_SECONDS").map_or(20, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rng = SmallRng::seed_from_u64(1);
    while Instant::now() < end {
        let mut bytes = corpus[rng.random_range(0..corpus.len())].clone();
        damage(&mut bytes, &corpus, &mut rng);
        cms::check(&bytes);
    }
}
