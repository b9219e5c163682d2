//! Sketches in programs: parameters of prepared statements, PL/pgSQL, SQL functions, cursors.

use postgres::types::Type;

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    a_typed_parameter_counts_as_its_type,
    a_parameter_of_no_type_is_text,
    parameters_reach_aggregates,
    a_sketch_goes_through_a_parameter,
    a_loop_gives_what_the_aggregate_gives,
    one_place_in_a_program_may_see_several_types,
    a_cursor_reads_running_sketches,
}

/// More than the server plans anew before it settles on one plan for all.
const RUNS: i64 = 12;

/// Ways to add one value.
const ADDITIONS: [&str; 2] =
    ["SELECT {T}_add({T}_empty({P}), $1)::bytea", "SELECT ({T}_empty({P}) + $1)::bytea"];

fn a_typed_parameter_counts_as_its_type(kind: &Kind) {
    let mut db = Db::new();
    for sql in ADDITIONS.map(|sql| kind.sql(sql)) {
        let client = &mut db.client;
        let bigint = client.prepare_typed(&sql, &[Type::INT8]).expect(&sql);
        let text = client.prepare_typed(&sql, &[Type::TEXT]).expect(&sql);
        for i in 0..RUNS {
            let by_number: Vec<u8> = client.query_one(&bigint, &[&i]).expect(&sql).get(0);
            let by_text: Vec<u8> = client.query_one(&text, &[&i.to_string()]).expect(&sql).get(0);
            let aggregated = kind.sql(&format!(
                "SELECT {{T}}_agg({i}, {{P}})::bytea, {{T}}_agg('{i}'::text, {{P}})::bytea"
            ));
            let row = client.query_one(&aggregated, &[]).expect(&sql);
            assert_eq!((by_number, by_text), (row.get(0), row.get(1)), "{sql}: {i}");
        }
    }
}

fn a_parameter_of_no_type_is_text(kind: &Kind) {
    let mut db = Db::new();
    let of_text: Vec<u8> = db.one(&kind.sql("SELECT {T}_agg('alice'::text, {P})::bytea"));
    let aggregate = "SELECT {T}_agg($1, {P})::bytea";
    for sql in ADDITIONS.iter().chain([&aggregate]).map(|sql| kind.sql(sql)) {
        let statement = db.client.prepare(&sql).expect(&sql);
        assert_eq!(statement.params(), [Type::TEXT]);
        for _ in 0..RUNS {
            let bytes: Vec<u8> = db.client.query_one(&statement, &[&"alice"]).expect(&sql).get(0);
            assert_eq!(bytes, of_text, "{sql}");
        }
        let bytes: Vec<u8> = db.one(&sql.replace("$1", "'alice'"));
        assert_eq!(bytes, of_text, "{sql}: a literal");
    }
    db.holds(&kind.sql("{T}_agg(NULL) = {T}_empty()"));
}

#[test]
fn a_parameter_of_no_type_is_counted_as_text() {
    let mut db = Db::new();
    let statement = db.client.prepare("SELECT approx_count_distinct($1)").expect("a statement");
    assert_eq!(statement.params(), [Type::TEXT]);
    assert_eq!(db.client.query_one(&statement, &[&"alice"]).expect("a count").get::<_, i64>(0), 1);
    db.holds("approx_count_distinct('alice') = 1 AND approx_count_distinct(NULL) = 0");
}

fn parameters_reach_aggregates(kind: &Kind) {
    let mut db = Db::with("CREATE TABLE t AS SELECT i AS v FROM generate_series(1, 5000) i");
    let sql = kind.sql(
        "SELECT {T}_agg(v % $1, {P})::bytea, {COUNT}({T}_agg(v + $1, {P}) FILTER (WHERE v <= $1))
        FROM t WHERE v > $1 OR v <= $1",
    );
    let statement = db.client.prepare(&sql).expect(&sql);
    for i in 1..=RUNS as i32 {
        let row = db.client.query_one(&statement, &[&i]).expect(&sql);
        let expected: Vec<u8> =
            db.one(&kind.sql(&format!("SELECT {{T}}_agg(v % {i}, {{P}})::bytea FROM t")));
        assert_eq!(row.get::<_, Vec<u8>>(0), expected);
        assert_eq!(row.get::<_, i64>(1), i64::from(i));
    }
}

