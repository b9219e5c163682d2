//! Sketches over postgres_fdw: what the remote server does, and what travels instead of rows.

use crate::db::{Db, number_in_plan};
use crate::kinds::KINDS;

/// Rows on each of two remote servers, and stored sketches.
const REMOTE: &str = "
    CREATE TABLE facts AS SELECT i AS key, i % 900 AS item, 'user ' || i % 700 AS name,
            gen_random_uuid() AS id
        FROM generate_series(1, 5000) i;
    CREATE TABLE sketches AS SELECT g, hll_agg(v) AS h, bloom_agg(v, 1000) AS f,
            cuckoo_agg(v, 1000) AS c, cms_agg(v) AS m
        FROM generate_series(1, 9) g, generate_series(1, 50) w, LATERAL (SELECT g::bigint * w) t (v)
        GROUP BY g;
    ANALYZE;";

/// A database with foreign tables of two others, in which each side has the extension in the schema
/// `public`. `None` where the server has no postgres_fdw.
fn with_servers() -> Option<(Db, [Db; 2])> {
    let mut db = Db::new();
    if !db.has_extension("postgres_fdw") {
        return None;
    }
    let remotes = [Db::with(REMOTE), Db::with(REMOTE)];
    let socket: String = db.one("SELECT current_setting('unix_socket_directories')");
    for (at, remote) in remotes.iter().enumerate() {
        db.run(&format!(
            "CREATE SERVER s{at} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
                host '{socket}', port '5432', dbname '{}', extensions 'pg_sketch',
                async_capable 'true'
            );
            CREATE USER MAPPING FOR CURRENT_USER SERVER s{at} OPTIONS (user 'postgres');",
            remote.name
        ));
    }
    db.run(
        "IMPORT FOREIGN SCHEMA public LIMIT TO (facts, sketches) FROM SERVER s0 INTO public;
        CREATE TABLE events (shard integer, key integer, item integer, name text, id uuid)
            PARTITION BY LIST (shard);",
    );
    for at in [0, 1] {
        db.run(&format!(
            "CREATE FOREIGN TABLE events_{at} PARTITION OF events FOR VALUES IN ({at})
                SERVER s{at} OPTIONS (table_name 'events')"
        ));
    }
    Some((db, remotes))
}

impl Db {
    /// The one query that a query sends to another server, if all else of its plan is sorting.
    #[track_caller]
    fn remote_query(&mut self, query: &str) -> String {
        let plan = self.remote_plan(query);
        let remote: Vec<_> = plan.lines().filter(|line| line.contains("Remote SQL:")).collect();
        assert_eq!(remote.len(), 1, "{query}\n{plan}");
        assert!(!plan.contains("Filter:") && !plan.contains("Aggregate  "), "{query}\n{plan}");
        remote[0].to_owned()
    }

    #[track_caller]
    fn remote_plan(&mut self, query: &str) -> String {
        let rows = self.client.query(&format!("EXPLAIN (VERBOSE, COSTS OFF) {query}"), &[]);
        let rows = rows.unwrap_or_else(|error| panic!("{query}: {error}"));
        rows.iter().map(|row| row.get::<_, String>(0) + "\n").collect()
    }
}

#[test]
fn the_remote_server_asks_its_sketches() {
    let Some((mut db, [mut remote, _])) = with_servers() else { return };
    for condition in [
        "f @> 6::bigint",
        "6 <@ f",
        "c @> 6",
        "m -> 6 > 0",
        "hll_cardinality(h) > 30",
        "f @> 6::numeric",
    ] {
        let query = format!("SELECT g FROM sketches WHERE {condition}");
        assert!(db.remote_query(&query).contains("WHERE"), "{query}");
        assert_eq!(db.rows(&query), remote.rows(&query), "{query}");
    }
    // A parameter whose value is not known when the query is planned.
    db.run(
        "SET plan_cache_mode = force_generic_plan;
        PREPARE ask (bigint) AS SELECT g FROM sketches WHERE f @> $1",
    );
    assert!(db.remote_query("EXECUTE ask (6)").contains("@>) $1"));
    // postgres_fdw ships nothing whose collation does not come from a remote column.
    let plan = db.remote_plan("SELECT g FROM sketches WHERE f @> 'abc'");
    assert!(plan.contains("Filter: (sketches.f @> 'abc'::text)"), "{plan}");
}

