use sketch::bloom::{Bloom, Params};
use sketch::rest;

use crate::checks::bloom;
use crate::damage::check_all;

/// Filters of every form and layout.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    let sized = [(1, 0.5), (10, 0.01), (300, 0.0001), (4000, 0.01), (40_000, 0.1), (100_000, 0.01)];
    let params = sized.map(|(capacity, rate)| Params::new(capacity, rate).unwrap());
    for params in params.into_iter().chain([Params::gathering(0.01).unwrap()]) {
        for values in [0, 1, 3, 20, 100, 600, 5000] {
            let state = bloom::working(values, params);
            corpus.push(rest::<Bloom>(&state).unwrap());
            corpus.push(state);
        }
    }
    corpus
}

#[test]
fn any_bytes_are_refused_or_valid() {
    check_all(corpus(), bloom::check);
}
