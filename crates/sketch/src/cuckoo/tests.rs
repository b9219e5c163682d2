//! Laws of the filter: what must hold for every multiset of values.

use std::collections::HashMap;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::{Cuckoo, CuckooRef, Params, contains, equal};
use crate::codec::Form;
use crate::error::{ErrorKind, Result};
use crate::hash::{self, ValueClass};
use crate::sketch::{Fit, Sketch, accept};

const CLASS: ValueClass = ValueClass::Number;

/// A state that grows as the server's would.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> Result<Fit>) -> Result<()> {
    while let Fit::Needs(len) = change(state)? {
        let mut bigger = vec![0; len];
        Cuckoo::grow(state, &mut bigger);
        *state = bigger;
    }
    Ok(())
}

fn params(capacity: i64) -> Params {
    Params::new(capacity, 0.002).unwrap()
}

fn gathering(params: Params) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::initial_len(params)];
    Cuckoo::init(&mut state, params);
    state
}

fn gather(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut state = gathering(params);
    for &hash in hashes {
        apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash)).unwrap();
    }
    state
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; Cuckoo::rest_bound(bytes).unwrap()];
    let len = Cuckoo::rest(bytes, &mut out).unwrap();
    out.truncate(len);
    out
}

fn thaw(bytes: &[u8]) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::thaw_len(bytes).unwrap()];
    Cuckoo::thaw(bytes, &mut state).unwrap();
    state
}

/// An empty state that takes single values.
fn empty(params: Params) -> Vec<u8> {
    thaw(&rest(&gathering(params)))
}

fn add(state: &mut Vec<u8>, hash: u64) -> Result<()> {
    apply(state, |state| Cuckoo::add(state, CLASS, hash))
}

fn remove(state: &mut [u8], hash: u64) -> bool {
    Cuckoo::remove(state, CLASS, hash).unwrap()
}

/// A filter with a copy for each of the hashes.
fn added(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut state = empty(params);
    hashes.iter().for_each(|&hash| add(&mut state, hash).unwrap());
    rest(&state)
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut state = thaw(a);
    apply(&mut state, |state| Cuckoo::merge(state, b)).unwrap();
    rest(&state)
}

fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut state = thaw(a);
    Cuckoo::subtract(&mut state, b).unwrap();
    rest(&state)
}

fn holds(bytes: &[u8], hash: u64) -> bool {
    contains(&mut &bytes[..], CLASS, hash).unwrap()
}

/// Equal, and then with equal hashes.
fn same(a: &[u8], b: &[u8]) -> bool {
    let is_same = equal(a, b).unwrap();
    assert_eq!(equal(b, a), Ok(is_same));
    assert!(!is_same || super::hash(a) == super::hash(b));
    is_same
}

fn hashes(range: std::ops::Range<i64>) -> Vec<u64> {
    range.map(hash::number).collect()
}

/// Values from a small range, some several times.
fn values() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(0i64..120, 0..70)
        .prop_map(|values| values.into_iter().map(hash::number).collect())
}

/// Few copies of each, so that no cell gets more than eight whatever is added to whatever.
fn few_copies(mut values: Vec<u64>) -> Vec<u64> {
    let mut copies = HashMap::new();
    values.retain(|&value| {
        let copies = copies.entry(value).or_insert(0);
        *copies += 1;
        *copies <= 3
    });
    values
}

/// Small ones, of which 30 and some values make a table, and of few cells, so that values share
/// some.
fn geometries() -> impl Strategy<Value = Params> {
    prop_oneof![Just((300, 0.002)), Just((300, 0.4)), Just((1000, 0.00001))]
        .prop_map(|(capacity, rate)| Params::new(capacity, rate).unwrap())
}

