//! Look-ups in stored `bloom` filters, of which as little as possible is read: the answers are those of
//! the whole filter, wherever it lies and whatever was looked into before.

use crate::db::Db;

/// Filters of every layout and form, those with an `s` in the name sparse, and keys of which every
/// third is in them. The keys of the first filter are one group, those of the others many.
const FILTERS: &str = "
    CREATE TABLE f AS
        SELECT name, bloom_agg(i * 3, capacity, rate) AS s
        FROM (VALUES ('few s', 500000, 0.01, 900), ('split s', 500000, 0.01, 30000),
            ('classic s', 500000, 0.001, 30000), ('split', 30000, 0.01, 30000),
            ('classic', 30000, 0.001, 30000), ('over', 3000, 0.01, 30000)) v (name, capacity, rate, n),
            LATERAL generate_series(1, n) i
        GROUP BY name;
    INSERT INTO f VALUES ('empty', bloom_empty(30000));
    CREATE TABLE k AS SELECT i AS v FROM generate_series(1, 100000) i;
    CREATE TABLE plain AS SELECT name, s::bytea AS b FROM f;
    ANALYZE;";

/// Tables with the filters in every kind of storage. The bits compress hardly, and the filter that
/// is mostly zero much.
const STORAGES: [&str; 4] = ["external", "extended", "main", "plain"];

fn stored_as(db: &mut Db, storage: &str) {
    // A page holds the small filters alone in the row.
    let which = if storage == "plain" { "WHERE length(b) < 7000" } else { "" };
    db.run(&format!(
        "DROP TABLE IF EXISTS t; CREATE TABLE t (name text, s bloom);
        ALTER TABLE t ALTER s SET STORAGE {storage};
        INSERT INTO t SELECT name, b::bloom FROM plain {which};
        ANALYZE t"
    ));
}

#[test]
fn the_filters_are_what_the_other_tests_take_them_for() {
    let mut db = Db::with(FILTERS);
    db.none("SELECT FROM f, bloom_info(s) i WHERE (i.form = 'sparse') <> (name LIKE '% s')");
    db.none(
        "SELECT FROM f, bloom_info(s) i
        WHERE i.layout <> 'classic' AND name LIKE 'classic%' OR i.layout <> 'split-block'
            AND name LIKE 'split%' OR i.over_capacity <> (name = 'over')",
    );
    db.none("SELECT FROM f, generate_series(3, 2700, 3) v WHERE name <> 'empty' AND NOT s @> v");
}

#[test]
fn every_storage_gives_the_answers_of_the_whole_filter() {
    let mut db = Db::with(FILTERS);
    for storage in STORAGES {
        stored_as(&mut db, storage);
        // A filter against many keys, which is read whole after some, and many filters by turns
        // against a key, where no filter is looked into twice in a row.
        for order in ["name, v", "v, name"] {
            db.same_rows(
                &format!(
                    "SELECT name, v, s @> v, v <@ s
                    FROM (SELECT * FROM t, k WHERE v % 11 = 0 ORDER BY {order} OFFSET 0) o"
                ),
                "SELECT name, v, whole @> v, v <@ whole
                FROM t JOIN (SELECT name, b::bloom AS whole FROM plain OFFSET 0) p USING (name), k
                WHERE v % 11 = 0",
            );
        }
        db.none(
            "SELECT FROM t, k WHERE name <> 'empty' AND v % 3 = 0 AND v <= 2700 AND NOT s @> v",
        );
        db.none("SELECT FROM t, k WHERE name = 'empty' AND s @> v");
        // Sparse filters are as good as exact: a hundred times better than one in a hundred.
        db.holds("SELECT count(*) < 100 FROM t, k WHERE name LIKE '% s' AND v % 3 <> 0 AND s @> v");
    }
}

#[test]
fn a_mostly_zero_filter_is_compressed_and_answers() {
    // An intersection may look so: the bits of a full filter, but for the last ones cleared. The
    // server gives up where the first kilobyte does not compress, so those come last.
    let mut db = Db::with(
        "CREATE TABLE t (s bloom);
        ALTER TABLE t ALTER s SET STORAGE extended;
        WITH made AS (
            SELECT bloom_agg(i, 100000)::bytea AS b FROM generate_series(1, 90000) i)
        INSERT INTO t SELECT (substr(b, 1, 16) || decode(repeat('00', length(b) - 5016), 'hex')
            || substr(b, length(b) - 4999))::bloom FROM made",
    );
    db.holds("SELECT (bloom_info(s)).form = 'dense' AND (bloom_info(s)).fill < 0.05 FROM t");
    db.holds("SELECT pg_column_size(s) < length(s::bytea) / 10 FROM t");
    let whole = "(SELECT s::bytea::bloom AS whole FROM t OFFSET 0) w";
    db.none(&format!(
        "SELECT FROM t, {whole}, generate_series(1, 300000, 7) v WHERE (s @> v) <> (whole @> v)"
    ));
    // Of the keys whose blocks are left, a twenty-fifth, all are held.
    db.holds(
        "SELECT count(*) BETWEEN 2000 AND 6000 FROM t, generate_series(1, 90000) v WHERE s @> v",
    );
}

