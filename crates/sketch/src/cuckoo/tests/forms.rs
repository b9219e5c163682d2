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
fn a_table_of_few_copies_rests_as_their_list() {
    let p = params(300);
    let all = hashes(0..200);
    let mut state = thaw(&added(&all, p));
    for &hash in &all[5..] {
        assert!(remove(&mut state, hash));
    }
    let few = rest(&state);
    assert_eq!(few, added(&all[..5], p));
    assert!(same(&few, &state) && same(&state, &thaw(&few)));
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
    for (capacity, rate, range, most, room, steps) in [
        (1000, 0.002, 1200, 1, 1000, 400_000),
        (2000, 0.002, 1000, 4, 1000, 400_000),
        (60, 0.03, 12, 9, 36, 100_000),
        (2000, 1e-6, 60, 9, 500, 100_000),
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
            if adds && *copies < most && count < room {
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
