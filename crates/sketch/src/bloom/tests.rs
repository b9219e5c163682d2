//! Laws of the filter: what must hold for every set of values.

use proptest::prelude::*;

use super::{Bloom, BloomRef, Layout, Params, contains, holds, intersect, intersect_bound};
use crate::codec::Form;
use crate::hash::{self, ValueClass};
use crate::sketch::{Fit, Sketch, accept};
use crate::{ErrorKind, Owned};

const CLASS: ValueClass = ValueClass::Number;

fn working(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut filter = Owned::<Bloom>::new(params);
    hashes.iter().for_each(|&hash| filter.insert(CLASS, hash).unwrap());
    filter.state().to_vec()
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    crate::rest::<Bloom>(bytes).unwrap()
}

fn build(hashes: &[u64], params: Params) -> Vec<u8> {
    rest(&working(hashes, params))
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut filter = Owned::<Bloom>::from_bytes(a).unwrap();
    filter.merge(b).unwrap();
    filter.rest().unwrap()
}

fn common(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = vec![0; intersect_bound(a, b).unwrap()];
    let len = intersect(a, b, &mut out).unwrap();
    out.truncate(len);
    out
}

fn may_hold(bytes: &[u8], hash: u64) -> bool {
    contains(&mut &bytes[..], CLASS, hash).unwrap()
}

