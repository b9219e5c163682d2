//! Unions, from which nothing can be removed, and sums, from which everything can.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::collections::HashMap;

use super::*;
use crate::error::ErrorKind;
use crate::sketch::{Sketch, accept};
use crate::testing::hex;

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut filter = thaw(a);
    filter.sum(b).unwrap();
    filter.rest().unwrap()
}

fn is_union(bytes: &[u8]) -> bool {
    parse(bytes).is_union()
}

/// Two values that share a signature in filters of these parameters.
fn alike(p: Params) -> [Value; 2] {
    let signature = |value: Value| p.layout().signature(p.layout().mark(value.hash()));
    let mut seen = HashMap::new();
    for value in (0..).map(Value::number) {
        if let Some(other) = seen.insert(signature(value), value) {
            return [other, value];
        }
    }
    unreachable!("there are not that many signatures")
}

#[test]
fn values_that_share_a_signature_are_told_apart_by_copies_alone() {
    for others in [0, 90] {
        let p = params(100);
        let [a, b] = alike(p);
        let more = values(-others..0);
        let (one, other) = (added(&[&more[..], &[a]].concat(), p), added(&[b], p));
        let union = merge(&one, &other);
        assert!(is_union(&union) && parse(&union).count() == parse(&one).count());
        for filter in [thaw(&union), thaw(&merge(&other, &one))] {
            let errors = [
                filter.clone().remove(a).map(drop).unwrap_err(),
                filter.clone().remove(Value::number(-1000)).map(drop).unwrap_err(),
                filter.clone().subtract(&one).unwrap_err(),
                filter.clone().subtract(&added(&[], p)).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), ErrorKind::Mismatch);
                assert!(error.message().contains("union"));
                assert!(error.hint().unwrap().contains("cuckoo_sum"));
            }
            assert_eq!(filter.rest().unwrap().len(), union.len());
        }
        for mut filter in [thaw(&sum(&one, &other)), thaw(&sum(&other, &one))] {
            assert!(!is_union(filter.working()));
            assert_eq!(filter.remove(a), Ok(true));
            assert_eq!(filter.contains(b), Ok(true));
            filter.subtract(&other).unwrap();
            assert_eq!(filter.contains(b), Ok(false));
            assert_eq!(parse(filter.working()).count(), more.len());
        }
    }
}

#[test]
fn a_union_stays_one_through_every_door() {
    for count in [4, 200] {
        let p = params(300);
        let (a, b) = (added(&values(0..count), p), added(&values(2..count + 2), p));
        let none = added(&[], p);
        for plain in [&a, &merge(&a, &none), &merge(&none, &a), &sum(&a, &none), &sum(&none, &b)] {
            assert!(!is_union(plain) && !is_union(thaw(plain).working()));
        }
        let union = merge(&a, &b);
        let mut more = thaw(&union);
        more.add(Value::number(-1)).unwrap();
        more.add_if_absent(Value::number(-2)).unwrap();
        let c = added(&values(-4..-2), p);
        for union in [
            &union,
            &rest(&union),
            &thaw(&union).working().to_vec(),
            &thaw(thaw(&union).working()).rest().unwrap(),
            &more.rest().unwrap(),
            &merge(&none, &union),
            &merge(&union, &none),
            &sum(&none, &union),
            &sum(&union, &none),
            &sum(&union, &c),
            &sum(&c, &union),
            &merge(&c, &a),
            &merge(thaw(&c).working(), thaw(&a).working()),
        ] {
            assert!(is_union(union));
            assert!(thaw(union).remove(Value::number(2)).is_err());
        }
        let mut out = vec![0; Cuckoo::rest_bound(&parse(&union)).unwrap()];
        assert_eq!(accept::<Cuckoo>(&union, &parse(&union), &mut out), Ok(union.len()));
        assert_eq!(out[..union.len()], union);
    }
}

#[test]
fn a_union_equals_what_holds_the_same() {
    for count in [4, 200] {
        let p = params(300);
        let plain = added(&values(0..count), p);
        let union = merge(&plain, &added(&values(1..count), p));
        assert!(is_union(&union) && union != plain && same(&union, &plain));
        assert!(!same(&union, &added(&values(1..count), p)));
    }
}

#[test]
fn stored_unions_are_pinned() {
    let p = params(10);
    let union = merge(&added(&values(1..3), p), &added(&values(2..4), p));
    assert_eq!(hex(&union), "6311010a6f12033b8a0c03034e8bba2b0f");
    // An empty filter is none.
    let mut empty = empty(p).rest().unwrap();
    let bits = empty.len() - 2;
    empty[bits] |= 0x80;
    assert!(!is_union(thaw(&empty).working()));
    let mut out = vec![0; Cuckoo::rest_bound(&parse(&empty)).unwrap()];
    assert!(accept::<Cuckoo>(&empty, &parse(&empty), &mut out).is_err());
}