#[test]
fn the_remote_server_aggregates() {
    let Some((mut db, [mut remote, _])) = with_servers() else { return };
    let mut queries: Vec<String> = Vec::new();
    for kind in KINDS {
        queries.extend(
            [
                "SELECT {T}_agg(key) FROM facts",
                "SELECT {T}_agg(id, {LOW}) FILTER (WHERE key < 20) FROM facts",
                "SELECT item % 5 AS i, {T}_agg(name, {P}) FROM facts GROUP BY 1",
            ]
            .map(|query| kind.sql(query)),
        );
    }
    queries.extend(
        [
            "SELECT approx_count_distinct(key), approx_count_distinct(name, 9) FROM facts",
            "SELECT item FROM facts GROUP BY item HAVING approx_count_distinct(name) > 4",
            "SELECT hll_merge_agg(h), bloom_merge_agg(f), cuckoo_merge_agg(c), cms_merge_agg(m)
                FROM sketches WHERE g < 5",
            "SELECT approx_count_distinct(h) FROM sketches",
        ]
        .map(str::to_owned),
    );
    for query in queries {
        db.remote_query(&query);
        assert_eq!(db.rows(&query), remote.rows(&query), "{query}");
    }
    // A row does not travel.
    assert!(!db.remote_plan("SELECT hll_agg((key, item)) FROM facts").contains("SELECT public."));
    // Without the option nothing is known of the functions there, and the rows come.
    db.run("ALTER SERVER s0 OPTIONS (SET extensions '')");
    let plan = db.remote_plan("SELECT hll_agg(key) FROM facts");
    assert!(plan.contains("SELECT key FROM public.facts"), "{plan}");
}

/// A join with a remote table sends a filter of the local keys, and only the rows that pass come.
#[test]
fn a_filter_travels_instead_of_rows() {
    let Some((mut db, _remotes)) = with_servers() else { return };
    db.run(
        "CREATE TABLE dim AS SELECT i * 50 AS key, i % 2 AS color FROM generate_series(1, 60) i;
        ANALYZE dim",
    );
    for filter in ["bloom", "cuckoo"] {
        let reduced = format!("(SELECT {filter}_agg(key) FROM dim WHERE color = 1) @> f.key");
        let query = format!(
            "SELECT f.key FROM facts f JOIN dim d USING (key) WHERE d.color = 1 AND {reduced}"
        );
        let plan = db.remote_plan(&query);
        assert!(
            plan.contains(&format!("WHERE (($1::public.{filter} OPERATOR(public.@>) key))")),
            "{plan}"
        );
        db.same_rows(&query, "SELECT i * 50 AS key FROM generate_series(1, 60, 2) i");
        let moved = db.plan(&format!("SELECT key FROM facts f WHERE {reduced}"));
        let moved = moved.lines().find(|line| line.contains("Foreign Scan")).expect("a scan");
        let rows = number_in_plan(moved, "rows=").expect("rows");
        assert!((30..=130).contains(&rows), "{moved}");
        // As an item of FROM it is a join, which is not shipped.
        let plan = db.remote_plan(&format!(
            "SELECT f.key FROM facts f, (SELECT {filter}_agg(key) AS s FROM dim) x
                WHERE x.s @> f.key"
        ));
        assert!(!plan.contains("$1"), "{plan}");
    }
}

/// Sketches are stored remotely by one update with a filter as its parameter.
#[test]
fn a_sketch_travels_into_an_update() {
    let Some((mut db, [mut remote, _])) = with_servers() else { return };
    let update = "UPDATE sketches
        SET f = f || (SELECT bloom_agg(i::bigint, 1000) FROM generate_series(600, 610) i)";
    assert!(db.remote_query(update).contains("$1::public.bloom"));
    db.run(update);
    remote.holds("SELECT bool_and(f @> 605) FROM sketches");
}

/// Over several servers a partial aggregate is not shipped; a sketch of each server is.
#[test]
fn one_sketch_of_each_server() {
    let Some((mut db, mut remotes)) = with_servers() else { return };
    for (at, remote) in remotes.iter_mut().enumerate() {
        remote.run(&format!(
            "CREATE VIEW events AS SELECT {at} AS shard, key + 3000 * {at} AS key, item, name, id
            FROM facts"
        ));
    }
    let plan = db.remote_plan("SELECT hll_agg(key) FROM events");
    assert!(plan.contains("SELECT key FROM public.events"), "{plan}");
    let by_shard = "SELECT hll_merge_agg(s) AS s
        FROM (SELECT shard, hll_agg(key) AS s FROM events WHERE item > 3 GROUP BY shard) q";
    let by_server = "SELECT hll_merge_agg(s) AS s FROM (
            SELECT hll_agg(key) AS s FROM events_0 WHERE item > 3
            UNION ALL SELECT hll_agg(key) FROM events_1 WHERE item > 3) q";
    db.run("SET enable_partitionwise_aggregate = on");
    for query in [by_shard, by_server] {
        let plan = db.remote_plan(query);
        assert_eq!(plan.matches("public.hll_agg(key)").count(), 2, "{plan}");
        assert!(!plan.contains("SELECT key"), "{plan}");
        db.same_rows(query, "SELECT hll_agg(key) AS s FROM events WHERE item > 3");
    }
}
