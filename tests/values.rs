//! Which values count once: those that SQL calls equal, however they are typed, written or stored.

mod catalog;
mod changes;
mod nested;
mod sketches;

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    equal_values_count_once,
    different_values_count_twice,
}

const SETUP: &str = "
    CREATE TYPE mood AS ENUM ('glad', 'sad');
    CREATE DOMAIN words AS text CHECK (value <> '');
    CREATE DOMAIN few_words AS words;
    CREATE DOMAIN count AS int;
    CREATE TYPE pair AS (a int, b text);
    CREATE TYPE pair_and_more AS (a int, gone int, b text);
    ALTER TYPE pair_and_more DROP ATTRIBUTE gone;
    CREATE DOMAIN pair_domain AS pair;";

/// Pairs that the server's `=` calls equal.
const EQUAL: [(&str, &str); 41] = [
    ("42", "42::bigint"),
    ("42", "42::smallint"),
    ("42", "42.0"),
    ("42", "42.000::numeric"),
    ("42", "4.2e1::numeric(10,3)"),
    ("42::oid", "42::bigint"),
    ("42::count", "42"),
    ("0", "-0.00"),
    ("-1::smallint", "-1.0"),
    ("1000000::bigint", "1e6::numeric"),
    ("9223372036854775807", "9223372036854775807.0::numeric"),
    ("'-9223372036854775808'::bigint", "-9223372036854775808.00::numeric"),
    ("1e100::numeric", "(1e100 + 0.00)::numeric"),
    ("0.1::numeric", "0.1000"),
    ("'NaN'::numeric", "'nan'::numeric"),
    ("'NaN'::float8", "'Infinity'::float8 - 'Infinity'::float8"),
    ("'NaN'::float8", "'NaN'::float4"),
    ("0.0::float8", "'-0'::float8"),
    ("0.5::float4", "0.5::float8"),
    ("'Infinity'::float4", "'Infinity'::float8"),
    ("'a'::char(5)", "'a'::char(9)"),
    ("'a'::char(5)", "'a'::text"),
    ("'a'::varchar(7)", "'a'::text"),
    ("'a'::name", "'a'::text"),
    ("'a'::words", "'a'::text"),
    ("'a'::few_words", "'a'::varchar"),
    ("interval '1 month'", "interval '30 days'"),
    ("interval '1 day -1 hour'", "interval '23:00'"),
    ("timestamptz '2024-01-01 12:00+00'", "timestamptz '2024-01-01 14:00+02'"),
    ("uuid '{A0EEBC99-9C0B4EF8-BB6D6BB9-BD380A11}'", "uuid 'a0eebc999c0b4ef8bb6d6bb9bd380a11'"),
    ("cidr '10.1.0.0/16'", "inet '10.1.0.0/16'"),
    ("inet '::1/128'", "inet '::1'"),
    ("B'101'::bit(3)", "B'101'::varbit"),
    ("jsonb '{\"a\": 1, \"b\": [2]}'", "jsonb '{\"b\":[2.0],\"a\":1.00}'"),
    ("jsonb '1'", "jsonb '1.0'"),
    ("ARRAY[1, NULL]", "'{1,NULL}'::int[]"),
    ("'{}'::int[]", "ARRAY[]::int[]"),
    ("int4range(1, 3, '[]')", "int4range(1, 4)"),
    ("numrange(1.0, 2)", "numrange(1, 2.00)"),
    ("'{[1,3),[2,5)}'::int8multirange", "'{[1,5)}'::int8multirange"),
    ("ROW(1.0, 'a'::text)", "ROW(1.00, 'a'::text)"),
];

