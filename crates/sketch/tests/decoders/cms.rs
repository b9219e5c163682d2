use sketch::cms::{Cms, Params};
use sketch::rest;

use crate::checks::cms;
use crate::damage::check_all;

/// Sketches of every form.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for (width, depth) in [(3, 1), (5, 4), (24, 2), (100, 2), (700, 3)] {
        let params = Params::from_dimensions(width, depth).unwrap();
        for values in [0, 1, 3, 8, 50, 400] {
            for weight in [1, 1000, 1 << 33] {
                let state = cms::working(values, weight, params);
                corpus.push(rest::<Cms>(&state).unwrap());
                corpus.push(state);
                corpus.push(cms::moving(values, weight, params));
            }
        }
    }
    corpus
}

#[test]
fn any_bytes_are_refused_or_valid() {
    check_all(corpus(), cms::check);
}