fn a_sketch_goes_through_a_parameter(kind: &Kind) {
    let mut db = Db::new();
    let bytes: Vec<u8> =
        db.one(&kind.sql("SELECT {T}_agg(i, {P})::bytea FROM generate_series(1, 9998) i"));
    let sql = kind.sql("SELECT ($1::bytea::{T} + 9999)::bytea");
    let more: Vec<u8> = db.client.query_one(&sql, &[&bytes]).expect(&sql).get(0);
    let sql = kind.sql("SELECT $1::bytea::{T} = {T}_agg(i, {P}) FROM generate_series(1, 9999) i");
    assert!(db.client.query_one(&sql, &[&more]).expect(&sql).get::<_, bool>(0));
}

fn a_loop_gives_what_the_aggregate_gives(kind: &Kind) {
    for (n, params) in [(0, "{P}"), (1, "{P}"), (1000, "{P}"), (50, "{LOW}")] {
        let params = kind.sql(params);
        let mut db = Db::with(&kind.sql(&format!(
            "CREATE FUNCTION by_loop(n int, OUT numbers {{T}}, OUT texts {{T}}, OUT merged {{T}})
            LANGUAGE plpgsql AS $$
            BEGIN
                numbers := {{T}}_empty({params});
                texts := {{T}}_empty({params});
                FOR i IN 1..n LOOP
                    numbers := numbers + i;
                    texts := {{T}}_add(texts, 'user ' || i);
                    merged := merged || {{T}}_add({{T}}_empty({params}), i);
                END LOOP;
            END $$"
        )));
        db.holds(&kind.sql(&format!(
            "SELECT numbers = {{T}}_agg(i, {params}) AND texts = {{T}}_agg('user ' || i, {params})
                AND merged = numbers
            FROM by_loop({n}), generate_series(1, {n}) i
            GROUP BY numbers, texts, merged
            UNION ALL SELECT true WHERE {n} = 0"
        )));
    }
}

fn one_place_in_a_program_may_see_several_types(kind: &Kind) {
    let mut db = Db::with(&kind.sql(
        "CREATE FUNCTION sketch_of(VARIADIC v anyarray) RETURNS {T} LANGUAGE plpgsql AS $$
            DECLARE s {T} := {T}_empty({P});
            BEGIN
                FOR i IN 1..array_length(v, 1) LOOP s := s + v[i]; END LOOP;
                RETURN s;
            END $$;
        CREATE FUNCTION sketch_by_sql(v anyelement) RETURNS {T} LANGUAGE sql AS
            'SELECT {T}_agg(v, {P})'",
    ));
    for _ in 0..RUNS {
        for condition in [
            "sketch_of(1, 2) = {T}_empty({P}) + 1 + 2",
            "sketch_of('a'::text, 'b') = {T}_empty({P}) + 'a' + 'b'",
            "sketch_of(1.5) = {T}_agg(1.5, {P}) AND sketch_of(true) = {T}_agg(true, {P})",
            "sketch_by_sql(1) = {T}_agg(1, {P})",
            "sketch_by_sql('a'::text) = {T}_agg('a'::text, {P})",
        ] {
            db.holds(&kind.sql(condition));
        }
    }
    // Rows of several types in one column of type record.
    db.holds(&kind.sql(
        "SELECT {T}_agg(r) = {T}_agg(s) AND {COUNT}({T}_agg(s, {P})) = 3
        FROM (SELECT ROW(1, 'a'::text), ROW(1::bigint, 'a'::varchar) UNION ALL SELECT ROW(1), ROW(1)
            UNION ALL SELECT ROW(true), ROW(true)) t (r, s)",
    ));
}

fn a_cursor_reads_running_sketches(kind: &Kind) {
    let mut db = Db::new();
    db.run(&kind.sql(
        "BEGIN;
        DECLARE c SCROLL CURSOR FOR
            SELECT i, {T}_agg(i, {LOW}) OVER (ORDER BY i) AS s FROM generate_series(1, 40) i",
    ));
    for (fetch, n) in [("5", 5), ("FORWARD 10", 15), ("PRIOR", 14), ("LAST", 40), ("ABSOLUTE 2", 2)]
    {
        let sql = format!("FETCH {fetch} FROM c");
        let rows = db.client.simple_query(&sql).expect(&sql);
        let last = rows.iter().rev().find_map(|message| match message {
            postgres::SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let row = last.expect("a row");
        let expected: String = db
            .one(&kind.sql(&format!(
                "SELECT {{T}}_agg(i, {{LOW}})::text FROM generate_series(1, {n}) i"
            )));
        assert_eq!(row.get(1), Some(&*expected), "{fetch}");
    }
}
