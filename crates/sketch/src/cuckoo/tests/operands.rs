//! Classes and parameters that meet.

use super::*;
use crate::error::ErrorKind;

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
    assert!(equal(&gathered, &a).is_err() && content_hash(&gathered, 0).is_err());
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
