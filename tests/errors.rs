//! Mistakes of a user: each has its SQLSTATE and, where there is a way out, a hint that names it.

use crate::db::Db;

/// A statement, its SQLSTATE, and a part of the hint.
type Case = (&'static str, &'static str, &'static str);

const PARAMETERS: [Case; 25] = [
    ("SELECT hll_empty(3)", "22023", "4 to 18"),
    ("SELECT hll_empty(19)", "22023", "4 to 18"),
    ("SELECT hll_empty(-2147483648)", "22023", "4 to 18"),
    ("SELECT hll_empty(269)", "22023", "4 to 18"),
    ("SELECT hll_size(3)", "22023", "4 to 18"),
    ("SELECT hll_agg(1, 3)", "22023", "4 to 18"),
    ("SELECT hll_agg(NULL::int, 19)", "22023", "4 to 18"),
    ("SELECT approx_count_distinct(1, 0)", "22023", "4 to 18"),
    ("SELECT hll_reduce(hll_empty(), 3)", "22023", "4 to 18"),
    ("SELECT hll_reduce(hll_empty(12), 13)", "22023", "lose precision"),
    ("SELECT hll_reduce(hll_agg(i, 12), 13) FROM generate_series(1, 9999) i", "22023", "lose"),
    ("SELECT hll_bounds(hll_empty(), 0)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 1)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), -0.5)", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 'NaN')", "22023", ""),
    ("SELECT hll_bounds(hll_empty(), 'Infinity')", "22023", ""),
    ("CREATE TABLE t (s hll(3))", "22023", "4 to 18"),
    ("CREATE TABLE t (s hll(19))", "22023", "4 to 18"),
    ("CREATE TABLE t (s hll(1, 2))", "22023", "hll(13)"),
    ("CREATE TABLE t (s hll('x'))", "22P02", ""),
    ("CREATE TABLE t (s hll(-1))", "22023", "4 to 18"),
    ("SELECT hll_empty()::hll(19)", "22023", "4 to 18"),
    ("SELECT hll_empty(12)::hll(13)", "22023", "lose precision"),
    ("SELECT hll(hll_empty(), 99, true)", "22023", "4 to 18"),
    ("SELECT hll_in('\\x6801000d', 0, 99)", "22023", "4 to 18"),
];

const DOORS: [Case; 16] = [
    ("SELECT ''::hll", "22P02", "hexadecimal"),
    ("SELECT 'x'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\x'::hll", "22P02", ""),
    ("SELECT '\\x6'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\x68 01000d'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\xzz'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\x6801000'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\x6801000d00'::hll", "22P02", ""),
    ("SELECT '\\x6801000dä'::hll", "22P02", "hexadecimal"),
    ("SELECT '\\x6802000d'::hll", "22P02", "upgrade"),
    ("SELECT '\\x6841000d'::hll", "22P02", "upgrade"),
    ("SELECT '\\x68010003'::hll", "22P02", ""),
    ("SELECT ''::bytea::hll", "22P03", ""),
    ("SELECT '\\x00'::bytea::hll", "22P03", ""),
    ("SELECT '\\x6811010dfcffffffff'::bytea::hll", "22P03", ""),
    ("SELECT '\\x6811010d011d34d40700'::bytea::hll", "22P03", ""),
];

const OPERANDS: [Case; 10] = [
    ("SELECT hll_empty() + 1 + 'a'::text", "22000", "class number"),
    ("SELECT hll_empty() + 'a'::text + 1", "22000", "class text"),
    ("SELECT hll_empty() + 1 + 1::float8", "22000", "class number"),
    ("SELECT (hll_empty() + 1) || (hll_empty() + 'a'::text)", "22000", "one class"),
    ("SELECT hll_agg(1, 10) || hll_agg(1, 11)", "22000", "hll_reduce(sketch, 10)"),
    ("SELECT hll_merge(hll_agg(1, 11), hll_agg(1, 10))", "22000", "hll_reduce(sketch, 10)"),
    (
        "SELECT hll_agg(i, 6) || hll_agg(i, 5) FROM generate_series(1, 9999) i",
        "22000",
        "hll_reduce(sketch, 5)",
    ),
    (
        "SELECT hll_merge_agg(s) FROM (VALUES (hll_empty(9) + 1), (hll_empty(8) + 1)) t (s)",
        "22000",
        "hll_reduce(sketch, 8)",
    ),
    (
        "SELECT hll_merge_agg(s) FROM (VALUES (hll_empty() + 1), (hll_empty() + 'a')) t (s)",
        "22000",
        "one class",
    ),
    (
        "SELECT hll_merge_agg(s) OVER (ORDER BY # s)
        FROM (VALUES (hll_empty() + 1), (hll_empty() + true)) t (s)",
        "22000",
        "one class",
    ),
];

const TYPES: [Case; 12] = [
    ("SELECT hll_agg('{}'::json)", "42883", "jsonb"),
    ("SELECT hll_empty() + '{}'::json", "42883", "jsonb"),
    ("SELECT hll_add(hll_empty(), '{}'::json)", "42883", "jsonb"),
    ("SELECT hll_agg('<a/>'::xml)", "42883", "Cast"),
    ("SELECT approx_count_distinct('(1,2)'::point)", "42883", "Cast"),
    ("SELECT hll_agg('a b'::tsvector)", "42883", "Cast"),
    ("SELECT hll_agg(ARRAY['{}'::json])", "42883", "jsonb"),
    ("SELECT hll_agg(ROW(1, '(1,2)'::point))", "42883", "Cast"),
    ("SELECT hll_agg(ROW(1, ARRAY[ROW('{}'::json)]))", "42883", "jsonb"),
    ("SELECT hll_agg(c || p) FROM two_collations", "42P22", "COLLATE"),
    ("SELECT hll_empty() + (c || p) FROM two_collations", "42P22", "COLLATE"),
    ("SELECT hll_agg(1, 2, 3)", "42883", ""),
];

fn check(cases: &[Case]) {
    let mut db = Db::with(
        "CREATE TABLE two_collations (c text COLLATE \"C\", p text COLLATE \"POSIX\");
        INSERT INTO two_collations VALUES ('a', 'b')",
    );
    let mut wrong = Vec::new();
    for (sql, state, part_of_hint) in cases {
        let error = db.error(sql);
        let (code, hint) = (error.code().code(), error.hint().unwrap_or_default());
        if code != *state || !hint.contains(part_of_hint) {
            wrong.push(format!("{sql}: {code} {}; hint: {hint}", error.message()));
        }
        let message = error.message();
        if message.starts_with(|c: char| c.is_uppercase()) {
            wrong.push(format!("{sql}: the message starts with a capital: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn parameters_out_of_range_are_refused() {
    check(&PARAMETERS);
}

#[test]
fn malformed_sketches_are_refused() {
    check(&DOORS);
}

#[test]
fn operands_that_do_not_match_are_refused() {
    check(&OPERANDS);
}

#[test]
fn types_without_equality_are_refused() {
    check(&TYPES);
}

#[test]
fn a_mismatch_names_both_sides() {
    let mut db = Db::new();
    let error = db.fails("SELECT hll_agg(1, 10) || hll_agg(1, 12)", "22000");
    assert!(error.message().contains("10") && error.message().contains("12"));
    let error = db.fails("SELECT (hll_empty() + 1) || (hll_empty() + true)", "22000");
    assert!(error.message().contains("number") && error.message().contains("bool"));
    let error = db.fails("SELECT hll_empty() + 1 + now()", "22000");
    assert!(error.message().contains("number") && error.message().contains("timestamptz"));
}

#[test]
fn null_adds_nothing_and_everything_else_of_null_is_null() {
    let mut db = Db::new();
    db.holds("hll_add(hll_agg(1), NULL::int) = hll_agg(1)");
    db.holds("hll_agg(1) + NULL::text = hll_agg(1)");
    db.holds("hll_add(NULL, 1) IS NULL AND (NULL::hll + 1) IS NULL");
    db.holds("hll_merge(hll_agg(1), NULL) = hll_agg(1) AND NULL || hll_agg(1) = hll_agg(1)");
    db.holds("hll_merge(NULL, NULL) IS NULL");
    db.holds("hll_cardinality(NULL) IS NULL AND (# NULL::hll) IS NULL");
    db.holds("hll_bounds(NULL) IS NULL AND hll_bounds(hll_empty(), NULL) IS NULL");
    db.holds("hll_reduce(NULL, 9) IS NULL AND hll_reduce(hll_empty(), NULL) IS NULL");
    db.holds("hll_info(NULL) IS NULL AND hll_size(NULL) IS NULL AND hll_empty(NULL) IS NULL");
    db.holds("(NULL::hll = hll_empty()) IS NULL AND NULL::bytea::hll IS NULL");
}

#[test]
fn functions_behind_aggregates_and_types_may_be_called_by_anybody() {
    let mut db = Db::new();
    db.holds("hll_agg_trans(NULL::hll, 1) = hll_agg(1)");
    db.holds("hll_agg_trans(NULL::hll, NULL::int) = hll_empty()");
    db.holds("hll_agg_trans(NULL::hll, 1, 9) = hll_agg(1, 9)");
    db.holds("hll_agg_trans(hll_agg(1), 2) = hll_empty() + 1 + 2");
    db.holds("hll_agg_trans(hll_agg(1), NULL::int, 99) = hll_agg(1)");
    db.holds("hll_agg_final(NULL) = hll_empty() AND hll_agg_final(hll_agg(1)) = hll_agg(1)");
    db.holds("approx_count_distinct_final(NULL) = 0");
    db.holds("approx_count_distinct_final(hll_agg(1)) = 1");
    db.holds(
        "hll_in('\\x6801000d', 0, -1) = hll_empty() AND hll_out(hll_empty())::text = '\\x6801000d'",
    );
    db.holds("hll_in(NULL, 0, -1) IS NULL AND hll_send(hll_empty()) = '\\x6801000d'");
    db.holds("hll_typmod_in('{13}') = 13 AND hll_typmod_out(13)::text = '(13)'");
    db.holds(
        "hll(hll_empty(), -1, true) = hll_empty() AND hll(hll_empty(), 9, true) = hll_empty(9)",
    );
    db.holds("hll_hash(hll_empty()) IS NOT NULL AND hll_hash_extended(hll_empty(), 1) IS NOT NULL");
    let bad = [
        "SELECT hll_agg_trans(NULL::hll, 1, 99)",
        "SELECT hll_agg_trans(hll_agg(1), 'a'::text)",
        "SELECT hll_typmod_in('{}')",
        "SELECT hll_typmod_in('{a}')",
        "SELECT hll_typmod_in('{NULL}')",
        "SELECT hll_typmod_in('{{1},{2}}')",
        "SELECT hll_recv(NULL, 0, -1), hll_recv('', 0, -1)",
        "SELECT hll(hll_empty(), 9, false)",
        "SELECT hll_in(hll_out(hll_agg(1, 9)), 0, 10)",
        "SELECT hll_merge(hll_agg(1), hll_agg('a'::text))",
    ];
    for sql in bad {
        let error = db.error(sql);
        let (code, message) = (error.code().code(), error.message());
        assert!(code != "XX000" && code.len() == 5, "{sql}: {code} {message}");
    }
    db.holds("true");
}
