//! Mistakes of a user of `hll` alone, beside those that are possible with every type.

use crate::db::Db;
use crate::errors::{Case, check};

const HLL_PARAMETERS: [Case; 20] = [
    ("SELECT approx_count_distinct(1, 0)", "22023", "4 to 18"),
    ("SELECT approx_count_distinct(1, 19)", "22023", "4 to 18"),
    ("SELECT hll_empty(3)", "22023", "4 to 18"),
    ("SELECT hll_reduce(hll_empty(), 3)", "22023", "4 to 18"),
    ("SELECT hll_reduce(hll_empty(12) + 1, 13)", "22023", "lose precision"),
    ("SELECT hll_reduce(hll_agg(i, 12), 13) FROM generate_series(1, 9999) i", "22023", "lose"),
    ("SELECT hll_bounds(hll_empty(), 0)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 1)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), -0.5)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 'NaN')", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 'Infinity')", "22023", ""),
    ("CREATE TABLE t (s hll(3))", "22023", "4 to 18"),
    ("CREATE TABLE t (s hll(19))", "22023", "4 to 18"),
    ("CREATE TABLE t (s hll(1, 2))", "22023", "hll("),
    ("CREATE TABLE t (s hll('x'))", "22P02", ""),
    ("CREATE TABLE t (s hll(-1))", "22023", "4 to 18"),
    ("SELECT hll_empty()::hll(19)", "22023", "4 to 18"),
    ("SELECT (hll_empty(12) + 1)::hll(13)", "22023", "lose precision"),
    ("SELECT _hll_typmod_cast(hll_empty(), 99, true)", "22023", "4 to 18"),
    ("SELECT _hll_in('\\x6801000d', 0, 99)", "22023", "4 to 18"),
];

#[test]
fn a_precision_or_confidence_out_of_range_is_refused() {
    check(None, &HLL_PARAMETERS);
}

#[test]
fn sketches_of_other_precisions_are_reduced_with_a_hint() {
    check(
        None,
        &[
            ("SELECT hll_agg(1, 10) || hll_agg(1, 11)", "22000", "hll_reduce(sketch, 10)"),
            ("SELECT hll_merge(hll_agg(1, 11), hll_agg(1, 10))", "22000", "hll_reduce(sketch, 10)"),
            (
                "SELECT hll_merge_agg(s) FROM (VALUES (hll_empty(9) + 1), (hll_empty(8) + 1)) t (s)",
                "22000",
                "hll_reduce(sketch, 8)",
            ),
        ],
    );
}

#[test]
fn functions_of_hll_alone_give_null_for_null() {
    let mut db = Db::new();
    db.holds("hll_bounds(NULL) IS NULL AND hll_bounds(hll_empty(), NULL) IS NULL");
    db.holds("hll_reduce(NULL, 9) IS NULL AND hll_reduce(hll_empty(), NULL) IS NULL");
}

#[test]
fn functions_behind_the_precision_of_a_column_may_be_called_by_anybody() {
    let mut db = Db::new();
    db.holds("_approx_count_distinct_final(NULL) = 0");
    db.holds("_approx_count_distinct_final(hll_agg(1)) = 1");
    db.holds("_hll_typmod_in('{13}') = 13 AND _hll_typmod_out(13)::text = '(13)'");
    db.holds(
        "_hll_typmod_cast(hll_empty(), -1, true) = hll_empty()
            AND _hll_typmod_cast(hll_empty(), 9, true) = hll_empty(9)
            AND _hll_typmod_cast(hll_empty(), 9, false) = hll_empty(9)",
    );
    for sql in [
        "SELECT _hll_typmod_in('{}')",
        "SELECT _hll_typmod_in('{a}')",
        "SELECT _hll_typmod_in('{NULL}')",
        "SELECT _hll_typmod_in('{{1},{2}}')",
        "SELECT _hll_typmod_cast(hll_agg(1), 9, false)",
        "SELECT _hll_in(_hll_out(hll_agg(1, 9)), 0, 10)",
    ] {
        let error = db.error(sql);
        let (code, message) = (error.code().code(), error.message());
        assert!(code != "XX000" && code.len() == 5, "{sql}: {code} {message}");
    }
}