#[test]
fn parts_of_an_aggregate_are_no_union_until_they_are_at_rest() {
    let p = params(300);
    let (a, b) = (gather(&values(0..100), p), gather(&values(50..150), p));
    let mut whole = a.clone();
    whole.merge(b.working()).unwrap();
    assert!(!is_union(whole.working()) && !is_union(&whole.rest().unwrap()));
    assert!(same(whole.working(), &gathered(&values(0..150), p)));
    let union = merge(&a.rest().unwrap(), &b.rest().unwrap());
    assert!(is_union(&union));
    assert!(values(0..150).into_iter().all(|value| holds(&union, value)));
}

#[test]
fn adding_if_absent_makes_a_union_where_it_adds_nothing() {
    for others in [0, 200] {
        let p = params(300);
        let [a, b] = alike(p);
        let mut filter = thaw(&added(&values(-others..0), p));
        assert_eq!(filter.add_if_absent(a), Ok(true));
        assert_eq!(filter.clone().remove(a), Ok(true));
        assert_eq!(filter.add_if_absent(b), Ok(false));
        assert_eq!(filter.contains(b), Ok(true));
        assert!(is_union(&filter.rest().unwrap()) && filter.remove(a).is_err());
    }
}

#[test]
fn sums_keep_every_copy_or_say_why_not() {
    for count in [4, 140] {
        let p = params(300);
        let a = added(&values(0..count), p);
        let twice = sum(&a, &a);
        assert_eq!(parse(&twice).count(), 2 * parse(&a).count());
        assert!(same(&twice, &added(&values(0..count).repeat(2), p)));
        assert!(same(&subtract(&twice, &a), &a));
        assert!(same(&sum(thaw(&a).working(), thaw(&a).working()), &twice));
        let mut eight = thaw(&added(&[Value::number(1); 8], p));
        let error = eight.sum(&a).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("8 times"));
    }
    let p = params(100);
    let error = thaw(&added(&values(0..80), p)).sum(&added(&values(100..180), p)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("made for 100 values"), "{error}");
    let a = added(&values(0..3), p);
    let gathers = gather(&values(0..3), p);
    for error in [
        thaw(&a).sum(&added(&values(0..3), params(101))).unwrap_err(),
        thaw(&a).sum(&added(&[text()], p)).unwrap_err(),
        thaw(&a).sum(gathers.working()).unwrap_err(),
        gathers.clone().sum(&a).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Mismatch);
    }
}

/// Whatever is done to filters of few signatures, so that many values share one: a value that was
/// added and not removed is found. What could break that is refused.
#[test]
fn no_history_leads_to_a_wrong_no() {
    let mut rng = SmallRng::seed_from_u64(1);
    let (mut removals, mut refusals) = (0, 0);
    for round in 0..400 {
        let p = Params::new(60, [0.5, 0.1][round % 2]).unwrap();
        let mut filters: Vec<(Owned<Cuckoo>, HashMap<Value, usize>)> = Vec::new();
        for _ in 0..150 {
            let value = Value::number(rng.random_range(0..60));
            let other = filters.choose(&mut rng).cloned();
            let kept = filters.len() > 3;
            if !kept {
                filters.push((empty(p), HashMap::new()));
            }
            let at = rng.random_range(0..filters.len());
            let (filter, model) = &mut filters[at];
            let before = filter.clone();
            let copies = model.get(&value).copied().unwrap_or(0);
            let done = match (rng.random_range(0..12), other) {
                (0..4, _) => filter.add(value).map(|()| _ = model.insert(value, copies + 1)),
                (4..6, _) if round % 3 == 0 => {
                    filter.add_if_absent(value).map(|_| _ = model.insert(value, copies.max(1)))
                }
                (6..10, _) if copies > 0 => filter.remove(value).map(|removed| {
                    assert!(removed);
                    removals += 1;
                    model.insert(value, copies - 1);
                }),
                (10, Some((other, others))) if round % 3 == 0 => {
                    filter.merge(&other.rest().unwrap()).map(|()| {
                        for (value, copies) in others {
                            let own = model.entry(value).or_default();
                            *own = copies.max(*own);
                        }
                    })
                }
                (11, Some((other, others))) if round % 4 < 2 => {
                    filter.sum(other.working()).map(|()| {
                        others.iter().for_each(|(&value, copies)| {
                            *model.entry(value).or_default() += copies;
                        });
                    })
                }
                // Only what is there is subtracted.
                (11, Some((other, others)))
                    if others.iter().all(|(v, n)| model.get(v).unwrap_or(&0) >= n) =>
                {
                    filter.subtract(other.working()).map(|()| {
                        others.iter().for_each(|(value, copies)| {
                            model.entry(*value).and_modify(|own| *own -= copies);
                        });
                    })
                }
                _ => Ok(()),
            };
            if let Err(error) = done {
                refusals += usize::from(error.kind() == ErrorKind::Mismatch);
                *filter = before;
            }
            if rng.random_bool(0.1) {
                *filter = thaw(&filter.rest().unwrap());
            }
            for (&value, &copies) in &*model {
                assert!(copies == 0 || filter.contains(value).unwrap(), "round {round}");
            }
        }
    }
    assert!(removals > 1000 && refusals > 1000, "{removals} removals, {refusals} refused");
}
