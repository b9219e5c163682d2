use sketch::hll::{Hll, Precision};
use sketch::rest;

use crate::checks::hll;
use crate::damage::check_all;

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
    check_all(corpus(), hll::check);
}
