//! What is true of `hash_ring`.

use crate::db::Db;

/// Clusters of four and five servers, a weighted one, and the same as rings of points.
const CLUSTERS: &str = "
    CREATE TABLE clusters (name text, ring hash_ring);
    INSERT INTO clusters
    SELECT n || '-' || vnodes, hash_ring_agg('server' || i, NULL, vnodes)
    FROM unnest(ARRAY[4, 5]) n, unnest(ARRAY[0, 1, 10, 100]) vnodes, generate_series(1, n) i
    GROUP BY n, vnodes;
    INSERT INTO clusters SELECT 'weighted', hash_ring_agg('server' || i, i) FROM generate_series(1, 4) i;
    INSERT INTO clusters VALUES ('empty', hash_ring_empty());
    INSERT INTO clusters SELECT 'many', hash_ring_agg(md5(i::text)) FROM generate_series(1, 2000) i;
    INSERT INTO clusters SELECT 'points', hash_ring_agg(md5(i::text), 1 + i % 3, 50) FROM generate_series(1, 300) i";

fn cluster(name: &str) -> String {
    format!("(SELECT ring FROM clusters WHERE name = '{name}')")
}

#[test]
fn a_fifth_server_takes_a_fifth_of_the_keys() {
    let mut db = Db::with(CLUSTERS);
    for (vnodes, least, most) in [(0, 1840, 2160), (100, 1500, 2500)] {
        let (old, new) = (cluster(&format!("4-{vnodes}")), cluster(&format!("5-{vnodes}")));
        db.holds(&format!(
            "(SELECT count(*) BETWEEN {least} AND {most} AND bool_and({new} -> k = 'server5')
            FROM generate_series(1, 10000) k WHERE {old} -> k <> {new} -> k)"
        ));
        // As foretold, within five standard deviations.
        db.none(&format!(
            "SELECT FROM hash_ring_moves({old}, {new}) m
            FULL JOIN (SELECT {old} -> k AS from_node, {new} -> k AS to_node, count(*) AS n
                FROM generate_series(1, 10000) k WHERE {old} -> k <> {new} -> k GROUP BY 1, 2) moved
                USING (from_node, to_node)
            WHERE (abs(n - 10000 * share) < 5 * sqrt(10000 * share)) IS NOT TRUE"
        ));
    }
}

#[test]
fn owners_are_the_same_however_a_ring_is_stored() {
    let mut db = Db::with(CLUSTERS);
    db.run(
        "CREATE TABLE answers AS SELECT name, k, ring::bytea::hash_ring -> k AS owner
        FROM clusters, generate_series(1, 60) k",
    );
    for storage in ["plain", "external", "extended", "main"] {
        db.run(&format!(
            "DROP TABLE IF EXISTS t; CREATE TABLE t (name text, ring hash_ring);
            ALTER TABLE t ALTER ring SET STORAGE {storage};
            INSERT INTO t SELECT * FROM clusters WHERE '{storage}' <> 'plain' OR length(ring::bytea) < 8000;
            ANALYZE t"
        ));
        // Many keys asked of one ring, and one of many rings by turns.
        for order in ["name, k", "k, name"] {
            db.none(&format!(
                "SELECT FROM (SELECT name, k, ring -> k AS owner,
                        (hash_ring_nodes(ring, k, 2))[1] AS first
                    FROM (SELECT * FROM t, generate_series(1, 60) k ORDER BY {order} OFFSET 0) o) a
                JOIN answers USING (name, k)
                WHERE a.owner IS DISTINCT FROM answers.owner OR first IS DISTINCT FROM a.owner"
            ));
        }
    }
}

#[test]
fn replicas_are_different_nodes_and_the_first_is_the_owner() {
    let mut db = Db::with(CLUSTERS);
    db.none(
        "SELECT FROM clusters, generate_series(1, 50) k, generate_series(0, 6) n,
            LATERAL (SELECT hash_ring_nodes(ring, k, n) AS line) l
        WHERE cardinality(line) <> least(n, (hash_ring_info(ring)).nodes)
            OR (SELECT count(DISTINCT node) FROM unnest(line) node) <> cardinality(line)
            OR n > 0 AND line[1] IS DISTINCT FROM ring -> k",
    );
    // Without the owner the second owns the key.
    db.none(
        "SELECT FROM clusters, generate_series(1, 50) k,
            LATERAL (SELECT hash_ring_nodes(ring, k, 2) AS line) l
        WHERE (ring - line[1]) -> k IS DISTINCT FROM line[2]",
    );
}

