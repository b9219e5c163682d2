//! What must hold for any bytes that are offered as an `hll`.

use sketch::hash::{Value, ValueClass};
use sketch::hll::{self, Hll, HllRef, Precision};
use sketch::{Owned, Sketch, View, accept, rest};

/// A working state of the values 0 to `values`.
pub fn working(values: i64, precision: Precision) -> Vec<u8> {
    let mut sketch = Owned::<Hll>::new(precision);
    (0..values).for_each(|value| sketch.insert(Value::number(value)).unwrap());
    sketch.working().to_vec()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let good = working(40, Precision::MIN);
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    let _ = Owned::<Hll>::from_bytes(&good).unwrap().merge(bytes);
    let Ok(sketch) = HllRef::parse(bytes) else { return };
    let _ = (sketch.estimate(), sketch.bounds(0.95), sketch.fill());
    let _ = hll::overlap(&sketch, &HllRef::parse(&good).unwrap(), 0.95);
    let Ok(bound) = Hll::rest_bound(&sketch) else { return };
    assert!(bound <= 8 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Hll>(bytes, &sketch, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest::<Hll>(&out).unwrap(), out);
    let bounds = sketch.bounds(0.95).unwrap();
    assert!(bounds.lower <= bounds.estimate && bounds.estimate <= bounds.upper);
    let mut state = Owned::<Hll>::from_bytes(&out).unwrap();
    state.merge(&out).unwrap();
    assert_eq!(state.rest().unwrap(), out);
    let low = sketch.reduce(Precision::MIN).unwrap();
    assert_eq!(rest::<Hll>(&low).unwrap(), low);
    if sketch.class().is_none_or(|class| class == ValueClass::Number) {
        Owned::<Hll>::from_bytes(&good).unwrap().merge(&low).unwrap();
        let both = hll::overlap(&sketch, &sketch, 0.95).unwrap().both;
        assert!(both.lower <= both.estimate && both.estimate <= both.upper);
    }
}
