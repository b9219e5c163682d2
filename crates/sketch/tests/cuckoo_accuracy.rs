//! What `cuckoo` promises of its errors and its size, with fixed seeds: a failure is a change of
//! the code, and each bound says how unlikely chance alone would be to break it. The example
//! `cuckoo_accuracy` does the same at sizes that need an optimised build.

use sketch::Owned;
use sketch::cuckoo::{self, Cuckoo, CuckooRef, Params};
use sketch::hash::Value;

/// The filter of an aggregate over a range of values.
fn build(values: std::ops::Range<i64>, params: Params) -> Vec<u8> {
    let mut filter = Owned::<Cuckoo>::new(params);
    values.for_each(|value| filter.insert(Value::number(value)).unwrap());
    filter.rest().unwrap()
}

/// Fails by chance once in 10^7 / 2,000 runs of other seeds, if the odds in `params` are right.
#[test]
fn two_thousand_filters_take_their_capacity() {
    for (capacity, builds) in [(10, 2000), (50, 2000), (100, 2000), (1000, 400), (100_000, 2)] {
        let params = Params::new(capacity, 0.002).unwrap();
        for build_number in 0..builds {
            let first = build_number << 32;
            let stored = build(first..first + capacity, params);
            assert_eq!(CuckooRef::parse(&stored).unwrap().count() as i64, capacity);
        }
    }
}

/// The share of false positives at capacity is at most 1.1 times what was asked, and what the
/// filter says of itself. The numbers that are expected are 560 and more, their standard
/// deviation is their root: 5 of them on either side fail by chance once in 10^6 runs.
#[test]
fn false_positives_are_as_asked() {
    for (capacity, rate, probes) in
        [(3000, 0.03, 60_000), (20_000, 0.002, 400_000), (2000, 0.0005, 1_500_000)]
    {
        let stored = build(0..capacity, Params::new(capacity, rate).unwrap());
        let sketch = CuckooRef::parse(&stored).unwrap();
        assert!(!sketch.is_over_capacity() && sketch.error_rate() <= rate);
        let found =
            (0..probes).filter(|&i| sketch.contains(Value::number(-1 - i)).unwrap()).count() as f64;
        let expected = sketch.error_rate() * probes as f64;
        assert!(found <= 1.1 * rate * probes as f64, "{found} of {probes} at {rate}");
        assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{found} for {expected}");
    }
}

#[test]
fn a_key_takes_at_most_12_8_bits() {
    let mut capacity = 1000;
    while capacity <= 10_000_000 {
        let params = Params::new(capacity, 0.002).unwrap();
        let bits = 8.0 * cuckoo::full_len(params) as f64 / capacity as f64;
        assert!(bits <= 12.8, "{bits} bits a key for {capacity}");
        capacity = capacity * 101 / 100;
    }
    for capacity in [1000, 1234, 50_000] {
        let params = Params::new(capacity, 0.002).unwrap();
        assert!(build(0..capacity, params).len() <= cuckoo::full_len(params));
    }
}

/// Values that share their signature with one that is there are not added, and the filter then
/// knows that it is a union: as many as the error rate says.
///
/// Of 6,000 values 126 or so are not added, with a variance of a little less: 5 standard deviations
/// are 56, which chance exceeds once in 10^6 runs.
#[test]
fn as_many_values_seem_present_when_they_are_added_as_documented() {
    let (mut not_added, mut expected) = (0, 0.0);
    for filter in 0..20i64 {
        let mut all = Owned::<Cuckoo>::new(Params::new(300, 0.05).unwrap());
        for value in 0..300 {
            let before = CuckooRef::parse(all.working()).unwrap();
            let (rate, was_union) = (before.error_rate(), before.is_union());
            let is_added = all.add_if_absent(Value::number(filter << 32 | value)).unwrap();
            let is_union = CuckooRef::parse(all.working()).unwrap().is_union();
            assert_eq!(is_union, was_union || !is_added);
            not_added += u32::from(!is_added);
            expected += rate;
        }
    }
    assert!((f64::from(not_added) - expected).abs() < 56.0, "{not_added} for {expected}");
}
