//! Sketches on the move: dump and restore, binary copies, logical replication.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::cluster::cluster;
use crate::db::{Db, db_error};
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    a_dump_restores_every_byte,
    a_copy_keeps_every_byte,
    a_rollup_is_replicated_as_text,
    a_rollup_is_replicated_in_binary,
}

/// Sketches of every form; those below 46 are of the numbers up to the cube of their id.
const DATA: &str = "
    CREATE TABLE t (id int PRIMARY KEY, s {T});
    INSERT INTO t
        SELECT g, {T}_agg(i, {P})
        FROM generate_series(2, 45) g, LATERAL generate_series(1, g * g * g / 8) i GROUP BY g;
    INSERT INTO t
        SELECT 50 + g, {T}_agg('x' || i, {LOW})
        FROM generate_series(1, 9) g, LATERAL generate_series(1, 6 * g) i GROUP BY g;
    INSERT INTO t VALUES (100, {T}_empty()), (101, NULL), (102, {T}_empty({P}) + 1 + 1 + 2),
        (103, (SELECT {T}_agg(i) FROM generate_series(1, 90000) i));
    CREATE INDEX by_sketch ON t USING hash (s);
    CREATE VIEW v AS SELECT {T}_merge_agg(s) AS s FROM t WHERE id < 46;
    CREATE MATERIALIZED VIEW m AS
        SELECT id % 2 AS odd, {T}_merge_agg(s) AS s FROM t WHERE id < 46 GROUP BY 1;";

/// A dump, without the random keys that newer servers write around it.
fn dump(db: &Db, options: &[&str]) -> String {
    let dump = cluster().run_tool("pg_dump", &db.name, options, b"");
    let is_key = |line: &&str| line.starts_with("\\restrict") || line.starts_with("\\unrestrict");
    dump.split_inclusive('\n').filter(|line| !is_key(line)).collect()
}

fn a_dump_restores_every_byte(kind: &Kind) {
    let mut from = Db::with(&kind.sql(DATA));
    for options in [&[][..], &["--inserts"]] {
        let dump = dump(&from, options);
        let mut to = Db::without_extension();
        let quiet = ["-q", "-o", "/dev/null", "-v", "ON_ERROR_STOP=1"];
        cluster().run_tool("psql", &to.name, &quiet, dump.as_bytes());
        assert!(from.rows("SELECT * FROM t") == to.rows("SELECT * FROM t"));
        // What a view gives is made again.
        for view in ["SELECT * FROM v", "SELECT * FROM m"] {
            assert!(kind.rows(&mut from, view) == kind.rows(&mut to, view), "{view}");
        }
        to.none(&kind.sql(
            "SELECT FROM t, generate_series(1, 11390, 37) v
            WHERE (id < 46 AND v <= id * id * id / 8 OR id = 103) AND NOT ({HOLDS})",
        ));
        to.run("SET enable_seqscan = off; SET enable_indexscan = on");
        let query = "SELECT id FROM t WHERE s = (SELECT s FROM t WHERE id = 40)";
        assert!(to.plan(query).contains("by_sketch"), "{}", to.plan(query));
        assert_eq!(to.rows(query), ["(40)"]);
        let more = "SELECT s + 1 FROM t WHERE id < 46 OR id > 100";
        assert!(kind.rows(&mut from, more) == kind.rows(&mut to, more));
        // What was restored can be dumped, and is the same again.
        assert!(self::dump(&to, options) == dump);
    }
}

fn a_copy_keeps_every_byte(kind: &Kind) {
    let mut db = Db::with(&kind.sql(DATA));
    for format in ["text", "csv", "binary"] {
        db.run("DROP TABLE IF EXISTS u; CREATE TABLE u (LIKE t)");
        copy(&mut db, "t", "u", format).expect("a copy");
        db.same_rows("SELECT * FROM t", "SELECT * FROM u");
    }
}

/// Copies a table into another by way of this program.
fn copy(db: &mut Db, from: &str, to: &str, format: &str) -> Result<u64, postgres::Error> {
    let mut bytes = Vec::new();
    let out = format!("COPY {from} TO STDOUT (FORMAT {format})");
    db.client.copy_out(&out)?.read_to_end(&mut bytes).expect(&out);
    let sql = format!("COPY {to} FROM STDIN (FORMAT {format})");
    let mut writer = db.client.copy_in(&sql)?;
    writer.write_all(&bytes).expect(&sql);
    writer.finish()
}

