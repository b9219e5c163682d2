//! Programs beside the database build the bytes that it builds, and read those that it has stored.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    a_stream_job_writes_what_the_aggregate_gives,
}

/// An example of the core, which `cargo test` has built beside this program.
fn example(name: &str, args: &[&str], input: &str) -> String {
    let tests: PathBuf = std::env::current_exe().expect("a program");
    let program = tests.parent().and_then(|deps| deps.parent()).expect("a target directory");
    let mut child = Command::new(program.join("examples").join(name))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{name}: {error}; 'cargo build -p sketch --examples'"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{name} {args:?}");
    writer.join().expect("no panic").expect("the program reads its input");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn a_stream_job_writes_what_the_aggregate_gives(kind: &Kind) {
    let mut db = Db::with(
        "CREATE TABLE events (key text, n bigint, t text);
        INSERT INTO events
            SELECT 'key ' || k, v, 'value ' || v
            FROM generate_series(1, 4) k, generate_series(1, (10 ^ k)::int) i,
                LATERAL (VALUES (i % 7000 * k)) v (v)",
    );
    for (class, column) in [("number", "n"), ("text", "t")] {
        let lines: String = db
            .client
            .query(&format!("SELECT key, {column}::text FROM events ORDER BY n % 10, t"), &[])
            .expect("rows")
            .iter()
            .map(|row| format!("{}\t{}\n", row.get::<_, &str>(0), row.get::<_, &str>(1)))
            .collect();
        db.run(&kind.sql("DROP TABLE IF EXISTS daily; CREATE TABLE daily (key text, s {T})"));
        let rows = example("stream_job", &[kind.name, class], &lines);
        let mut copy = db.client.copy_in("COPY daily FROM STDIN").expect("a copy");
        copy.write_all(rows.as_bytes()).expect("a copy");
        copy.finish().expect("rows of sketches");
        // Byte for byte.
        db.same_rows(
            "SELECT key, s::text FROM daily",
            &kind.sql(&format!("SELECT key, {{T}}_agg({column})::text FROM events GROUP BY key")),
        );
        let stored = cluster_copy(&mut db);
        let answers = example("read_back", &[kind.name], &stored);
        let expected: String = db
            .client
            .query(&kind.sql("SELECT key, {COUNT}(s)::bigint FROM daily ORDER BY key"), &[])
            .expect("rows")
            .iter()
            .map(|row| format!("{}\t{}\n", row.get::<_, &str>(0), row.get::<_, i64>(1)))
            .collect();
        assert_eq!(answers, expected, "{} {class}", kind.name);
    }
}

/// What COPY writes of the sketches.
fn cluster_copy(db: &mut Db) -> String {
    use std::io::Read;
    let mut text = String::new();
    let sql = "COPY (SELECT * FROM daily ORDER BY key) TO STDOUT";
    db.client.copy_out(sql).expect("a copy").read_to_string(&mut text).expect("UTF-8");
    text
}

#[test]
fn a_router_finds_the_owners_that_the_database_finds() {
    let mut db = Db::new();
    let file = std::env::temp_dir().join(format!("ring.{}", std::process::id()));
    for (weight, vnodes) in [("1", 0), ("1 + i % 3", 0), ("i", 0), ("1 + i % 3", 40)] {
        let ring: String = db.one(&format!(
            "SELECT hash_ring_agg('node ' || i, {weight}, {vnodes})::text FROM generate_series(1, 12) i"
        ));
        std::fs::write(&file, &ring).expect("a file");
        let file = file.to_str().expect("a name");
        for (class, key) in [("number", "i * 7919"), ("text", "'user ' || i")] {
            let rows = |column: &str, db: &mut Db| -> String {
                db.one(&format!(
                    "SELECT string_agg({column}, '' ORDER BY i)
                    FROM (SELECT i, {key} AS key FROM generate_series(1, 1000) i) k"
                ))
            };
            let keys = rows("key || E'\\n'", &mut db);
            let owners = rows(
                &format!("array_to_string(hash_ring_nodes('{ring}', key, 3), E'\\t') || E'\\n'"),
                &mut db,
            );
            assert!(example("route", &[file, class, "3"], &keys) == owners, "{class} {weight}");
        }
    }
    std::fs::remove_file(&file).expect("the file");
}
