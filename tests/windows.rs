//! Over a window, each row's result is that of the rows of its frame.

use crate::db::Db;
use crate::kinds::{Kind, for_every_type, hll};

for_every_type! {
    an_aggregate_over_a_window_is_that_of_the_frame,
    a_merge_over_a_window_is_that_of_the_frame,
    aggregates_that_share_a_state_agree_over_a_window,
    a_filter_applies_within_the_frame,
}

/// Few enough rows to recompute every frame, parameters low enough to leave the sparse form on
/// the way.
const DATA: &str = "
    CREATE TABLE w AS
        SELECT i AS id, i % 3 AS g, nullif(i * 7 % 41, 5) AS x, 't' || i % 50 AS t
        FROM generate_series(1, 150) i;
    CREATE TABLE ws AS
        SELECT w.id, w.g, CASE WHEN w.id % 9 > 0 THEN
            (SELECT {T}_agg(v.x, {LOW}) FROM w v WHERE v.id BETWEEN w.id - w.id % 20 AND w.id) END AS x
        FROM w;";

/// A window, and the condition by which a row `f` is in the frame of row `w`.
const FRAMES: [(&str, &str); 8] = [
    ("ORDER BY id", "f.id <= w.id"),
    ("ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "f.id BETWEEN w.id - 2 AND w.id"),
    ("ORDER BY id ROWS BETWEEN 9 PRECEDING AND 3 PRECEDING", "f.id BETWEEN w.id - 9 AND w.id - 3"),
    ("ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", "f.id >= w.id"),
    (
        "ORDER BY id ROWS BETWEEN 4 PRECEDING AND 4 FOLLOWING EXCLUDE CURRENT ROW",
        "f.id BETWEEN w.id - 4 AND w.id + 4 AND f.id <> w.id",
    ),
    ("ORDER BY g", "f.g <= w.g"),
    ("PARTITION BY g ORDER BY id DESC", "f.g = w.g AND f.id >= w.id"),
    ("", "true"),
];

fn check(kind: &Kind, table: &str, aggregates: &[&str]) {
    let mut db = Db::with(&kind.sql(DATA));
    for (window, in_frame) in FRAMES {
        let list = |suffix: &str| {
            let columns = aggregates.iter().map(|aggregate| kind.sql(aggregate) + suffix);
            columns.collect::<Vec<_>>().join(", ")
        };
        kind.same_rows(
            &mut db,
            &format!("SELECT id, {} FROM {table}", list(&format!(" OVER ({window})"))),
            &format!(
                "SELECT w.id, a.* FROM {table} w,
                LATERAL (SELECT {} FROM {table} f WHERE {in_frame}) a",
                list("")
            ),
        );
    }
}

fn an_aggregate_over_a_window_is_that_of_the_frame(kind: &Kind) {
    check(kind, "w", &["{T}_agg(x)", "{T}_agg(x, {LOW})", "{T}_agg(t, {P})"]);
}

fn a_merge_over_a_window_is_that_of_the_frame(kind: &Kind) {
    check(kind, "ws", &["{T}_merge_agg(x)"]);
}

#[test]
fn approx_count_distinct_over_a_window_is_that_of_the_frame() {
    check(&hll, "w", &["approx_count_distinct(t)", "approx_count_distinct(t, 4)"]);
}

fn aggregates_that_share_a_state_agree_over_a_window(kind: &Kind) {
    check(kind, "w", &["{T}_agg(x)", "count(x)", "{T}_agg(x)"]);
    if kind.name == hll.name {
        check(kind, "w", &["hll_agg(x)", "approx_count_distinct(x)", "count(x)"]);
        check(kind, "w", &["hll_agg(x, 4)", "approx_count_distinct(x, 4)"]);
    }
}

fn a_filter_applies_within_the_frame(kind: &Kind) {
    let mut db = Db::with(&kind.sql(DATA));
    let aggregate = kind.sql("{T}_agg(x, {LOW}) FILTER (WHERE g > 0)");
    kind.same_rows(
        &mut db,
        &format!("SELECT id, {aggregate} OVER (ORDER BY id) FROM w"),
        &format!("SELECT id, (SELECT {aggregate} FROM w f WHERE f.id <= w.id) FROM w"),
    );
}
