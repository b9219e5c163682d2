//! The forms, and long random use of them.

use std::collections::HashMap;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::codec::Form;
use crate::error::ErrorKind;

#[test]
fn the_form_follows_from_the_number_of_copies() {
    for capacity in [1, 10, 300, 5000] {
        let p = params(capacity);
        let most = p.layout().max_listed() as i64;
        let form = |n| parse(&added(&values(0..n), p)).form();
        let built = |n| parse(&gathered(&values(0..n), p)).form();
        assert_eq!((form(0), built(0)), (Form::Empty, Form::Empty));
        assert_eq!(form(most), Form::Sparse);
        assert_eq!(form(most + 1), Form::Dense);
        if most < capacity {
            assert_eq!(built(most), Form::Sparse);
            assert_eq!(built(most + 1), Form::Dense);
        }
    }
}

#[test]
fn a_table_of_few_copies_rests_as_their_list() {
    let p = params(300);
    let all = values(0..200);
    let mut filter = thaw(&added(&all, p));
    for &value in &all[5..] {
        assert_eq!(filter.remove(value), Ok(true));
    }
    let few = filter.rest().unwrap();
    assert_eq!(few, added(&all[..5], p));
    assert!(same(&few, filter.working()) && same(filter.working(), thaw(&few).working()));
    assert!(all[..5].iter().all(|&value| filter.remove(value).unwrap()));
    assert_eq!(filter.remove(all[0]), Ok(false));
    assert_eq!(filter.rest(), empty(p).rest());
    // Without values it takes those of any class, and another filter's parameters.
    filter.clone().add(text()).unwrap();
    assert_eq!(merge(filter.working(), &few), few);
    let other = added(&all, params(1000));
    assert_eq!(merge(filter.working(), &other), other);
}

/// A million random steps against a model, in every form: whatever was added and not removed is
/// found. Where each value is there once, all steps up to the capacity succeed; many copies of
/// some values crowd their buckets, and some are refused.
#[test]
fn random_steps_follow_the_model() {
    for (capacity, rate, range, most, room, steps) in [
        (1000, 0.002, 1200, 1, 1000, 400_000),
        (2000, 0.002, 1000, 4, 1000, 400_000),
        (60, 0.03, 12, 9, 36, 100_000),
        (2000, 1e-6, 60, 9, 500, 100_000),
    ] {
        let mut rng = SmallRng::seed_from_u64(capacity as u64);
        let mut filter = empty(Params::new(capacity, rate).unwrap());
        let mut model: HashMap<i64, u32> = HashMap::new();
        let (mut count, mut refused) = (0, 0);
        for step in 0..steps {
            let value = rng.random_range(0..range);
            let stored = Value::number(value);
            let copies = model.entry(value).or_default();
            let adds = rng.random_bool(if step / 5000 % 3 < 2 { 0.7 } else { 0.3 });
            if adds && *copies < most && count < room {
                match filter.add(stored) {
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
                assert_eq!(filter.remove(stored), Ok(true));
                *copies -= 1;
                count -= 1;
            }
            let any = rng.random_range(0..range);
            if model.get(&any).is_some_and(|&copies| copies > 0) {
                assert!(filter.contains(Value::number(any)).unwrap());
            }
            if step % 5000 == 0 {
                let stored = filter.rest().unwrap();
                assert_eq!(parse(&stored).count(), count);
                for (&value, &copies) in &model {
                    assert!(copies == 0 || holds(&stored, Value::number(value)));
                }
                filter = thaw(&stored);
            }
        }
        assert!(most > 1 || refused == 0);
    }
}
