//! Measures the false-positive rate of full filters against the rate that was asked for.
//!
//! `cargo run --release -p sketch --example bloom_accuracy [lookups]`: for each error rate and
//! capacity, filters are filled to exactly their capacity and asked for values that they do not
//! hold. Printed are the bits a value that a filter takes at rest, the measured rate in units of
//! the asked one with its standard error, and the expected rate in the same units.

use sketch::bloom::{Bloom, BloomRef, Params, holds};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Sketch};

const CLASS: ValueClass = ValueClass::Number;

/// A filter of the values from `first` on, as many as its capacity.
fn full(params: Params, first: i64) -> Vec<u8> {
    let mut state = vec![0; Bloom::initial_len(params)];
    Bloom::init(&mut state, params);
    for value in first..first + params.capacity() as i64 {
        loop {
            match Bloom::insert(&mut state, CLASS, hash::number(value)).expect("one class") {
                Fit::Done => break,
                Fit::Needs(len) => {
                    let mut bigger = vec![0; len];
                    Bloom::grow(&state, &mut bigger);
                    state = bigger;
                }
            }
        }
    }
    state
}

fn main() {
    let lookups: i64 = std::env::args()
        .nth(1)
        .map_or(100_000_000, |text| text.parse().expect("the number of look-ups in a cell"));
    println!("| asked | capacity | layout | bits a value | measured / asked | expected / asked |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for rate in [0.05, 0.01, 0.001, 0.0001] {
        for capacity in [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] {
            cell(rate, capacity, lookups);
        }
    }
}

fn cell(rate: f64, capacity: i64, lookups: i64) {
    let params = Params::new(capacity, rate).expect("a filter of this size");
    // Small filters differ among themselves more than their look-ups do.
    let filters = (20_000_000 / capacity).clamp(1, 20_000);
    let each = lookups / filters;
    let (mut found, mut squares, mut bits) = (0.0, 0.0, 0);
    for filter in 0..filters {
        // No value meets another filter's, nor those that no filter holds.
        let first = filter << 32;
        let state = full(params, first);
        let mut out = vec![0; Bloom::rest_bound(&state).expect("a filter")];
        bits += 8 * Bloom::rest(&state, &mut out).expect("a filter");
        let absent = (first + capacity)..(first + capacity + each);
        let hits = absent.filter(|&v| holds(&state, CLASS, hash::number(v)).expect("one class"));
        let share = hits.count() as f64 / each as f64;
        found += share;
        squares += share * share;
        assert!(filter > 0 || BloomRef::parse(&state).is_ok_and(|f| !f.is_over_capacity()));
    }
    let n = filters as f64;
    let measured = found / n;
    let spread = (squares / n - measured * measured).max(0.0) / n;
    let error = spread.max(measured / lookups as f64).sqrt();
    println!(
        "| {rate} | {capacity} | {} | {:.2} | {:.3} ± {:.3} | {:.3} |",
        params.layout().name(),
        bits as f64 / n / capacity as f64,
        measured / rate,
        error / rate,
        params.layout().error_rate(capacity as u64) / rate,
    );
}