proptest! {
    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        a in values(), b in values(), c in values(), p in geometries()
    ) {
        let [a, b, c] = [a, b, c].map(|values| added(&few_copies(values), p));
        prop_assert!(same(&merge(&a, &b), &merge(&b, &a)));
        prop_assert!(same(&merge(&merge(&a, &b), &c), &merge(&a, &merge(&b, &c))));
        prop_assert!(same(&merge(&a, &a), &a));
        prop_assert!(same(&merge(&thaw(&a), &thaw(&b)), &merge(&a, &b)));
        let none = rest(&gathering(params(5)));
        if !CuckooRef::parse(&a).unwrap().is_empty() {
            prop_assert_eq!(&merge(&a, &none), &a);
            prop_assert_eq!(&merge(&none, &a), &a);
        }
    }

    #[test]
    fn the_order_of_additions_does_not_matter(values in values(), p in geometries(), seed: u64) {
        let values = few_copies(values);
        let mut shuffled = values.clone();
        let mut rng = SmallRng::seed_from_u64(seed);
        (1..shuffled.len()).for_each(|i| shuffled.swap(i, rng.random_range(0..=i)));
        let (a, b) = (added(&values, p), added(&shuffled, p));
        prop_assert!(same(&a, &b));
        for &value in &values {
            prop_assert!(holds(&a, value) && holds(&thaw(&a), value));
        }
        // One copy of one value makes the difference.
        if let Some((&last, others)) = shuffled.split_last() {
            let less = added(others, p);
            prop_assert!(!same(&a, &less));
            let mut state = thaw(&less);
            add(&mut state, last).unwrap();
            prop_assert!(same(&rest(&state), &a));
        }
    }

    #[test]
    fn what_was_added_can_be_removed(a in values(), b in values(), p in geometries()) {
        let (a, b) = (few_copies(a), few_copies(b));
        let before = added(&a, p);
        let mut state = thaw(&before);
        b.iter().for_each(|&hash| add(&mut state, hash).unwrap());
        let both = rest(&state);
        for &hash in &b {
            prop_assert!(remove(&mut state, hash));
        }
        prop_assert!(same(&rest(&state), &before));
        prop_assert!(same(&subtract(&both, &added(&b, p)), &before));
        prop_assert!(same(&subtract(&both, &before), &added(&b, p)));
        let nothing = subtract(&both, &both);
        prop_assert_eq!(CuckooRef::parse(&nothing).unwrap().form(), Form::Empty);
        prop_assert_eq!(nothing, rest(&gathering(p)));
    }

    #[test]
    fn gathering_drops_repeats_whatever_the_plan(a in values(), b in values(), p in geometries()) {
        let mut distinct = [a.clone(), b.clone()].concat();
        distinct.sort_unstable();
        distinct.dedup();
        for p in [p, Params::gather(0.002).unwrap()] {
            let (a, b) = (gather(&a, p), gather(&b, p));
            let whole = rest(&gather(&distinct, p));
            let mut state = thaw(&a);
            apply(&mut state, |state| Cuckoo::merge(state, &b)).unwrap();
            prop_assert_eq!(&rest(&state), &whole);
            prop_assert_eq!(CuckooRef::parse(&whole).unwrap().count(), distinct.len());
            if p.capacity().is_some() {
                prop_assert!(same(&whole, &added(&distinct, p)));
            }
            for &hash in &distinct {
                prop_assert!(holds(&whole, hash) && holds(&state, hash));
            }
        }
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(values in values(), p in geometries()) {
        let stored = added(&few_copies(values), p);
        prop_assert_eq!(&rest(&stored), &stored);
        prop_assert_eq!(&rest(&thaw(&stored)), &stored);
        prop_assert_eq!(&rest(&thaw(&thaw(&stored))), &stored);
        let mut out = vec![0; Cuckoo::rest_bound(&stored).unwrap()];
        prop_assert_eq!(accept::<Cuckoo>(&stored, &mut out), Ok(stored.len()));
    }
}

#[test]
fn the_form_follows_from_the_number_of_copies() {
    for capacity in [1, 10, 300, 5000] {
        let p = params(capacity);
        let most = p.geometry().max_listed() as i64;
        let form = |n| CuckooRef::parse(&added(&hashes(0..n), p)).unwrap().form();
        let gathered = |n| CuckooRef::parse(&rest(&gather(&hashes(0..n), p))).unwrap().form();
        assert_eq!((form(0), gathered(0)), (Form::Empty, Form::Empty));
        assert_eq!(form(most), Form::Sparse);
        assert_eq!(form(most + 1), Form::Dense);
        if most < capacity {
            assert_eq!(gathered(most), Form::Sparse);
            assert_eq!(gathered(most + 1), Form::Dense);
        }
    }
}

#[test]
fn a_table_stays_one_until_it_is_empty() {
    let p = params(300);
    let all = hashes(0..200);
    let mut state = thaw(&added(&all, p));
    for &hash in &all[5..] {
        assert!(remove(&mut state, hash));
    }
    let few = rest(&state);
    assert_eq!(CuckooRef::parse(&few).unwrap().form(), Form::Dense);
    assert!(same(&few, &added(&all[..5], p)));
    assert!(all[..5].iter().all(|&hash| remove(&mut state, hash)));
    assert!(!remove(&mut state, all[0]));
    assert_eq!(rest(&state), rest(&gathering(p)));
    // Without values it takes those of any class, and another filter's parameters.
    let mut text = state.clone();
    apply(&mut text, |state| Cuckoo::add(state, ValueClass::Text, 1)).unwrap();
    assert_eq!(merge(&state, &few), few);
    let other = added(&all, params(1000));
    assert_eq!(merge(&state, &other), other);
}