#[test]
fn rings_are_sets_of_nodes() {
    let mut db = Db::with(CLUSTERS);
    db.holds("(SELECT hash_ring_agg(n) = hash_ring_agg(n ORDER BY n DESC) FROM unnest('{a,b,c,a}'::text[]) n)");
    db.holds(
        "(SELECT hash_ring_empty() + 'a' + 'b' = hash_ring_agg(n) FROM unnest('{b,a}'::text[]) n)",
    );
    db.none("SELECT FROM clusters WHERE NOT ring + 'x' - 'x' = ring OR NOT ring - 'x' = ring");
    db.none("SELECT FROM clusters WHERE (ring + 'x') || ring <> ring + 'x'");
    db.none(
        "SELECT FROM clusters WHERE name <> 'empty' AND ring <> (
            SELECT hash_ring_agg(node, weight, (hash_ring_info(ring)).vnodes) FROM hash_ring_items(ring))",
    );
    db.holds(
        "(SELECT hash_ring_merge_agg(hash_ring_empty() + n) = hash_ring_agg(n)
        FROM unnest('{a,b,c}'::text[]) n)",
    );
    db.holds("(SELECT hash_ring_agg(n) = hash_ring_empty() FROM unnest('{}'::text[]) n)");
    db.holds(
        "(SELECT hash_ring_agg(n) = hash_ring_empty() + 'a' FROM unnest('{a,NULL}'::text[]) n)",
    );
    db.holds(
        "hash_ring_add(hash_ring_empty() + 'a', 'a', 2) = hash_ring_add(hash_ring_empty(), 'a', 2)",
    );
    db.holds("hash_ring_add(hash_ring_empty(), 'a', NULL) = hash_ring_empty() + 'a'");
    db.holds("hash_ring_add(hash_ring_empty(), NULL, 3) = hash_ring_empty()");
}

#[test]
fn rings_are_built_in_parallel_and_in_groups() {
    let mut db = Db::with(
        "CREATE TABLE nodes AS SELECT i % 50 AS region, 'node' || i % 5000 AS node, 1.0 + i % 5 AS weight
        FROM generate_series(1, 60000) i;
        ANALYZE nodes",
    );
    let query = "SELECT hash_ring_agg(node, weight) FROM nodes";
    let grouped = "SELECT region, hash_ring_agg(node, weight) FROM nodes GROUP BY region";
    db.serial();
    let (serial, groups) = (db.rows(query), db.rows(grouped));
    db.parallel();
    db.runs_in_parts(query);
    assert!(db.rows(query) == serial && db.rows(grouped) == groups);
    db.run("RESET ALL; SET work_mem = '64kB'");
    assert!(db.rows(grouped) == groups);
    db.run("SET enable_hashagg = off");
    assert!(db.rows(grouped) == groups);
    db.holds("(SELECT (hash_ring_info(hash_ring_agg(node, weight))).nodes = 5000 FROM nodes)");
    // The frame of a window grows.
    db.holds(
        "(SELECT bool_and((hash_ring_info(ring)).nodes = n) FROM (
            SELECT hash_ring_agg(n::text) OVER (ORDER BY n) AS ring, n FROM generate_series(1, 200) n) w)",
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let mut db = Db::with(CLUSTERS);
    for weight in ["0", "-1", "'NaN'", "'Infinity'", "'-Infinity'", "1e-31", "1e31"] {
        for call in [
            format!("SELECT hash_ring_add(hash_ring_empty(), 'a', {weight})"),
            format!("SELECT hash_ring_agg('a', {weight})"),
        ] {
            let error = db.fails(&call, "22023");
            assert!(error.hint().is_some(), "{call}");
        }
    }
    for (call, state) in [
        ("hash_ring_empty(-1)", "22023"),
        ("hash_ring_empty(10001)", "22023"),
        ("hash_ring_nodes(hash_ring_empty(), 1, -1)", "22023"),
        ("hash_ring_size(0)", "22023"),
        ("hash_ring_size(10, -1)", "22023"),
        ("consistent_hash(1, 0)", "22023"),
        ("consistent_hash(1, -5)", "22023"),
        ("hash_ring_add(hash_ring_empty(10000) + 'a', 'b', 1000)", "54000"),
        ("(hash_ring_empty() + 'a') || (hash_ring_empty(5) + 'a')", "22000"),
        ("hash_ring_add(hash_ring_empty(), 'a', 2) || (hash_ring_empty() + 'a')", "22000"),
        ("hash_ring_agg('a', i) FROM generate_series(1, 2) i", "22000"),
        ("hash_ring_agg('a' || i, 1, i) FROM generate_series(1, 2) i", "22023"),
        ("(hash_ring_empty() + 'a') -> hash_ring_empty()", "42804"),
        ("(hash_ring_empty() + 'a') -> '{}'::json", "42804"),
    ] {
        let error = db.error(&format!("SELECT {call}"));
        // What is no value has its own code, which the tests of values pin.
        if state != "42804" {
            assert_eq!(error.code().code(), state, "{call}: {}", error.message());
        }
        assert!(error.hint().is_some(), "{call}: {}", error.message());
    }
    // A name that is no text in the encoding of the database does not come out.
    for call in ["hash_ring_node(r, 1)", "hash_ring_nodes(r, 1, 1)", "hash_ring_items(r)"] {
        db.fails(
            &format!("SELECT {call} FROM (VALUES ('\\x72110300010001ff'::hash_ring)) v (r)"),
            "22021",
        );
    }
}

