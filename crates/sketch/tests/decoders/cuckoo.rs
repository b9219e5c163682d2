use sketch::cuckoo::{Cuckoo, Params};
use sketch::hash::{self, ValueClass};
use sketch::rest;

use crate::checks::cuckoo;
use crate::damage::check_all;

/// Filters of every form, with and without copies.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = Vec::new();
    let mut all = vec![Params::gather(0.002).unwrap()];
    for (capacity, rate) in [(10, 0.002), (100, 0.01), (100, 0.5), (300, 1e-6)] {
        all.push(Params::new(capacity, rate).unwrap());
    }
    for params in all {
        for values in [0, 1, 3, 10, 30, 100] {
            let values = params.capacity().map_or(values, |most| values.min(most as i64));
            let gathered = cuckoo::gathered(values, params);
            let mut filter = cuckoo::thawed(&gathered);
            corpus.extend([rest::<Cuckoo>(&gathered).unwrap(), gathered, filter.state().to_vec()]);
            for value in 0..values / 8 {
                let hash = hash::number(value / 2);
                filter.apply(|state| Cuckoo::add(state, ValueClass::Number, hash)).unwrap();
            }
            corpus.extend([filter.rest().unwrap(), filter.state().to_vec()]);
            for value in 0..values * 3 / 4 {
                cuckoo::remove(&mut filter, ValueClass::Number, hash::number(value));
            }
            corpus.extend([filter.rest().unwrap(), filter.state().to_vec()]);
        }
    }
    corpus
}

#[test]
fn any_bytes_are_refused_or_valid() {
    check_all(corpus(), cuckoo::check);
}
