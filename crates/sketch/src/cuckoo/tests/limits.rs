//! What does not fit is refused, and changes nothing.

use super::*;
use crate::error::ErrorKind;

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
    assert!(apply(&mut state, |state| Cuckoo::merge(state, &other)).is_err());
    assert_eq!(rest(&state), rest(&before));
    let sized = rest(&gather(&hashes(0..50), Params::gather(0.002).unwrap()));
    assert_eq!(CuckooRef::parse(&sized).unwrap().params(), Ok(params(50)));
}

/// A set so large that repeats are in it counts only distinct values, also where most are.
#[test]
fn a_large_set_counts_distinct_values() {
    let p = params(50_000);
    let all = hashes(0..50_000);
    let filter = gather(&all, p);
    let repeated = gather(&[&all[..], &all, &all[..40_000], &all[..40_000]].concat(), p);
    let sized = gather(&all.repeat(2), Params::gather(0.002).unwrap());
    assert_eq!(rest(&repeated), rest(&filter));
    assert_eq!(rest(&sized), rest(&filter));
    let (a, b) = (gather(&all[..35_000], p), gather(&all[15_000..], p));
    for (mut state, other) in [(a.clone(), &b), (b.clone(), &a), (repeated.clone(), &a)] {
        apply(&mut state, |state| Cuckoo::merge(state, other)).unwrap();
        assert_eq!(rest(&state), rest(&filter));
    }
    assert!(all.iter().step_by(997).all(|&hash| holds(&repeated, hash)));
    assert!(!holds(&repeated, hash::number(-1)));
    let twice = gather(&[&all[..25_000], &all[..25_000]].concat(), Params::gather(0.002).unwrap());
    assert_eq!(CuckooRef::parse(&rest(&twice)).unwrap().params(), Ok(params(25_000)));

    let mut one_more = repeated;
    let fit = apply(&mut one_more, |state| Cuckoo::insert(state, CLASS, hash::number(-1)));
    let error = fit.and_then(|()| crate::rest::<Cuckoo>(&one_more)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("50000"), "{error}");
    // Values without end are refused long before memory is.
    let mut state = gathering(p);
    let refused = (0..100_000).find(|&value| {
        apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash::number(value))).is_err()
    });
    assert!(refused.is_some(), "{} bytes", state.len());
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