#[test]
fn a_year_of_filters_answers_by_turns() {
    let mut db = Db::with(
        "CREATE TABLE days AS
            SELECT d, bloom_agg(d * 1000 + i, 2000) AS s
            FROM generate_series(1, 365) d, generate_series(1, 40 + d * 5) i GROUP BY d;
        CREATE TABLE keys AS SELECT d * 1000 + d AS v FROM generate_series(1, 365, 9) d
            UNION ALL SELECT -d FROM generate_series(1, 20) d;
        ANALYZE",
    );
    db.holds("SELECT count(DISTINCT (bloom_info(s)).form) = 2 FROM days");
    for order in ["d, v", "v, d", "v % 7, d", "d % 7, v"] {
        db.same_rows(
            &format!(
                "SELECT d, v, s @> v
                FROM (SELECT * FROM days, keys ORDER BY {order} OFFSET 0) o"
            ),
            "SELECT d, v, whole @> v
            FROM (SELECT d, s::bytea::bloom AS whole FROM days OFFSET 0) w, keys",
        );
    }
    db.none("SELECT FROM days, keys WHERE v = d * 1000 + d AND NOT s @> v");
    // 365 times a hundredth for each of the keys, of which there are sixty.
    db.holds("SELECT count(*) < 400 FROM days, keys WHERE v / 1000 <> d AND s @> v");
}

#[test]
fn an_update_between_two_looks_is_seen() {
    // One place in the function looks, changes what it looked into, and looks again: filters in
    // the row, out of line and in a variable; often enough that each has been kept.
    let mut db = Db::with(FILTERS);
    db.run(
        "CREATE FUNCTION missing(filter_name text, turns int) RETURNS int LANGUAGE plpgsql AS $$
        DECLARE
            missing int := 0;
            held bloom;
            found bool;
        BEGIN
            SELECT s INTO held FROM t WHERE name = filter_name;
            FOR i IN 1..turns LOOP
                FOR after IN 0..1 LOOP
                    FOR look IN 1..3 LOOP
                        SELECT s @> (5000000 + i) INTO found FROM t WHERE name = filter_name;
                        missing := missing + (NOT found)::int * after;
                        found := held @> (5000000 + i);
                        missing := missing + (NOT found)::int * after;
                    END LOOP;
                    IF after = 0 THEN
                        UPDATE t SET s = s + (5000000 + i) WHERE name = filter_name;
                        held := held + (5000000 + i);
                    END IF;
                END LOOP;
            END LOOP;
            RETURN missing;
        END $$",
    );
    for storage in STORAGES {
        stored_as(&mut db, storage);
        for row in db.rows("SELECT name FROM t") {
            let name = row.trim_matches(['(', ')', '"']);
            let missing: i32 = db.one(&format!("SELECT missing('{name}', 15)"));
            assert_eq!(missing, 0, "{name}, {storage}");
        }
        db.none("SELECT FROM t, generate_series(5000001, 5000015) v WHERE NOT s @> v");
    }
}

#[test]
fn a_table_made_anew_is_looked_into_anew() {
    // A plan that is kept has its call sites kept; what they keep must not outlive the table.
    let mut db = Db::with(
        "CREATE TABLE t AS SELECT bloom_agg(i) AS s FROM generate_series(1, 50000) i;
        PREPARE look AS SELECT count(*) FROM t, generate_series(1, 60000) v WHERE s @> v",
    );
    for from in [1, 60_001, 1, 30_001] {
        db.run(&format!(
            "TRUNCATE t;
            INSERT INTO t SELECT bloom_agg(i) FROM generate_series({from}, {from} + 49999) i"
        ));
        let looked = db.client.simple_query("EXECUTE look").expect("an answer");
        let found = looked.iter().find_map(|message| match message {
            postgres::SimpleQueryMessage::Row(row) => row.get(0)?.parse::<i64>().ok(),
            _ => None,
        });
        let exact = (60_000 - from + 1).clamp(0, 50_000);
        let found = found.expect("a count");
        // Of at most 60,000 others one in a hundred, 600 with a standard deviation of 24.
        assert!((exact..exact + 800).contains(&found), "from {from}: {found}, not {exact}");
    }
}

#[test]
fn one_look_into_a_stored_filter_reads_few_pages() {
    let mut db = Db::with(
        "CREATE TABLE k AS SELECT i::bigint AS v FROM generate_series(1, 1400000) i;
        CREATE TABLE t AS
            SELECT 'split' AS name, bloom_agg(v, 8000000) AS s FROM k
            UNION ALL SELECT 'classic', bloom_agg(v, 5600000, 0.001) FROM k
            UNION ALL SELECT 'sparse', bloom_agg(v, 80000000) FROM k",
    );
    db.run("VACUUM ANALYZE t");
    db.none("SELECT FROM t, bloom_info(s) i WHERE (i.form = 'sparse') <> (name = 'sparse')");
    db.none("SELECT FROM t WHERE name <> 'sparse' AND length(s::bytea) NOT BETWEEN 10e6 AND 11e6");
    for (name, whole) in [("split", 1000), ("classic", 1000), ("sparse", 400)] {
        let mut pages =
            |what: &str| db.pages(&format!("SELECT {what} FROM t WHERE name = '{name}'"));
        assert!(pages("length(s::bytea)") > whole, "{name}");
        for key in [1, 77, 500_000, 1_000_000_007] {
            let look = pages(&format!("s @> {key}::bigint"));
            // Of a classic filter at 0.1 % a byte for each of ten hashes, each by the index.
            let most = if name == "classic" { 60 } else { 30 };
            assert!((1..most).contains(&look), "{name}, {key}: {look} pages");
        }
    }
}