/// Pairs that mean the same though the server has no `=` for them.
const ALIKE: [(&str, &str); 13] = [
    ("xid '7'", "7"),
    ("xid8 '7'", "7"),
    ("macaddr8 '08:00:2b:01:02:03'", "macaddr '08:00:2b:01:02:03'"),
    ("'a' COLLATE \"C\"", "'a' COLLATE \"POSIX\""),
    ("'sad'::mood", "'sad'::text"),
    ("'2f'::text", "'2f'"),
    ("ARRAY[1, 2]", "ARRAY[1, 2]::bigint[]"),
    ("ARRAY[1, 2]", "ARRAY[1.0, 2.00]"),
    ("ARRAY['a'::char(4)]", "ARRAY['a'::text]"),
    ("ROW(1, 'a'::text)", "(1, 'a')::pair"),
    ("(1, 'a')::pair", "(1, 'a')::pair_and_more"),
    ("(1, 'a')::pair_domain", "(1, 'a')::pair"),
    ("ARRAY['glad'::mood]", "ARRAY['glad']"),
];

/// Pairs of one class that differ.
const DIFFERENT: [(&str, &str); 42] = [
    ("1", "-1"),
    ("42", "42.1"),
    ("9223372036854775807", "9223372036854775808"),
    ("1e-5::numeric", "1e-6::numeric"),
    ("10000", "100000000::numeric"),
    ("'Infinity'::numeric", "'-Infinity'::numeric"),
    ("'NaN'::numeric", "'Infinity'::numeric"),
    ("0", "'NaN'::numeric"),
    ("0.1::float4", "0.1::float8"),
    ("'a'::text", "'A'::text"),
    ("'a'::text", "'a '::text"),
    ("''::text", "' '::text"),
    ("'\\x00'::bytea", "'\\x0000'::bytea"),
    ("''::bytea", "'\\x00'::bytea"),
    ("B'101'", "B'1010'"),
    ("B''", "B'0'"),
    ("inet '10.0.0.1/8'", "inet '10.0.0.1'"),
    ("inet '10.0.0.0/8'", "inet '10.0.0.0/9'"),
    ("inet '0.0.0.1'", "inet '::1'"),
    ("timetz '12:00+00'", "timetz '13:00+01'"),
    ("interval '1 day'", "interval '1 day 1 microsecond'"),
    ("interval '1 month'", "interval '-30 days'"),
    ("timestamp 'infinity'", "timestamp '-infinity'"),
    ("jsonb '1'", "jsonb '\"1\"'"),
    ("jsonb 'null'", "jsonb '\"null\"'"),
    ("jsonb '1'", "jsonb '[1]'"),
    ("jsonb '[]'", "jsonb '{}'"),
    ("jsonb '[[1], 2]'", "jsonb '[[1, 2]]'"),
    ("jsonb '[1, 2]'", "jsonb '[2, 1]'"),
    ("jsonb '{\"a\": {\"b\": 1}}'", "jsonb '{\"a\": {}, \"b\": 1}'"),
    ("jsonb 'true'", "jsonb '1'"),
    ("ARRAY[1, NULL]", "ARRAY[1]"),
    ("ARRAY[1, NULL]", "ARRAY[NULL, 1]"),
    ("ARRAY[1, 2]", "ARRAY[[1, 2]]"),
    ("ARRAY[1, 2]", "'[0:1]={1,2}'::int[]"),
    ("ARRAY['a', 'bc']", "ARRAY['ab', 'c']"),
    ("ARRAY['NULL']", "ARRAY[NULL]::text[]"),
    ("ROW(1, NULL::int)", "ROW(1)"),
    ("ROW('a'::text, 'bc'::text)", "ROW('ab'::text, 'c'::text)"),
    ("int4range(1, NULL)", "int4range(NULL, 1)"),
    ("'empty'::int4range", "int4range(NULL, NULL)"),
    ("'{[1,2),[3,4)}'::int4multirange", "'{[1,4)}'::int4multirange"),
];

