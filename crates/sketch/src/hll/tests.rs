//! Laws of the sketch: what must hold for every set of values.

use proptest::prelude::*;

use super::{Hll, HllRef, Interval, Overlap, Precision, overlap, register};
use crate::hash::Value;
use crate::sketch::{Sketch, View, accept};
use crate::testing::{self, merge, values};
use crate::{ErrorKind, Form, Owned};

fn empty(precision: Precision) -> Vec<u8> {
    working(&[], precision)
}

fn working(values: &[Value], precision: Precision) -> Vec<u8> {
    testing::working::<Hll>(values, precision)
}

fn build(values: &[Value], precision: Precision) -> Vec<u8> {
    testing::build::<Hll>(values, precision)
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    crate::rest::<Hll>(bytes).unwrap()
}

fn reduced(bytes: &[u8], precision: Precision) -> Vec<u8> {
    HllRef::parse(bytes).unwrap().reduce(precision).unwrap()
}

/// Sets of all sizes around the change of form, with hashes of many zeros among them.
fn sets() -> impl Strategy<Value = Vec<Value>> {
    (any::<i64>(), 0usize..300, 0u32..64).prop_map(|(seed, len, low)| {
        let hash = |i: i64| Value::number(seed ^ i).hash() >> if i % 7 == 0 { low } else { 0 };
        (0..len as i64).map(|i| Value::of_hash(hash(i))).collect()
    })
}

fn precisions() -> impl Strategy<Value = Precision> {
    (4i64..=11).prop_map(|p| Precision::new(p).unwrap())
}

proptest! {
    #[test]
    fn a_union_is_built_or_merged_alike(a in sets(), b in sets(), p in precisions()) {
        let both = [a.clone(), b.clone()].concat();
        let whole = build(&both, p);
        prop_assert_eq!(&merge::<Hll>(&build(&a, p), &build(&b, p)), &whole);
        prop_assert_eq!(&merge::<Hll>(&working(&a, p), &working(&b, p)), &whole);
        prop_assert_eq!(&merge::<Hll>(&build(&b, p), &working(&a, p)), &whole);
        let mut backwards = both;
        backwards.reverse();
        prop_assert_eq!(&build(&backwards, p), &whole);
    }

    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        a in sets(), b in sets(), c in sets(), p in precisions()
    ) {
        let [a, b, c] = [a, b, c].map(|set| build(&set, p));
        prop_assert_eq!(merge::<Hll>(&a, &b), merge::<Hll>(&b, &a));
        prop_assert_eq!(merge::<Hll>(&merge::<Hll>(&a, &b), &c), merge::<Hll>(&a, &merge::<Hll>(&b, &c)));
        prop_assert_eq!(&merge::<Hll>(&a, &a), &a);
        prop_assert_eq!(&merge::<Hll>(&a, &empty(Precision::MAX)), &a);
        prop_assert_eq!(&merge::<Hll>(&empty(Precision::MAX), &a), &a);
    }

    #[test]
    fn reducing_is_building_lower(set in sets(), a in precisions(), b in precisions()) {
        let (low, high) = (a.min(b), a.max(b));
        prop_assert_eq!(reduced(&build(&set, high), low), build(&set, low));
        prop_assert_eq!(reduced(&working(&set, high), low), build(&set, low));
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(set in sets(), p in precisions()) {
        let stored = build(&set, p);
        prop_assert_eq!(&rest(&stored), &stored);
        let sketch = HllRef::parse(&stored).unwrap();
        let mut out = vec![0; Hll::rest_bound(&sketch).unwrap()];
        prop_assert_eq!(accept::<Hll>(&stored, &sketch, &mut out), Ok(stored.len()));
        if let super::view::Body::Registers(registers) = sketch.body {
            let mut model = vec![0; p.registers()];
            for value in &set {
                let (index, level) = register::place(value.hash(), p);
                register::update(&mut model[index], level);
            }
            prop_assert_eq!(registers.to_vec(), Ok(model));
        }
    }
}

