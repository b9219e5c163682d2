//! Memory follows what the sketches hold. The peak of a fresh session's own process is measured.

use std::fs;

use crate::db::Db;

const MB: u64 = 1 << 20;

/// The most memory that the session's process has had, in bytes.
pub fn peak(db: &mut Db) -> u64 {
    let pid: i32 = db.one("SELECT pg_backend_pid()");
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number");
    kilobytes << 10
}

/// Fails if a query takes a fresh session more than so much memory above its start.
fn stays_below(db: &Db, limit: u64, settings: &str, query: &str, plan: &str) {
    let mut session = db.another_session();
    session.run("SET max_parallel_workers_per_gather = 0; SET work_mem = '1GB'");
    session.run(settings);
    let shown = session.plan(query);
    assert!(shown.contains(plan), "no {plan}: {query}\n{shown}");
    let mut session = db.another_session();
    session.run("SET max_parallel_workers_per_gather = 0; SET work_mem = '1GB'");
    session.run(settings);
    let before = peak(&mut session);
    session.rows(query);
    let used = peak(&mut session) - before;
    assert!(used < limit, "{} kB: {query}", used >> 10);
}

#[test]
fn many_small_groups_take_little_memory() {
    let db = Db::with(
        "CREATE TABLE r AS SELECT i % 20000 AS g, i::bigint AS v FROM generate_series(1, 200000) i;
        ANALYZE r",
    );
    let query = "SELECT sum(n) FROM (SELECT # hll_agg(v) AS n FROM r GROUP BY g) t";
    stays_below(&db, 60 * MB, "", query, "HashAggregate");
    let query = "SELECT sum(n) FROM (SELECT approx_count_distinct(v) AS n FROM r GROUP BY g) t";
    stays_below(&db, 60 * MB, "", query, "HashAggregate");
    let query = "SELECT sum(n) FROM (SELECT cms_total(cms_agg(v)) AS n FROM r GROUP BY g) t";
    stays_below(&db, 60 * MB, "", query, "HashAggregate");
}

#[test]
fn memory_does_not_grow_with_the_rows_of_a_group() {
    let db = Db::with(
        "CREATE TABLE r AS
            SELECT i::bigint AS v, 'user ' || i AS t FROM generate_series(1, 300000) i;
        ANALYZE r",
    );
    let query = "SELECT hll_agg(v), hll_agg(t), approx_count_distinct(v, 16) FROM r";
    stays_below(&db, 30 * MB, "", query, "Aggregate");
    let query = "SELECT hll_agg(v ORDER BY v DESC, t), count(DISTINCT v) FROM r WHERE v < 1000";
    stays_below(&db, 30 * MB, "", query, "Aggregate");
}

#[test]
fn merging_keeps_no_copies_of_what_was_merged() {
    // 600 times more than 100 kB.
    let db = Db::with(
        "CREATE TABLE s AS SELECT 1 AS n, hll_agg(i, 18) AS s FROM generate_series(1, 300000) i;
        ALTER TABLE s ALTER s SET STORAGE EXTERNAL;
        UPDATE s SET s = s + 0",
    );
    let query = "SELECT # hll_merge_agg(s) FROM s, generate_series(1, 600) i WHERE i + n > 0";
    stays_below(&db, 25 * MB, "", query, "Aggregate");
    let query = "SELECT # hll_merge_agg(hll_add(s, i)) FROM s, generate_series(1, 600) i";
    stays_below(&db, 25 * MB, "", query, "Aggregate");
    let query = "SELECT max(# hll_merge(s, s)) FROM s, generate_series(1, 600) i WHERE i + n > 0";
    stays_below(&db, 25 * MB, "", query, "Aggregate");
}

#[test]
fn long_values_are_not_kept() {
    // 200 times 300 kB.
    let db = Db::with(
        "CREATE TABLE r (n int, t text, j jsonb);
        ALTER TABLE r ALTER t SET STORAGE EXTERNAL;
        INSERT INTO r SELECT 1, t, jsonb_build_array(t) FROM repeat('sketch', 50000) t",
    );
    let rows = "FROM r, generate_series(1, 200) i WHERE i + n > 0";
    for value in ["t", "t || i", "j", "ARRAY[t]", "ROW(t, i)", "convert_to(t, 'UTF8')"] {
        let query = format!("SELECT hll_agg({value}) {rows}");
        stays_below(&db, 25 * MB, "", &query, "Aggregate");
    }
}

#[test]
fn a_grouped_merge_takes_what_its_sketches_take() {
    let db = Db::with(
        "CREATE TABLE s AS SELECT i % 20000 AS g, hll_empty() + i + (i + 1) AS s
            FROM generate_series(1, 60000) i;
        ANALYZE s",
    );
    let query = "SELECT sum(n) FROM (SELECT # hll_merge_agg(s) AS n FROM s GROUP BY g) t";
    stays_below(&db, 60 * MB, "SET enable_sort = off", query, "HashAggregate");
}

#[test]
fn filters_take_memory_for_what_they_hold() {
    // The bits of each of the 20,000 filters would take 1.3 MB.
    let db = Db::with(
        "CREATE TABLE r AS SELECT i % 20000 AS g, i::bigint AS v FROM generate_series(1, 200000) i;
        ANALYZE r",
    );
    for aggregate in ["bloom_agg(v, 1000000)", "bloom_agg(v)", "bloom_agg(v, 1000000, 0.0001)"] {
        let query = format!(
            "SELECT sum(n) FROM (SELECT bloom_cardinality({aggregate}) AS n FROM r GROUP BY g) t"
        );
        stays_below(&db, 60 * MB, "", &query, "HashAggregate");
    }
}

#[test]
fn a_big_filter_takes_a_few_times_its_own_size() {
    // 1.3 MB; while it grows there is an old table beside a new one, and text is longer.
    let db = Db::with(
        "CREATE TABLE r AS SELECT i::bigint AS v FROM generate_series(1, 1000000) i; ANALYZE r",
    );
    let query = "SELECT bloom_cardinality(bloom_agg(v, 1000000)) FROM r";
    stays_below(&db, 12 * MB, "", query, "Aggregate");
    // Without a capacity there are the hashes of the million, up to 24 bytes each.
    let query = "SELECT bloom_cardinality(bloom_agg(v)) FROM r";
    stays_below(&db, 64 * MB, "", query, "Aggregate");
    // Looks and merges keep nothing of what they have seen.
    db.another_session().run(
        "CREATE TABLE f AS SELECT g, bloom_agg(v, 1000000) AS s FROM r, generate_series(1, 2) g
        GROUP BY g",
    );
    let query = "SELECT count(*) FROM f, generate_series(1, 3000) v WHERE s @> v OR g > v";
    stays_below(&db, 25 * MB, "", query, "Aggregate");
    let query = "SELECT bloom_cardinality(bloom_merge_agg(s)) FROM f, generate_series(1, 100)";
    stays_below(&db, 25 * MB, "", query, "Aggregate");
}
