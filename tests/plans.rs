//! Whatever plan runs a query, the result has the same bytes.

use crate::db::{Db, number_in_plan};
use crate::kinds::{Kind, for_every_type, hll};

for_every_type! {
    parallel_workers_and_leader_give_the_same_bytes,
    parallel_workers_alone_give_the_same_bytes,
    parallel_sorted_groups_give_the_same_bytes,
    hashed_groups_that_spill_give_the_same_bytes_as_sorted_groups,
    parts_of_a_partitioned_table_combine,
    compiled_expressions_give_the_same_bytes,
}

/// Groups of a few values and groups that outgrow the sparse form; sketches of every form.
const DATA: &str = "
    CREATE TABLE r AS
        SELECT i::bigint % 20000 AS v, i % 7 AS few, i % 3000 AS many, 'user ' || i % 20000 AS t
        FROM generate_series(1, 60000) i;
    CREATE TABLE s AS
        SELECT many % 40 AS day, many % 5 AS few, {T}_agg(v, {P}) AS s FROM r GROUP BY many;
    INSERT INTO s SELECT few, few, {T}_agg(v, {P}) FROM r GROUP BY few;
    INSERT INTO s SELECT few, few, {T}_empty() FROM r WHERE v < 100;
    INSERT INTO s SELECT few, few, NULL FROM r WHERE v < 100;
    ALTER TABLE r SET (parallel_workers = 4);
    ALTER TABLE s SET (parallel_workers = 4);
    ANALYZE r, s;";

/// For every type; there is a common state for aggregates of one argument.
const QUERIES: [&str; 12] = [
    "SELECT {T}_agg(v) FROM r",
    "SELECT {T}_agg(v % 50) FROM r",
    "SELECT {T}_agg(v % 55, {LOW}) FROM r",
    "SELECT {T}_agg(nullif(v, v)), {T}_agg(nullif(v, v), {LOW}) FROM r",
    "SELECT {T}_agg(v, {P}), {T}_agg(v), {T}_agg(t) FROM r",
    "SELECT few, {T}_agg(v) FROM r GROUP BY few",
    "SELECT many, {T}_agg(t) FROM r GROUP BY many",
    "SELECT many, {T}_agg(v, {LOW}), {T}_agg(v, {P}) FROM r GROUP BY many",
    "SELECT {T}_merge_agg(s) FROM s",
    "SELECT {T}_merge_agg(s) FROM s WHERE day > 6",
    "SELECT few, {T}_merge_agg(s) FROM s GROUP BY few",
    "SELECT day, {T}_merge_agg(s) FROM s GROUP BY day",
];

const HLL_QUERIES: [&str; 5] = [
    "SELECT hll_agg(nullif(v, v)), approx_count_distinct(nullif(v, v)) FROM r",
    "SELECT approx_count_distinct(v), hll_agg(v), hll_agg(t) FROM r",
    "SELECT few, approx_count_distinct(t) FROM r GROUP BY few",
    "SELECT many, approx_count_distinct(v, 6), hll_agg(v, 6) FROM r GROUP BY many",
    "SELECT hll_merge_agg(hll_reduce(s, 4)) FROM s",
];

/// Calls `test` with a database of the type's data and each of its queries.
fn each_query(kind: &Kind, mut test: impl FnMut(&mut Db, &str)) {
    let mut db = Db::with(&kind.sql(DATA));
    let own = if kind.name == hll.name { &HLL_QUERIES[..] } else { &[] };
    for query in QUERIES.iter().chain(own) {
        test(&mut db, &kind.sql(query));
    }
}

/// Every query gives the same bytes in parallel and by one process.
fn parallel_equals_serial(kind: &Kind, settings: &str) {
    each_query(kind, |db, query| {
        db.serial();
        let serial = kind.rows(db, query);
        db.parallel();
        db.run(settings);
        db.runs_in_parts(query);
        assert!(serial == kind.rows(db, query), "other bytes in parallel: {query}");
    });
}

fn parallel_workers_and_leader_give_the_same_bytes(kind: &Kind) {
    parallel_equals_serial(kind, "");
}

fn parallel_workers_alone_give_the_same_bytes(kind: &Kind) {
    parallel_equals_serial(kind, "SET parallel_leader_participation = off");
}

