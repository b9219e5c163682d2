//! Memory follows what the sketches hold.
//!
//! What is measured is the address space of a fresh session's own process, at its largest. The
//! server's program, its libraries and its shared memory are mapped before the measurement, so
//! that the growth is what the session has allocated for itself. The kernel keeps the number
//! exactly, and nothing but the session's own allocations moves it. The peak of resident memory
//! would count the pages of shared buffers that the session happens to touch, and would miss what
//! was allocated and never used.

use std::fs;

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    many_small_groups_take_little_memory,
    memory_does_not_grow_with_the_rows_of_a_group,
    merging_keeps_no_copies_of_what_was_merged,
    a_grouped_merge_takes_what_its_sketches_take,
    long_values_are_not_kept,
}

pub const MB: u64 = 1 << 20;

/// The most address space that the session's process has had, in bytes.
pub fn peak(db: &mut Db) -> u64 {
    // The server loads a library with the first function of it.
    db.run("LOAD 'pg_sketch'");
    let pid: i32 = db.one("SELECT pg_backend_pid()");
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).expect("a peak");
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number");
    kilobytes << 10
}

/// Fails if a query takes a fresh session more than so much memory above its start.
#[track_caller]
fn stays_below(db: &Db, limit: u64, query: &str, plan: &str) {
    let settings = "SET max_parallel_workers_per_gather = 0; SET work_mem = '1GB';
        SET enable_sort = off";
    let mut session = db.another_session();
    session.run(settings);
    let shown = session.plan(query);
    assert!(shown.contains(plan), "no {plan}: {query}\n{shown}");
    let mut session = db.another_session();
    session.run(settings);
    let before = peak(&mut session);
    session.rows(query);
    let used = peak(&mut session) - before;
    assert!(used < limit, "{} kB: {query}", used >> 10);
}

/// 20,000 groups of ten values.
const GROUPS: &str = "
    CREATE TABLE r AS SELECT i % 20000 AS g, i::bigint AS v FROM generate_series(1, 200000) i;
    ANALYZE r";

fn many_small_groups_take_little_memory(kind: &Kind) {
    let db = Db::with(GROUPS);
    for aggregate in ["{COUNT}({T}_agg(v))", "{COUNT}({T}_agg(v, {P}))"] {
        let query = format!("SELECT sum(n) FROM (SELECT {aggregate} AS n FROM r GROUP BY g) t");
        stays_below(&db, 24 * MB, &kind.sql(&query), "HashAggregate");
    }
}

#[test]
fn many_small_counts_take_little_memory() {
    let query = "SELECT sum(n) FROM (SELECT approx_count_distinct(v) AS n FROM r GROUP BY g) t";
    stays_below(&Db::with(GROUPS), 24 * MB, query, "HashAggregate");
}

fn memory_does_not_grow_with_the_rows_of_a_group(kind: &Kind) {
    let db = Db::with(
        "CREATE TABLE r AS SELECT i::bigint % 3000 AS v, 'user ' || i % 3000 AS t
            FROM generate_series(1, 600000) i;
        ANALYZE r",
    );
    let query = kind.sql("SELECT {T}_agg(v), {T}_agg(t), {T}_agg(v, {P}) FROM r");
    stays_below(&db, 3 * MB, &query, "Aggregate");
}

#[test]
fn an_hll_takes_as_much_for_any_number_of_values() {
    let db = Db::with(
        "CREATE TABLE r AS
            SELECT i::bigint AS v, 'user ' || i AS t FROM generate_series(1, 600000) i;
        ANALYZE r",
    );
    let query = "SELECT hll_agg(v), hll_agg(t), approx_count_distinct(v, 16) FROM r";
    stays_below(&db, 3 * MB, query, "Aggregate");
}

