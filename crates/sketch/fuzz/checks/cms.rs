//! What must hold for any bytes that are offered as a `cms`.

use sketch::cms::{self, Cms, CmsRef, Params};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Owned, Sketch, accept, rest};

const CLASS: ValueClass = ValueClass::Number;

/// Larger tables are not built from a few hostile bytes here: a test has no gigabyte to spare.
const MAX_LEN: usize = 1 << 22;

/// The parameters of the sketches that take others in.
fn params() -> Params {
    Params::from_dimensions(100, 2).unwrap()
}

/// Applies a change to a state that grows as a server's would; says whether it was taken. One
/// that was not has changed nothing.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> sketch::Result<Fit>) -> bool {
    loop {
        let before = state.clone();
        match change(state) {
            Err(_) => {
                assert_eq!(*state, before);
                return false;
            }
            Ok(Fit::Done) => return true,
            Ok(Fit::Needs(len)) if len > MAX_LEN => return false,
            Ok(Fit::Needs(len)) => {
                let mut bigger = vec![0; len];
                Cms::grow(state, &mut bigger);
                *state = bigger;
            }
        }
    }
}

/// A working state of the values 0 to `values`, the later ones more often, times `weight`.
pub fn working(values: i64, weight: i64, params: Params) -> Vec<u8> {
    filled(Owned::new(params), values, weight)
}

/// The same as a moving state.
pub fn moving(values: i64, weight: i64, params: Params) -> Vec<u8> {
    let mut empty = vec![0; Cms::initial_len(params)];
    Cms::init_moving(&mut empty, params);
    filled(Owned::from_bytes(&empty).unwrap(), values, weight)
}

fn filled(mut sketch: Owned<Cms>, values: i64, weight: i64) -> Vec<u8> {
    for value in 0..values {
        let weight = (1 + value / 8) * weight;
        let added = sketch.apply(|state| Cms::add(state, CLASS, hash::number(value), weight));
        assert_eq!(added, Ok(()));
    }
    sketch.state().to_vec()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let list = working(6, 3, params());
    let table = working(40, 3, params());
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for state in [&list, &table] {
        apply(&mut state.clone(), |state| Cms::merge(state, bytes));
        apply(&mut state.clone(), |state| Cms::subtract(state, bytes).map(|()| Fit::Done));
    }
    let _ = cms::frequency(&mut &*bytes, CLASS, hash::number(1));
    if let Ok(sketch) = CmsRef::parse(bytes) {
        let _ = (sketch.fill(), sketch.frequency(CLASS, hash::number(1)));
        if let Ok(lookup) = sketch.lookup(CLASS, hash::number(1)) {
            let _ = (lookup.bounds(), lookup.unbiased_frequency());
        }
        for state in [&list, &table] {
            let _ = cms::inner_product(&sketch, &CmsRef::parse(state).unwrap());
        }
    }
    let Ok(bound) = Cms::rest_bound(bytes) else { return };
    assert!(bound <= 32 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Cms>(bytes, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest::<Cms>(&out).unwrap(), out);
    let sketch = CmsRef::parse(&out).unwrap();
    if sketch.class().is_none_or(|class| class == CLASS) {
        for value in 0..3 {
            let hash = hash::number(value);
            let lookup = sketch.lookup(CLASS, hash).unwrap();
            assert_eq!(sketch.frequency(CLASS, hash), Ok(lookup.frequency()));
            assert_eq!(cms::frequency(&mut &*out, CLASS, hash), Ok(lookup.frequency()));
            assert!(lookup.bounds().lower <= lookup.frequency());
            assert!(lookup.frequency() <= sketch.total());
        }
    }
    let len = Cms::thaw_len(&out).unwrap();
    // A block of no bits takes three bytes at rest, and 128 cells of up to eight in a state.
    assert!(len <= 350 * out.len() + 128, "{len} bytes for {}", out.len());
    if len > MAX_LEN {
        return;
    }
    let mut state = vec![0; len];
    Cms::thaw(&out, &mut state).unwrap();
    assert_eq!(rest::<Cms>(&state).unwrap(), out);
    if sketch.class().is_none_or(|class| class == CLASS) {
        for hash in (0..3).map(hash::number) {
            let looked_up = cms::lookup_state(&state, CLASS, hash).unwrap();
            assert_eq!(looked_up.bounds(), sketch.lookup(CLASS, hash).unwrap().bounds());
        }
    }
    let total = sketch.total();
    if apply(&mut state, |state| Cms::merge(state, &out)) {
        assert_eq!(CmsRef::parse(&state).unwrap().total(), 2 * total);
        assert!(apply(&mut state, |state| Cms::subtract(state, &out).map(|()| Fit::Done)));
        assert_eq!(rest::<Cms>(&state).unwrap(), out);
    }
}