fn hashes(range: std::ops::Range<i64>) -> Vec<u64> {
    range.map(hash::number).collect()
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
fn sets() -> impl Strategy<Value = Vec<u64>> {
    (any::<u64>(), 0usize..400, 0u32..64).prop_map(|(seed, len, low)| {
        (0..len as u64)
            .map(|i| hash::bytes(&(seed ^ i).to_le_bytes()) >> if i % 7 == 0 { low } else { 0 })
            .collect()
    })
}

proptest! {
    #[test]
    fn no_value_is_ever_denied(a in sets(), b in sets(), p in params()) {
        let (state, gathered) = (working(&a, p), working(&a, Params::gathering(0.01).unwrap()));
        let (stored, sized) = (rest(&state), rest(&gathered));
        let union = merge(&stored, &build(&b, p));
        for bytes in [&state, &gathered, &stored, &sized, &union] {
            prop_assert!(a.iter().all(|&hash| may_hold(bytes, hash)));
        }
        for bytes in [&stored, &sized, &union] {
            let thawed = Owned::<Bloom>::from_bytes(bytes).unwrap();
            prop_assert!(a.iter().all(|&hash| holds(thawed.state(), CLASS, hash).unwrap()));
        }
        // Kept in whatever way, a filter answers alike.
        let thawed = Owned::<Bloom>::from_bytes(&stored).unwrap();
        for &hash in &b {
            prop_assert_eq!(may_hold(&state, hash), may_hold(&stored, hash));
            prop_assert_eq!(holds(thawed.state(), CLASS, hash).unwrap(), may_hold(&stored, hash));
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
        let count = BloomRef::parse(&working(&both, gathering)).unwrap().key_count().unwrap();
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
        prop_assert_eq!(&rest(&both), &both);
        for &hash in &c {
            prop_assert!(may_hold(&both, hash));
        }
        for hash in hashes(0..200) {
            prop_assert!(!may_hold(&both, hash) || may_hold(&left, hash) && may_hold(&right, hash));
        }
        prop_assert_eq!(&common(&left, &left), &left);
        prop_assert_eq!(&common(&left, &merge(&left, &right)), &left);
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(set in sets(), p in params()) {
        let stored = build(&set, p);
        prop_assert_eq!(&rest(&stored), &stored);
        let mut out = vec![0; Bloom::rest_bound(&stored).unwrap()];
        let len = accept::<Bloom>(&stored, &mut out).unwrap();
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
            let stored = build(&hashes(0..values), params);
            let filter = BloomRef::parse(&stored).unwrap();
            assert_eq!(filter.form(), form, "{values} of {params:?}");
            let near = (filter.cardinality() as f64 - values as f64).abs();
            assert!(near <= if form == Form::Dense { 0.1 * values as f64 } else { 0.0 });
        }
    }
}

#[test]
fn few_values_take_few_bytes() {
    for (values, bytes) in [(0, 16), (1, 24), (10, 70), (100, 480), (1000, 4200)] {
        let len = build(&hashes(0..values), Params::DEFAULT).len();
        assert!(len <= bytes, "{len} bytes for {values} values");
    }
    let full = build(&hashes(0..10_000), Params::new(10_000, 0.01).unwrap());
    assert!(full.len() * 8 <= 106_000, "{} bytes", full.len());
}

#[test]
fn a_filter_knows_how_full_it_is() {
    for (capacity, rate) in [(20_000, 0.01), (20_000, 0.001), (100, 0.01)] {
        let params = Params::new(capacity, rate).unwrap();
        let at = |values| build(&hashes(0..values), params);
        let (full, over) = (at(capacity), at(2 * capacity));
        let (full, over) = (BloomRef::parse(&full).unwrap(), BloomRef::parse(&over).unwrap());
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
    let crowded = build(&hashes(0..5000), Params::new(1, 0.5).unwrap());
    let crowded = BloomRef::parse(&crowded).unwrap();
    assert!(crowded.is_over_capacity() && (crowded.error_rate(), crowded.fill()) == (1.0, 1.0));
    assert!((10..1000).contains(&crowded.cardinality()));
}

#[test]
fn parameters_and_classes_do_not_mix() {
    let (a, b) = (Params::new(1000, 0.01).unwrap(), Params::new(1000, 0.02).unwrap());
    let one = build(&hashes(0..1), a);
    let mut filter = Owned::<Bloom>::from_bytes(&one).unwrap();
    for other in [build(&hashes(0..1), b), build(&hashes(0..1000), b)] {
        let error = filter.merge(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains("1000 and error rate 0.01 and"), "{error}");
        assert!(error.message().contains("0.02") && error.hint().is_some());
        assert_eq!(intersect_bound(&one, &other).unwrap_err().kind(), ErrorKind::Mismatch);
    }
    let gathered = working(&hashes(0..1), Params::gathering(0.01).unwrap());
    assert_eq!(filter.merge(&gathered).unwrap_err().kind(), ErrorKind::Mismatch);
    let wrong = filter.insert(ValueClass::Text, 1).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Mismatch);
    assert_eq!(contains(&mut &one[..], ValueClass::Text, 1), Err(wrong.clone()));
    assert_eq!(holds(filter.state(), ValueClass::Text, 1), Err(wrong));
    assert_eq!(filter.rest().unwrap(), one);
    let none = build(&[], a);
    assert_eq!(contains(&mut &none[..], ValueClass::Text, 1), Ok(false));
}

#[test]
fn large_states_settle_what_waits() {
    // Keys by the hundred thousand, then bits: both are large enough for a waiting list.
    let params = Params::new(900_000, 0.01).unwrap();
    let gathering = Params::gathering(0.01).unwrap();
    let all = hashes(0..160_000);
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
        assert_eq!(rest(&gathered), build(part, sized), "{count}");
        let gathered = working(halves.0, gathering);
        assert_eq!(merge(&gathered, &working(halves.1, gathering)), build(part, sized));
        for &hash in part.iter().rev().step_by(29).take(1000) {
            for bytes in [&state, &stored, &gathered] {
                let held = bytes != &gathered || halves.0.contains(&hash);
                assert!(may_hold(bytes, hash) || !held);
            }
            assert!(holds(&state, CLASS, hash).unwrap());
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
            filter.insert(CLASS, hash::number(value % 70_000)).unwrap();
            if filter.state().len() != len {
                (len, times) = (filter.state().len(), times + 1);
            }
        }
        assert!(times <= 20, "{times} times");
    }
}

/// The format is for ever: these bytes must always be read, and written for these values.
#[test]
fn golden_filters() {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let tiny = Params::new(10, 0.01).unwrap();
    assert_eq!(tiny.layout(), Layout::Classic { bits: 98, hashes: 6 });
    let cases = [
        (build(&[], Params::DEFAULT), "620100fc40420f000ad7233c00fbaaa0"),
        (
            build(&hashes(0..3), Params::DEFAULT),
            "621101fc40420f000ad7233c00fbaaa00303c2babd45a3cfb3d445fe6f4fcd2e1e05",
        ),
        (build(&hashes(0..3), tiny), "6221010a0ad7233c06620aa0001c283080400200001900"),
    ];
    for (bytes, golden) in cases {
        assert_eq!(hex(&bytes), golden);
    }
    let blocks = build(&hashes(0..4000), Params::new(4000, 0.01).unwrap());
    assert_eq!(hash::bytes(&blocks), 0x29792df0c1b8600);
}

#[test]
fn a_state_asks_for_room_until_it_gets_it() {
    let params = Params::new(60_000, 0.01).unwrap();
    let most = params.max_keys();
    let all = hashes(0..most as i64 + 1);
    let mut state = working(&all[..most], params);
    for _ in 0..3 {
        assert_ne!(Bloom::insert(&mut state, CLASS, all[most]), Ok(Fit::Done));
        assert_eq!(Bloom::insert(&mut state, CLASS, all[0]), Ok(Fit::Done));
    }
    let stored = build(&all[..most], params);
    assert_eq!(rest(&state), stored);
    assert_eq!(merge(&state, &state), stored);
}
