//! Counts of distinct values, of every built-in type: exact while few, then within three standard
//! errors; precisions.

use crate::db::Db;

/// A type, a value of it made from `i`, and how many different values that can make.
type Case = (&'static str, &'static str, i64);

const MANY: i64 = i64::MAX;

const NUMBERS_AND_TEXT: [Case; 19] = [
    ("smallint", "(i % 30000)::smallint", 30_000),
    ("integer", "i", MANY),
    ("bigint", "i::bigint * 1000000007", MANY),
    ("oid", "i::oid", MANY),
    ("numeric, integral", "i::numeric", MANY),
    ("numeric, fractional", "i / 8.0", MANY),
    ("numeric, huge", "i::numeric * 1e40", MANY),
    ("real", "i::real / 4", MANY),
    ("double precision", "sqrt(i)", MANY),
    ("text", "'user ' || i", MANY),
    ("varchar", "i::varchar(20)", MANY),
    ("name", "('n' || i)::name", MANY),
    ("char(n)", "i::char(12)", MANY),
    ("enum", "('label' || i % 100)::label", 100),
    ("domain", "('d' || i)::words", MANY),
    ("bytea", "decode(lpad(to_hex(i), 8, '0'), 'hex')", MANY),
    ("uuid", "md5(i::text)::uuid", MANY),
    ("boolean", "i % 2 = 0", 2),
    ("money", "(i / 100.0)::money", MANY),
];

const OTHERS: [Case; 27] = [
    ("bit", "i::bit(32)", MANY),
    ("bit varying", "i::bit(32)::varbit || B'1'", MANY),
    ("macaddr", "lpad(to_hex(i), 12, '0')::macaddr", MANY),
    ("macaddr8", "lpad(to_hex(i), 16, '0')::macaddr8", MANY),
    ("inet", "'10.0.0.0'::inet + i", MANY),
    ("inet, IPv6", "'2001:db8::'::inet + i", MANY),
    ("cidr", "('10.0.0.0'::inet + i)::cidr", MANY),
    ("pg_lsn", "'0/0'::pg_lsn + i::numeric", MANY),
    ("date", "'2000-01-01'::date + i", MANY),
    ("time", "'00:00'::time + i * interval '100 microseconds'", MANY),
    ("timetz", "'00:00+00'::timetz + i * interval '100 microseconds'", MANY),
    ("timestamp", "'2000-01-01'::timestamp + i * interval '1 minute'", MANY),
    ("timestamptz", "to_timestamp(i)", MANY),
    ("interval", "i * interval '1 second'", MANY),
    ("jsonb, number", "to_jsonb(i)", MANY),
    ("jsonb, object", "jsonb_build_object('id', i, 'tags', jsonb_build_array('a', i::text))", MANY),
    ("composite", "(i % 1000, 'p' || i / 1000)::pair", MANY),
    ("record", "ROW(i, i::text)", MANY),
    ("integer[]", "ARRAY[i % 10, i]", MANY),
    ("integer[], nested", "ARRAY[ARRAY[i, 1], ARRAY[2, NULL]]", MANY),
    ("text[]", "ARRAY['a', i::text, NULL]", MANY),
    ("composite[]", "ARRAY[(i, 'a')::pair, (1, i::text)::pair]", MANY),
    ("int8range", "int8range(i, i + 10)", MANY),
    ("numrange", "numrange(i / 8.0, NULL)", MANY),
    ("tstzrange", "tstzrange(to_timestamp(0), to_timestamp(i))", MANY),
    ("int8multirange", "int8multirange(int8range(1, i), int8range(i + 10, i + 20))", MANY),
    ("regclass", "i::regclass", MANY),
];

/// Of the default precision.
const STANDARD_ERROR: f64 = 0.0119;

const SETUP: &str = "
    CREATE TYPE pair AS (a int, b text);
    CREATE DOMAIN words AS text CHECK (value <> '');
    DO $$ BEGIN
        EXECUTE (SELECT 'CREATE TYPE label AS ENUM ('
            || string_agg(quote_literal('label' || i), ',') || ')' FROM generate_series(0, 99) i);
    END $$";