#[test]
fn a_column_of_a_precision_keeps_it() {
    let mut from = Db::with(
        "CREATE TABLE t AS SELECT hll_agg(i, 9)::hll(9) AS s FROM generate_series(1, 99) i;
        CREATE TABLE source AS SELECT hll_agg(i, 10) AS s FROM generate_series(1, 99) i",
    );
    for format in ["text", "csv", "binary"] {
        let error = copy(&mut from, "source", "t", format).expect_err("the wrong precision");
        let error = db_error(&error, format);
        assert_eq!(error.code().code(), "22000", "{format}: {}", error.message());
        let message = error.message();
        assert!(message.contains("precision 9") && message.contains("10"), "{format}: {message}");
    }
    let mut to = Db::without_extension();
    cluster().run_tool("psql", &to.name, &["-q", "-o", "/dev/null"], dump(&from, &[]).as_bytes());
    to.fails("UPDATE t SET s = hll_empty(10) + 1", "22000");
    to.run("BEGIN; UPDATE t SET s = hll_empty(10); ROLLBACK");
    assert_eq!(from.rows("SELECT * FROM t"), to.rows("SELECT * FROM t"));
}

/// Waits until the target has all that the source has committed, and then compares their tables.
fn have_the_same(source: &mut Db, target: &mut Db) {
    // Only so that a subscription that fails does not hang the tests; no load makes it this slow.
    let deadline = Instant::now() + Duration::from_secs(900);
    let wait_for = |db: &mut Db, condition: &str| {
        while !db.one::<Option<bool>>(&format!("SELECT ({condition})")).unwrap_or(false) {
            assert!(Instant::now() < deadline, "never true: {condition}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    // Where the next record would be: of the last ones some may not have been written yet.
    let lsn: String = source.one("SELECT pg_current_wal_insert_lsn()::text");
    let name = source.name.clone();
    wait_for(target, "SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel");
    wait_for(
        source,
        &format!(
            "SELECT bool_or(replay_lsn >= '{lsn}') FROM pg_stat_replication
            WHERE application_name = '{name}'"
        ),
    );
    for table in ["rollup", "keyless"] {
        let query = format!("SELECT * FROM {table}");
        let (a, b) = (source.rows(&query), target.rows(&query));
        assert!(a.len() > 3 && a == b, "{table}: {} rows, {} rows", a.len(), b.len());
    }
}

/// A rollup table, and a table without a key, whose rows are told apart by all their columns.
fn replicate(kind: &Kind, binary: bool) {
    let tables = kind.sql(
        "CREATE TABLE rollup (day int PRIMARY KEY, s {T});
        CREATE TABLE keyless (n int, s {T});
        ALTER TABLE keyless REPLICA IDENTITY FULL;",
    );
    let (mut source, mut target) = (Db::with(&tables), Db::with(&tables));
    source.run(&kind.sql(
        "INSERT INTO rollup SELECT g, {T}_agg(i, {P})
            FROM generate_series(0, 6) g, LATERAL generate_series(1, (5 ^ g)::int) i GROUP BY g;
        INSERT INTO keyless SELECT 1, s FROM rollup;
        CREATE PUBLICATION p FOR ALL TABLES",
    ));
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
    have_the_same(&mut source, &mut target);
    source.run(&kind.sql(
        "INSERT INTO rollup VALUES (10, {T}_empty({P}));
        UPDATE rollup SET s = s + 123456789 WHERE day <> 4;
        UPDATE rollup SET s = s || (SELECT {T}_agg(i, {P}) FROM generate_series(9000, 14000) i)
            WHERE day > 4;
        DELETE FROM rollup WHERE day = 2;
        UPDATE keyless SET s = s + 5000000 WHERE {COUNT}(s) < 50;
        UPDATE keyless SET n = 2 WHERE {COUNT}(s) > 50;
        DELETE FROM keyless WHERE {COUNT}(s) BETWEEN 80 AND 200;
        INSERT INTO keyless VALUES (3, NULL), (4, {T}_empty())",
    ));
    have_the_same(&mut source, &mut target);
    target.run(&format!("DROP SUBSCRIPTION {name}"));
}

fn a_rollup_is_replicated_as_text(kind: &Kind) {
    replicate(kind, false);
}

fn a_rollup_is_replicated_in_binary(kind: &Kind) {
    replicate(kind, true);
}
