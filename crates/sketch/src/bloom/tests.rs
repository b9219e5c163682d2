//! Laws of the filter: what must hold for every set of values.

use proptest::prelude::*;

use super::{Bloom, BloomRef, Layout, Params};
use crate::codec::Form;
use crate::filter::Membership;
use crate::hash::Value;
use crate::sketch::{Fit, HashSketch, Sketch, View, accept};
use crate::state::State;
use crate::testing::{self, hex, values as numbers};
use crate::{ErrorKind, Owned, rest};

fn working(values: &[Value], params: Params) -> Vec<u8> {
    testing::working::<Bloom>(values, params)
}

fn build(values: &[Value], params: Params) -> Vec<u8> {
    testing::build::<Bloom>(values, params)
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    testing::merge::<Bloom>(a, b)
}

fn parse(bytes: &[u8]) -> BloomRef<'_> {
    BloomRef::parse(bytes).unwrap()
}

fn common(a: &[u8], b: &[u8]) -> Vec<u8> {
    parse(a).intersect(&parse(b)).unwrap()
}

/// Whether a filter seems to hold a value, asked in every way.
fn may_hold(bytes: &[u8], value: Value) -> bool {
    let held = parse(bytes).contains(value).unwrap();
    assert_eq!(BloomRef::contains_in(&mut &*bytes, value), Ok(held));
    held
}

fn at_rest(bytes: &[u8]) -> Vec<u8> {
    rest::<Bloom>(bytes).unwrap()
}

fn text() -> Value {
    Value::text("a")
}

/// Filters of both layouts that change form at a few, dozens and hundreds of values.
fn params() -> impl Strategy<Value = Params> {
    prop_oneof![
        (1i64..1000, prop_oneof![Just(0.3), Just(0.01), Just(0.0001), Just(1e-9)]),
        (4000i64..5000, prop_oneof![Just(0.01), Just(0.003)]),
    ]
    .prop_map(|(capacity, rate)| Params::new(capacity, rate).unwrap())
}

