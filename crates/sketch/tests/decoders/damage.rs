//! Random damage to sketches, for the tests of what reads any bytes.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Calls `check` with the sketches of a type, with what the fuzz target has found to take new paths,
/// and then with damaged copies of those of the type for `SKETCH_FUZZ_SECONDS` (20 unless set).
pub fn check_all(mut corpus: Vec<Vec<u8>>, check: fn(&[u8])) {
    let letter = corpus[0][0];
    let found = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/decode");
    let files = std::fs::read_dir(found).expect("the corpus of the fuzz target");
    corpus.extend(files.map(|file| std::fs::read(file.unwrap().path()).unwrap()));
    corpus.iter().for_each(|bytes| check(bytes));
    corpus.retain(|bytes| bytes.first() == Some(&letter));
    let seconds = std::env::var("SKETCH_FUZZ_SECONDS").map_or(20, |text| text.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rng = SmallRng::seed_from_u64(1);
    while Instant::now() < end {
        let mut bytes = corpus[rng.random_range(0..corpus.len())].clone();
        damage(&mut bytes, &corpus, &mut rng);
        check(&bytes);
    }
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
