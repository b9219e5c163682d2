//! Laws: what must hold for every multiset of values.

use std::collections::HashMap;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::codec::Form;
use crate::sketch::accept;

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
