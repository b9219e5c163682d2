//! Limits, errors and the bytes of the sketch; [`laws`] has what holds for every multiset of values.

mod laws;

use super::state::{CmsState, LIST};
use super::{Bounds, Cms, CmsRef, Params, inner_product};
use crate::hash::Value;
use crate::sketch::{Fit, Sketch, View, accept};
use crate::testing::{hex, merge};
use crate::{ErrorKind, Form, Owned, Result};

/// Values with their weights.
type Rows = Vec<(i64, i64)>;

/// Applies a change; checks that a failure changes nothing, and that the need for room does not
/// change what the state holds.
fn apply(sketch: &mut Owned<Cms>, change: impl Fn(&mut CmsState) -> Result<Fit>) -> Result<()> {
    sketch.apply(|state| {
        let before = state.bytes().to_vec();
        let fit = change(state);
        match fit {
            Ok(Fit::Done) => {}
            Ok(Fit::Needs(_)) => assert_eq!(state.body, before[CmsState::BODY_AT..]),
            // A list may have another order.
            Err(_) => {
                assert_eq!(crate::rest::<Cms>(state.bytes()), crate::rest::<Cms>(&before));
            }
        }
        fit
    })
}

fn add(sketch: &mut Owned<Cms>, value: i64, weight: i64) -> Result<()> {
    apply(sketch, |state| Cms::add(state, Value::number(value), weight))
}

fn add_all(sketch: &mut Owned<Cms>, rows: &[(i64, i64)]) {
    rows.iter().for_each(|&(value, weight)| add(sketch, value, weight).unwrap());
}

fn merge_in(sketch: &mut Owned<Cms>, other: &[u8]) -> Result<()> {
    let other = CmsRef::parse(other)?;
    apply(sketch, |state| Cms::merge(state, &other))
}

fn subtract(sketch: &mut Owned<Cms>, other: &[u8]) -> Result<()> {
    let other = CmsRef::parse(other)?;
    apply(sketch, |state| Cms::subtract(state, &other))
}

fn params(width: u32, depth: u8) -> Params {
    Params::from_dimensions(width, depth).unwrap()
}

fn empty(params: Params) -> Owned<Cms> {
    Owned::new(params)
}

fn working(rows: &[(i64, i64)], params: Params) -> Owned<Cms> {
    let mut sketch = empty(params);
    add_all(&mut sketch, rows);
    sketch
}

/// A sketch that has been a table from the start.
fn table(rows: &[(i64, i64)], params: Params) -> Owned<Cms> {
    let fill: Rows = (0..params.max_entries() as i64 + 1).map(|i| (i - 1_000_000, 1)).collect();
    let mut sketch = working(&fill, params);
    add_all(&mut sketch, rows);
    if !rows.is_empty() {
        fill.iter().for_each(|&(value, weight)| add(&mut sketch, value, -weight).unwrap());
    }
    sketch
}

fn rest(sketch: &Owned<Cms>) -> Vec<u8> {
    sketch.rest().unwrap()
}

fn build(rows: &[(i64, i64)], params: Params) -> Vec<u8> {
    rest(&working(rows, params))
}

fn thaw(bytes: &[u8]) -> Owned<Cms> {
    Owned::from_bytes(bytes).unwrap()
}

fn parse(sketch: &Owned<Cms>) -> CmsRef<'_> {
    CmsRef::parse(sketch.working()).unwrap()
}

fn count(bytes: &[u8], value: i64) -> u64 {
    CmsRef::parse(bytes).unwrap().frequency(Value::number(value)).unwrap()
}

fn form(bytes: &[u8]) -> Form {
    CmsRef::parse(bytes).unwrap().form()
}

#[test]
fn what_cannot_be_is_refused() {
    let p = params(100, 2);
    for sketch in [empty(p), working(&[(1, 3)], p), table(&[(1, 3)], p)] {
        for len in 0..CmsState::BODY_AT {
            assert!(CmsRef::parse(&sketch.working()[..len]).is_err(), "{len}");
        }
    }
    // Of a list of one entry: another mode, the key's check, another depth, more entries, a total
    // above the largest, another width, a spare byte.
    let list = working(&[(1, 3)], p);
    for (at, bytes) in [
        (3, &[3][..]),
        (3, &[1]),
        (4, &[1]),
        (6, &[0]),
        (7, &[1]),
        (8, &[2]),
        (19, &[0x80]),
        (20, &[2]),
        (20, &[0xff; 4]),
        (27, &[1]),
    ] {
        let mut bad = list.working().to_vec();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        assert!(CmsRef::parse(&bad).is_err(), "{at}");
    }
    // A list longer than it may be.
    let mut bad = working(&[(1, 3), (2, 4)], p).working().to_vec();
    bad[20] = 12;
    assert!(CmsRef::parse(&bad).is_err());
    // A total that is not that of the entries or cells.
    for total in [2u8, 4] {
        for sketch in [working(&[(1, 3)], p), table(&[(1, 3)], p)] {
            let mut bad = sketch.working().to_vec();
            bad[12] = total;
            assert!(crate::rest::<Cms>(&bad).is_err());
        }
        for mut bad in [build(&[(1, 3)], p), rest(&table(&[(1, 3)], p))] {
            bad[5] = total;
            assert!(crate::rest::<Cms>(&bad).is_err());
        }
    }
}

