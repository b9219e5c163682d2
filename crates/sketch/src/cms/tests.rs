//! Limits, errors and the bytes of the sketch; [`laws`] has what holds for every multiset of values.

mod laws;

use super::{Bounds, Cms, CmsRef, Params, frequency, inner_product, lookup, lookup_state};
use crate::codec::Form;
use crate::hash::{self, ValueClass};
use crate::sketch::{Fit, Sketch, accept};
use crate::{ErrorKind, Owned, Result};

const CLASS: ValueClass = ValueClass::Number;

/// Values with their weights.
type Rows = Vec<(i64, i64)>;

/// A state that grows as the server's would; checks that a failure changes nothing, and that the
/// need for room does not change what the state holds.
fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> Result<Fit>) -> Result<()> {
    loop {
        let before = state.clone();
        match change(state) {
            Ok(Fit::Done) => return Ok(()),
            Ok(Fit::Needs(len)) => {
                assert_eq!(state[28..], before[28..]);
                let mut bigger = vec![0; len];
                Cms::grow(state, &mut bigger);
                *state = bigger;
            }
            Err(error) => {
                assert_eq!(*state, before);
                return Err(error);
            }
        }
    }
}

fn params(width: u32, depth: u8) -> Params {
    Params::from_dimensions(width, depth).unwrap()
}

fn empty(params: Params) -> Vec<u8> {
    let mut state = vec![0; Cms::initial_len(params)];
    Cms::init(&mut state, params);
    state
}

fn moving(params: Params) -> Vec<u8> {
    let mut state = vec![0; Cms::initial_len(params)];
    Cms::init_moving(&mut state, params);
    state
}

fn add(state: &mut Vec<u8>, value: i64, weight: i64) -> Result<()> {
    apply(state, |state| Cms::add(state, CLASS, hash::number(value), weight))
}

fn working(rows: &[(i64, i64)], params: Params) -> Vec<u8> {
    let mut state = empty(params);
    rows.iter().for_each(|&(value, weight)| add(&mut state, value, weight).unwrap());
    state
}

/// A state that holds a table from the start.
fn table(rows: &[(i64, i64)], params: Params) -> Vec<u8> {
    let mut state = empty(params);
    let fill: Rows = (0..params.max_entries() as i64 + 1).map(|i| (i - 1_000_000, 1)).collect();
    fill.iter().for_each(|&(value, weight)| add(&mut state, value, weight).unwrap());
    rows.iter().for_each(|&(value, weight)| add(&mut state, value, weight).unwrap());
    if !rows.is_empty() {
        fill.iter().for_each(|&(value, weight)| add(&mut state, value, -weight).unwrap());
    }
    state
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    crate::rest::<Cms>(bytes).unwrap()
}

fn build(rows: &[(i64, i64)], params: Params) -> Vec<u8> {
    rest(&working(rows, params))
}

fn thaw(bytes: &[u8]) -> Vec<u8> {
    Owned::<Cms>::from_bytes(bytes).unwrap().state().to_vec()
}

fn merge(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut state = thaw(a);
    apply(&mut state, |state| Cms::merge(state, b)).unwrap();
    rest(&state)
}

fn count(bytes: &[u8], value: i64) -> u64 {
    CmsRef::parse(bytes).unwrap().frequency(CLASS, hash::number(value)).unwrap()
}

fn form(bytes: &[u8]) -> Form {
    CmsRef::parse(bytes).unwrap().form()
}

#[test]
fn what_cannot_be_is_refused() {
    let p = params(100, 2);
    for bytes in [empty(p), working(&[(1, 3)], p), table(&[(1, 3)], p)] {
        for len in 0..28 {
            assert!(CmsRef::parse(&bytes[..len]).is_err(), "{len}");
        }
    }
    // Of a list of one entry: the mode, the count, the total, the width, the depth, a spare byte.
    for (at, byte) in [(3, 3), (4, 2), (15, 0x80), (16, 2), (20, 0), (27, 1)] {
        let mut bytes = working(&[(1, 3)], p);
        bytes[if at == 16 { 17 } else { at }] = if at == 16 { 0 } else { byte };
        bytes[at] = byte;
        assert!(CmsRef::parse(&bytes).is_err(), "{at}");
    }
    // A count that does not add up, and a count of 0.
    for total in [2u8, 4] {
        for mut bytes in [working(&[(1, 3)], p), table(&[(1, 3)], p)] {
            bytes[8] = total;
            let mut out = vec![0; Cms::rest_bound(&bytes).unwrap()];
            assert!(Cms::rest(&bytes, &mut out).is_err());
        }
    }
    // At rest: another total.
    for mut bytes in [build(&[(1, 3)], p), rest(&table(&[(1, 3)], p))] {
        bytes[5] = 4;
        let mut out = vec![0; Cms::rest_bound(&bytes).unwrap()];
        assert!(Cms::rest(&bytes, &mut out).is_err());
    }
}