#[test]
fn forms_change_at_a_number_of_tokens_alone() {
    for p in [4, 8, 13] {
        let p = Precision::new(p).unwrap();
        let limit = p.max_tokens() as i64;
        let form = |n| HllRef::parse(&build(&values(0..n), p)).unwrap().form();
        assert_eq!(form(0), Form::Empty);
        assert_eq!(form(limit), Form::Sparse);
        assert_eq!(form(limit + 1), Form::Dense);
    }
}

#[test]
fn small_sets_are_small_and_exact() {
    for (n, most) in [(1, 12), (10, 45), (100, 300), (900, 2100)] {
        let stored = build(&values(0..n), Precision::DEFAULT);
        assert!(stored.len() < most, "{n}: {}", stored.len());
        assert_eq!(HllRef::parse(&stored).unwrap().cardinality(), Ok(n));
    }
    // A group of three values in the server: the state, its length word and the chunk's header.
    assert!(working(&values(0..3), Precision::DEFAULT).len() + 4 + 16 <= 100);
}

#[test]
fn classes_do_not_mix() {
    let mut sketch = Owned::<Hll>::from_bytes(&working(&values(0..3), Precision::DEFAULT)).unwrap();
    let before = sketch.working().to_vec();
    let error = sketch.insert(Value::text("a")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.message().contains("text") && error.message().contains("number"));
    let text = working(&[Value::text("a")], Precision::DEFAULT);
    assert_eq!(sketch.merge(&text).unwrap_err().kind(), ErrorKind::Mismatch);
    assert_eq!(sketch.working(), before);
}

#[test]
fn precisions_do_not_mix() {
    let mut sketch = Owned::<Hll>::from_bytes(&working(&values(0..3), Precision::DEFAULT)).unwrap();
    let other = build(&values(0..3), Precision::new(11).unwrap());
    let error = sketch.merge(&other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.message().contains("11") && error.message().contains("12"));
    assert!(error.hint().unwrap().contains("hll_reduce(sketch, 11)"));
}

#[test]
fn a_working_state_is_not_accepted_from_outside() {
    let state = working(&values(0..3), Precision::DEFAULT);
    let sketch = HllRef::parse(&state).unwrap();
    let mut out = vec![0; Hll::rest_bound(&sketch).unwrap()];
    let error = accept::<Hll>(&state, &sketch, &mut out).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidBytes);
}

#[test]
fn an_empty_sketch_takes_any_precision() {
    let none = rest(&empty(Precision::MIN));
    assert_eq!(reduced(&none, Precision::MAX), rest(&empty(Precision::MAX)));
    let one = build(&values(0..1), Precision::MIN);
    assert!(HllRef::parse(&one).unwrap().reduce(Precision::MAX).is_err());
}

/// One trial at each size: every estimate within 5 standard errors (false alarm 6e-7 each), and
/// the root mean square over all of them near the theory.
#[test]
fn estimates_follow_the_theory() {
    for p in [4, 8, 11, 13] {
        let precision = Precision::new(p).unwrap();
        let sigma = precision.standard_error();
        let mut squares = 0.0;
        let trials = 200;
        for trial in 0..trials {
            // Up to 50 m values, at sizes spread evenly over the logarithm.
            let share = f64::from(trial) / f64::from(trials);
            let n = (precision.registers() as f64 * 50f64.powf(share)) as i64;
            let start = i64::from(trial) << 32 | p << 56;
            let stored = build(&values(start..start + n), precision);
            let error = HllRef::parse(&stored).unwrap().estimate().unwrap() / n as f64 - 1.0;
            // The tail of a few registers is heavier than normal.
            assert!(error.abs() < if p == 4 { 7.0 } else { 5.0 } * sigma, "p {p} n {n}: {error}");
            squares += error * error;
        }
        let rms = (squares / f64::from(trials)).sqrt();
        // The mean of 200 squares has a standard deviation of 10 %: 5 of them on the square.
        assert!(rms < sigma * 1.5f64.sqrt() && rms > sigma * 0.5f64.sqrt(), "p {p}: {rms} {sigma}");
    }
}

/// Two sketches of `n` values, the last of the first being the first of the second.
fn pair(n: i64, common: i64, p: [i64; 2]) -> [Vec<u8>; 2] {
    let [a, b] = p.map(|p| Precision::new(p).unwrap());
    [build(&values(0..n), a), build(&values(n - common..2 * n - common), b)]
}

