//! What does not fit is refused, and changes nothing.

use super::*;
use crate::error::ErrorKind;

#[test]
fn a_ninth_copy_is_refused_in_every_form() {
    for others in [0, 100] {
        let mut filter = thaw(&added(&values(0..others), params(300)));
        let value = Value::number(-1);
        (0..8).for_each(|_| filter.add(value).unwrap());
        let before = filter.rest().unwrap();
        let error = filter.add(value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("8 times"));
        assert!(error.hint().unwrap().contains("cuckoo_add_if_absent"));
        assert_eq!(filter.rest().unwrap(), before);
        let mut set = filter.clone();
        assert_eq!(set.add_if_absent(value), Ok(false));
        set.insert(value).unwrap();
        assert!(same(set.working(), &before));
        assert!((0..8).all(|_| filter.remove(value).unwrap()));
        assert_eq!(filter.contains(value), Ok(false));
        assert_eq!(filter.add_if_absent(value), Ok(true));
        assert_eq!(filter.contains(value), Ok(true));
    }
}

/// Past what fits nothing is dropped, and removing makes room again.
#[test]
fn a_full_filter_says_so() {
    let p = params(100);
    let mut filter = empty(p);
    let mut held = Vec::new();
    let error = loop {
        let value = Value::number(held.len() as i64);
        match filter.add(value) {
            Ok(()) => held.push(value),
            Err(error) => break error,
        }
    };
    assert!(held.len() >= 100);
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("made for 100 values"), "{error}");
    assert!(error.message().contains(&held.len().to_string()));
    assert!(error.hint().unwrap().contains("larger capacity"));
    assert!(held.iter().all(|&value| filter.contains(value).unwrap()));
    assert!(parse(filter.working()).is_over_capacity());
    let full = filter.rest().unwrap();
    assert_eq!(parse(&full).count(), held.len());
    let error = filter.merge(&added(&values(1000..1100), p)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let mut filter = thaw(&full);
    assert!(filter.remove(held[0]).unwrap() && filter.remove(held[1]).unwrap());
    filter.add(held[0]).unwrap();
}

#[test]
fn gathering_stops_at_the_capacity() {
    let mut filter = gather(&values(0..50), params(50));
    let repeated = gather(&values(0..50).repeat(2), params(50));
    assert_eq!(repeated.working().len(), filter.working().len());
    let before = filter.rest();
    let error = filter.insert(Value::number(50)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("50") && error.hint().unwrap().contains("capacity"));
    assert!(filter.merge(gather(&values(10..51), params(50)).working()).is_err());
    assert_eq!(filter.rest(), before);
    assert_eq!(repeated.rest(), before);
    let sized = gathered(&values(0..50), Params::gathering(0.002).unwrap());
    assert_eq!(parse(&sized).params(), params(50));
}

/// A set so large that repeats are in it counts only distinct values, also where most are.
#[test]
fn a_large_set_counts_distinct_values() {
    let p = params(50_000);
    let all = values(0..50_000);
    let filter = gathered(&all, p);
    let repeated = gather(&[&all[..], &all, &all[..40_000], &all[..40_000]].concat(), p);
    let sized = gathered(&all.repeat(2), Params::gathering(0.002).unwrap());
    assert_eq!(repeated.rest().unwrap(), filter);
    assert_eq!(sized, filter);
    let (a, b) = (gather(&all[..35_000], p), gather(&all[15_000..], p));
    for (mut state, other) in [(a.clone(), &b), (b.clone(), &a), (repeated.clone(), &a)] {
        state.merge(other.working()).unwrap();
        assert_eq!(state.rest().unwrap(), filter);
    }
    assert!(all.iter().step_by(997).all(|&value| repeated.contains(value).unwrap()));
    assert_eq!(repeated.contains(Value::number(-1)), Ok(false));
    let twice =
        gathered(&[&all[..25_000], &all[..25_000]].concat(), Params::gathering(0.002).unwrap());
    assert_eq!(parse(&twice).params(), params(25_000));

    let mut one_more = repeated;
    let inserted = one_more.insert(Value::number(-1));
    let error = inserted.and_then(|()| one_more.rest()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("50000"), "{error}");
    // Values without end are refused long before memory is.
    let mut filter = empty(p);
    let refused = (0..100_000).find(|&value| filter.insert(Value::number(value)).is_err());
    assert!(refused.is_some(), "{} bytes", filter.working().len());
}

#[test]
fn a_set_that_makes_no_table_stays_a_set() {
    // Of so few signatures that nine values share one long before a table is due.
    let p = Params::new(1000, 0.5).unwrap();
    let layout = p.layout();
    let most = layout.max_listed();
    // Eight copies of a fingerprint and many others in its two buckets cannot lie in eight slots.
    let mark = layout.mark(Value::number(0).hash());
    let partner = layout.partner(mark).bucket;
    let crowd = |value: &Value| {
        let other = layout.mark(value.hash());
        let buckets = [other.bucket, layout.partner(other).bucket];
        buckets.contains(&mark.bucket) && buckets.contains(&partner)
    };
    let crowd: Vec<Value> = (0..).map(Value::number).filter(crowd).take(most + 1).collect();
    let mut filter = empty(p);
    let mut held = Vec::new();
    for value in crowd {
        let before = filter.rest().unwrap();
        match filter.add(value) {
            Ok(()) => held.push(value),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Limit);
                assert_eq!(filter.rest().unwrap(), before);
            }
        }
    }
    assert!(held.len() > 8 && held.len() <= most);
    assert!(held.iter().all(|&value| filter.contains(value).unwrap()));
    assert_eq!(filter.remove(held[0]), Ok(true));
    filter.add(held[0]).unwrap();
}