#[test]
fn classes_do_not_mix() {
    let p = params(100, 2);
    for mut state in [working(&[(1, 3)], p), table(&[(1, 3)], p)] {
        for weight in [1, 0, -1] {
            let error =
                apply(&mut state, |s| Cms::add(s, ValueClass::Text, 1, weight)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("text") && error.message().contains("number"));
        }
        let mut text = empty(p);
        apply(&mut text, |s| Cms::insert(s, ValueClass::Text, 1)).unwrap();
        assert!(apply(&mut state, |s| Cms::merge(s, &text)).is_err());
        assert!(Cms::subtract(&mut state, &text).is_err());
        let sketch = CmsRef::parse(&state).unwrap();
        assert!(sketch.frequency(ValueClass::Text, 1).is_err());
        assert!(lookup(&mut &state[..], ValueClass::Text, 1).is_err());
        assert!(inner_product(&sketch, &CmsRef::parse(&text).unwrap()).is_err());
        // Nothing is left, so any class may come.
        let all = state.clone();
        Cms::subtract(&mut state, &all).unwrap();
        assert_eq!(rest(&state), rest(&empty(p)));
        apply(&mut state, |s| Cms::insert(s, ValueClass::Text, 1)).unwrap();
        assert_eq!(rest(&state), rest(&text));
    }
}

#[test]
fn parameters_do_not_mix() {
    let mut state = working(&[(1, 3)], Params::DEFAULT);
    let other = working(&[(1, 3)], params(272, 5));
    for error in [
        apply(&mut state, |state| Cms::merge(state, &other)).unwrap_err(),
        Cms::subtract(&mut state, &other).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        for part in ["0.001000", "0.009994", "2719 x 5", "272 x 5"] {
            assert!(error.message().contains(part), "{error}");
        }
        assert!(error.hint().is_some());
    }
    let (a, b) = (CmsRef::parse(&state).unwrap(), CmsRef::parse(&other).unwrap());
    assert!(inner_product(&a, &b).is_err());
}