fn overlap_of(pair: &[Vec<u8>; 2], confidence: f64) -> Overlap {
    let [a, b] = [&pair[0], &pair[1]].map(|bytes| HllRef::parse(bytes).unwrap());
    overlap(&a, &b, confidence).unwrap()
}

#[test]
fn the_overlap_of_small_sets_is_exact() {
    let overlap = overlap_of(&pair(500, 20, [13, 13]), 0.95);
    for (interval, exact) in [
        (overlap.both, 20.0),
        (overlap.only_a, 480.0),
        (overlap.only_b, 480.0),
        (overlap.union, 980.0),
        (overlap.jaccard, 20.0 / 980.0),
    ] {
        assert_eq!(interval, Interval { lower: exact, estimate: exact, upper: exact });
    }
}

#[test]
fn an_empty_set_overlaps_with_nothing() {
    let full = build(&values(0..100_000), Precision::DEFAULT);
    let none = rest(&empty(Precision::MIN));
    for (a, b) in [(&full, &none), (&none, &full), (&none, &none)] {
        let overlap = overlap_of(&[a.clone(), b.clone()], 0.95);
        assert_eq!(overlap.both.upper + overlap.jaccard.upper, 0.0);
        let (a, b) = (HllRef::parse(a).unwrap(), HllRef::parse(b).unwrap());
        assert_eq!(overlap.union.estimate, a.estimate().unwrap().max(b.estimate().unwrap()));
    }
}

/// Bounds of 99.99 % hold, one call in 10,000 excepted, and the parts add up to the union.
#[test]
fn overlaps_lie_within_their_bounds() {
    for (n, common, p) in [
        (100_000, 50_000, [11, 11]),
        (100_000, 0, [11, 11]),
        (100_000, 100_000, [11, 11]),
        (100_000, 1_000, [12, 14]),
        (700, 350, [11, 11]),
        (3_000, 1_500, [8, 18]),
        (40, 20, [4, 5]),
    ] {
        let overlap = overlap_of(&pair(n, common, p), 0.9999);
        let (both, only) = (common as f64, (n - common) as f64);
        for (interval, truth) in [
            (overlap.both, both),
            (overlap.only_a, only),
            (overlap.only_b, only),
            (overlap.union, both + 2.0 * only),
            (overlap.jaccard, both / (both + 2.0 * only)),
        ] {
            let Interval { lower, estimate, upper } = interval;
            assert!(lower <= estimate && estimate <= upper, "{n} {common} {p:?} {interval:?}");
            assert!(lower <= truth && truth <= upper, "{n} {common} {p:?}: {truth} {interval:?}");
        }
        let parts = overlap.both.estimate + overlap.only_a.estimate + overlap.only_b.estimate;
        assert!((parts / overlap.union.estimate - 1.0).abs() < 1e-9);
    }
}

/// A tiny set within a huge one: the index is far below what the search for its bounds resolves.
#[test]
fn bounds_hold_the_estimate_however_small_it_is() {
    let precision = Precision::new(18).unwrap();
    let of_level = |index: u64, level: u32| Value::of_hash(index << 46 | 1 << (46 - level));
    let tiny: Vec<_> = (0..1000).map(|index| of_level(index * 200, 46)).collect();
    // As many levels as a set of some 2^54 values has.
    let huge = (0..1 << 18).map(|index| of_level(index, 35 + index.trailing_zeros().min(3)));
    let huge: Vec<_> = huge.chain(tiny.iter().copied()).collect();
    let pair = [build(&huge, precision), build(&tiny, precision)];
    for confidence in [0.01, 0.5, 0.95, 0.9999] {
        let overlap = overlap_of(&pair, confidence);
        assert!(overlap.both.lower > 0.0 && overlap.jaccard.estimate < 1e-9, "{overlap:?}");
        for interval in
            [overlap.both, overlap.only_a, overlap.only_b, overlap.union, overlap.jaccard]
        {
            let Interval { lower, estimate, upper } = interval;
            assert!(lower <= estimate && estimate <= upper, "{overlap:?}");
        }
    }
}
