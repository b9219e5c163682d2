//! What must hold for any bytes that are offered as a `cuckoo`. The fuzz target and the tests of
//! the crate share it.

use sketch::cuckoo::{self, Cuckoo, CuckooRef, Params};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Sketch, accept};

const CLASS: ValueClass = ValueClass::Number;

/// Applies a change to a state that grows as a server's would; says whether it was taken.
pub fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> sketch::Result<Fit>) -> bool {
    loop {
        match change(state) {
            Err(_) => return false,
            Ok(Fit::Done) => return true,
            Ok(Fit::Needs(len)) => {
                let mut bigger = vec![0; len];
                Cuckoo::grow(state, &mut bigger);
                *state = bigger;
            }
        }
    }
}

/// What an aggregate has gathered of the values 0 to `values`.
pub fn gathered(values: i64, params: Params) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::initial_len(params)];
    Cuckoo::init(&mut state, params);
    for value in 0..values {
        assert!(apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash::number(value))));
    }
    state
}

/// A sketch in its form for rest.
pub fn rest(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; Cuckoo::rest_bound(bytes).unwrap()];
    let len = Cuckoo::rest(bytes, &mut out).unwrap();
    out.truncate(len);
    out
}

/// A state that single values are added to.
pub fn thaw(bytes: &[u8]) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::thaw_len(bytes).unwrap()];
    Cuckoo::thaw(bytes, &mut state).unwrap();
    state
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let params = Params::new(100, 0.01).unwrap();
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for good in [gathered(40, params), thaw(&rest(&gathered(5, params)))] {
        apply(&mut good.clone(), |state| Cuckoo::merge(state, bytes));
        let _ = Cuckoo::subtract(&mut good.clone(), bytes);
        let _ = cuckoo::equal(&good, bytes);
    }
    for value in 0..20 {
        let _ = cuckoo::contains(&mut &bytes[..], CLASS, hash::number(value));
    }
    let _ = cuckoo::content_hash(bytes);
    if let Ok(sketch) = CuckooRef::parse(bytes) {
        let _ = (sketch.fill(), sketch.error_rate(), sketch.params(), sketch.over_capacity());
    }
    if let Ok(len) = Cuckoo::thaw_len(bytes) {
        assert!(len <= 32 * bytes.len() + 128, "{len} bytes for {}", bytes.len());
        let _ = Cuckoo::thaw(bytes, &mut vec![0; len]);
    }
    let Ok(bound) = Cuckoo::rest_bound(bytes) else { return };
    assert!(bound <= 32 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Cuckoo>(bytes, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest(&out), out);
    let sketch = CuckooRef::parse(&out).unwrap();
    let class = sketch.class().unwrap_or(CLASS);
    let mut state = thaw(&out);
    assert_eq!(rest(&state), out);
    assert_eq!(cuckoo::equal(&state, &out), Ok(true));
    assert_eq!(cuckoo::content_hash(&state), cuckoo::content_hash(&out));
    assert!(apply(&mut state, |state| Cuckoo::merge(state, &out)));
    assert_eq!(rest(&state), out);
    for value in 0..10 {
        let hash = hash::number(value);
        let held = cuckoo::contains(&mut &out[..], class, hash);
        assert_eq!(cuckoo::contains(&mut &state[..], class, hash), held);
        if apply(&mut state, |state| Cuckoo::add(state, class, hash)) {
            assert_eq!(cuckoo::contains(&mut &state[..], class, hash), Ok(true));
            assert_eq!(Cuckoo::remove(&mut state, class, hash), Ok(true));
            assert_eq!(cuckoo::equal(&state, &out), Ok(true));
        }
    }
    Cuckoo::subtract(&mut state, &out).unwrap();
    assert!(CuckooRef::parse(&state).unwrap().is_empty());
}
