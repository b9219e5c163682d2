//! Sketches in programs: parameters of prepared statements, PL/pgSQL, SQL functions, cursors.

use postgres::types::Type;

use crate::db::Db;

/// More than the server plans anew before it settles on one plan for all.
const RUNS: i64 = 12;

#[test]
fn a_typed_parameter_counts_as_its_type() {
    let mut db = Db::new();
    for sql in ["SELECT hll_add(hll_empty(), $1)::bytea", "SELECT (hll_empty() + $1)::bytea"] {
        let client = &mut db.client;
        let bigint = client.prepare_typed(sql, &[Type::INT8]).expect(sql);
        let text = client.prepare_typed(sql, &[Type::TEXT]).expect(sql);
        for i in 0..RUNS {
            let by_number: Vec<u8> = client.query_one(&bigint, &[&i]).expect(sql).get(0);
            let by_text: Vec<u8> = client.query_one(&text, &[&i.to_string()]).expect(sql).get(0);
            let row = client
                .query_one(&format!("SELECT hll_agg({i})::bytea, hll_agg('{i}'::text)::bytea"), &[])
                .expect(sql);
            assert_eq!((by_number, by_text), (row.get(0), row.get(1)), "{sql}: {i}");
        }
    }
}

#[test]
fn a_parameter_of_no_type_is_text() {
    let mut db = Db::new();
    for sql in ["SELECT hll_add(hll_empty(), $1)::bytea", "SELECT (hll_empty() + $1)::bytea"] {
        let statement = db.client.prepare(sql).expect(sql);
        assert_eq!(statement.params(), [Type::TEXT]);
        for _ in 0..RUNS {
            let bytes: Vec<u8> = db.client.query_one(&statement, &[&"alice"]).expect(sql).get(0);
            assert_eq!(bytes, db.one::<Vec<u8>>("SELECT hll_agg('alice'::text)::bytea"));
        }
    }
    db.holds("hll_empty() + 'alice' = hll_agg('alice'::text)");
    db.holds("hll_add(hll_empty(), 'alice') = hll_agg('alice'::text)");
    db.holds("hll_agg('alice') = hll_agg('alice'::text) AND approx_count_distinct('alice') = 1");
    db.holds("hll_agg(NULL) = hll_empty() AND approx_count_distinct(NULL) = 0");
    let sql = "SELECT hll_agg($1)::bytea, approx_count_distinct($1)";
    let statement = db.client.prepare(sql).expect(sql);
    assert_eq!(statement.params(), [Type::TEXT]);
    let row = db.client.query_one(&statement, &[&"alice"]).expect(sql);
    assert_eq!(row.get::<_, Vec<u8>>(0), db.one::<Vec<u8>>("SELECT hll_agg('alice')::bytea"));
    assert_eq!(row.get::<_, i64>(1), 1);
}

#[test]
fn parameters_reach_aggregates() {
    let mut db = Db::with("CREATE TABLE t AS SELECT i AS v FROM generate_series(1, 5000) i");
    let sql =
        "SELECT hll_agg(v % $1, $2)::bytea, approx_count_distinct(v + $1) FROM t WHERE v > $1";
    let statement = db.client.prepare(sql).expect(sql);
    for i in 1..=RUNS as i32 {
        let row = db.client.query_one(&statement, &[&i, &(i + 3)]).expect(sql);
        let expected: Vec<u8> =
            db.one(&format!("SELECT hll_agg(v % {i}, {i} + 3)::bytea FROM t WHERE v > {i}"));
        assert_eq!(row.get::<_, Vec<u8>>(0), expected);
        let counted: i64 = row.get(1);
        assert!((counted - i64::from(5000 - i)).abs() < 126, "{counted}");
    }
}