#[test]
fn totals_end_at_the_largest_bigint() {
    let p = params(100, 2);
    for mut state in [empty(p), moving(p), table(&[(7, 1)], p)] {
        add(&mut state, 1, i64::MAX - 2).unwrap();
        let error = add(&mut state, 2, 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        let other = working(&[(2, 3)], p);
        let error = apply(&mut state, |state| Cms::merge(state, &other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        let left = i64::MAX as u64 - CmsRef::parse(&state).unwrap().total();
        add(&mut state, 1, left as i64).unwrap();
        assert!(add(&mut state, 1, 1).is_err());
        assert_eq!(thaw(&rest(&state)).len(), thaw(&state).len());
        assert!(count(&rest(&state), 1) >= i64::MAX as u64 - 2);
        add(&mut state, 1, -5).unwrap();
        add(&mut state, 3, 5).unwrap();
    }
    assert!(add(&mut empty(p), 1, i64::MIN).is_err());
}

#[test]
fn cells_widen_without_loss() {
    let p = params(50, 3);
    for limit in [1i64 << 8, 1 << 16, 1 << 32] {
        let mut state = table(&[(1, limit - 1)], p);
        let narrow = state.len();
        assert_eq!(count(&state, 1), limit as u64 - 1);
        let other = table(&[(1, limit - 1), (2, 5)], p);
        for more in [working(&[(1, 1), (2, 5)], p), other] {
            let mut state = state.clone();
            apply(&mut state, |state| Cms::merge(state, &more)).unwrap();
            assert!(state.len() > narrow);
            assert_eq!(rest(&state), merge(&rest(&more), &rest(&table(&[(1, limit - 1)], p))));
        }
        add(&mut state, 1, 1).unwrap();
        assert!(state.len() > narrow);
        assert_eq!((count(&state, 1), count(&rest(&state), 1)), (limit as u64, limit as u64));
        assert_eq!(rest(&state), rest(&table(&[(1, limit)], p)));
    }
}

#[test]
fn what_was_not_added_cannot_be_taken_away() {
    let p = params(100, 2);
    for mut state in [working(&[(1, 3), (2, 9)], p), table(&[(1, 3), (2, 9)], p)] {
        for (value, weight) in [(1, -4), (3, -1), (1, i64::MIN)] {
            let error = add(&mut state, value, weight).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains(&weight.unsigned_abs().to_string()), "{error}");
        }
        for part in
            [working(&[(2, 9), (1, 4)], p), table(&[(2, 9), (1, 4)], p), build(&[(3, 1)], p)]
        {
            let before = state.clone();
            assert!(Cms::subtract(&mut state, &part).is_err());
            assert_eq!(state, before);
        }
        add(&mut state, 1, -3).unwrap();
        assert_eq!((count(&state, 1), count(&state, 2)), (0, 9));
    }
}

#[test]
fn an_empty_sketch_gives_way() {
    let (small, big) = (params(100, 2), params(1000, 2));
    let full = build(&[(1, 3)], big);
    for none in [empty(small), rest(&empty(small)), rest(&empty(Params::DEFAULT))] {
        assert_eq!(merge(&none, &full), full);
        assert_eq!(merge(&full, &none), full);
        assert_eq!(count(&none, 1), 0);
    }
    let of = |params| rest(&empty(params));
    for (a, b, both) in
        [(small, big, small), (Params::DEFAULT, big, big), (small, Params::DEFAULT, small)]
    {
        assert_eq!(merge(&of(a), &of(b)), of(both));
        assert_eq!(merge(&of(b), &of(a)), of(both));
    }
}

#[test]
fn small_sketches_are_small_and_exact() {
    for (values, most) in [(1, 24), (10, 110), (100, 950), (500, 4_300)] {
        let rows: Rows = (0..values).map(|i| (i, 1 + i % 7)).collect();
        let stored = build(&rows, Params::DEFAULT);
        assert!(stored.len() < most, "{values}: {}", stored.len());
        let bounds = |value| {
            let sketch = CmsRef::parse(&stored).unwrap();
            assert!(sketch.is_exact());
            sketch.lookup(CLASS, hash::number(value)).unwrap().bounds()
        };
        for &(value, n) in &rows {
            let n = n as u64;
            assert_eq!(bounds(value), Bounds { lower: n, estimate: n, upper: n });
        }
        assert_eq!(bounds(values), Bounds { lower: 0, estimate: 0, upper: 0 });
    }
    // A group of a value in the server: the state, its length word and the chunk's header.
    assert!(working(&[(1, 9)], Params::DEFAULT).len() + 4 + 16 <= 80);
}

#[test]
fn forms_change_at_a_number_of_values_alone() {
    for p in [Params::DEFAULT, params(100, 2), params(3, 1)] {
        let limit = p.max_entries() as i64;
        let of = |n| form(&build(&(0..n).map(|i| (i, 1 << (i % 40))).collect::<Rows>(), p));
        assert_eq!(of(0), Form::Empty);
        assert_eq!(of(limit), if limit > 0 { Form::Sparse } else { Form::Empty });
        assert_eq!(of(limit + 1), Form::Dense);
    }
}

#[test]
fn a_value_of_any_hash_has_its_count() {
    for hash in [0, 1, u64::MAX, 1 << 63] {
        let mut state = empty(Params::DEFAULT);
        for _ in 0..3 {
            apply(&mut state, |state| Cms::insert(state, CLASS, hash)).unwrap();
        }
        for bytes in [rest(&state), state] {
            assert_eq!(CmsRef::parse(&bytes).unwrap().frequency(CLASS, hash), Ok(3));
        }
    }
}

#[test]
fn merging_a_malformed_table_changes_nothing() {
    let p = params(700, 2);
    let rows: Rows = (0..400).map(|i| (i, 1 + i * i % 900)).collect();
    let good = build(&rows, p);
    let mut failed = 0;
    for at in 12..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        for state in [table(&rows, p), thaw(&good)] {
            let (mut merged, mut less) = (state.clone(), state.clone());
            failed += usize::from(apply(&mut merged, |state| Cms::merge(state, &bad)).is_err());
            if Cms::subtract(&mut less, &bad).is_err() {
                assert_eq!(less, state);
            }
        }
    }
    assert!(failed > 0);
}

/// Pins the bytes of each form.
#[test]
fn golden_bytes() {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let p = params(24, 2);
    let rows: Rows = vec![(1, 1), (2, 20), (3, 300)];
    for (bytes, golden) in [
        (rest(&empty(p)), "6d01001802"),
        (build(&rows[..2], p), "6d1101180215024a271b61dddea2914527135eca80281d4703"),
        (build(&rows, p), "6d21011802fb4101090005054589f56a4981258500"),
        (
            working(&rows[..1], p),
            "6d31010001000000010000000000000018000000020000000000000000000000000000000000000000000000d77433bdf64143fd0100000000000000",
        ),
    ] {
        assert_eq!(hex(&bytes), golden);
    }
}
