//! What must hold for every multiset of values.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::cms::cells;

fn truth(rows: &[(i64, i64)]) -> BTreeMap<i64, u64> {
    let mut truth = BTreeMap::new();
    for &(value, weight) in rows {
        *truth.entry(value).or_default() += weight as u64;
    }
    truth
}

/// Rows around the change of form, some of them heavy.
fn rows() -> impl Strategy<Value = Rows> {
    let weight = prop_oneof![8 => 1i64..4, 2 => 1i64..400, 1 => 1i64..1 << 40];
    proptest::collection::vec((0i64..150, weight), 0..200)
}

/// Tables of which the list is longer and shorter than that.
fn dimensions() -> impl Strategy<Value = Params> {
    (3u32..700, 1u8..8).prop_map(|(width, depth)| params(width, depth))
}

proptest! {
    #[test]
    fn a_sum_is_built_or_merged_alike(a in rows(), b in rows(), p in dimensions()) {
        let both = [a.clone(), b.clone()].concat();
        let whole = build(&both, p);
        let (state_a, state_b) = (working(&a, p), working(&b, p));
        prop_assert_eq!(&merge::<Cms>(&rest(&state_a), &rest(&state_b)), &whole);
        prop_assert_eq!(&merge::<Cms>(state_a.working(), state_b.working()), &whole);
        prop_assert_eq!(&merge::<Cms>(&rest(&state_b), state_a.working()), &whole);
        let mut backwards = both.clone();
        backwards.reverse();
        prop_assert_eq!(&build(&backwards, p), &whole);
        let mut slid = Owned::moving(p);
        add_all(&mut slid, &both);
        prop_assert_eq!(&rest(&slid), &whole);
        prop_assert_eq!(&rest(&thaw(slid.working())), &whole);
        prop_assert_eq!(&merge::<Cms>(&build(&[], p), slid.working()), &whole);
    }

    #[test]
    fn merging_is_commutative_and_associative(
        a in rows(), b in rows(), c in rows(), p in dimensions()
    ) {
        let [a, b, c] = [a, b, c].map(|rows| build(&rows, p));
        let merge = merge::<Cms>;
        prop_assert_eq!(merge(&a, &b), merge(&b, &a));
        prop_assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)));
    }

    #[test]
    fn what_is_at_rest_stays_and_is_accepted(rows in rows(), p in dimensions()) {
        let state = working(&rows, p);
        let stored = rest(&state);
        prop_assert_eq!(&crate::rest::<Cms>(&stored).unwrap(), &stored);
        prop_assert_eq!(&rest(&thaw(&stored)), &stored);
        prop_assert_eq!(&rest(&thaw(state.working())), &stored);
        let sketch = CmsRef::parse(&stored).unwrap();
        let mut out = vec![0; Cms::rest_bound(&sketch).unwrap()];
        prop_assert_eq!(accept::<Cms>(&stored, &sketch, &mut out), Ok(stored.len()));
    }

    /// Every reader says the same, and it is the table of the definition.
    #[test]
    fn estimates_follow_the_definition(rows in rows(), p in dimensions()) {
        let mut state = working(&rows, p);
        let stored = rest(&state);
        let mut thawed = thaw(&stored);
        let truth = truth(&rows);
        let positions = |value| cells::positions(Value::number(value).hash(), p);
        let mut model = vec![0; p.cells()];
        for (&value, &n) in &truth {
            positions(value).for_each(|at| model[at] += n);
        }
        let total: u64 = truth.values().sum();
        let is_exact = truth.len() <= p.max_entries();
        let sketch = CmsRef::parse(&stored).unwrap();
        prop_assert_eq!((sketch.total(), sketch.is_exact()), (total, is_exact));
        for value in 0..200 {
            let n = truth.get(&value).copied().unwrap_or(0);
            let least = positions(value).map(|at| model[at]).min().unwrap();
            let expected = if is_exact { n } else { least };
            prop_assert!(expected >= n);
            prop_assert_eq!(count(&stored, value), expected);
            let value = Value::number(value);
            let bounds = sketch.bounds(value).unwrap();
            let unbiased = sketch.unbiased_frequency(value).unwrap();
            prop_assert_eq!((bounds.estimate, bounds.upper), (expected, expected));
            for estimate in [
                CmsRef::estimate_in(&mut &stored[..], value),
                CmsRef::estimate_in(&mut state.working(), value),
                CmsRef::parse(state.working()).unwrap().estimate(value),
                Cms::estimate(state.state(), value),
                Cms::estimate(thawed.state(), value),
            ] {
                let estimate = estimate.unwrap();
                prop_assert_eq!(estimate.frequency(), expected);
                prop_assert_eq!(estimate.bounds(), bounds);
                prop_assert_eq!(estimate.unbiased_frequency(), unbiased);
            }
            if !is_exact {
                let epsilon = std::f64::consts::E / p.width() as f64;
                let lower = (expected as f64 - epsilon * total as f64).max(0.0);
                prop_assert!((bounds.lower as f64 - lower.ceil()).abs() <= 1.0 + 1e-9 * lower);
            }
        }
    }

    #[test]
    fn subtracting_undoes_adding(a in rows(), b in rows(), p in dimensions()) {
        let (whole, part) = (build(&[a.clone(), b.clone()].concat(), p), build(&b, p));
        let mut state = thaw(&whole);
        subtract(&mut state, &part).unwrap();
        let left = rest(&state);
        // A table stays one; its cells are those of the rest.
        if form(&whole) == Form::Sparse || a.is_empty() {
            prop_assert_eq!(&left, &build(&a, p));
        } else {
            prop_assert_eq!(&left, &rest(&table(&a, p)));
        }
        merge_in(&mut state, &part).unwrap();
        prop_assert_eq!(rest(&state), whole);
    }

    #[test]
    fn a_moving_state_is_as_if_counted_anew(
        rows in proptest::collection::vec((0i64..60, 1i64..300), 0..120),
        frame in 1usize..80, p in dimensions()
    ) {
        let mut state = Owned::moving(p);
        for end in 0..rows.len() {
            add(&mut state, rows[end].0, rows[end].1).unwrap();
            if let Some(out) = end.checked_sub(frame) {
                add(&mut state, rows[out].0, -rows[out].1).unwrap();
            }
            let start = (end + 1).saturating_sub(frame);
            prop_assert_eq!(rest(&state), build(&rows[start..=end], p));
        }
        while parse(&state).total() > 0 {
            let left = rows.len() - rows.len().min(frame);
            rows[left..].iter().for_each(|&(value, n)| add(&mut state, value, -n).unwrap());
        }
        prop_assert_eq!(rest(&state), rest(&empty(p)));
    }

    #[test]
    fn inner_products_are_bounds(a in rows(), b in rows(), p in dimensions()) {
        let (one, two) = (truth(&a), truth(&b));
        let exact: u128 = one
            .iter()
            .map(|(value, &n)| u128::from(n) * u128::from(two.get(value).copied().unwrap_or(0)))
            .sum();
        let of = |a: &[u8], b: &[u8]| {
            inner_product(&CmsRef::parse(a).unwrap(), &CmsRef::parse(b).unwrap()).unwrap()
        };
        let [(a, stored_a), (b, stored_b)] = [a, b].map(|rows| {
            let state = working(&rows, p);
            let stored = rest(&state);
            (state.working().to_vec(), stored)
        });
        let product = of(&a, &b);
        prop_assert!(product.estimate >= exact);
        if one.len().max(two.len()) <= p.max_entries() || one.is_empty() || two.is_empty() {
            prop_assert_eq!((product.estimate, product.error), (exact, 0.0));
        }
        prop_assert_eq!(of(&b, &a), product);
        prop_assert_eq!(of(&stored_a, &stored_b), product);
        prop_assert_eq!(of(&stored_a, &b), product);
    }
}
