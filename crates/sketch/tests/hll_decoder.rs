//! Any bytes are refused or make a valid sketch: the fuzz target's check, over its corpus and
//! over random damage to sketches of every form, for `SKETCH_FUZZ_SECONDS` (20 unless set).

#[path = "../fuzz/checks/hll.rs"]
mod hll;

mod damage;

use sketch::hll::{Hll, Precision};
use sketch::rest;

/// Sketches of every form.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for p in [4, 5, 7, 9, 11] {
        let precision = Precision::new(p).unwrap();
        for values in [0, 1, 3, 20, 100, 400, 3000, 100_000] {
            let state = hll::working(values, precision);
            corpus.push(rest::<Hll>(&state).unwrap());
            corpus.push(state);
        }
    }
    corpus
}

#[test]
fn any_bytes_are_refused_or_valid() {
    damage::check_all(corpus(), "hll_decode", hll::check);
}
