//! Whatever goes on for long can be stopped: it calls the check for interrupts again and again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sketch::cms::{Cms, CmsRef, Params, inner_product};
use sketch::hash::Value;
use sketch::{Owned, rest};

static CHECKS: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

fn check() {
    CHECKS.fetch_add(1, Ordering::Relaxed);
    assert!(!STOP.load(Ordering::Relaxed), "interrupted");
}

#[test]
fn long_work_checks_for_interrupts() {
    sketch::set_interrupt_check(check);
    // A row of one byte a cell is 400 kB; a megabyte of work may pass without a check.
    let params = Params::from_dimensions(400_000, 3).unwrap();
    let most = params.max_entries() as i64;
    let filled = |values: std::ops::Range<i64>, mut sketch: Owned<Cms>| {
        values.for_each(|i| sketch.add(Value::number(i), 1 + i % 300).unwrap());
        sketch
    };
    let list = filled(0..most, Owned::new(params));
    let half = filled(most / 2..most, Owned::new(params));
    let table = filled(0..most + 1, Owned::new(params));
    let moving = filled(0..2 * most, Owned::moving(params));
    let [l, h, t] = [&list, &half, &table].map(|sketch| sketch.rest().unwrap());
    let new = Value::number(most);

    let merge = |a: &Owned<Cms>, b: &[u8]| a.clone().merge(b).unwrap();
    let subtract = |a: &Owned<Cms>, b: &[u8]| a.clone().subtract(b).unwrap();
    let add = |a: &Owned<Cms>, weight| a.clone().add(new, weight).unwrap();
    let to_rest = |bytes: &[u8]| drop(rest::<Cms>(bytes).unwrap());
    let thaw = |bytes: &[u8]| drop(Owned::<Cms>::from_bytes(bytes).unwrap());
    let product = |a: &[u8], b: &[u8]| {
        let _ = inner_product(&CmsRef::parse(a).unwrap(), &CmsRef::parse(b).unwrap()).unwrap();
    };
    let operations: [(&str, &dyn Fn()); _] = [
        ("list + list", &|| merge(&half, &l)),
        ("list + state", &|| merge(&half, list.working())),
        ("list + table", &|| merge(&list, &t)),
        ("table + list", &|| merge(&table, &l)),
        ("table + table", &|| merge(&table, &t)),
        ("list - list", &|| subtract(&list, &h)),
        ("table - list", &|| subtract(&table, &h)),
        ("table - table", &|| subtract(&table, &t)),
        ("a list becomes a table", &|| add(&list, 1)),
        ("a table becomes wider", &|| add(&table, 1 << 40)),
        ("a list to rest", &|| to_rest(list.working())),
        ("a moving list to rest", &|| to_rest(moving.working())),
        ("a table to rest", &|| to_rest(table.working())),
        ("a stored list", &|| to_rest(&l)),
        ("a stored table", &|| to_rest(&t)),
        ("thawing a list", &|| thaw(&l)),
        ("thawing a table", &|| thaw(&t)),
        ("list * list", &|| product(&l, &h)),
        ("list * table", &|| product(&l, &t)),
        ("table * table", &|| product(&t, &t)),
        ("fill", &|| _ = CmsRef::parse(&t).unwrap().fill().unwrap()),
        ("look-up", &|| _ = CmsRef::parse(&l).unwrap().frequency(new).unwrap()),
    ];
    for (name, operation) in operations {
        STOP.store(true, Ordering::Relaxed);
        assert!(catch_unwind(AssertUnwindSafe(operation)).is_err(), "{name} was not stopped");
        STOP.store(false, Ordering::Relaxed);
        CHECKS.store(0, Ordering::Relaxed);
        operation();
        let checks = CHECKS.load(Ordering::Relaxed);
        assert!(checks >= 3, "{name}: {checks} checks");
    }
}