/// A million random steps against a model, in every form: whatever was added and not removed is
/// found. Where each value is there once, all steps up to the capacity succeed; many copies of
/// some values crowd their buckets, and some are refused.
#[test]
fn random_steps_follow_the_model() {
    for (capacity, rate, range, most, steps) in [
        (1000, 0.002, 1200, 1, 400_000),
        (2000, 0.002, 1000, 20, 300_000),
        (60, 0.03, 12, 20, 100_000),
        (2000, 1e-6, 60, 20, 200_000),
    ] {
        let mut rng = SmallRng::seed_from_u64(capacity as u64);
        let mut state = empty(Params::new(capacity, rate).unwrap());
        let mut model: HashMap<i64, u32> = HashMap::new();
        let (mut count, mut refused) = (0, 0);
        for step in 0..steps {
            let value = rng.random_range(0..range);
            let hash = hash::number(value);
            let copies = model.entry(value).or_default();
            let adds = rng.random_bool(if step / 5000 % 3 < 2 { 0.7 } else { 0.3 });
            if adds && *copies < most && count < capacity as usize {
                match add(&mut state, hash) {
                    Ok(()) => {
                        *copies += 1;
                        count += 1;
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Limit);
                        refused += 1;
                    }
                }
            } else if !adds && *copies > 0 {
                assert!(remove(&mut state, hash));
                *copies -= 1;
                count -= 1;
            }
            let any = rng.random_range(0..range);
            if model.get(&any).is_some_and(|&copies| copies > 0) {
                assert!(holds(&state, hash::number(any)));
            }
            if step % 5000 == 0 {
                let stored = rest(&state);
                assert_eq!(CuckooRef::parse(&stored).unwrap().count(), count);
                for (&value, &copies) in &model {
                    assert!(copies == 0 || holds(&stored, hash::number(value)));
                }
                state = thaw(&stored);
            }
        }
        assert!(most > 1 || refused == 0);
    }
}

#[test]
fn a_ninth_copy_is_refused_in_every_form() {
    for others in [0, 100] {
        let p = params(300);
        let mut state = thaw(&added(&hashes(0..others), p));
        let hash = hash::number(-1);
        (0..8).for_each(|_| add(&mut state, hash).unwrap());
        let before = rest(&state);
        let error = add(&mut state, hash).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("8 times"));
        assert!(error.hint().unwrap().contains("cuckoo_add_if_absent"));
        assert_eq!(rest(&state), before);
        apply(&mut state, |state| Cuckoo::add_if_absent(state, CLASS, hash)).unwrap();
        apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash)).unwrap();
        assert_eq!(rest(&state), before);
        assert!((0..8).all(|_| remove(&mut state, hash)));
        assert!(!holds(&state, hash));
        apply(&mut state, |state| Cuckoo::add_if_absent(state, CLASS, hash)).unwrap();
        assert!(holds(&state, hash));
    }
}

/// Past what fits nothing is dropped, and removing makes room again.
#[test]
fn a_full_filter_says_so() {
    let p = params(100);
    let mut state = empty(p);
    let mut held = Vec::new();
    let error = loop {
        let hash = hash::number(held.len() as i64);
        match add(&mut state, hash) {
            Ok(()) => held.push(hash),
            Err(error) => break error,
        }
    };
    assert!(held.len() >= 100);
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("made for 100 values"), "{error}");
    assert!(error.message().contains(&held.len().to_string()));
    assert!(error.hint().unwrap().contains("larger capacity"));
    assert!(held.iter().all(|&hash| holds(&state, hash)));
    assert!(CuckooRef::parse(&state).unwrap().over_capacity());
    assert_eq!(CuckooRef::parse(&rest(&state)).unwrap().count(), held.len());
    let full = rest(&state);
    let more = added(&hashes(1000..1100), p);
    let error = apply(&mut state, |state| Cuckoo::merge(state, &more)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let mut state = thaw(&full);
    assert!(remove(&mut state, held[0]) && remove(&mut state, held[1]));
    add(&mut state, held[0]).unwrap();
}

#[test]
fn gathering_stops_at_the_capacity() {
    let mut state = gather(&hashes(0..50), params(50));
    assert_eq!(gather(&hashes(0..50).repeat(2), params(50)), state);
    let before = state.clone();
    let error = apply(&mut state, |s| Cuckoo::insert(s, CLASS, hash::number(50))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("50") && error.hint().unwrap().contains("capacity"));
    let other = gather(&hashes(10..51), params(50));
    assert!(Cuckoo::merge(&mut state, &other).is_err());
    assert_eq!(state, before);
    let sized = rest(&gather(&hashes(0..50), Params::gather(0.002).unwrap()));
    assert_eq!(CuckooRef::parse(&sized).unwrap().params(), Ok(params(50)));
}

