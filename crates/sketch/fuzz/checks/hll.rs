//! What must hold for any bytes that are offered as an `hll`. The fuzz target and the tests of
//! the crate share it.

use sketch::hash::{self, ValueClass};
use sketch::hll::{self, Hll, HllRef, Precision};
use sketch::{Fit, Sketch, accept};

const CLASS: ValueClass = ValueClass::Number;

/// Applies a change to a state that grows as a server's would; says whether it was taken.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> sketch::Result<Fit>) -> bool {
    loop {
        match change(state) {
            Err(_) => return false,
            Ok(Fit::Done) => return true,
            Ok(Fit::Needs(len)) => {
                let mut bigger = vec![0; len];
                Hll::grow(state, &mut bigger);
                *state = bigger;
            }
        }
    }
}

/// A working state of the values 0 to `values`.
pub fn working(values: i64, precision: Precision) -> Vec<u8> {
    let mut state = vec![0; Hll::initial_len(precision)];
    Hll::init(&mut state, precision);
    for value in 0..values {
        assert!(apply(&mut state, |state| Hll::insert(state, CLASS, hash::number(value))));
    }
    state
}

/// A sketch in its form for rest.
pub fn rest(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; Hll::rest_bound(bytes).unwrap()];
    let len = Hll::rest(bytes, &mut out).unwrap();
    out.truncate(len);
    out
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let good = working(40, Precision::MIN);
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    apply(&mut good.clone(), |state| Hll::merge(state, bytes));
    if let Ok(sketch) = HllRef::parse(bytes) {
        let _ = (sketch.estimate(), sketch.bounds(0.95), sketch.fill());
        let _ = hll::overlap(&sketch, &HllRef::parse(&good).unwrap(), 0.95);
    }
    let Ok(bound) = Hll::rest_bound(bytes) else { return };
    assert!(bound <= 8 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Hll>(bytes, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest(&out), out);
    let sketch = HllRef::parse(&out).unwrap();
    let bounds = sketch.bounds(0.95).unwrap();
    assert!(bounds.lower <= bounds.estimate && bounds.estimate <= bounds.upper);
    let mut state = vec![0; Hll::thaw_len(&out).unwrap()];
    Hll::thaw(&out, &mut state).unwrap();
    assert!(apply(&mut state, |state| Hll::merge(state, &out)));
    assert_eq!(rest(&state), out);
    let mut low = vec![0; hll::reduce_bound(&out, Precision::MIN).unwrap()];
    let len = hll::reduce(&out, Precision::MIN, &mut low).unwrap();
    low.truncate(len);
    assert_eq!(rest(&low), low);
    if sketch.class().is_none_or(|class| class == CLASS) {
        assert!(apply(&mut good.clone(), |state| Hll::merge(state, &low)));
        let both = hll::overlap(&sketch, &sketch, 0.95).unwrap().both;
        assert!(both.lower <= both.estimate && both.estimate <= both.upper);
    }
}