/// The slots of a state from outside may hold anything.
#[test]
fn forged_lists_are_refused_by_whatever_takes_them_in() {
    let p = params(300, 2);
    let list = working(&[(1, 3), (2, 4), (3, 9)], p);
    let body = CmsState::BODY_AT;
    let slots: Vec<usize> = (body..list.working().len() - 15)
        .step_by(16)
        .filter(|&at| list.working()[at..at + 8] != [0; 8])
        .collect();
    let forged = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = list.working().to_vec();
        change(&mut bytes);
        bytes
    };
    for bad in [
        // No free slot, all with one key, or with as many keys as there are slots.
        forged(&|bytes| bytes[body..].fill(1)),
        forged(&|bytes| {
            for at in (body..bytes.len() - 15).step_by(16) {
                bytes[at] = at as u8;
                bytes[at + 1] = 1;
                bytes[at + 8] = 1;
            }
        }),
        // A count of 0, and the total in the others.
        forged(&|bytes| {
            let (from, to) = (bytes[slots[0] + 8], slots[1] + 8);
            bytes[slots[0] + 8] = 0;
            bytes[to] += from;
        }),
        // One key gone, its count too.
        forged(&|bytes| {
            let count = bytes[slots[0] + 8];
            bytes[slots[0]..slots[0] + 16].fill(0);
            bytes[12] -= count;
        }),
        // Counts of one key, or of all, that wrap around.
        forged(&|bytes| {
            bytes.copy_within(slots[0]..slots[0] + 8, slots[1]);
            bytes[slots[0] + 15] = 0xff;
            bytes[slots[1] + 15] = 0xff;
        }),
        forged(&|bytes| {
            bytes[slots[0] + 15] = 0x80;
            bytes[slots[1] + 15] = 0x80;
        }),
    ] {
        assert!(crate::rest::<Cms>(&bad).is_err());
        assert!(Owned::<Cms>::from_bytes(&bad).is_err());
        for sketch in [empty(p), working(&[(1, 30), (2, 40)], p), table(&[(1, 30), (9, 8)], p)] {
            assert!(merge_in(&mut sketch.clone(), &bad).is_err());
            assert!(subtract(&mut sketch.clone(), &bad).is_err());
        }
        let other = working(&[(1, 2)], p);
        let _ = inner_product(&CmsRef::parse(&bad).unwrap(), &parse(&other));
        assert!(inner_product(&parse(&other), &CmsRef::parse(&bad).unwrap()).is_err());
    }
}

#[test]
fn classes_do_not_mix() {
    let p = params(100, 2);
    for mut sketch in [working(&[(1, 3)], p), table(&[(1, 3)], p)] {
        for weight in [1, 0, -1] {
            let error = apply(&mut sketch, |s| Cms::add(s, Value::text("a"), weight)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains("text") && error.message().contains("number"));
        }
        let mut text = empty(p);
        text.insert(Value::text("a")).unwrap();
        assert!(merge_in(&mut sketch, text.working()).is_err());
        assert!(subtract(&mut sketch, text.working()).is_err());
        for bytes in [sketch.working().to_vec(), rest(&sketch)] {
            assert!(CmsRef::parse(&bytes).unwrap().frequency(Value::text("a")).is_err());
            assert!(CmsRef::estimate_in(&mut &bytes[..], Value::text("a")).is_err());
        }
        assert!(Cms::estimate(sketch.state(), Value::text("a")).is_err());
        assert!(inner_product(&parse(&sketch), &parse(&text)).is_err());
        // Nothing is left, so any class may come.
        let all = sketch.working().to_vec();
        subtract(&mut sketch, &all).unwrap();
        assert_eq!(rest(&sketch), rest(&empty(p)));
        sketch.insert(Value::text("a")).unwrap();
        assert_eq!(rest(&sketch), rest(&text));
    }
}

