//! Classes and parameters that meet.

use super::*;
use crate::error::ErrorKind;

#[test]
fn classes_do_not_mix() {
    for count in [3, 200] {
        let mut filter = thaw(&added(&values(0..count), params(300)));
        let before = filter.working().to_vec();
        let refused = |error: crate::Error| {
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("text") && error.message().contains("number"));
        };
        refused(filter.add(text()).unwrap_err());
        refused(filter.add_if_absent(text()).unwrap_err());
        refused(filter.remove(text()).unwrap_err());
        refused(filter.insert(text()).unwrap_err());
        refused(filter.contains(text()).unwrap_err());
        refused(parse(filter.working()).contains(text()).unwrap_err());
        refused(parse(&filter.rest().unwrap()).contains(text()).unwrap_err());
        let other = added(&[text()], params(300));
        refused(filter.merge(&other).unwrap_err());
        refused(filter.subtract(&other).unwrap_err());
        assert!(!same(filter.working(), &other));
        assert_eq!(filter.working(), before);
    }
    let mut filter = gather(&values(0..3), params(10));
    assert!(filter.insert(text()).is_err() && filter.contains(text()).is_err());
    assert!(!holds(empty(params(10)).working(), text()));
    assert_eq!(empty(params(10)).contains(text()), Ok(false));
}

#[test]
fn parameters_do_not_mix() {
    let a = added(&values(0..3), params(300));
    for other in [params(301), Params::new(300, 0.001).unwrap()] {
        let b = added(&values(0..3), other);
        let mut filter = thaw(&a);
        for error in [filter.merge(&b).unwrap_err(), filter.subtract(&b).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("300") && error.message().contains("0.002"));
            assert!(error.hint().unwrap().contains("cuckoo_agg(value, 300, 0.002)"));
        }
        assert_eq!(filter.rest().unwrap(), a);
        assert!(!same(&a, &b));
    }
}

#[test]
fn what_is_still_gathered_takes_no_copies() {
    let a = added(&values(0..3), params(300));
    let mut filter = gather(&values(0..3), params(300));
    let gathers = |error: crate::Error| {
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(error.message().contains("still gathered"));
    };
    gathers(filter.merge(&a).unwrap_err());
    gathers(filter.add(Value::number(7)).unwrap_err());
    gathers(filter.add_if_absent(Value::number(7)).unwrap_err());
    gathers(filter.remove(Value::number(1)).unwrap_err());
    gathers(filter.subtract(&a).unwrap_err());
    gathers(thaw(&a).merge(filter.working()).unwrap_err());
    gathers(thaw(&a).subtract(filter.working()).unwrap_err());
    // It is what it will be.
    assert!(same(filter.working(), &a) && same(&a, filter.working()));
    assert!(!same(filter.working(), gather(&values(0..4), params(300)).working()));
}

/// Whatever the order in which empty filters meet, one stays.
#[test]
fn of_empty_filters_the_explicit_one_stays() {
    let all: Vec<Vec<u8>> = [
        params(1000),
        params(50),
        Params::new(50, 0.01).unwrap(),
        Params::DEFAULT,
        Params::gathering(0.002).unwrap(),
        Params::gathering(0.5).unwrap(),
    ]
    .into_iter()
    .flat_map(|params| {
        let stored = empty(params).rest().unwrap();
        [empty(params).working().to_vec(), stored.clone(), thaw(&stored).working().to_vec()]
    })
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
    let gathering = empty(Params::gathering(0.002).unwrap()).rest();
    assert_eq!(gathering, empty(Params::DEFAULT).rest());
    assert!(!same(&all[1], &all[4]) && same(&all[1], &all[2]));
}
