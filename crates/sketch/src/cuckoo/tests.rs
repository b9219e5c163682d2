//! What must hold of filters of every form.

mod bytes;
mod forms;
mod laws;
mod limits;
mod operands;

use super::{Cuckoo, CuckooRef, Lookup, Params, contains, content_hash, equal};
use crate::error::Result;
use crate::hash::{self, ValueClass};
use crate::sketch::{Fit, Sketch};

const CLASS: ValueClass = ValueClass::Number;

/// Applies a change to a state, which grows as the server's would.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> Result<Fit>) -> Result<()> {
    while let Fit::Needs(len) = change(state)? {
        let mut bigger = vec![0; len];
        Cuckoo::grow(state, &mut bigger);
        *state = bigger;
    }
    Ok(())
}

fn params(capacity: i64) -> Params {
    Params::new(capacity, 0.002).unwrap()
}

fn gathering(params: Params) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::initial_len(params)];
    Cuckoo::init(&mut state, params);
    state
}

fn gather(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut state = gathering(params);
    for &hash in hashes {
        apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash)).unwrap();
    }
    state
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    crate::rest::<Cuckoo>(bytes).unwrap()
}

fn thaw(bytes: &[u8]) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::thaw_len(bytes).unwrap()];
    Cuckoo::thaw(bytes, &mut state).unwrap();
    state
}

/// An empty state that takes single values.
fn empty(params: Params) -> Vec<u8> {
    thaw(&rest(&gathering(params)))
}

fn add(state: &mut Vec<u8>, hash: u64) -> Result<()> {
    apply(state, |state| Cuckoo::add(state, CLASS, hash))
}

fn remove(state: &mut [u8], hash: u64) -> bool {
    Cuckoo::remove(state, CLASS, hash).unwrap()
}

/// A filter with a copy for each of the hashes.
fn added(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut state = empty(params);
    hashes.iter().for_each(|&hash| add(&mut state, hash).unwrap());
    rest(&state)
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut state = thaw(a);
    apply(&mut state, |state| Cuckoo::merge(state, b)).unwrap();
    rest(&state)
}

fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut state = thaw(a);
    Cuckoo::subtract(&mut state, b).unwrap();
    rest(&state)
}

fn holds(bytes: &[u8], hash: u64) -> bool {
    let held = contains(&mut &bytes[..], CLASS, hash).unwrap();
    let lookup = Lookup::open(&mut &bytes[..]).unwrap();
    assert_eq!(lookup.contains(&mut &bytes[..], CLASS, hash), Ok(held));
    if crate::is_working(bytes) {
        assert_eq!(super::holds(bytes, CLASS, hash), Ok(held));
    }
    held
}

/// Equal, and then with equal hashes.
fn same(a: &[u8], b: &[u8]) -> bool {
    let is_same = equal(a, b).unwrap();
    assert_eq!(equal(b, a), Ok(is_same));
    assert!(!is_same || content_hash(a, 0) == content_hash(b, 0));
    is_same
}

fn hashes(range: std::ops::Range<i64>) -> Vec<u64> {
    range.map(hash::number).collect()
}
