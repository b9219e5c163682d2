//! What must hold for any bytes that are offered as a `cuckoo`.

use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
use sketch::hash::Value;
use sketch::{Owned, Sketch, View, accept, rest};

fn value(number: i64) -> Value {
    Value::number(number)
}

/// What an aggregate has gathered of the values 0 to `values`.
pub fn gathered(values: i64, params: Params) -> Owned<Cuckoo> {
    let mut filter = Owned::<Cuckoo>::new(params);
    (0..values).for_each(|number| filter.insert(value(number)).unwrap());
    filter
}

/// A filter that single values are added to and removed from.
pub fn thawed(filter: &Owned<Cuckoo>) -> Owned<Cuckoo> {
    Owned::from_bytes(&filter.rest().unwrap()).unwrap()
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    for number in 0..20 {
        let _ = CuckooRef::contains_in(&mut &bytes[..], value(number));
    }
    let Ok(filter) = CuckooRef::parse(bytes) else { return };
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for params in [Params::new(100, 0.01).unwrap(), filter.params()] {
        let most = params.capacity().map_or(40, |most| most.min(40) as i64);
        for values in [5.min(most), most] {
            let _ = gathered(values, params).merge(bytes);
            // Of the parameters that were offered not all that are possible make sense.
            let Ok(good) = gathered(values, params).rest() else { continue };
            let good = Owned::<Cuckoo>::from_bytes(&good).unwrap();
            let _ = good.clone().merge(bytes);
            let _ = good.clone().subtract(bytes);
            let _ = CuckooRef::parse(good.working()).unwrap().equals(&filter);
        }
    }
    let _ = (filter.content_hash(0), filter.fill(), filter.error_rate(), filter.is_over_capacity());
    let len = Cuckoo::thaw_len(&filter);
    assert!(len <= 32 * bytes.len() + 128, "{len} bytes for {}", bytes.len());
    if let Ok(mut state) = Owned::<Cuckoo>::from_bytes(bytes) {
        let _ = (state.insert(value(1)), state.contains(value(1)), state.rest());
        let _ = (state.add(value(1)), state.remove(value(2)), state.rest());
    }
    let Ok(bound) = Cuckoo::rest_bound(&filter) else { return };
    assert!(bound <= 32 * bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    let Ok(len) = accept::<Cuckoo>(bytes, &filter, &mut out) else { return };
    out.truncate(len);

    assert_eq!(rest::<Cuckoo>(&out).unwrap(), out);
    let is_same = |state: &Owned<Cuckoo>| {
        let state = CuckooRef::parse(state.working()).unwrap();
        assert_eq!(state.content_hash(0) == filter.content_hash(0), state.equals(&filter).unwrap());
        state.equals(&filter).unwrap()
    };
    let mut state = Owned::<Cuckoo>::from_bytes(&out).unwrap();
    assert_eq!(state.rest().unwrap(), out);
    assert!(is_same(&state));
    for number in 0..10 {
        let held = CuckooRef::contains_in(&mut &out[..], value(number));
        assert_eq!(filter.contains(value(number)), held);
        assert_eq!(state.contains(value(number)), held);
        let working = CuckooRef::parse(state.working()).unwrap().contains(value(number));
        assert_eq!(working, held);
        if state.add(value(number)).is_ok() {
            assert_eq!(state.contains(value(number)), Ok(true));
            if filter.is_union() {
                assert!(state.remove(value(number)).is_err());
                state = Owned::from_bytes(&out).unwrap();
            } else {
                assert_eq!(state.remove(value(number)), Ok(true));
            }
            assert!(is_same(&state));
        }
    }
    assert_eq!(state.subtract(&out).is_err(), filter.is_union());
    assert_eq!(CuckooRef::parse(state.working()).unwrap().is_empty(), !filter.is_union());
    let mut state = Owned::<Cuckoo>::from_bytes(&out).unwrap();
    state.merge(&out).unwrap();
    assert!(is_same(&state));
}
