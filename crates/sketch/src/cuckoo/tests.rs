//! What must hold of filters of every form.

mod bytes;
mod forms;
mod laws;
mod limits;
mod operands;
mod unions;

use super::{Cuckoo, CuckooRef, Params};
use crate::Owned;
use crate::error::Result;
use crate::hash::Value;
use crate::sketch::View;
use crate::testing::values;

fn params(capacity: i64) -> Params {
    Params::new(capacity, 0.002).unwrap()
}

fn empty(params: Params) -> Owned<Cuckoo> {
    Owned::new(params)
}

/// What an aggregate has gathered.
fn gather(values: &[Value], params: Params) -> Owned<Cuckoo> {
    let mut filter = empty(params);
    values.iter().for_each(|&value| filter.insert(value).unwrap());
    filter
}

fn gathered(values: &[Value], params: Params) -> Vec<u8> {
    gather(values, params).rest().unwrap()
}

fn parse(bytes: &[u8]) -> CuckooRef<'_> {
    CuckooRef::parse(bytes).unwrap()
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    crate::rest::<Cuckoo>(bytes).unwrap()
}

fn thaw(bytes: &[u8]) -> Owned<Cuckoo> {
    Owned::from_bytes(bytes).unwrap()
}

/// A filter with a copy for each of the values.
fn added(values: &[Value], params: Params) -> Vec<u8> {
    let mut filter = empty(params);
    values.iter().for_each(|&value| filter.add(value).unwrap());
    filter.rest().unwrap()
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    crate::testing::merge::<Cuckoo>(a, b)
}

fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut filter = thaw(a);
    filter.subtract(b).unwrap();
    filter.rest().unwrap()
}

/// Whether a filter at rest seems to hold a value, asked in every way.
fn holds(bytes: &[u8], value: Value) -> bool {
    let held = parse(bytes).contains(value).unwrap();
    assert_eq!(CuckooRef::contains_in(&mut &*bytes, value), Ok(held));
    held
}

/// Equal, and then with equal hashes.
fn same(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (parse(a), parse(b));
    let is_same = a.equals(&b).unwrap();
    assert_eq!(b.equals(&a), Ok(is_same));
    assert!(!is_same || a.content_hash(0) == b.content_hash(0));
    is_same
}

fn text() -> Value {
    Value::text("a")
}
