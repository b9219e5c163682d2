//! What must hold for any bytes that are offered as a `bloom`.

use sketch::bloom::{self, Bloom, BloomRef, Params};
use sketch::hash::{self, ValueClass};
use sketch::{Owned, Sketch, accept, rest};

const CLASS: ValueClass = ValueClass::Number;

/// A working state of the values 0 to `values`.
pub fn working(values: i64, params: Params) -> Vec<u8> {
    let mut filter = Owned::<Bloom>::new(params);
    (0..values).for_each(|value| filter.insert(CLASS, hash::number(value)).unwrap());
    filter.state().to_vec()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for value in 0..3 {
        let _ = bloom::contains(&mut &bytes[..], CLASS, hash::number(value));
    }
    if let Ok(filter) = BloomRef::parse(bytes) {
        let _ = (filter.cardinality(), filter.error_rate(), filter.fill());
        let good = working(40, filter.params());
        let _ = Owned::<Bloom>::from_bytes(&good).unwrap().merge(bytes);
        if let Ok(bound) = bloom::intersect_bound(bytes, bytes) {
            assert!(bound <= 16 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
            let _ = bloom::intersect(bytes, bytes, &mut vec![0; bound]);
        }
    }
    let Ok(bound) = Bloom::rest_bound(bytes) else { return };
    // A working state without a capacity finds its size only here, of at most 62 bits a key.
    assert!(bound <= 16 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Bloom>(bytes, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest::<Bloom>(&out).unwrap(), out);
    let filter = BloomRef::parse(&out).unwrap();
    assert!((0.0..=1.0).contains(&filter.fill()) && (0.0..=1.0).contains(&filter.error_rate()));
    let mut state = Owned::<Bloom>::from_bytes(&out).unwrap();
    state.merge(&out).unwrap();
    assert_eq!(state.rest().unwrap(), out);
    let mut both = vec![0; bloom::intersect_bound(&out, &out).unwrap()];
    let len = bloom::intersect(&out, &out, &mut both).unwrap();
    assert_eq!(both[..len], out);
    let hashes = (0..10).map(hash::number);
    for hash in hashes.clone() {
        let stored = bloom::contains(&mut &out[..], CLASS, hash);
        assert_eq!(stored, bloom::holds(state.state(), CLASS, hash));
    }
    for hash in hashes {
        if state.insert(CLASS, hash).is_ok() {
            assert_eq!(bloom::holds(state.state(), CLASS, hash), Ok(true));
        }
    }
}