#[test]
fn a_list_that_makes_no_table_stays_a_list() {
    // Of so few cells that nine values share one long before a table is due.
    let p = Params::new(1000, 0.5).unwrap();
    let geometry = p.geometry();
    let most = geometry.max_listed();
    let cell = geometry.cell(geometry.entry(hash::number(0)));
    // Eight copies in a cell and many others in its two buckets cannot lie in eight slots.
    let entry = geometry.of_cell(cell);
    let partner = geometry.partner(entry).bucket;
    let crowd = |hash: &u64| {
        let other = geometry.entry(*hash);
        let buckets = [other.bucket, geometry.partner(other).bucket];
        buckets.contains(&entry.bucket) && buckets.contains(&partner)
    };
    let crowd: Vec<u64> = (0..).map(hash::number).filter(crowd).take(most + 1).collect();
    let mut state = empty(p);
    let mut held = Vec::new();
    for hash in crowd {
        let before = state.clone();
        match add(&mut state, hash) {
            Ok(()) => held.push(hash),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Limit);
                assert_eq!(rest(&state), rest(&before));
            }
        }
    }
    assert!(held.len() > 8 && held.len() <= most);
    assert!(held.iter().all(|&hash| holds(&state, hash)));
    assert!(remove(&mut state, held[0]));
    add(&mut state, held[0]).unwrap();
}

#[test]
fn classes_do_not_mix() {
    for values in [3, 200] {
        let mut state = thaw(&added(&hashes(0..values), params(300)));
        let before = state.clone();
        let text = |error: crate::Error| {
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("text") && error.message().contains("number"));
        };
        text(Cuckoo::add(&mut state, ValueClass::Text, 1).unwrap_err());
        text(Cuckoo::add_if_absent(&mut state, ValueClass::Text, 1).unwrap_err());
        text(Cuckoo::remove(&mut state, ValueClass::Text, 1).unwrap_err());
        text(Cuckoo::insert(&mut state, ValueClass::Text, 1).unwrap_err());
        text(contains(&mut &state[..], ValueClass::Text, 1).unwrap_err());
        let mut other = empty(params(300));
        apply(&mut other, |other| Cuckoo::add(other, ValueClass::Text, 1)).unwrap();
        text(Cuckoo::merge(&mut state, &other).unwrap_err());
        text(Cuckoo::subtract(&mut state, &other).unwrap_err());
        assert_eq!(equal(&state, &other), Ok(false));
        assert_eq!(state, before);
    }
    let mut gathered = gather(&hashes(0..3), params(10));
    assert!(Cuckoo::insert(&mut gathered, ValueClass::Text, 1).is_err());
    assert!(!contains(&mut &empty(params(10))[..], ValueClass::Text, 1).unwrap());
}

#[test]
fn parameters_do_not_mix() {
    let a = added(&hashes(0..3), params(300));
    for other in [params(301), Params::new(300, 0.001).unwrap()] {
        let b = added(&hashes(0..3), other);
        let mut state = thaw(&a);
        for error in [
            Cuckoo::merge(&mut state, &b).map(drop).unwrap_err(),
            Cuckoo::subtract(&mut state, &b).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("300") && error.message().contains("0.002"));
            assert!(error.hint().is_some());
        }
        assert_eq!(rest(&state), a);
        assert_eq!(equal(&a, &b), Ok(false));
    }
    let mut gathered = gather(&hashes(0..3), params(300));
    assert!(Cuckoo::merge(&mut gathered, &a).is_err());
    assert!(Cuckoo::add(&mut gathered, CLASS, 1).is_err());
    assert!(Cuckoo::subtract(&mut gathered, &a).is_err());
    assert!(equal(&gathered, &a).is_err() && super::hash(&gathered).is_err());
}

/// Whatever the order in which empty filters meet, one stays.
#[test]
fn of_empty_filters_the_explicit_one_stays() {
    let all: Vec<Vec<u8>> = [
        params(1000),
        params(50),
        Params::new(50, 0.01).unwrap(),
        Params::DEFAULT,
        Params::gather(0.002).unwrap(),
        Params::gather(0.5).unwrap(),
    ]
    .into_iter()
    .flat_map(|params| [gathering(params), rest(&gathering(params)), empty(params)])
    .collect();
    for a in &all {
        for b in &all {
            assert_eq!(merge(a, b), merge(b, a));
            for c in &all {
                assert_eq!(merge(&merge(a, b), c), merge(a, &merge(b, c)));
            }
        }
    }
    assert_eq!(merge(&all[0], &all[9]), all[1]);
    assert_eq!(rest(&gathering(Params::gather(0.002).unwrap())), rest(&gathering(Params::DEFAULT)));
    assert_eq!(equal(&all[1], &all[4]), Ok(false));
    assert_eq!(equal(&all[1], &all[2]), Ok(true));
}
