//! What must hold for any bytes that are offered as a `bloom`.

use sketch::bloom::{Bloom, BloomRef, Params};
use sketch::hash::{Value, ValueClass};
use sketch::{Owned, Sketch, View, accept, rest};

fn value(number: i64) -> Value {
    Value::number(number)
}

/// A working state of the values 0 to `values`.
pub fn working(values: i64, params: Params) -> Vec<u8> {
    let mut filter = Owned::<Bloom>::new(params);
    (0..values).for_each(|number| filter.insert(value(number)).unwrap());
    filter.working().to_vec()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for number in 0..3 {
        let _ = BloomRef::contains_in(&mut &bytes[..], value(number));
    }
    let Ok(filter) = BloomRef::parse(bytes) else { return };
    let _ = (filter.cardinality(), filter.error_rate(), filter.fill(), filter.contains(value(1)));
    let good = working(40, filter.params());
    let _ = Owned::<Bloom>::from_bytes(&good).unwrap().merge(bytes);
    for other in [&filter, &BloomRef::parse(&good).unwrap()] {
        if let Ok(bound) = filter.intersect_bound(other) {
            assert!(bound <= 16 * bytes.len() + 1024, "{bound} bytes for {}", bytes.len());
            let _ = filter.intersect(other);
            let _ = other.intersect(&filter);
        }
    }
    if let Ok(mut state) = Owned::<Bloom>::from_bytes(bytes) {
        let _ = (state.insert(value(1)), state.contains(value(1)), state.rest());
    }
    let Ok(bound) = Bloom::rest_bound(&filter) else { return };
    // A working state without a capacity finds its size only here, of at most 62 bits a key.
    assert!(bound <= 16 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Bloom>(bytes, &filter, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest::<Bloom>(&out).unwrap(), out);
    assert!((0.0..=1.0).contains(&filter.fill()) && (0.0..=1.0).contains(&filter.error_rate()));
    let mut state = Owned::<Bloom>::from_bytes(&out).unwrap();
    state.merge(&out).unwrap();
    assert_eq!(state.rest().unwrap(), out);
    assert_eq!(filter.intersect(&filter).unwrap(), out);
    let is_number = filter.class().is_none_or(|class| class == ValueClass::Number);
    for number in 0..10 {
        let stored = BloomRef::contains_in(&mut &out[..], value(number));
        assert_eq!(stored, filter.contains(value(number)));
        assert_eq!(stored, state.contains(value(number)));
        assert_eq!(stored.is_ok(), is_number);
    }
    for number in 0..10 {
        if state.insert(value(number)).is_ok() {
            assert_eq!(state.contains(value(number)), Ok(true));
        }
    }
}
