//! Measures what `cuckoo` promises, at sizes that need an optimised build:
//! `cargo run --release -p sketch --example cuckoo_accuracy`.
//!
//! For each capacity and error rate: the bits a key, the share of false positives, and how many
//! builds to exactly the capacity failed.

use std::time::Instant;

use sketch::cuckoo::{Cuckoo, CuckooRef, Params, contains};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Sketch};

const CLASS: ValueClass = ValueClass::Number;

fn gather(values: std::ops::Range<i64>, params: Params) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::initial_len(params)];
    Cuckoo::init(&mut state, params);
    for value in values {
        let hash = hash::number(value);
        while let Fit::Needs(len) = Cuckoo::insert(&mut state, CLASS, hash).unwrap() {
            let mut bigger = vec![0; len];
            Cuckoo::grow(&state, &mut bigger);
            state = bigger;
        }
    }
    state
}

fn rest(state: &[u8], out: &mut Vec<u8>) -> sketch::Result<usize> {
    out.clear();
    out.resize(Cuckoo::rest_bound(state)?, 0);
    Cuckoo::rest(state, out)
}

fn errors() {
    println!("capacity    asked     measured  ratio   says      bits a key  gather ns  rest ns");
    for (capacity, rate, probes) in [
        (1_000, 0.002, 10_000_000),
        (10_000, 0.002, 10_000_000),
        (100_000, 0.002, 10_000_000),
        (1_000_000, 0.002, 10_000_000),
        (10_000_000, 0.002, 10_000_000),
        (1_000_000, 0.03, 3_000_000),
        (1_000_000, 0.0001, 50_000_000),
        (1_000, 0.03, 3_000_000),
        (1_000, 0.0001, 50_000_000),
    ] {
        let params = Params::new(capacity, rate).unwrap();
        let mut stored = Vec::new();
        let start = Instant::now();
        let state = gather(0..capacity, params);
        let gathering = start.elapsed().as_nanos() as f64 / capacity as f64;
        let start = Instant::now();
        let len = rest(&state, &mut stored).unwrap();
        let resting = start.elapsed().as_nanos() as f64 / capacity as f64;
        stored.truncate(len);
        let found = (0..probes)
            .filter(|&i| contains(&mut &stored[..], CLASS, hash::number(-1 - i)).unwrap())
            .count() as f64;
        let measured = found / probes as f64;
        let says = CuckooRef::parse(&stored).unwrap().error_rate().unwrap();
        println!(
            "{capacity:<11} {rate:<9} {measured:<9.7} {:<7.3} {says:<9.7} {:<11.3} {gathering:<10.1} \
             {resting:.1}",
            measured / rate,
            8.0 * len as f64 / capacity as f64,
        );
    }
}

fn builds() {
    println!("capacity  error rate  builds  failed");
    for (capacity, rate, builds) in [
        (10, 0.002, 20_000i64),
        (50, 0.002, 20_000),
        (100, 0.002, 20_000),
        (1_000, 0.002, 20_000),
        (100, 0.5, 20_000),
        (10_000, 0.002, 2_000),
        (100_000, 0.002, 2_000),
    ] {
        let params = Params::new(capacity, rate).unwrap();
        let mut out = Vec::new();
        let failed = (0..builds)
            .filter(|build| {
                let first = build << 32;
                rest(&gather(first..first + capacity, params), &mut out).is_err()
            })
            .count();
        println!("{capacity:<9} {rate:<11} {builds:<7} {failed}");
    }
}

fn main() {
    errors();
    builds();
}