/// Every value comes twice, in two passes.
fn check(cases: &[Case]) {
    let mut db = Db::with(SETUP);
    let mut wrong = Vec::new();
    for (name, value, limit) in cases {
        for n in [1, 10, 100, 1_000, 100_000] {
            let rows = format!("generate_series(1, 2) pass, generate_series(1, {n}) i");
            let exact: i64 = db.one(&format!(
                "SELECT count(*)
                FROM (SELECT v FROM (SELECT {value} FROM {rows}) t (v) GROUP BY v) g"
            ));
            assert_eq!(exact, n.min(*limit), "{name}: the test has other values than it says");
            let count: i64 = db.one(&format!("SELECT approx_count_distinct({value}) FROM {rows}"));
            let allowed = match exact {
                ..=100 => 0.0,
                _ => 3.0 * STANDARD_ERROR * exact as f64,
            };
            if (count - exact).abs() as f64 > allowed {
                wrong.push(format!("{name}: {count} instead of {exact}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn numbers_and_text_are_counted_within_three_standard_errors() {
    check(&NUMBERS_AND_TEXT);
}

#[test]
fn other_types_are_counted_within_three_standard_errors() {
    check(&OTHERS);
}

#[test]
fn bounds_hold_the_true_number_at_every_precision() {
    let mut db = Db::new();
    for n in [1, 10, 1_000, 30_000, 200_000] {
        db.none(&format!(
            "SELECT p, b.* FROM (SELECT hll_agg(v, 18) AS s FROM generate_series(1, {n}) v) t,
                generate_series(4, 18) p, hll_bounds(hll_reduce(s, p), 0.9999) b
            WHERE {n} NOT BETWEEN b.lower AND b.upper OR b.estimate NOT BETWEEN b.lower AND b.upper
                OR b.estimate <> hll_cardinality(hll_reduce(s, p))"
        ));
    }
}

#[test]
fn more_confidence_takes_wider_bounds() {
    let mut db = Db::new();
    db.holds(
        "SELECT b50.lower >= b95.lower AND b95.lower > b99.lower
            AND b50.upper <= b95.upper AND b95.upper < b99.upper
            AND b95 = (SELECT d FROM hll_bounds(s) d)
        FROM (SELECT hll_agg(v) AS s FROM generate_series(1, 50000) v) t, hll_bounds(s, 0.5) b50,
            hll_bounds(s, 0.95) b95, hll_bounds(s, 0.99) b99",
    );
}

const ROWS: &str = "
    CREATE TABLE r AS
        SELECT i AS id, i % 4 AS a, nullif(i * 31 % 5003, 7)::bigint AS v, 'user ' || i % 100 AS t
        FROM generate_series(1, 20000) i;
    ANALYZE r;";

#[test]
fn no_rows_and_nulls_alone_count_zero() {
    let mut db = Db::with(ROWS);
    db.holds("SELECT approx_count_distinct(v) = 0 FROM r WHERE false");
    db.holds("SELECT approx_count_distinct(v, 10) = 0 FROM r WHERE false");
    db.holds("SELECT approx_count_distinct(nullif(v, v)) = 0 FROM r");
}

#[test]
fn a_precision_of_null_is_the_default() {
    let mut db = Db::new();
    db.holds("SELECT (hll_info(hll_agg(v, NULL))).precision = 12 FROM generate_series(1, 9) v");
    db.holds("SELECT (hll_info(hll_empty())).precision = 12");
    // So one of NULL is another than 10.
    db.fails("SELECT hll_agg(v, p) FROM (VALUES (9, 10), (8, NULL)) t (v, p)", "22023");
    db.holds("SELECT hll_agg(v, p) = hll_agg(v) FROM (VALUES (9, 12), (8, NULL)) t (v, p)");
}

/// A sketch that holds nothing fits everywhere.
#[test]
fn an_empty_sketch_takes_the_precision_of_its_column() {
    let mut db = Db::with("CREATE TABLE t (s hll(11)); CREATE DOMAIN d AS hll(11)");
    for sql in [
        "INSERT INTO t VALUES (hll_empty()), (hll_empty(4)), ('\\x6801000c')",
        "INSERT INTO t SELECT hll_agg(v) FILTER (WHERE v > 3) FROM generate_series(1, 3) v",
        "UPDATE t SET s = hll_empty(18)",
        "CREATE TABLE u (s hll(11) DEFAULT hll_empty(12)); INSERT INTO u DEFAULT VALUES",
        "DO $$ DECLARE s hll(11); BEGIN s := hll_empty(); INSERT INTO t VALUES (s); END $$",
    ] {
        db.run(sql);
    }
    db.none("SELECT FROM t WHERE s IS NULL OR s <> hll_empty(11)");
    for cast in ["hll_empty(4)::hll(11)", "hll_empty(18)::d", "'\\x6801000c'::hll(11)"] {
        db.holds(&format!("{cast} = hll_empty(11)"));
    }
}

#[test]
fn the_aggregates_of_one_argument_agree() {
    let mut db = Db::with(ROWS);
    for group in ["", "GROUP BY a", "GROUP BY t"] {
        db.none(&format!(
            "SELECT FROM r {group}
            HAVING hll_cardinality(hll_agg(v)) <> approx_count_distinct(v)
                OR hll_cardinality(hll_agg(v, 6)) <> approx_count_distinct(v, 6)
                OR hll_agg(v) <> hll_reduce(hll_agg(v, 14), 12)"
        ));
    }
}

#[test]
fn a_reduced_sketch_is_that_of_the_lower_precision() {
    let mut db = Db::with(ROWS);
    for precision in [4, 8, 13, 18] {
        db.holds(&format!(
            "SELECT hll_reduce(hll_agg(v, 18), {precision}) = hll_agg(v, {precision}) FROM r"
        ));
        db.holds(&format!(
            "SELECT hll_merge_agg(s) = (SELECT hll_agg(v, {precision}) FROM r)
            FROM (SELECT hll_agg(v, {precision}) AS s FROM r GROUP BY t) parts"
        ));
    }
}

#[test]
fn a_column_takes_sketches_of_its_precision_alone() {
    let mut db = Db::with("CREATE TABLE t (s hll(11)); CREATE TABLE anything (s hll)");
    db.run("INSERT INTO t VALUES (hll_empty(11)), (NULL), ('\\x6801000b')");
    db.run("INSERT INTO t SELECT hll_agg(i, 11) FROM generate_series(1, 9999) i");
    let literal: String = db.one("SELECT hll_agg(1)::text");
    for sql in [
        "INSERT INTO t VALUES (hll_empty() + 1)",
        "INSERT INTO t SELECT hll_agg(1)",
        &format!("INSERT INTO t VALUES ('{literal}')"),
        "UPDATE t SET s = hll_empty(12) + 1",
        "CREATE TABLE u (s hll(11) DEFAULT hll_empty(12) + 1); INSERT INTO u DEFAULT VALUES",
        "DO $$ DECLARE s hll(11); BEGIN s := hll_agg(1) FROM generate_series(1, 2); END $$",
    ] {
        let error = db.fails(sql, "22000");
        let message = error.message();
        assert!(message.contains("11") && message.contains("12"), "{sql}: {message}");
        assert!(error.hint().is_some_and(|hint| hint.contains("hll_reduce(sketch, 11)")));
    }
    let error = db.fails("INSERT INTO t VALUES (hll_empty(4) + 1)", "22000");
    assert!(error.message().contains("11") && error.message().contains('4'));
    db.run("INSERT INTO anything VALUES (hll_empty(4)), (hll_empty(18))");
}

#[test]
fn a_written_cast_reduces() {
    let mut db = Db::with("CREATE TABLE t (s hll(11))");
    db.run("INSERT INTO t SELECT hll_agg(i)::hll(11) FROM generate_series(1, 9999) i");
    db.holds("(SELECT s FROM t) = (SELECT hll_agg(i, 11) FROM generate_series(1, 9999) i)");
    db.holds("SELECT s::hll = s AND s::hll(11) = s FROM t");
    db.holds("format_type('hll'::regtype, 11) = 'hll(11)'");
    db.run("ALTER TABLE t ALTER s TYPE hll(9) USING s::hll(9)");
    db.holds("(SELECT s FROM t) = (SELECT hll_agg(i, 9) FROM generate_series(1, 9999) i)");
    db.holds(
        "SELECT format_type(atttypid, atttypmod) = 'hll(9)' FROM pg_attribute
        WHERE attrelid = 't'::regclass AND attname = 's'",
    );
    db.fails("ALTER TABLE t ALTER s TYPE hll(8)", "22000");
    db.run("ALTER TABLE t ALTER s TYPE hll");
}
