//! Measures the false-positive rate of full filters against the rate that was asked for.
//!
//! `cargo run --release -p sketch --example bloom_accuracy [lookups]`: for each error rate and
//! capacity, filters are filled to exactly their capacity and asked for values that they do not
//! hold. Printed are the bits a value that a filter takes at rest, the measured rate in units of
//! the asked one with its standard error, and the expected rate in the same units.

use sketch::Owned;
use sketch::bloom::{Bloom, BloomRef, Params};
use sketch::hash::Value;

/// A filter of the values from `first` on, as many as its capacity.
fn full(params: Params, first: i64, capacity: i64) -> Owned<Bloom> {
    let mut filter = Owned::new(params);
    let values = (first..first + capacity).map(Value::number);
    values.for_each(|value| filter.insert(value).expect("one class"));
    filter
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
        let state = full(params, first, capacity);
        bits += 8 * state.rest().expect("a filter").len();
        let absent = (first + capacity)..(first + capacity + each);
        let hits = absent.filter(|&v| state.contains(Value::number(v)).expect("one class"));
        let share = hits.count() as f64 / each as f64;
        found += share;
        squares += share * share;
        let is_over = BloomRef::parse(state.working()).is_ok_and(|f| f.is_over_capacity());
        assert!(filter > 0 || !is_over);
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
