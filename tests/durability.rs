//! Sketches on the move: dump and restore, binary copies, logical replication.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::cluster::cluster;
use crate::db::{Db, db_error};

/// Sketches of every form, and columns with and without a precision.
const DATA: &str = "
    CREATE TABLE t (id int PRIMARY KEY, s hll, low hll(9));
    INSERT INTO t
        SELECT g, hll_agg(i, 4 + g % 15), hll_agg(i, 9)
        FROM generate_series(1, 45) g, LATERAL generate_series(1, g * g * g / 10) i GROUP BY g;
    CREATE TABLE f (id int PRIMARY KEY, s bloom);
    INSERT INTO f
        SELECT g, bloom_agg(i, (10 ^ (g % 6 + 1))::bigint, 1.0 / g)
        FROM generate_series(2, 45) g, LATERAL generate_series(1, g * g * g / 10) i GROUP BY g;
    INSERT INTO f VALUES (100, bloom_empty()), (101, NULL),
        (102, (SELECT bloom_agg(i) FROM generate_series(1, 90000) i)),
        (103, (SELECT bloom_agg(i, 90000) FROM generate_series(1, 9000) i));
    CREATE TABLE c (id int PRIMARY KEY, s cuckoo);
    INSERT INTO c
        SELECT g, cuckoo_agg(i, 4 * g * g, 0.5 / g) + 1 + 1 + 2 - 3
        FROM generate_series(2, 45) g, LATERAL generate_series(1, g * g) i GROUP BY g;
    INSERT INTO c VALUES (100, cuckoo_empty()), (101, NULL),
        (102, (SELECT cuckoo_agg(i) FROM generate_series(1, 90000) i)),
        (103, (SELECT cuckoo_agg(i, 90000) FROM generate_series(1, 9000) i));
    CREATE TABLE n (id int PRIMARY KEY, s cms);
    INSERT INTO n
        SELECT g, cms_weighted_agg(i, (g ^ (g % 9))::bigint, 1.0 / (g + 1), 1.0 / (g % 7 + 2))
        FROM generate_series(1, 45) g, LATERAL generate_series(1, g * g) i GROUP BY g;
    INSERT INTO n VALUES (100, cms_empty()), (101, NULL),
        (102, (SELECT cms_agg(i % 30000) FROM generate_series(1, 90000) i));
    INSERT INTO t VALUES (100, hll_empty(), hll_empty(9)), (101, NULL, NULL),
        (102, (SELECT hll_agg(i, 18) FROM generate_series(1, 90000) i), NULL),
        (103, (SELECT hll_agg('x' || i) FROM generate_series(1, 50) i), NULL);
    CREATE INDEX by_sketch ON t USING hash (s);
    CREATE VIEW v AS SELECT hll_merge_agg(low) AS s FROM t WHERE id < 100;
    CREATE MATERIALIZED VIEW m AS SELECT id % 2 AS odd, hll_merge_agg(low) AS s FROM t
        WHERE id < 100 GROUP BY 1;";

/// A dump, without the random keys that newer servers write around it.
fn dump(db: &Db, options: &[&str]) -> String {
    let dump = cluster().run_tool("pg_dump", &db.name, options, b"");
    let is_key = |line: &&str| line.starts_with("\\restrict") || line.starts_with("\\unrestrict");
    dump.split_inclusive('\n').filter(|line| !is_key(line)).collect()
}

#[test]
fn a_dump_restores_every_byte() {
    let mut from = Db::with(DATA);
    for options in [&[][..], &["--inserts"]] {
        let dump = dump(&from, options);
        let mut to = Db::without_extension();
        let quiet = ["-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1"];
        cluster().run_tool("psql", &to.name, &quiet, dump.as_bytes());
        for table in ["t", "f", "c", "n", "v", "m"] {
            let query = format!("SELECT * FROM {table}");
            assert_eq!(from.rows(&query), to.rows(&query), "{table}");
        }
        to.run("SET enable_seqscan = off; SET enable_indexscan = on");
        let query = "SELECT id FROM t WHERE s = (SELECT s FROM t WHERE id = 40)";
        assert!(to.plan(query).contains("by_sketch"), "{}", to.plan(query));
        assert_eq!(to.rows(query), ["(40)"]);
        to.fails("UPDATE t SET low = hll_empty(10)", "22000");
        assert_eq!(
            to.rows("SELECT s + 1 FROM t WHERE id < 99"),
            from.rows("SELECT s FROM t WHERE id < 99")
        );
        to.none("SELECT FROM f, generate_series(1, 9000) i WHERE id IN (102, 103) AND NOT s @> i");
        to.none(
            "SELECT FROM c, generate_series(1, 9000) i WHERE (id IN (102, 103) OR id < 99 AND i <> 3 AND i <= id * id)
                AND NOT s @> i",
        );
        to.holds(
            "(SELECT bool_and(cuckoo_count(s - 1 - 1 - 1) = id * id - 1) FROM c WHERE id < 99)",
        );
        // What was restored can be dumped, and is the same again.
        assert!(self::dump(&to, options) == dump);
    }
}

#[test]
fn a_copy_keeps_every_byte() {
    let mut db = Db::with(DATA);
    for (table, format) in ["t", "f", "c", "n"]
        .into_iter()
        .flat_map(|table| ["text", "csv", "binary"].map(|f| (table, f)))
    {
        let mut bytes = Vec::new();
        let out = format!("COPY {table} TO STDOUT (FORMAT {format})");
        db.client.copy_out(&out).expect(&out).read_to_end(&mut bytes).expect(&out);
        db.run(&format!("DROP TABLE IF EXISTS u; CREATE TABLE u (LIKE {table})"));
        let sql = format!("COPY u FROM STDIN (FORMAT {format})");
        let mut writer = db.client.copy_in(&sql).expect(&sql);
        writer.write_all(&bytes).expect(&sql);
        writer.finish().expect(&sql);
        db.same_rows(&format!("SELECT * FROM {table}"), "SELECT * FROM u");
    }
}

