//! What the tests of all types need.

use std::cell::Cell;
use std::ops::Range;

use crate::hash::Value;
use crate::sketch::{HashSketch, Sketch};
use crate::{Owned, rest};

/// Whole numbers as values.
pub(crate) fn values(range: Range<i64>) -> Vec<Value> {
    range.map(Value::number).collect()
}

/// A sketch of some values, in the working form.
pub(crate) fn working<S: HashSketch>(values: &[Value], params: S::Params) -> Vec<u8> {
    let mut sketch = Owned::<S>::new(params);
    values.iter().for_each(|&value| sketch.insert(value).unwrap());
    sketch.working().to_vec()
}

/// A sketch of some values, at rest.
pub(crate) fn build<S: HashSketch>(values: &[Value], params: S::Params) -> Vec<u8> {
    rest::<S>(&working::<S>(values, params)).unwrap()
}

/// Two sketches merged, at rest.
pub(crate) fn merge<S: Sketch>(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut sketch = Owned::<S>::from_bytes(a).unwrap();
    sketch.merge(b).unwrap();
    sketch.rest().unwrap()
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

/// How much work something is: steps of long loops, probes, moves. Unlike time it is always the
/// same.
pub(crate) fn steps_of(work: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}