/// Sets of all sizes around the change of form, with hashes of many zeros among them.
fn sets() -> impl Strategy<Value = Vec<Value>> {
    (any::<u64>(), 0usize..400, 0u32..64).prop_map(|(seed, len, low)| {
        (0..len as u64)
            .map(|i| {
                let hash = Value::bytea((seed ^ i).to_le_bytes()).hash();
                Value::of_hash(hash >> if i % 7 == 0 { low } else { 0 })
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn no_value_is_ever_denied(a in sets(), b in sets(), p in params()) {
        let (state, gathered) = (working(&a, p), working(&a, Params::gathering(0.01).unwrap()));
        let (stored, sized) = (at_rest(&state), at_rest(&gathered));
        let union = merge(&stored, &build(&b, p));
        for bytes in [&state, &gathered, &stored, &sized, &union] {
            prop_assert!(a.iter().all(|&value| may_hold(bytes, value)));
        }
        for bytes in [&stored, &sized, &union] {
            let thawed = Owned::<Bloom>::from_bytes(bytes).unwrap();
            prop_assert!(a.iter().all(|&value| thawed.contains(value).unwrap()));
        }
        // Kept in whatever way, a filter answers alike.
        let thawed = Owned::<Bloom>::from_bytes(&stored).unwrap();
        for &value in &b {
            prop_assert_eq!(may_hold(&state, value), may_hold(&stored, value));
            prop_assert_eq!(thawed.contains(value).unwrap(), may_hold(&stored, value));
        }
    }

    #[test]
    fn a_union_is_built_or_merged_alike(a in sets(), b in sets(), p in params()) {
        let both = [a.clone(), b.clone()].concat();
        let whole = build(&both, p);
        prop_assert_eq!(&merge(&build(&a, p), &build(&b, p)), &whole);
        prop_assert_eq!(&merge(&working(&a, p), &working(&b, p)), &whole);
        prop_assert_eq!(&merge(&build(&b, p), &working(&a, p)), &whole);
        let mut backwards = both.clone();
        backwards.reverse();
        prop_assert_eq!(&build(&backwards, p), &whole);

        let gathering = Params::gathering(0.01).unwrap();
        let whole = build(&both, gathering);
        prop_assert_eq!(&merge(&working(&a, gathering), &working(&b, gathering)), &whole);
        let count = parse(&working(&both, gathering)).key_count().unwrap();
        if count > 0 {
            let sized = Params::new(count as i64, 0.01).unwrap();
            prop_assert_eq!(build(&both, sized), whole);
        }
    }

    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        a in sets(), b in sets(), c in sets(), p in params(), q in params()
    ) {
        let [a, b, c] = [a, b, c].map(|set| build(&set, p));
        prop_assert_eq!(merge(&a, &b), merge(&b, &a));
        prop_assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)));
        prop_assert_eq!(&merge(&a, &a), &a);
        let none = build(&[], q);
        prop_assert_eq!(merge(&a, &none), merge(&none, &a));
        prop_assert_eq!(merge(&none, &build(&[], Params::DEFAULT)), none.clone());
        prop_assert_eq!(merge(&build(&[], Params::DEFAULT), &none), none);
    }

    #[test]
    fn an_intersection_holds_what_both_hold(a in sets(), b in sets(), c in sets(), p in params()) {
        let (left, right) = ([a, c.clone()].concat(), [b, c.clone()].concat());
        let (left, right) = (build(&left, p), build(&right, p));
        let both = common(&left, &right);
        prop_assert_eq!(&both, &common(&right, &left));
        prop_assert_eq!(&at_rest(&both), &both);
        for &value in &c {
            prop_assert!(may_hold(&both, value));
        }
        for value in numbers(0..200) {
            prop_assert!(!may_hold(&both, value) || may_hold(&left, value) && may_hold(&right, value));
        }
        prop_assert_eq!(&common(&left, &left), &left);
        prop_assert_eq!(&common(&left, &merge(&left, &right)), &left);
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(set in sets(), p in params()) {
        let stored = build(&set, p);
        prop_assert_eq!(&at_rest(&stored), &stored);
        let mut out = vec![0; Bloom::rest_bound(&parse(&stored)).unwrap()];
        let len = accept::<Bloom>(&stored, &parse(&stored), &mut out).unwrap();
        prop_assert_eq!(&out[..len], &stored[..]);
    }
}

#[test]
fn forms_change_at_a_number_of_keys_alone() {
    for params in [Params::new(3000, 0.01), Params::new(20_000, 0.01), Params::new(500, 1e-6)] {
        let params = params.unwrap();
        let most = params.max_keys() as i64;
        for (values, form) in
            [(0, Form::Empty), (1, Form::Sparse), (most, Form::Sparse), (most + 1, Form::Dense)]
        {
            let stored = build(&numbers(0..values), params);
            let filter = parse(&stored);
            assert_eq!(filter.form(), form, "{values} of {params:?}");
            let near = (filter.cardinality() as f64 - values as f64).abs();
            assert!(near <= if form == Form::Dense { 0.1 * values as f64 } else { 0.0 });
        }
    }
}

#[test]
fn few_values_take_few_bytes() {
    for (values, bytes) in [(0, 16), (1, 24), (10, 70), (100, 480), (1000, 4200)] {
        let len = build(&numbers(0..values), Params::DEFAULT).len();
        assert!(len <= bytes, "{len} bytes for {values} values");
    }
    let full = build(&numbers(0..10_000), Params::new(10_000, 0.01).unwrap());
    assert!(full.len() * 8 <= 106_000, "{} bytes", full.len());
}

#[test]
fn a_filter_knows_how_full_it_is() {
    for (capacity, rate) in [(20_000, 0.01), (20_000, 0.001), (100, 0.01)] {
        let params = Params::new(capacity, rate).unwrap();
        let at = |values| build(&numbers(0..values), params);
        let (full, over) = (at(capacity), at(2 * capacity));
        let (full, over) = (parse(&full), parse(&over));
        // The spread of the estimates is a few hundredths even with a hundred values.
        let off = |filter: &BloomRef<'_>, values: i64| filter.cardinality() as f64 / values as f64;
        assert!((off(&full, capacity) - 1.0).abs() < 0.12);
        assert!((off(&over, 2 * capacity) - 1.0).abs() < 0.12);
        assert!(!full.is_over_capacity() && over.is_over_capacity());
        let spread = if capacity < 1000 { 0.5 } else { 0.05 };
        assert!((full.error_rate() / rate - 1.0).abs() < spread, "{}", full.error_rate());
        let expected = params.layout().error_rate(2 * capacity as u64);
        assert!((over.error_rate() / expected - 1.0).abs() < spread, "{}", over.error_rate());
    }
    // No more can be said of a filter with every bit set, nor need it be infinite.
    let crowded = build(&numbers(0..5000), Params::new(1, 0.5).unwrap());
    let crowded = parse(&crowded);
    assert!(crowded.is_over_capacity() && (crowded.error_rate(), crowded.fill()) == (1.0, 1.0));
    assert!((10..1000).contains(&crowded.cardinality()));
}

#[test]
fn parameters_and_classes_do_not_mix() {
    let (a, b) = (Params::new(1000, 0.01).unwrap(), Params::new(1000, 0.02).unwrap());
    let one = build(&numbers(0..1), a);
    let mut filter = Owned::<Bloom>::from_bytes(&one).unwrap();
    for other in [build(&numbers(0..1), b), build(&numbers(0..1000), b)] {
        let error = filter.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains("1000 and error rate 0.01 and"), "{error}");
        assert!(error.message().contains("0.02") && error.hint().is_some());
        let error = parse(&one).intersect(&parse(&other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
    }
    let gathered = working(&numbers(0..1), Params::gathering(0.01).unwrap());
    assert_eq!(filter.merge(&gathered).unwrap_err().kind(), ErrorKind::Mismatch);
    let wrong = filter.insert(text()).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Mismatch);
    assert_eq!(parse(&one).contains(text()), Err(wrong.clone()));
    assert_eq!(filter.contains(text()), Err(wrong));
    assert_eq!(filter.rest().unwrap(), one);
    let none = build(&[], a);
    assert!(!may_hold(&none, text()));
}

#[test]
fn large_states_settle_what_waits() {
    // Keys by the hundred thousand, then bits: both are large enough for a waiting list.
    let params = Params::new(900_000, 0.01).unwrap();
    let gathering = Params::gathering(0.01).unwrap();
    let all = numbers(0..160_000);
    let most = params.max_keys();
    for count in [60_001, most, most + 1, 160_000] {
        let part = &all[..count];
        let (state, stored) = (working(part, params), build(part, params));
        let halves = part.split_at(count / 3);
        let merged = merge(&working(halves.0, params), &working(halves.1, params));
        assert_eq!(merged, stored, "{count}");
        let mut backwards = part.to_vec();
        backwards.reverse();
        backwards.extend_from_slice(&part[..70]);
        assert_eq!(build(&backwards, params), stored, "{count}");
        let gathered = working(&backwards, gathering);
        let sized = Params::new(count as i64, 0.01).unwrap();
        assert_eq!(at_rest(&gathered), build(part, sized), "{count}");
        let gathered = working(halves.0, gathering);
        assert_eq!(merge(&gathered, &working(halves.1, gathering)), build(part, sized));
        for &value in part.iter().rev().step_by(29).take(1000) {
            for bytes in [&state, &stored, &gathered] {
                let held = bytes != &gathered || halves.0.contains(&value);
                assert!(may_hold(bytes, value) || !held);
            }
            assert!(Bloom::holds(State::trusted(&state), value).unwrap());
        }
    }
}

/// Sets of keys grow by more than a few at a time, up to the largest that a filter keeps.
#[test]
fn states_grow_a_few_times_only() {
    for params in [Params::new(300_000, 0.01), Params::gathering(0.01)] {
        let mut filter = Owned::<Bloom>::new(params.unwrap());
        let (mut len, mut times) = (0, 0);
        for value in 0..100_000 {
            filter.insert(Value::number(value % 70_000)).unwrap();
            if filter.working().len() != len {
                (len, times) = (filter.working().len(), times + 1);
            }
        }
        assert!(times <= 20, "{times} times");
    }
}

/// The format is for ever: these bytes must always be read, and written for these values.
#[test]
fn golden_filters() {
    let tiny = Params::new(10, 0.01).unwrap();
    assert_eq!(tiny.layout(), Layout::Classic { bits: 98, hashes: 6 });
    let cases = [
        (build(&[], Params::DEFAULT), "620100fc40420f000ad7233c00fbaaa0"),
        (
            build(&numbers(0..3), Params::DEFAULT),
            "621101fc40420f000ad7233c00fbaaa00303c2babd45a3cfb3d445fe6f4fcd2e1e05",
        ),
        (build(&numbers(0..3), tiny), "6221010a0ad7233c06620aa0001c283080400200001900"),
    ];
    for (bytes, golden) in cases {
        assert_eq!(hex(&bytes), golden);
    }
    let blocks = build(&numbers(0..4000), Params::new(4000, 0.01).unwrap());
    assert_eq!(Value::bytea(&blocks).hash(), 0x29792df0c1b8600);
}

#[test]
fn a_state_asks_for_room_until_it_gets_it() {
    let params = Params::new(60_000, 0.01).unwrap();
    let most = params.max_keys();
    let all = numbers(0..most as i64 + 1);
    let mut state = working(&all[..most], params);
    for _ in 0..3 {
        let state = State::of(&mut state);
        assert_ne!(Bloom::insert(state, all[most]), Ok(Fit::Done));
        assert_eq!(Bloom::insert(state, all[0]), Ok(Fit::Done));
    }
    let stored = build(&all[..most], params);
    assert_eq!(at_rest(&state), stored);
    assert_eq!(merge(&state, &state), stored);
}
