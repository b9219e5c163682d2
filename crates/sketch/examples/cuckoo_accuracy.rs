//! Measures what `cuckoo` promises, at sizes that need an optimised build:
//! `cargo run --release -p sketch --example cuckoo_accuracy`.
//!
//! For each capacity and error rate: the bits a key, the share of false positives, and how many
//! builds to exactly the capacity failed.

use std::time::Instant;

use sketch::Owned;
use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
use sketch::hash::Value;

fn gather(values: std::ops::Range<i64>, params: Params) -> Owned<Cuckoo> {
    let mut filter = Owned::new(params);
    values.for_each(|value| filter.insert(Value::number(value)).unwrap());
    filter
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
        let start = Instant::now();
        let filter = gather(0..capacity, params);
        let gathering = start.elapsed().as_nanos() as f64 / capacity as f64;
        let start = Instant::now();
        let stored = filter.rest().unwrap();
        let resting = start.elapsed().as_nanos() as f64 / capacity as f64;
        let filter = CuckooRef::parse(&stored).unwrap();
        let found =
            (0..probes).filter(|&i| filter.contains(Value::number(-1 - i)).unwrap()).count() as f64;
        let measured = found / probes as f64;
        let says = filter.error_rate();
        println!(
            "{capacity:<11} {rate:<9} {measured:<9.7} {:<7.3} {says:<9.7} {:<11.3} {gathering:<10.1} \
             {resting:.1}",
            measured / rate,
            8.0 * stored.len() as f64 / capacity as f64,
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
        let failed = (0..builds)
            .filter(|build| {
                let first = build << 32;
                gather(first..first + capacity, params).rest().is_err()
            })
            .count();
        println!("{capacity:<9} {rate:<11} {builds:<7} {failed}");
    }
}

fn main() {
    errors();
    builds();
}
