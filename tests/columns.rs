//! Sketches in tables: updates, upserts, equality, views, big values.

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    an_update_adds_values,
    an_update_leaves_other_copies_alone,
    an_upsert_of_what_is_new_gives_the_sketch_of_all,
    equal_sketches_group_and_join,
    a_hash_index_finds_sketches,
    hash_partitions_keep_equal_sketches_together,
    a_materialized_view_keeps_and_refreshes_sketches,
    big_sketches_are_stored_out_of_line_and_work,
}

fn an_update_adds_values(kind: &Kind) {
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE t (id int, s {T} DEFAULT {T}_empty({P}));
        INSERT INTO t VALUES (1), (2)",
    ));
    for value in 1..=20 {
        db.run(&format!("UPDATE t SET s = s + {value} WHERE id = 1"));
        db.run(&kind.sql(&format!("UPDATE t SET s = {{T}}_add(s, 'u{value}') WHERE id = 2")));
    }
    for (id, value) in [(1, "i"), (2, "'u' || i")] {
        db.holds(&kind.sql(&format!(
            "(SELECT s FROM t WHERE id = {id})
                = (SELECT {{T}}_agg({value}, {{P}}) FROM generate_series(1, 20) i)"
        )));
    }
}

fn an_update_leaves_other_copies_alone(kind: &Kind) {
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE t AS SELECT {T}_agg(i, {P}) AS s FROM generate_series(1, 9) i;
        CREATE TABLE before AS SELECT * FROM t;
        UPDATE t SET s = s + 10",
    ));
    db.holds(&kind.sql("SELECT {COUNT}(t.s) = 10 AND {COUNT}(before.s) = 9 FROM t, before"));
    db.holds(&kind.sql(
        "SELECT {COUNT}(s) = 10 AND {COUNT}(s + 11) = 11
            AND {COUNT}(s || {T}_agg(12, {P})) = 11 AND {COUNT}(s) = 10
        FROM t GROUP BY s",
    ));
}

fn an_upsert_of_what_is_new_gives_the_sketch_of_all(kind: &Kind) {
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE rollup (day date PRIMARY KEY, s {T} NOT NULL);
        CREATE TABLE events AS
            SELECT date '2024-01-01' + i % 10 AS day, i % 4001 AS v
            FROM generate_series(1, 50000) i;
        CREATE TABLE late AS SELECT date '2024-01-03' AS day, i AS v
            FROM generate_series(5000, 5100) i",
    ));
    let upsert = |from: &str| {
        kind.sql(&format!(
            "INSERT INTO rollup AS t SELECT day, {{T}}_agg(v, {{P}}) FROM {from} GROUP BY day
            ON CONFLICT (day) DO UPDATE SET s = t.s || excluded.s"
        ))
    };
    db.run(&upsert("events"));
    let once = kind.rows(&mut db, "SELECT * FROM rollup");
    assert_eq!(once.len(), 10);
    if kind.is_set {
        for _ in 0..3 {
            db.run(&upsert("events"));
            assert!(kind.rows(&mut db, "SELECT * FROM rollup") == once, "not the same again");
        }
    }
    db.run(&upsert("late"));
    let all = "SELECT day, {T}_agg(v, {P}) FROM (TABLE events UNION ALL TABLE late) e GROUP BY day";
    kind.same_rows(&mut db, "SELECT * FROM rollup", &kind.sql(all));
}

/// Twelve sketches of four different contents and forms; no two of one content were built alike.
const COPIES: &str = "
    CREATE FUNCTION built(n int, way int) RETURNS {T} LANGUAGE sql AS $$
        SELECT CASE way
            WHEN 1 THEN {T}_empty({P}) || (SELECT {T}_agg(i, {P}) FROM generate_series(1, n) i)
            WHEN 2 THEN (SELECT {T}_agg(i, {P} ORDER BY i DESC) FROM generate_series(1, n) i)
            ELSE (SELECT {T}_merge_agg(s ORDER BY part) FROM (SELECT i % 7 AS part,
                {T}_agg(i, {P}) AS s FROM generate_series(1, n) i GROUP BY 1) p) END $$;
    CREATE TABLE t AS
        SELECT g * 10 + way AS id, g, CASE n WHEN 0 THEN {T}_empty({P}) ELSE built(n, way) END AS s
        FROM (VALUES (0, 0), (2, 20), (3, 800), (4, 9000)) v (g, n), generate_series(1, 3) way;
    ANALYZE t;";