/// The bytes of the sketch of one value, by each way to make it, all of which must agree.
fn one_value(db: &mut Db, kind: &Kind, value: &str) -> Vec<u8> {
    let sql = kind.sql(&format!(
        "SELECT ({{T}}_add({{T}}_empty({{P}}), {value}))::bytea,
            ({{T}}_empty({{P}}) + ({value}))::bytea,
            {{T}}_agg({value}, {{P}})::bytea,
            (SELECT ({{T}}_add({{T}}_empty({{P}}), v))::bytea
                FROM (SELECT {value} AS v OFFSET 0) t)"
    ));
    let row = db.client.query_one(&sql, &[]).expect(&sql);
    let added: Vec<u8> = row.get(0);
    for (column, way) in [(1, "+"), (2, "aggregated"), (3, "a column")] {
        assert_eq!(added, row.get::<_, Vec<u8>>(column), "{value}: added and {way}");
    }
    added
}

#[test]
fn the_pairs_are_what_the_server_calls_equal() {
    let mut db = Db::with(SETUP);
    for (a, b) in EQUAL {
        db.holds(&format!("{a} = {b}"));
    }
}

fn equal_values_count_once(kind: &Kind) {
    let mut db = Db::with(SETUP);
    for (a, b) in EQUAL.iter().chain(&ALIKE) {
        let [sketch_a, sketch_b] = [a, b].map(|value| one_value(&mut db, kind, value));
        assert_eq!(sketch_a, sketch_b, "{a} and {b}");
        holds(&mut db, kind, a, b, true);
    }
}

fn different_values_count_twice(kind: &Kind) {
    let mut db = Db::with(SETUP);
    for (a, b) in DIFFERENT {
        let [sketch_a, sketch_b] = [a, b].map(|value| one_value(&mut db, kind, value));
        assert_ne!(sketch_a, sketch_b, "{a} and {b}");
        holds(&mut db, kind, a, b, false);
        let sql = format!("SELECT {{COUNT}}({{T}}_empty({{P}}) + ({a}) + ({b}))");
        assert_eq!(db.one::<i64>(&kind.sql(&sql)), 2, "{a} and {b}");
    }
}

/// Fails unless a sketch of one value holds another, or holds it not.
#[track_caller]
fn holds(db: &mut Db, kind: &Kind, value: &str, other: &str, expected: bool) {
    let sql = kind.sql(&format!(
        "SELECT {{HOLDS}} FROM (SELECT {{T}}_agg({value}, {{P}}) AS s) s, (SELECT {other} AS v) v"
    ));
    assert_eq!(db.one::<bool>(&sql), expected, "{sql}");
}

#[test]
fn single_byte_characters_are_text() {
    let mut db = Db::new();
    db.holds("hll_agg('a'::\"char\") = hll_agg('a'::text)");
    db.holds("hll_agg(''::\"char\") = hll_agg(''::text)");
    db.holds("hll_add(hll_empty(), 'a'::\"char\") = hll_agg('a'::text)");
    db.holds("hll_empty() + 'a'::\"char\" = hll_agg('a'::text)");
    db.holds("hll_cardinality(hll_empty() + 'a'::\"char\" + 'b'::\"char\" + 'a') = 2");
}

