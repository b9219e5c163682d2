//! Sketches in tables: updates, upserts, equality, type modifiers, big values.

use crate::db::Db;

#[test]
fn an_update_adds_values() {
    let mut db = Db::with(
        "CREATE TABLE t (id int, s hll DEFAULT hll_empty());
        INSERT INTO t VALUES (1), (2)",
    );
    for value in 1..=20 {
        db.run(&format!("UPDATE t SET s = s + {value} WHERE id = 1"));
        db.run(&format!("UPDATE t SET s = hll_add(s, 'u{value}') WHERE id = 2"));
    }
    db.holds("(SELECT s FROM t WHERE id = 1) = (SELECT hll_agg(i) FROM generate_series(1, 20) i)");
    db.holds(
        "(SELECT s FROM t WHERE id = 2) = (SELECT hll_agg('u' || i) FROM generate_series(1, 20) i)",
    );
}

#[test]
fn an_update_leaves_other_copies_alone() {
    let mut db = Db::with("CREATE TABLE t AS SELECT hll_agg(i) AS s FROM generate_series(1, 9) i");
    db.run("CREATE TABLE before AS SELECT * FROM t; UPDATE t SET s = s + 10");
    db.holds("SELECT # t.s = 10 AND # before.s = 9 FROM t, before");
    db.holds(
        "SELECT # s = 10 AND # (s + 11) = 11 AND # (s || hll_agg(12)) = 11 AND # s = 10
        FROM t GROUP BY s",
    );
}

#[test]
fn an_upsert_may_be_repeated() {
    let mut db = Db::with(
        "CREATE TABLE rollup (day date PRIMARY KEY, s hll NOT NULL);
        CREATE TABLE events AS
            SELECT date '2024-01-01' + i % 10 AS day, i % 4001 AS v
            FROM generate_series(1, 50000) i",
    );
    let upsert = "INSERT INTO rollup AS t SELECT day, hll_agg(v) FROM events GROUP BY day
        ON CONFLICT (day) DO UPDATE SET s = t.s || excluded.s";
    db.run(upsert);
    let once = db.rows("SELECT * FROM rollup");
    assert_eq!(once.len(), 10);
    for _ in 0..3 {
        db.run(upsert);
        assert_eq!(db.rows("SELECT * FROM rollup"), once);
    }
    // A late part of a day adds what it has.
    db.run(
        "INSERT INTO events SELECT date '2024-01-03', i FROM generate_series(5000, 5100) i;
        INSERT INTO rollup AS t
        SELECT date '2024-01-03', hll_agg(i) FROM generate_series(5000, 5100) i
        ON CONFLICT (day) DO UPDATE SET s = t.s || excluded.s",
    );
    db.same_rows("SELECT * FROM rollup", "SELECT day, hll_agg(v) FROM events GROUP BY day");
}

/// Twelve sketches of four different contents and forms.
const COPIES: &str = "
    CREATE TABLE t AS
        SELECT g * 10 + c AS id, g,
            (SELECT hll_agg(i) FROM generate_series(1, (10 ^ g)::int) i WHERE g > 0) AS s
        FROM generate_series(0, 4) g, generate_series(1, 3) c WHERE g <> 1;
    ANALYZE t;";

#[test]
fn equal_sketches_group_and_join() {
    let mut db = Db::with(COPIES);
    db.holds("SELECT array_agg(DISTINCT (hll_info(s)).form) = '{dense,empty,sparse}' FROM t");
    db.holds("(SELECT count(*) FROM (SELECT DISTINCT s FROM t) d) = 4");
    db.holds("SELECT bool_and(n = 3) FROM (SELECT count(*) AS n FROM t GROUP BY s) g");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t UNION SELECT s FROM t) u) = 4");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t EXCEPT SELECT s FROM t WHERE g > 2) u) = 2");
    db.run("SET enable_nestloop = off");
    let join = "SELECT a.id, b.id FROM t a JOIN t b USING (s)";
    assert!(db.plan(join).contains("Hash Join"));
    db.same_rows(join, "SELECT a.id, b.id FROM t a JOIN t b USING (g)");
    db.none("SELECT FROM t a, t b WHERE (a.s = b.s) = (a.s <> b.s) OR (a.s = b.s) <> (a.g = b.g)");
    db.none(
        "SELECT FROM t a, t b WHERE a.g = b.g AND (hll_hash(a.s) <> hll_hash(b.s)
            OR hll_hash_extended(a.s, 7) <> hll_hash_extended(b.s, 7))",
    );
}

#[test]
fn a_hash_index_finds_sketches() {
    let mut db = Db::with(COPIES);
    db.run("CREATE INDEX ON t USING hash (s); SET enable_seqscan = off");
    let query = "SELECT id FROM t WHERE s = (SELECT s FROM t WHERE id = 31)";
    assert!(db.plan(query).contains("using t_s_idx") || db.plan(query).contains("on t_s_idx"));
    db.same_rows(query, "SELECT id FROM t WHERE g = 3");
}