#[test]
fn parameters_do_not_mix() {
    let mut sketch = working(&[(1, 3)], Params::DEFAULT);
    let other = working(&[(1, 3)], params(272, 5));
    for error in [
        merge_in(&mut sketch, other.working()).unwrap_err(),
        subtract(&mut sketch, other.working()).unwrap_err(),
        inner_product(&parse(&sketch), &parse(&other)).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        for part in ["0.001000", "0.009994", "2719 x 5", "272 x 5"] {
            assert!(error.message().contains(part), "{error}");
        }
        assert!(error.hint().is_some());
    }
}

#[test]
fn totals_end_at_the_largest_bigint() {
    let p = params(100, 2);
    for mut sketch in [empty(p), Owned::moving(p), table(&[(7, 1)], p)] {
        add(&mut sketch, 1, i64::MAX - 2).unwrap();
        let error = add(&mut sketch, 2, 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        let error = merge_in(&mut sketch, working(&[(2, 3)], p).working()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        let left = i64::MAX as u64 - parse(&sketch).total();
        add(&mut sketch, 1, left as i64).unwrap();
        assert!(add(&mut sketch, 1, 1).is_err());
        let stored = rest(&sketch);
        assert_eq!(thaw(&stored).working().len(), thaw(sketch.working()).working().len());
        assert!(count(&stored, 1) >= i64::MAX as u64 - 2);
        add(&mut sketch, 1, -5).unwrap();
        add(&mut sketch, 3, 5).unwrap();
    }
    assert!(add(&mut empty(p), 1, i64::MIN).is_err());
}

#[test]
fn cells_widen_without_loss() {
    let p = params(50, 3);
    for limit in [1i64 << 8, 1 << 16, 1 << 32] {
        let sketch = table(&[(1, limit - 1)], p);
        let narrow = sketch.working().len();
        assert_eq!(count(sketch.working(), 1), limit as u64 - 1);
        let other = table(&[(1, limit - 1), (2, 5)], p);
        for more in [working(&[(1, 1), (2, 5)], p), other] {
            let mut sum = sketch.clone();
            merge_in(&mut sum, more.working()).unwrap();
            assert!(sum.working().len() > narrow);
            assert_eq!(rest(&sum), merge::<Cms>(&rest(&more), &rest(&sketch)));
        }
        let mut sum = sketch;
        add(&mut sum, 1, 1).unwrap();
        assert!(sum.working().len() > narrow);
        assert_eq!((count(sum.working(), 1), count(&rest(&sum), 1)), (limit as u64, limit as u64));
        assert_eq!(rest(&sum), rest(&table(&[(1, limit)], p)));
    }
}

#[test]
fn what_was_not_added_cannot_be_taken_away() {
    let p = params(100, 2);
    for mut sketch in [working(&[(1, 3), (2, 9)], p), table(&[(1, 3), (2, 9)], p)] {
        for (value, weight) in [(1, -4), (3, -1), (1, i64::MIN)] {
            let error = add(&mut sketch, value, weight).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Mismatch);
            assert!(error.message().contains(&weight.unsigned_abs().to_string()), "{error}");
        }
        for part in [
            working(&[(2, 9), (1, 4)], p),
            working(&[(2, 8), (1, 4)], p),
            table(&[(2, 8), (1, 4)], p),
            working(&[(3, 1)], p),
        ] {
            assert!(subtract(&mut sketch, part.working()).is_err());
            assert!(subtract(&mut sketch, &rest(&part)).is_err());
        }
        add(&mut sketch, 1, -3).unwrap();
        assert_eq!((count(sketch.working(), 1), count(sketch.working(), 2)), (0, 9));
    }
    assert!(subtract(&mut empty(p), working(&[(1, 1)], p).working()).is_err());
}

/// Else each row of a frame that was long once would take the time of a long one.
#[test]
fn a_moving_state_shrinks_with_its_frame() {
    for mut sketch in [Owned::moving(params(100, 2)), empty(Params::DEFAULT)] {
        let most = if parse(&sketch).params() == Params::DEFAULT { 500 } else { 5000 };
        add_all(&mut sketch, &(0..most).map(|i| (i, 2)).collect::<Rows>());
        for i in 0..most {
            add(&mut sketch, i, -1).unwrap();
            add(&mut sketch, i, -1).unwrap();
            let left = (most - i) as usize;
            assert!(sketch.working().len() < 512 * left + 512, "{left}");
        }
        assert!(parse(&sketch).is_empty());
    }
}

#[test]
fn an_empty_sketch_gives_way() {
    let (small, big) = (params(100, 2), params(1000, 2));
    let full = build(&[(1, 3)], big);
    let of = |params| rest(&empty(params));
    for none in [empty(small).working(), &of(small), &of(Params::DEFAULT)] {
        assert_eq!(merge::<Cms>(none, &full), full);
        assert_eq!(merge::<Cms>(&full, none), full);
        assert_eq!(count(none, 1), 0);
    }
    for (a, b, both) in
        [(small, big, small), (Params::DEFAULT, big, big), (small, Params::DEFAULT, small)]
    {
        assert_eq!(merge::<Cms>(&of(a), &of(b)), of(both));
        assert_eq!(merge::<Cms>(&of(b), &of(a)), of(both));
    }
}

#[test]
fn small_sketches_are_small_and_exact() {
    for (values, most) in [(1, 24), (10, 110), (100, 950), (500, 4_300)] {
        let rows: Rows = (0..values).map(|i| (i, 1 + i % 7)).collect();
        let stored = build(&rows, Params::DEFAULT);
        assert!(stored.len() < most, "{values}: {}", stored.len());
        let sketch = CmsRef::parse(&stored).unwrap();
        assert!(sketch.is_exact());
        for &(value, n) in rows.iter().chain(&[(values, 0)]) {
            let n = n as u64;
            let bounds = Bounds { lower: n, estimate: n, upper: n };
            assert_eq!(sketch.bounds(Value::number(value)), Ok(bounds));
        }
    }
    // A group of a value in the server: the state, its length word and the chunk's header.
    assert!(working(&[(1, 9)], Params::DEFAULT).working().len() + 4 + 16 <= 80);
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
        let value = Value::of_hash(hash);
        let mut sketch = empty(Params::DEFAULT);
        sketch.add(value, 3).unwrap();
        for bytes in [rest(&sketch), sketch.working().to_vec()] {
            assert_eq!(CmsRef::parse(&bytes).unwrap().frequency(value), Ok(3));
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
        for mut sketch in [table(&rows, p), thaw(&good)] {
            failed += usize::from(merge_in(&mut sketch.clone(), &bad).is_err());
            let _ = subtract(&mut sketch, &bad);
        }
    }
    assert!(failed > 0);
}

/// Bytes that a disk has damaged may add up to anything.
#[test]
fn a_sketch_that_lost_its_total_is_empty() {
    let p = params(100, 2);
    let mut more = rest(&table(&[(1, 3)], p));
    more[5] = 4;
    let mut sketch = table(&[(1, 3)], p);
    merge_in(&mut sketch, &rest(&table(&[(1, 4)], p))).unwrap();
    subtract(&mut sketch, &more).unwrap();
    subtract(&mut sketch, &rest(&table(&[(1, 3)], p))).unwrap();
    assert_eq!(sketch.state().mode, LIST);
    add_all(&mut sketch, &[(1, 7), (2, 8)]);
    assert_eq!(rest(&sketch), build(&[(1, 7), (2, 8)], p));
}

/// Pins the bytes of each form at rest.
#[test]
fn golden_bytes() {
    let p = params(24, 2);
    let rows: Rows = vec![(1, 1), (2, 20), (3, 300)];
    for (bytes, golden) in [
        (rest(&empty(p)), "6d01001802"),
        (build(&rows[..2], p), "6d1101180215024a271b61dddea2914527135eca80281d4703"),
        (build(&rows, p), "6d21011802fb4101090005054589f56a4981258500"),
    ] {
        assert_eq!(hex(&bytes), golden);
    }
}

/// Hashes that differ in a few bits only have cells as any others.
#[test]
fn alike_hashes_are_spread() {
    let params = Params::DEFAULT;
    let hashes: [fn(u64) -> u64; 4] = [
        |i| i,
        |i| i << 51,
        |i| i << 32,
        // The steps of the generator behind the cells.
        |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15),
    ];
    for hash in hashes {
        let value = |i| Value::of_hash(hash(i));
        let mut sketch = empty(params);
        (0..7000).for_each(|i| sketch.insert(value(i)).unwrap());
        let error = params.epsilon() * 7000.0;
        let sketch = parse(&sketch);
        let is_over = |&i: &u64| sketch.frequency(value(i)).unwrap() as f64 > 1.0 + error;
        let over = (0..7000).filter(is_over).count();
        assert!(over as f64 <= 7000.0 * params.delta(), "{over} estimates are above epsilon N");
    }
}
