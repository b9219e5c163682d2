use sketch::hash_ring::HashRing;
use sketch::rest;

use crate::checks::hash_ring;
use crate::damage::check_all;

/// Rings of every form.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    for vnodes in [0, 1, 5, 300] {
        for nodes in [0, 1, 2, 5, 12, 60] {
            for weighted in [false, true] {
                let state = hash_ring::working(nodes, weighted, vnodes);
                corpus.push(rest::<HashRing>(&state).unwrap());
                corpus.push(state);
            }
        }
    }
    corpus
}

#[test]
fn any_bytes_are_refused_or_valid() {
    check_all(corpus(), hash_ring::check);
}