#[test]
fn a_copy_of_another_precision_is_refused() {
    let mut db = Db::with(
        "CREATE TABLE source AS SELECT hll_agg(i, 10) AS s FROM generate_series(1, 99) i;
        CREATE TABLE t (s hll(9))",
    );
    for format in ["text", "binary"] {
        let mut bytes = Vec::new();
        let out = format!("COPY source TO STDOUT (FORMAT {format})");
        db.client.copy_out(&out).expect(&out).read_to_end(&mut bytes).expect(&out);
        let sql = format!("COPY t FROM STDIN (FORMAT {format})");
        let mut writer = db.client.copy_in(&sql).expect(&sql);
        writer.write_all(&bytes).expect(&sql);
        let error = db_error(&writer.finish().expect_err("the wrong precision"), &sql);
        assert_eq!(error.code().code(), "22000", "{sql}: {}", error.message());
        let message = error.message();
        assert!(message.contains("precision 9") && message.contains("10"), "{sql}: {message}");
    }
    db.none("SELECT FROM t");
}

/// Waits until two databases return the same rows.
fn wait_for_same(a: &mut Db, b: &mut Db, query: &str) {
    let start = Instant::now();
    loop {
        let (rows_a, rows_b) = (a.rows(query), b.rows(query));
        if rows_a == rows_b {
            return;
        }
        let [rows_a, rows_b] = [rows_a, rows_b].map(|rows| rows.len());
        assert!(start.elapsed() < Duration::from_secs(90), "{query}: {rows_a} rows, {rows_b} rows");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A rollup table, and a table without a key, whose rows are told apart by all their columns.
fn replicate(binary: bool) {
    let tables = "
        CREATE TABLE rollup (day date PRIMARY KEY, s hll);
        CREATE TABLE keyless (n int, s hll);
        CREATE TABLE filters (n int PRIMARY KEY, s bloom);
        CREATE TABLE present (n int PRIMARY KEY, s cuckoo);
        ALTER TABLE keyless REPLICA IDENTITY FULL;";
    let (mut source, mut target) = (Db::with(tables), Db::with(tables));
    source.run(
        "INSERT INTO rollup SELECT date '2024-01-01' + g, hll_agg(i)
            FROM generate_series(0, 5) g, LATERAL generate_series(1, (10 ^ g)::int / 10) i
            GROUP BY g;
        INSERT INTO keyless SELECT 1, s FROM rollup;
        INSERT INTO filters SELECT g, bloom_agg(i, (10 ^ g)::bigint)
            FROM generate_series(1, 4) g, LATERAL generate_series(1, (6 ^ g)::int) i GROUP BY g;
        INSERT INTO present SELECT g, cuckoo_agg(i, (10 ^ g)::bigint)
            FROM generate_series(1, 4) g, LATERAL generate_series(1, (6 ^ g)::int) i GROUP BY g;
        CREATE PUBLICATION p FOR ALL TABLES",
    );
    let name = source.name.clone();
    // In one cluster the subscription would wait for itself to make its slot.
    source.one::<String>(&format!(
        "SELECT slot_name::text FROM pg_create_logical_replication_slot('{name}', 'pgoutput')"
    ));
    target.run(&format!(
        "CREATE SUBSCRIPTION {name} CONNECTION '{}' PUBLICATION p
            WITH (create_slot = false, slot_name = '{name}', binary = {binary})",
        cluster().conninfo(&name)
    ));
    wait_for_same(&mut source, &mut target, "SELECT * FROM rollup");
    wait_for_same(&mut source, &mut target, "SELECT * FROM keyless");
    wait_for_same(&mut source, &mut target, "SELECT * FROM filters");
    wait_for_same(&mut source, &mut target, "SELECT * FROM present");
    source.run(
        "INSERT INTO rollup VALUES ('2024-02-01', hll_empty());
        UPDATE rollup SET s = s + 123456789 WHERE day <> '2024-01-04';
        UPDATE rollup SET s = s || (SELECT hll_agg(i) FROM generate_series(9000, 14000) i)
            WHERE day > '2024-01-04';
        DELETE FROM rollup WHERE day = '2024-01-02';
        UPDATE filters SET s = s + 123456789 WHERE n <> 2;
        UPDATE present SET s = s + 123456789 - 1 WHERE n <> 2;
        UPDATE keyless SET s = s + 5000000 WHERE # s < 50;
        UPDATE keyless SET n = 2 WHERE # s > 50;
        DELETE FROM keyless WHERE # s BETWEEN 80 AND 200;
        INSERT INTO keyless VALUES (3, NULL), (4, hll_empty())",
    );
    wait_for_same(&mut source, &mut target, "SELECT * FROM rollup");
    wait_for_same(&mut source, &mut target, "SELECT * FROM keyless");
    wait_for_same(&mut source, &mut target, "SELECT * FROM filters");
    wait_for_same(&mut source, &mut target, "SELECT * FROM present");
    target.run(&format!("DROP SUBSCRIPTION {name}"));
}

#[test]
fn a_rollup_is_replicated_as_text() {
    replicate(false);
}

#[test]
fn a_rollup_is_replicated_in_binary() {
    replicate(true);
}
