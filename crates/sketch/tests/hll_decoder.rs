//! Any bytes are refused or make a valid sketch: the fuzz target's check, over its corpus and
//! over random damage to sketches of every form, for `SKETCH_FUZZ_SECONDS` (20 unless set).

#[path = "../fuzz/checks/hll.rs"]
mod hll;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sketch::hll::Precision;

/// Sketches of every form, and what the fuzzer has found to take new paths.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for p in [4, 5, 7, 9, 11] {
        let precision = Precision::new(p).unwrap();
        for values in [0, 1, 3, 20, 100, 400, 3000, 100_000] {
            let state = hll::working(values, precision);
            corpus.push(hll::rest(&state));
            corpus.push(state);
        }
    }
    let found = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/hll_decode");
    let files = std::fs::read_dir(found).expect("the corpus of the fuzz target");
    corpus.extend(files.map(|file| std::fs::read(file.unwrap().path()).unwrap()));
    corpus
}

fn damage(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], rng: &mut impl Rng) {
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..=bytes.len());
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
    corpus.iter().for_each(|bytes| hll::check(bytes));
    let seconds = std::env::var("SKETCH_FUZZ_SECONDS").map_or(20, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rng = SmallRng::seed_from_u64(1);
    while Instant::now() < end {
        let mut bytes = corpus[rng.random_range(0..corpus.len())].clone();
        damage(&mut bytes, &corpus, &mut rng);
        hll::check(&bytes);
    }
}