#[test]
fn keys_without_a_ring() {
    let mut db = Db::new();
    db.holds("sketch_hash(42) = x'97aa5d1fffc9483a'::bigint AND sketch_hash('abc'::text) = x'601c8b1f1fcd9bcf'::bigint");
    db.holds("sketch_hash(42) = sketch_hash(42.0) AND sketch_hash(42) <> sketch_hash('42')");
    db.holds("sketch_hash(NULL::int) IS NULL AND consistent_hash(NULL::int, 3) IS NULL AND consistent_hash(1, NULL) IS NULL");
    db.holds("(SELECT bool_and(consistent_hash(k, 1) = 0) FROM generate_series(1, 100) k)");
    db.none(
        "SELECT FROM generate_series(1, 2000) k, generate_series(1, 30) n
        WHERE consistent_hash(k, n) NOT BETWEEN 0 AND n - 1
            OR consistent_hash(k, n + 1) NOT IN (consistent_hash(k, n), n)",
    );
    // Partitions and generated columns take both, with a ring that is a literal.
    db.run(
        "CREATE TABLE orders (id bigint, shard int GENERATED ALWAYS AS (consistent_hash(id, 4)) STORED);
        CREATE TABLE parts (id bigint) PARTITION BY LIST (consistent_hash(id, 3));
        CREATE TABLE parts_0 PARTITION OF parts FOR VALUES IN (0);
        CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
        CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
        INSERT INTO orders SELECT generate_series(1, 1000);
        INSERT INTO parts SELECT generate_series(1, 3000)",
    );
    db.none("SELECT FROM orders WHERE shard <> consistent_hash(id, 4)");
    db.holds("(SELECT min(n) > 850 FROM (SELECT count(*) AS n FROM parts GROUP BY tableoid) c)");
    let ring: String = db.one("SELECT hash_ring_agg(n)::text FROM unnest('{a,b}'::text[]) n");
    db.run(&format!(
        "CREATE TABLE routed (id bigint, node text GENERATED ALWAYS AS ('{ring}'::hash_ring -> id) STORED);
        INSERT INTO routed SELECT generate_series(1, 100)"
    ));
    db.holds("(SELECT count(DISTINCT node) = 2 FROM routed)");
}

#[test]
fn shares_and_sizes() {
    let mut db = Db::with(CLUSTERS);
    db.none(
        "SELECT FROM clusters, LATERAL (SELECT sum(share) AS sum FROM hash_ring_items(ring)) i
        WHERE name <> 'empty' AND abs(sum - 1) > 1e-9",
    );
    db.holds("(SELECT count(*) = 0 FROM hash_ring_items(hash_ring_empty()))");
    db.holds("(SELECT count(*) = 0 FROM hash_ring_items(NULL))");
    db.holds("(SELECT count(*) = 0 FROM hash_ring_moves(NULL, hash_ring_empty() + 'a'))");
    db.holds(&format!(
        "(SELECT array_agg(share ORDER BY node) = '{{0.1,0.2,0.3,0.4}}' FROM hash_ring_items({}))",
        cluster("weighted")
    ));
    // Nodes of eight letters.
    db.none(
        "SELECT FROM generate_series(1, 400, 7) n, unnest(ARRAY[0, 5, 300]) v,
            LATERAL (SELECT hash_ring_agg('node' || 1000 + i, 1, v) AS ring
                FROM generate_series(1, n) i) r
        WHERE pg_column_size(ring) <> (hash_ring_size(n, v)).bytes",
    );
    db.holds("(hash_ring_size(10)).expected_max_load = 1 AND (hash_ring_size(10, 1)).expected_max_load > 2.8");
}