#[test]
fn a_sketch_goes_through_a_parameter() {
    let mut db = Db::new();
    let bytes: Vec<u8> = db.one("SELECT hll_agg(i)::bytea FROM generate_series(1, 9999) i");
    let sql = "SELECT ($1::bytea::hll + 10000)::bytea";
    let more: Vec<u8> = db.client.query_one(sql, &[&bytes]).expect(sql).get(0);
    assert_eq!(
        more,
        db.one::<Vec<u8>>("SELECT hll_agg(i)::bytea FROM generate_series(1, 10000) i")
    );
}

#[test]
fn a_loop_gives_what_the_aggregate_gives() {
    let mut db = Db::with(
        "CREATE FUNCTION by_loop(n int, p int, OUT numbers hll, OUT texts hll, OUT merged hll)
        LANGUAGE plpgsql AS $$
        BEGIN
            numbers := hll_empty(p);
            texts := hll_empty(p);
            FOR i IN 1..n LOOP
                numbers := numbers + i;
                texts := hll_add(texts, 'user ' || i);
                merged := merged || hll_add(hll_empty(p), i);
            END LOOP;
        END $$",
    );
    for (n, precision) in [(0, 13), (1, 13), (1000, 13), (1000, 8), (1000, 4), (100, 18)] {
        db.holds(&format!(
            "SELECT numbers = hll_agg(i, {precision}) AND texts = hll_agg('user ' || i, {precision})
                AND merged = numbers
            FROM by_loop({n}, {precision}), generate_series(1, {n}) i
            GROUP BY numbers, texts, merged
            UNION ALL SELECT true WHERE {n} = 0"
        ));
    }
}

#[test]
fn one_place_in_a_program_may_see_several_types() {
    let mut db = Db::with(
        "CREATE FUNCTION sketch_of(VARIADIC v anyarray) RETURNS hll LANGUAGE plpgsql AS $$
            DECLARE s hll := hll_empty();
            BEGIN
                FOR i IN 1..array_length(v, 1) LOOP s := s + v[i]; END LOOP;
                RETURN s;
            END $$;
        CREATE FUNCTION sketch_by_sql(v anyelement) RETURNS hll LANGUAGE sql AS
            'SELECT hll_agg(v)'",
    );
    for _ in 0..RUNS {
        db.holds("sketch_of(1, 2) = hll_empty() + 1 + 2 AND sketch_by_sql(1) = hll_agg(1)");
        db.holds("sketch_of('a'::text, 'b') = hll_empty() + 'a' + 'b'");
        db.holds("sketch_by_sql('a'::text) = hll_agg('a'::text)");
        db.holds("sketch_of(1.5) = hll_agg(1.5) AND sketch_by_sql(true) = hll_agg(true)");
    }
    // Rows of several types in one column of type record.
    db.holds(
        "SELECT approx_count_distinct(r) = 3
        FROM (SELECT ROW(1, 'a'::text) UNION ALL SELECT ROW(1::bigint, 'a'::varchar)
            UNION ALL SELECT ROW(1) UNION ALL SELECT ROW(true)) t (r)",
    );
}

#[test]
fn a_cursor_reads_running_counts() {
    let mut db = Db::new();
    db.run(
        "BEGIN;
        DECLARE c SCROLL CURSOR FOR
            SELECT i, hll_agg(i, 4) OVER (ORDER BY i) AS s FROM generate_series(1, 40) i",
    );
    for (fetch, n) in [("5", 5), ("FORWARD 10", 15), ("PRIOR", 14), ("LAST", 40), ("ABSOLUTE 2", 2)]
    {
        let sql = format!("FETCH {fetch} FROM c");
        let rows = db.client.simple_query(&sql).expect(&sql);
        let last = rows.iter().rev().find_map(|message| match message {
            postgres::SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let row = last.expect("a row");
        let expected: String =
            db.one(&format!("SELECT hll_agg(i, 4)::text FROM generate_series(1, {n}) i"));
        assert_eq!(row.get(1), Some(&*expected), "{fetch}");
    }
}
