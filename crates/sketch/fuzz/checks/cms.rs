//! What must hold for any bytes that are offered as a `cms`.

use sketch::cms::{self, Cms, CmsRef, Params};
use sketch::hash::{Value, ValueClass};
use sketch::{Fit, Owned, Sketch, State, View, accept, rest};

/// Larger tables are not built from a few hostile bytes here: a test has no gigabyte to spare.
const MAX_LEN: usize = 1 << 22;

type CmsState = State<<Cms as Sketch>::Fields>;

/// The parameters of the sketches that take others in.
fn params() -> Params {
    Params::from_dimensions(100, 2).unwrap()
}

/// Applies a change to a state that grows as a server's would; says whether it was taken. One
/// that was not has changed nothing.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut CmsState) -> sketch::Result<Fit>) -> bool {
    loop {
        let before = state.clone();
        match change(State::of(state)) {
            Err(_) => {
                // A list may have another order.
                assert_eq!(rest::<Cms>(state), rest::<Cms>(&before));
                return false;
            }
            Ok(Fit::Done) => return true,
            Ok(Fit::Needs(growth)) if growth.len > MAX_LEN => return false,
            Ok(Fit::Needs(growth)) => {
                let mut bigger = vec![0; growth.len];
                Cms::grow(State::of(state), State::of(&mut bigger), growth);
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
    filled(Owned::moving(params), values, weight)
}

fn filled(mut sketch: Owned<Cms>, values: i64, weight: i64) -> Vec<u8> {
    for value in 0..values {
        sketch.add(Value::number(value), (1 + value / 8) * weight).unwrap();
    }
    sketch.working().to_vec()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let _ = CmsRef::estimate_in(&mut &*bytes, Value::number(1));
    let Ok(sketch) = CmsRef::parse(bytes) else { return };
    let _ = (sketch.fill(), sketch.estimate(Value::number(1)));
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for good in [working(6, 3, params()), working(40, 3, params()), moving(40, 3, params())] {
        apply(&mut good.clone(), |state| Cms::merge(state, &sketch));
        apply(&mut good.clone(), |state| Cms::subtract(state, &sketch));
        let _ = cms::inner_product(&sketch, &CmsRef::parse(&good).unwrap());
    }
    let bound = Cms::rest_bound(&sketch).unwrap();
    assert!(bound <= 32 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    // A block of no bits takes three bytes at rest, and 128 cells of up to eight in a state.
    let thawed_len = Cms::thaw_len(&sketch);
    assert!(thawed_len <= 350 * bytes.len() + 128, "{thawed_len} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    match accept::<Cms>(bytes, &sketch, &mut out) {
        Ok(len) => check_accepted(&out[..len]),
        // What is at rest but not in its canonical form, or working, may be brought to rest.
        Err(_) => {
            if let Ok(len) = Cms::rest(&sketch, &mut vec![0; bound]) {
                assert!(len <= bound);
            }
        }
    }
}

fn check_accepted(bytes: &[u8]) {
    assert_eq!(rest::<Cms>(bytes).unwrap(), bytes);
    let sketch = CmsRef::parse(bytes).unwrap();
    let thawed_len = Cms::thaw_len(&sketch);
    if thawed_len > MAX_LEN {
        return;
    }
    let mut state = vec![0; thawed_len];
    Cms::thaw(&sketch, State::of(&mut state)).unwrap();
    assert_eq!(rest::<Cms>(&state).unwrap(), bytes);
    if sketch.class().is_none_or(|class| class == ValueClass::Number) {
        for value in (0..3).map(Value::number) {
            let estimate = sketch.estimate(value).unwrap();
            for other in [
                CmsRef::estimate_in(&mut &*bytes, value),
                CmsRef::parse(&state).unwrap().estimate(value),
                Cms::estimate(State::of(&mut state), value),
            ] {
                assert_eq!(other.unwrap().bounds(), estimate.bounds());
            }
            assert!(estimate.bounds().lower <= estimate.frequency());
            assert!(estimate.frequency() <= sketch.total());
        }
    }
    let total = sketch.total();
    let product = cms::inner_product(&sketch, &sketch).unwrap().estimate;
    assert!(product >= total.into() && product <= u128::from(total) * u128::from(total));
    if apply(&mut state, |state| Cms::merge(state, &sketch)) {
        assert_eq!(CmsRef::parse(&state).unwrap().total(), 2 * total);
        assert!(apply(&mut state, |state| Cms::subtract(state, &sketch)));
        assert_eq!(rest::<Cms>(&state).unwrap(), bytes);
        assert!(apply(&mut state, |state| Cms::subtract(state, &sketch)));
        assert!(CmsRef::parse(&state).unwrap().is_empty());
    }
}