#[test]
fn values_that_the_server_stores_out_of_line_or_compressed_count_once() {
    let mut db = Db::new();
    let long = [
        ("text", "repeat('sketch ', 40000)"),
        ("varchar", "repeat('sketch ', 40000)"),
        ("bytea", "convert_to(repeat('sketch ', 40000), 'UTF8')"),
        ("jsonb", "jsonb_build_array(repeat('sketch ', 40000), 1)"),
        ("numeric", "repeat('123450000', 10000)::numeric"),
        ("int[]", "array_fill(7, ARRAY[60000])"),
        ("text[]", "ARRAY[repeat('sketch ', 40000), NULL]"),
        ("bit varying", "repeat('01', 300000)::varbit"),
    ];
    for (n, (ty, value)) in long.into_iter().enumerate() {
        db.run(&format!(
            "CREATE TABLE t{n} (compressed {ty}, external {ty});
            ALTER TABLE t{n} ALTER external SET STORAGE EXTERNAL;
            INSERT INTO t{n} VALUES ({value}, {value})"
        ));
        db.holds(&format!(
            "SELECT pg_column_size(compressed) < 30000 AND pg_column_size(external) > 30000
            FROM t{n}"
        ));
        for column in ["compressed", "external"] {
            db.holds(&format!(
                "SELECT hll_add(hll_empty(), {column}) = hll_add(hll_empty(), ({value})::{ty})
                    AND hll_add(hll_empty(), ROW({column}, 1))
                        = hll_add(hll_empty(), ROW(({value})::{ty}, 1))
                FROM t{n}"
            ));
        }
        db.holds(&format!(
            "SELECT approx_count_distinct(v) = 1 FROM (SELECT compressed FROM t{n}
                UNION ALL SELECT external FROM t{n} UNION ALL SELECT {value}) t (v)"
        ));
    }
}

#[test]
fn a_short_length_word_makes_no_difference() {
    let mut db = Db::with(
        "CREATE TABLE t AS
            SELECT 'abc'::text AS t, '\\x0102'::bytea AS b, 12.5 AS n, B'101'::varbit AS v,
            inet '10.0.0.1' AS i, 'abc'::char(7) AS c, jsonb '[1]' AS j, ARRAY['x'] AS a",
    );
    db.holds(
        "SELECT hll_empty() + t = hll_empty() + 'abc'::text
            AND hll_empty() + b = hll_empty() + '\\x0102'::bytea
            AND hll_empty() + n = hll_empty() + 12.5
            AND hll_empty() + v = hll_empty() + B'101'
            AND hll_empty() + i = hll_empty() + inet '10.0.0.1'
            AND hll_empty() + c = hll_empty() + 'abc'::char(7)
            AND hll_empty() + j = hll_empty() + jsonb '[1]'
            AND hll_empty() + a = hll_empty() + ARRAY['x']
        FROM t",
    );
}

/// The planner calls an operator on what it knows of a column, and says nothing of the types.
#[test]
fn a_declared_type_is_enough() {
    let mut db = Db::with(
        "CREATE TABLE t AS
            SELECT bloom_agg(n, 100) AS f FROM generate_series(1, 20) n, generate_series(1, 50) row
            GROUP BY row;
        ANALYZE t;
        DO $$ BEGIN
            EXECUTE format('CREATE FUNCTION holds(bloom, int) RETURNS boolean
                AS %L, %L LANGUAGE C IMMUTABLE STRICT', probin, prosrc)
            FROM pg_proc WHERE proname = 'bloom_contains';
            EXECUTE format('CREATE FUNCTION holds(bloom, anyelement) RETURNS boolean
                AS %L, %L LANGUAGE C IMMUTABLE STRICT', probin, prosrc)
            FROM pg_proc WHERE proname = 'bloom_contains';
        END $$;
        CREATE OPERATOR ~~~ (
            LEFTARG = bloom, RIGHTARG = int, FUNCTION = holds, RESTRICT = matchingsel
        );
        CREATE OPERATOR ~~~ (
            LEFTARG = bloom, RIGHTARG = anyelement, FUNCTION = holds, RESTRICT = matchingsel
        );",
    );
    db.fails("SELECT FROM t WHERE f ~~~ 7::bigint", "42P18");
    for (value, rows) in [(7, "rows=50 "), (1000, "rows=1 ")] {
        let plan = db.rows(&format!("SELECT 1 AS one FROM t WHERE f ~~~ {value}"));
        assert_eq!(plan.len(), if value == 7 { 50 } else { 0 });
        let plan = db.client.query(&format!("EXPLAIN SELECT FROM t WHERE f ~~~ {value}"), &[]);
        let scan: String = plan.expect("a plan")[0].get(0);
        assert!(scan.contains(rows), "{scan}");
    }
}
