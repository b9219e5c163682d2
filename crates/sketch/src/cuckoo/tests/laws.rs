//! Laws: what must hold for every multiset of values.

use std::collections::HashMap;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::codec::Form;
use crate::sketch::{Sketch, accept};

/// Values from a small range, some several times.
fn some_values() -> impl Strategy<Value = Vec<Value>> {
    proptest::collection::vec(0i64..120, 0..70)
        .prop_map(|values| values.into_iter().map(Value::number).collect())
}

/// Few copies of each, so that no signature gets more than eight whatever is added to whatever.
fn few_copies(mut values: Vec<Value>) -> Vec<Value> {
    let mut copies = HashMap::new();
    values.retain(|&value| {
        let copies = copies.entry(value).or_insert(0);
        *copies += 1;
        *copies <= 3
    });
    values
}

/// Small ones, of which 30 and some values make a table, and of few signatures, so that values share
/// some.
fn geometries() -> impl Strategy<Value = Params> {
    prop_oneof![Just((300, 0.002)), Just((300, 0.4)), Just((1000, 0.00001))]
        .prop_map(|(capacity, rate)| Params::new(capacity, rate).unwrap())
}

proptest! {
    #[test]
    fn merging_is_commutative_associative_and_idempotent(
        a in some_values(), b in some_values(), c in some_values(), p in geometries()
    ) {
        let [a, b, c] = [a, b, c].map(|values| added(&few_copies(values), p));
        prop_assert!(same(&merge(&a, &b), &merge(&b, &a)));
        prop_assert!(same(&merge(&merge(&a, &b), &c), &merge(&a, &merge(&b, &c))));
        prop_assert!(same(&merge(&a, &a), &a));
        prop_assert!(same(&merge(thaw(&a).working(), thaw(&b).working()), &merge(&a, &b)));
        let none = empty(params(5)).rest().unwrap();
        if !parse(&a).is_empty() {
            prop_assert_eq!(&merge(&a, &none), &a);
            prop_assert_eq!(&merge(&none, &a), &a);
        }
    }

    #[test]
    fn the_order_of_additions_does_not_matter(
        values in some_values(), p in geometries(), seed: u64
    ) {
        let values = few_copies(values);
        let mut shuffled = values.clone();
        let mut rng = SmallRng::seed_from_u64(seed);
        (1..shuffled.len()).for_each(|i| shuffled.swap(i, rng.random_range(0..=i)));
        let (a, b) = (added(&values, p), added(&shuffled, p));
        prop_assert!(same(&a, &b));
        let thawed = thaw(&a);
        for &value in &values {
            prop_assert!(holds(&a, value) && holds(thawed.working(), value));
            prop_assert_eq!(thawed.contains(value), Ok(true));
        }
        // One copy of one value makes the difference.
        if let Some((&last, others)) = shuffled.split_last() {
            let less = added(others, p);
            prop_assert!(!same(&a, &less));
            let mut filter = thaw(&less);
            filter.add(last).unwrap();
            prop_assert!(same(filter.working(), &a));
        }
    }

    #[test]
    fn what_was_added_can_be_removed(a in some_values(), b in some_values(), p in geometries()) {
        let (a, b) = (few_copies(a), few_copies(b));
        let before = added(&a, p);
        let mut filter = thaw(&before);
        b.iter().for_each(|&value| filter.add(value).unwrap());
        let both = filter.rest().unwrap();
        for &value in &b {
            prop_assert_eq!(filter.remove(value), Ok(true));
        }
        prop_assert!(same(filter.working(), &before));
        prop_assert!(same(&subtract(&both, &added(&b, p)), &before));
        prop_assert!(same(&subtract(&both, &before), &added(&b, p)));
        let nothing = subtract(&both, &both);
        prop_assert_eq!(parse(&nothing).form(), Form::Empty);
        prop_assert_eq!(nothing, empty(p).rest().unwrap());
    }

    #[test]
    fn gathering_drops_repeats_whatever_the_plan(
        a in some_values(), b in some_values(), p in geometries()
    ) {
        let mut distinct = [a.clone(), b.clone()].concat();
        distinct.sort_unstable_by_key(|value| value.hash());
        distinct.dedup();
        for p in [p, Params::gathering(0.002).unwrap()] {
            let (mut a, b) = (gather(&a, p), gather(&b, p));
            let whole = gathered(&distinct, p);
            a.merge(b.working()).unwrap();
            prop_assert_eq!(&a.rest().unwrap(), &whole);
            prop_assert_eq!(parse(&whole).count(), distinct.len());
            if p.capacity().is_some() {
                prop_assert!(same(&whole, &added(&distinct, p)));
            }
            for &value in &distinct {
                prop_assert!(holds(&whole, value) && a.contains(value).unwrap());
                prop_assert!(holds(a.working(), value));
            }
        }
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(values in some_values(), p in geometries()) {
        let stored = added(&few_copies(values), p);
        prop_assert_eq!(&rest(&stored), &stored);
        prop_assert_eq!(&thaw(&stored).rest().unwrap(), &stored);
        prop_assert_eq!(&thaw(thaw(&stored).working()).rest().unwrap(), &stored);
        let mut out = vec![0; Cuckoo::rest_bound(&parse(&stored)).unwrap()];
        prop_assert_eq!(accept::<Cuckoo>(&stored, &parse(&stored), &mut out), Ok(stored.len()));
    }
}