fn equal_sketches_group_and_join(kind: &Kind) {
    let mut db = Db::with(&kind.sql(COPIES));
    let forms = "SELECT array_agg(DISTINCT ({T}_info(s)).form) = '{dense,empty,sparse}' FROM t";
    db.holds(&kind.sql(forms));
    if kind.is_canonical {
        db.holds("(SELECT count(DISTINCT s::bytea) FROM t) = 4");
    }
    db.holds("(SELECT count(*) FROM (SELECT DISTINCT s FROM t) d) = 4");
    db.holds("SELECT bool_and(n = 3) FROM (SELECT count(*) AS n FROM t GROUP BY s) g");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t UNION SELECT s FROM t) u) = 4");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t EXCEPT SELECT s FROM t WHERE g > 2) u) = 2");
    db.run("SET enable_nestloop = off");
    let join = "SELECT a.id, b.id FROM t a JOIN t b USING (s)";
    assert!(db.plan(join).contains("Hash Join"));
    db.same_rows(join, "SELECT a.id, b.id FROM t a JOIN t b USING (g)");
    db.none("SELECT FROM t a, t b WHERE (a.s = b.s) = (a.s <> b.s) OR (a.s = b.s) <> (a.g = b.g)");
    db.none(&kind.sql(
        "SELECT FROM t a, t b WHERE a.g = b.g AND (_{T}_hash(a.s) <> _{T}_hash(b.s)
            OR _{T}_hash_extended(a.s, 7) <> _{T}_hash_extended(b.s, 7))",
    ));
    db.none(&kind.sql(
        "SELECT FROM t WHERE _{T}_hash_extended(s, 42) = _{T}_hash_extended(s, 43)
            OR _{T}_hash_extended(s, 0) & 4294967295 <> _{T}_hash(s)::bigint & 4294967295",
    ));
    db.holds(&kind.sql("(SELECT count(DISTINCT _{T}_hash(s)) FROM t) = 4"));
}

fn a_hash_index_finds_sketches(kind: &Kind) {
    let mut db = Db::with(&kind.sql(COPIES));
    db.run("CREATE INDEX ON t USING hash (s); SET enable_seqscan = off");
    let query = "SELECT id FROM t WHERE s = (SELECT s FROM t WHERE id = 31)";
    let plan = db.plan(query);
    assert!(plan.contains("using t_s_idx") || plan.contains("on t_s_idx"), "{plan}");
    db.same_rows(query, "SELECT id FROM t WHERE g = 3");
}

fn hash_partitions_keep_equal_sketches_together(kind: &Kind) {
    let mut db = Db::with(&kind.sql(COPIES));
    db.run(&kind.sql("CREATE TABLE p (g int, s {T}) PARTITION BY HASH (s)"));
    for rest in 0..3 {
        db.run(&format!(
            "CREATE TABLE p{rest} PARTITION OF p FOR VALUES WITH (MODULUS 3, REMAINDER {rest})"
        ));
    }
    db.run("INSERT INTO p SELECT g, s FROM t ");
    db.none("SELECT g FROM p GROUP BY g HAVING count(DISTINCT tableoid) <> 1 OR count(*) <> 3");
}

fn a_materialized_view_keeps_and_refreshes_sketches(kind: &Kind) {
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE r AS SELECT i % 5 AS g, i AS v FROM generate_series(1, 20000) i;
        CREATE MATERIALIZED VIEW m AS SELECT g, {T}_agg(v) AS s FROM r GROUP BY g;
        CREATE UNIQUE INDEX ON m (g)",
    ));
    let anew = kind.sql("SELECT g, {T}_agg(v) FROM r GROUP BY g");
    db.same_rows("SELECT * FROM m", &anew);
    // A concurrent refresh compares the rows, and the sketches in them.
    db.run("INSERT INTO r SELECT 6, i FROM generate_series(1, 9) i; DELETE FROM r WHERE g = 1");
    db.run("UPDATE r SET v = v + 1 WHERE g = 2; REFRESH MATERIALIZED VIEW CONCURRENTLY m");
    db.same_rows("SELECT * FROM m", &anew);
}

fn big_sketches_are_stored_out_of_line_and_work(kind: &Kind) {
    // What was compressed would be short enough for a row where it is mostly zeros.
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE t (g int, s {T});
        ALTER TABLE t ALTER s SET STORAGE EXTERNAL;
        INSERT INTO t
            SELECT g, {T}_agg(i + g * 4000, {P})
            FROM generate_series(1, 3) g, generate_series(1, 11000) i GROUP BY g;
        INSERT INTO t SELECT g + 10, s FROM t",
    ));
    db.holds(
        "SELECT pg_relation_size(reltoastrelid::regclass) > 15000
        FROM pg_class WHERE relname = 't'",
    );
    db.none(
        &kind
            .sql("SELECT FROM t WHERE ({T}_info(s)).form <> 'dense' OR ({T}_info(s)).bytes < 2100"),
    );
    if kind.is_set {
        let of = |from: i64, to: i64| {
            kind.sql(&format!("(SELECT {{T}}_agg(i, {{P}}) FROM generate_series({from}, {to}) i)"))
        };
        db.holds(&kind.sql(&format!("SELECT {{T}}_merge_agg(s) = {} FROM t", of(4001, 23_000))));
        db.holds(&format!(
            "SELECT a.s || b.s = {} FROM t a, t b WHERE a.g = 1 AND b.g = 12",
            of(4001, 19_000)
        ));
    }
    db.none("SELECT FROM t a, t b WHERE (a.s = b.s) <> (a.g % 10 = b.g % 10)");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t GROUP BY s) g) = 3");
    // A part of the bytes is read alone.
    db.none(&kind.sql(
        "SELECT FROM t WHERE substr(s::bytea, 1, 2) <> substr({T}_empty()::bytea, 1, 1) || '\\x21'",
    ));
    db.none(&kind.sql("SELECT FROM t WHERE {COUNT}(s + 1) < {COUNT}(s)"));
    db.run("UPDATE t SET s = s + 7");
    db.none(&kind.sql("SELECT FROM t, (SELECT 7 AS v) v WHERE NOT ({HOLDS})"));
}