fn parallel_sorted_groups_give_the_same_bytes(kind: &Kind) {
    parallel_equals_serial(kind, "SET enable_hashagg = off");
}

fn hashed_groups_that_spill_give_the_same_bytes_as_sorted_groups(kind: &Kind) {
    // Groups that are new after memory has filled go to disk; so the bigger groups come one after
    // another, each twice.
    let mut db = Db::with(&kind.sql(
        "CREATE TABLE small AS SELECT i % 20000 AS g, i AS v FROM generate_series(1, 60000) i;
        CREATE TABLE big AS
            SELECT i / 3000 % 20 AS g, i AS v FROM generate_series(0, 119999) i;
        CREATE TABLE sketches AS
            SELECT g % 10000 AS g, {T}_agg(v, {P}) AS s FROM small GROUP BY small.g;
        INSERT INTO sketches SELECT g, {T}_agg(v, {P}) FROM big GROUP BY g;
        ANALYZE;",
    ));
    let own = ["SELECT g, approx_count_distinct(v), hll_agg(v, 5) FROM small GROUP BY g"];
    let own = if kind.name == hll.name { &own[..] } else { &[] };
    let queries = [
        "SELECT g, {T}_agg(v) FROM small GROUP BY g",
        "SELECT g, {T}_agg(v, {P}), {T}_agg(v, {LOW}) FROM small GROUP BY g",
        "SELECT g, {T}_agg(v) FROM big GROUP BY g",
        "SELECT g, {T}_merge_agg(s) FROM sketches GROUP BY g",
    ];
    for query in queries.iter().chain(own) {
        let query = &kind.sql(query);
        db.serial();
        db.run("SET enable_hashagg = off");
        let sorted = kind.rows(&mut db, query);
        db.run("SET enable_hashagg = on; SET enable_sort = off");
        db.run("SET work_mem = '64kB'; SET hash_mem_multiplier = 1");
        let plan = db.plan(query);
        assert!(plan.contains("HashAggregate"), "not hashed: {query}\n{plan}");
        assert!(number_in_plan(&plan, "Batches") > Some(1), "not spilt: {query}\n{plan}");
        assert!(number_in_plan(&plan, "Disk Usage") > Some(0), "not spilt: {query}\n{plan}");
        assert!(sorted == kind.rows(&mut db, query), "other bytes from disk: {query}");
    }
}

fn parts_of_a_partitioned_table_combine(kind: &Kind) {
    let mut db = Db::with(
        "CREATE TABLE p (day int, few int, v bigint) PARTITION BY RANGE (day);
        CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
        CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20);
        CREATE TABLE p3 PARTITION OF p DEFAULT;
        INSERT INTO p SELECT i % 30, i % 7, i % 9000 FROM generate_series(1, 60000) i;
        CREATE TABLE plain AS SELECT * FROM p;
        ANALYZE;",
    );
    for parallel in [false, true] {
        db.serial();
        db.run("SET enable_partitionwise_aggregate = on");
        if parallel {
            db.parallel();
        }
        for group in ["day", "few"] {
            let query = |from: &str| {
                kind.sql(&format!("SELECT {group}, {{T}}_agg(v) FROM {from} GROUP BY {group}"))
            };
            let plan = db.plan(&query("p"));
            assert!(plan.matches("Aggregate").count() >= 3, "not by partition: {plan}");
            assert!(group == "day" || plan.contains("Partial"), "not in parts: {plan}");
            kind.same_rows(&mut db, &query("p"), &query("plain"));
        }
    }
}

fn compiled_expressions_give_the_same_bytes(kind: &Kind) {
    if !Db::new().one::<bool>("SELECT pg_jit_available()") {
        eprintln!("skipped: the server cannot compile expressions");
        return;
    }
    each_query(kind, |db, query| {
        db.serial();
        let interpreted = kind.rows(db, query);
        db.run("SET jit = on; SET jit_above_cost = 0; SET jit_optimize_above_cost = 0");
        assert!(db.plan(query).contains("JIT"), "not compiled: {query}");
        assert!(interpreted == kind.rows(db, query), "other bytes when compiled: {query}");
    });
}
