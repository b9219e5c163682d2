//! What must hold for any bytes that are offered as a `cuckoo`.

use sketch::cuckoo::{self, Cuckoo, CuckooRef, Params};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Owned, Sketch, accept, rest};

const CLASS: ValueClass = ValueClass::Number;

/// What an aggregate has gathered of the values 0 to `values`.
pub fn gathered(values: i64, params: Params) -> Vec<u8> {
    let mut filter = Owned::<Cuckoo>::new(params);
    (0..values).for_each(|value| filter.insert(CLASS, hash::number(value)).unwrap());
    filter.state().to_vec()
}

/// A filter that single values are added to and removed from.
pub fn thawed(bytes: &[u8]) -> Owned<Cuckoo> {
    Owned::from_bytes(&rest::<Cuckoo>(bytes).unwrap()).unwrap()
}

/// Takes one copy of a value out; says whether there was one.
pub fn remove(filter: &mut Owned<Cuckoo>, class: ValueClass, hash: u64) -> bool {
    let removed = std::cell::Cell::new(false);
    let change = |state: &mut [u8]| {
        removed.set(Cuckoo::remove(state, class, hash)?);
        Ok(Fit::Done)
    };
    filter.apply(change).unwrap();
    removed.get()
}

fn subtract(filter: &mut Owned<Cuckoo>, bytes: &[u8]) -> sketch::Result<()> {
    filter.apply(|state| Cuckoo::subtract(state, bytes).map(|()| Fit::Done))
}

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let params = Params::new(100, 0.01).unwrap();
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    for values in [5, 40] {
        let good = gathered(values, params);
        let _ = Owned::<Cuckoo>::from_bytes(&good).unwrap().merge(bytes);
        let _ = thawed(&good).merge(bytes);
        let _ = subtract(&mut thawed(&good), bytes);
        let _ = cuckoo::equal(&rest::<Cuckoo>(&good).unwrap(), bytes);
    }
    for value in 0..20 {
        let _ = cuckoo::contains(&mut &bytes[..], CLASS, hash::number(value));
    }
    let _ = cuckoo::content_hash(bytes, 0);
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

    assert_eq!(rest::<Cuckoo>(&out).unwrap(), out);
    let class = CuckooRef::parse(&out).unwrap().class().unwrap_or(CLASS);
    let mut filter = thawed(&out);
    assert_eq!(filter.rest().unwrap(), out);
    assert_eq!(cuckoo::equal(filter.state(), &out), Ok(true));
    assert_eq!(cuckoo::content_hash(filter.state(), 0), cuckoo::content_hash(&out, 0));
    filter.merge(&out).unwrap();
    assert_eq!(filter.rest().unwrap(), out);
    for value in 0..10 {
        let hash = hash::number(value);
        let held = cuckoo::contains(&mut &out[..], class, hash);
        assert_eq!(cuckoo::contains(&mut filter.state(), class, hash), held);
        assert_eq!(cuckoo::holds(filter.state(), class, hash), held);
        if filter.apply(|state| Cuckoo::add(state, class, hash)).is_ok() {
            assert_eq!(cuckoo::holds(filter.state(), class, hash), Ok(true));
            assert!(remove(&mut filter, class, hash));
            assert_eq!(cuckoo::equal(filter.state(), &out), Ok(true));
        }
    }
    subtract(&mut filter, &out).unwrap();
    assert!(CuckooRef::parse(filter.state()).unwrap().is_empty());
}