fn merging_keeps_no_copies_of_what_was_merged(kind: &Kind) {
    // So many that all together are 60 MB.
    let db = Db::with(&kind.sql(
        "CREATE TABLE s AS SELECT 1 AS n, {T}_agg(i, {P}) AS s FROM generate_series(1, 19000) i;
        ALTER TABLE s ALTER s SET STORAGE EXTERNAL;
        UPDATE s SET s = s || s",
    ));
    let rows: i32 = db.another_session().one("SELECT 60000000 / length(s::bytea) FROM s");
    for merged in [
        "{COUNT}({T}_merge_agg(s))",
        "{COUNT}({T}_merge_agg({T}_add(s, i % 10)))",
        "max({COUNT}({T}_merge(s, s)))",
    ] {
        let query = format!("SELECT {merged} FROM s, generate_series(1, {rows}) i WHERE i + n > 0");
        stays_below(&db, 4 * MB, &kind.sql(&query), "Aggregate");
    }
}

fn a_grouped_merge_takes_what_its_sketches_take(kind: &Kind) {
    let db = Db::with(&kind.sql(
        "CREATE TABLE s AS SELECT i % 20000 AS g, {T}_empty({P}) + i + (i + 1) AS s
            FROM generate_series(1, 60000) i;
        ANALYZE s",
    ));
    let query = "SELECT sum(n) FROM (SELECT {COUNT}({T}_merge_agg(s)) AS n FROM s GROUP BY g) t";
    stays_below(&db, 24 * MB, &kind.sql(query), "HashAggregate");
}

fn long_values_are_not_kept(kind: &Kind) {
    // 200 times 300 kB.
    let db = Db::with(
        "CREATE TABLE r (n int, t text, j jsonb);
        ALTER TABLE r ALTER t SET STORAGE EXTERNAL;
        INSERT INTO r SELECT 1, t, jsonb_build_array(t) FROM repeat('sketch', 50000) t",
    );
    for value in ["t", "t || i", "j", "ARRAY[t]", "ROW(t, i)", "convert_to(t, 'UTF8')"] {
        let query =
            format!("SELECT {{T}}_agg({value}) FROM r, generate_series(1, 200) i WHERE i + n > 0");
        stays_below(&db, 3 * MB, &kind.sql(&query), "Aggregate");
    }
}

#[test]
fn filters_take_memory_for_what_they_hold() {
    // The bits of each of the 20,000 filters would take 1.3 MB.
    let db = Db::with(GROUPS);
    for filter in [
        "bloom_cardinality(bloom_agg(v, 1000000))",
        "bloom_cardinality(bloom_agg(v, 1000000, 0.0001))",
        "cuckoo_count(cuckoo_agg(v, 1000000))",
        "cuckoo_count(cuckoo_agg(v, 1000000, 0.0001))",
    ] {
        let query = format!("SELECT sum(n) FROM (SELECT {filter} AS n FROM r GROUP BY g) t");
        stays_below(&db, 24 * MB, &query, "HashAggregate");
    }
}

#[test]
fn a_big_filter_takes_a_few_times_its_own_size() {
    // 1.3 MB; while it grows there is an old table beside a new one, and text is longer.
    let db = Db::with(
        "CREATE TABLE r AS SELECT i::bigint AS v FROM generate_series(1, 1000000) i; ANALYZE r",
    );
    let query = "SELECT bloom_cardinality(bloom_agg(v, 1000000)) FROM r";
    stays_below(&db, 6 * MB, query, "Aggregate");
    // Without a capacity there are the hashes of the million, up to 24 bytes each.
    let query = "SELECT bloom_cardinality(bloom_agg(v)) FROM r";
    stays_below(&db, 28 * MB, query, "Aggregate");
    // Looks and merges keep nothing of what they have seen.
    db.another_session().run(
        "CREATE TABLE f AS SELECT g, bloom_agg(v, 1000000) AS s FROM r, generate_series(1, 2) g
        GROUP BY g",
    );
    let query = "SELECT count(*) FROM f, generate_series(1, 3000) v WHERE s @> v OR g > v";
    stays_below(&db, 5 * MB, query, "Aggregate");
    let query = "SELECT bloom_cardinality(bloom_merge_agg(s)) FROM f, generate_series(1, 100)";
    stays_below(&db, 5 * MB, query, "Aggregate");
}