#[test]
fn a_materialized_view_keeps_and_refreshes_sketches() {
    let mut db = Db::with(
        "CREATE TABLE r AS SELECT i % 5 AS g, i AS v FROM generate_series(1, 20000) i;
        CREATE MATERIALIZED VIEW m AS SELECT g, hll_agg(v) AS s FROM r GROUP BY g;
        CREATE UNIQUE INDEX ON m (g)",
    );
    db.same_rows("SELECT * FROM m", "SELECT g, hll_agg(v) FROM r GROUP BY g");
    // A concurrent refresh compares the rows, and the sketches in them.
    db.run("INSERT INTO r SELECT 6, i FROM generate_series(1, 9) i; DELETE FROM r WHERE g = 1");
    db.run("UPDATE r SET v = v + 1 WHERE g = 2; REFRESH MATERIALIZED VIEW CONCURRENTLY m");
    db.same_rows("SELECT * FROM m", "SELECT g, hll_agg(v) FROM r GROUP BY g");
}

#[test]
fn big_sketches_are_stored_out_of_line_and_work() {
    let mut db = Db::with(
        "CREATE TABLE t AS
            SELECT g, hll_agg(i + g * 50000, 18) AS s
            FROM generate_series(1, 3) g, generate_series(1, 90000) i GROUP BY g;
        INSERT INTO t SELECT g + 10, s FROM t",
    );
    db.holds(
        "SELECT pg_relation_size(reltoastrelid::regclass) > 20000
        FROM pg_class WHERE relname = 't'",
    );
    db.none("SELECT FROM t WHERE (hll_info(s)).form <> 'dense' OR (hll_info(s)).bytes < 20000");
    db.holds(
        "SELECT hll_merge_agg(s) = (SELECT hll_agg(i, 18) FROM generate_series(50001, 240000) i)
        FROM t",
    );
    db.holds(
        "SELECT a.s || b.s = (SELECT hll_agg(i, 18) FROM generate_series(50001, 190000) i)
        FROM t a, t b WHERE a.g = 1 AND b.g = 12",
    );
    db.none("SELECT FROM t a, t b WHERE (a.s = b.s) <> (a.g % 10 = b.g % 10)");
    db.holds("(SELECT count(*) FROM (SELECT s FROM t GROUP BY s) g) = 3");
    db.holds("SELECT bool_and(substr(s::bytea, 1, 4) = '\\x68210112') FROM t");
    db.holds("SELECT bool_and(abs(hll_cardinality(s) - 90000) < 900 AND # (s + 1) >= # s) FROM t");
    db.none(
        "SELECT FROM t WHERE hll_reduce(s, 9)
        <> (SELECT hll_agg(i + g % 10 * 50000, 9) FROM generate_series(1, 90000) i)",
    );
    db.run("UPDATE t SET s = s + 7");
    db.none("SELECT FROM t WHERE s + 7 <> s");
}

#[test]
fn a_column_takes_sketches_of_its_precision_alone() {
    let mut db = Db::with("CREATE TABLE t (s hll(12)); CREATE TABLE anything (s hll)");
    db.run("INSERT INTO t VALUES (hll_empty(12)), (NULL), ('\\x6801000c')");
    db.run("INSERT INTO t SELECT hll_agg(i, 12) FROM generate_series(1, 9999) i");
    for sql in [
        "INSERT INTO t VALUES (hll_empty())",
        "INSERT INTO t SELECT hll_agg(1)",
        "INSERT INTO t VALUES ('\\x6801000d')",
        "UPDATE t SET s = hll_empty(13)",
        "CREATE TABLE u (s hll(12) DEFAULT hll_empty(13)); INSERT INTO u DEFAULT VALUES",
        "DO $$ DECLARE s hll(12); BEGIN s := hll_agg(1) FROM generate_series(1, 2); END $$",
    ] {
        let error = db.fails(sql, "22000");
        let message = error.message();
        assert!(message.contains("12") && message.contains("13"), "{sql}: {message}");
        assert!(error.hint().is_some_and(|hint| hint.contains("hll_reduce(sketch, 12)")));
    }
    let error = db.fails("INSERT INTO t VALUES (hll_empty(4))", "22000");
    assert!(error.message().contains("12") && error.message().contains('4'));
    db.run("INSERT INTO anything VALUES (hll_empty(4)), (hll_empty(18))");
}

#[test]
fn a_written_cast_reduces() {
    let mut db = Db::with("CREATE TABLE t (s hll(12))");
    db.run("INSERT INTO t SELECT hll_agg(i)::hll(12) FROM generate_series(1, 9999) i");
    db.holds("(SELECT s FROM t) = (SELECT hll_agg(i, 12) FROM generate_series(1, 9999) i)");
    db.holds("SELECT s::hll = s AND s::hll(12) = s FROM t");
    db.holds("format_type('hll'::regtype, 12) = 'hll(12)'");
    db.run("ALTER TABLE t ALTER s TYPE hll(9) USING s::hll(9)");
    db.holds("(SELECT s FROM t) = (SELECT hll_agg(i, 9) FROM generate_series(1, 9999) i)");
    db.holds(
        "SELECT format_type(atttypid, atttypmod) = 'hll(9)' FROM pg_attribute
        WHERE attrelid = 't'::regclass AND attname = 's'",
    );
    db.fails("ALTER TABLE t ALTER s TYPE hll(8)", "22000");
    db.run("ALTER TABLE t ALTER s TYPE hll");
}

#[test]
fn a_sketch_of_sketches_counts_them() {
    let mut db = Db::with(COPIES);
    db.holds("SELECT approx_count_distinct(s) = 4 AND approx_count_distinct(ARRAY[s]) = 4 FROM t");
    db.holds(
        "SELECT # hll_agg(ROW(s, 1)) = 4 AND (hll_info(hll_agg(s))).value_class = 'other' FROM t",
    );
}
