//! The type `bloom`: no value that was added is denied, however the filter was made and kept, and
//! false positives are as rare as was asked for.

use std::io::{Read, Write};

use crate::db::Db;
use crate::memory::{self, MB};

/// A million keys, in sixteen parts.
const KEYS: &str = "
    CREATE TABLE k AS
        SELECT i::bigint AS v, i % 16 AS part FROM generate_series(1, 1000000) i;
    ALTER TABLE k SET (parallel_workers = 4);
    ANALYZE k;";

/// Filters of the million, with and without a capacity: split-block and classic, with keys and
/// with bits.
const BUILDS: [(&str, &str, &str); 5] = [
    ("bloom_agg(v)", "split-block", "dense"),
    ("bloom_agg(v, 1000000)", "split-block", "dense"),
    ("bloom_agg(v, NULL, 0.001)", "classic", "dense"),
    ("bloom_agg(v, 60000000)", "split-block", "sparse"),
    ("bloom_agg(v, 30000000, 0.0001)", "classic", "sparse"),
];

#[test]
fn every_build_of_a_million_keys_holds_them_and_has_the_same_bytes() {
    let mut db = Db::with(KEYS);
    for (build, layout, form) in BUILDS {
        db.serial();
        db.run(&format!("DROP TABLE IF EXISTS f; CREATE TABLE f AS SELECT {build} AS s FROM k"));
        db.holds(&format!(
            "SELECT i.layout = '{layout}' AND i.form = '{form}' FROM f, bloom_info(s) i"
        ));
        assert_eq!(db.one::<i64>("SELECT count(*) FROM k, f WHERE NOT s @> v"), 0, "{build}");
        // The filter of the union is the union of the filters: of parts that each have the
        // capacity, since a part alone would be sized to what it holds.
        if build.contains("000000") {
            db.holds(&format!(
                "(SELECT bloom_merge_agg(s) FROM (SELECT {build} AS s FROM k GROUP BY part) p)
                    = (SELECT s FROM f)"
            ));
            db.holds(&format!(
                "(SELECT bloom_merge(a, b) FROM
                    (SELECT {build} FROM k WHERE part < 5) x (a),
                    (SELECT {build} FROM k WHERE part > 2) y (b)) = (SELECT s FROM f)"
            ));
        }
        db.parallel();
        let parallel = format!("SELECT {build} = (SELECT s FROM f) AS same FROM k");
        db.runs_in_parts(&parallel);
        assert_eq!(db.rows(&parallel), ["(t)"], "{build}");
    }
}

#[test]
fn grouped_builds_hold_every_key_and_have_the_same_bytes() {
    let mut db = Db::with(KEYS);
    for build in ["bloom_agg(v)", "bloom_agg(v, 62500)", "bloom_agg(v, 600000)"] {
        db.serial();
        db.run("SET enable_hashagg = off");
        let query = format!("SELECT part, {build} AS s FROM k GROUP BY part");
        db.run(&format!("DROP TABLE IF EXISTS f; CREATE TABLE f AS {query}"));
        db.run("ANALYZE f");
        db.none(
            "SELECT FROM (SELECT s, v FROM k JOIN f USING (part) ORDER BY part OFFSET 0) o
            WHERE NOT s @> v",
        );
        assert!(db.plan(&query).contains("GroupAggregate"));
        let sorted = db.rows(&query);
        db.run("SET enable_hashagg = on; SET enable_sort = off");
        assert!(db.plan(&query).contains("HashAggregate"));
        assert!(sorted == db.rows(&query), "other bytes when hashed: {build}");
        db.run("SET work_mem = '64kB'; SET hash_mem_multiplier = 1");
        assert!(sorted == db.rows(&query), "other bytes with little memory: {build}");
        db.parallel();
        db.runs_in_parts(&query);
        assert!(sorted == db.rows(&query), "other bytes in parallel: {build}");
    }
}

#[test]
fn every_way_through_a_file_keeps_every_key() {
    let mut db = Db::with(KEYS);
    db.run("CREATE TABLE f (id int, s bloom)");
    for (id, (build, _, _)) in BUILDS.iter().enumerate() {
        db.run(&format!("INSERT INTO f SELECT {id}, {build} FROM k WHERE v <= 200000"));
    }
    for format in ["text", "csv", "binary"] {
        let mut bytes = Vec::new();
        let out = format!("COPY f TO STDOUT (FORMAT {format})");
        db.client.copy_out(&out).expect(&out).read_to_end(&mut bytes).expect(&out);
        db.run("DROP TABLE IF EXISTS g; CREATE TABLE g (LIKE f)");
        let sql = format!("COPY g FROM STDIN (FORMAT {format})");
        let mut writer = db.client.copy_in(&sql).expect(&sql);
        writer.write_all(&bytes).expect(&sql);
        writer.finish().expect(&sql);
        db.none("SELECT FROM f JOIN g USING (id) WHERE f.s <> g.s");
        db.none("SELECT FROM k, g WHERE v <= 200000 AND v % 7 = 0 AND NOT s @> v");
    }
}

#[test]
fn a_key_that_an_update_adds_is_held() {
    let mut db = Db::with(KEYS);
    // Around 32 kB of bits: 4,096 keys are kept as keys, and the next makes them bits.
    db.run(
        "CREATE TABLE f AS
        SELECT n, (SELECT bloom_agg(v, 25000) FROM k WHERE v <= n) AS s
        FROM unnest(ARRAY[1, 4000, 4090, 30000]) n",
    );
    for key in 2_000_000..2_000_020 {
        db.run(&format!("UPDATE f SET s = s + {key}::bigint"));
    }
    db.none("SELECT FROM f, generate_series(2000000, 2000019) key WHERE NOT s @> key");
    db.none("SELECT FROM f JOIN k ON v <= n WHERE NOT s @> v");
    db.none(
        "SELECT FROM f WHERE s <> (SELECT bloom_agg(v, 25000) FROM
            (SELECT v FROM k WHERE v <= n UNION ALL SELECT generate_series(2000000, 2000019)) t)",
    );
    db.holds("SELECT count(DISTINCT (bloom_info(s)).form) = 2 FROM f");
}

/// Measures how often filters of so many keys, filled to their capacity, take other keys for their
/// own. The numbers are fixed, so a run repeats: had they been others, fewer than one run in a
/// million would find more or less than the allowed tenth, five standard deviations of 2,500 hits.
fn errs_as_asked(db: &mut Db, capacity: i64, rate: f64, filters: i64, lookups: i64) {
    let hits: i64 = db.one(&format!(
        "SELECT count(*) FROM
            (SELECT f, bloom_agg(f * 1000000000 + i, {capacity}, {rate}) AS s
                FROM generate_series(1, {filters}::bigint) f, generate_series(1, {capacity}) i
                GROUP BY f OFFSET 0) made,
            LATERAL generate_series(1, {lookups}) i
        WHERE s @> (f * 1000000000 + {capacity} + i)"
    ));
    let expected = rate * (filters * lookups) as f64;
    assert!(expected >= 2500.0);
    let ratio = hits as f64 / expected;
    assert!((ratio - 1.0).abs() < 0.1, "{capacity} keys at {rate}: {ratio} of what was asked");
}

#[test]
fn full_filters_err_as_often_as_asked() {
    let mut db = Db::new();
    for (rate, lookups) in [(0.05, 60_000), (0.01, 300_000), (0.001, 2_600_000)] {
        errs_as_asked(&mut db, 100_000, rate, 1, lookups);
        errs_as_asked(&mut db, 1000, rate, 20, lookups / 20);
        // Filters of ten keys differ among themselves by about as much as their rate, so there
        // are thousands.
        errs_as_asked(&mut db, 10, rate, 5000, lookups / 5000);
    }
}

#[test]
fn beyond_its_capacity_a_filter_works_and_says_how_well() {
    let mut db = Db::new();
    for (capacity, rate) in [(1000, 0.01), (20_000, 0.01), (20_000, 0.001)] {
        for percent in [50, 100, 200, 500] {
            let held = capacity * percent / 100;
            db.run(&format!(
                "DROP TABLE IF EXISTS f; CREATE TABLE f AS
                SELECT bloom_agg(i, {capacity}, {rate}) AS s FROM generate_series(1, {held}) i"
            ));
            db.none(&format!("SELECT FROM f, generate_series(1, {held}) i WHERE NOT s @> i"));
            db.holds(&format!("SELECT (bloom_info(s)).over_capacity = ({percent} > 100) FROM f"));
            db.holds("SELECT (bloom_info(s)).present_error_rate = bloom_error_rate(s) FROM f");
            let said: f64 = db.one("SELECT bloom_error_rate(s) FROM f");
            let lookups = 100_000;
            let hits: i64 = db.one(&format!(
                "SELECT count(*) FROM f, generate_series(1000001, 1000000 + {lookups}) i
                WHERE s @> i"
            ));
            // Six standard deviations, and some for the skew where few are expected.
            let expected = said * f64::from(lookups);
            let off = (hits as f64 - expected).abs();
            assert!(
                off < 6.0 * expected.sqrt() + 6.0,
                "{capacity}, {held}: {hits}, not {expected}"
            );
            assert!(percent == 50 || percent > 100 || (said / rate - 1.0).abs() < 0.3, "{said}");
        }
    }
}

#[test]
fn values_are_counted_exactly_as_keys_and_closely_as_bits() {
    let mut db = Db::new();
    for n in [0, 1, 100, 2000, 10_000, 25_000, 60_000] {
        let (count, form): (i64, String) = {
            let sql = format!(
                "SELECT bloom_cardinality(s), (bloom_info(s)).form
                FROM (SELECT bloom_agg(i, 25000) AS s FROM generate_series(1, {n}) i) t"
            );
            let row = db.client.query_one(&sql, &[]).expect(&sql);
            (row.get(0), row.get(1))
        };
        assert_eq!(
            form,
            if n == 0 {
                "empty"
            } else if n < 4000 {
                "sparse"
            } else {
                "dense"
            }
        );
        // As in linear counting (Whang et al. 1990), with eight bits a value.
        let bits: f64 = db.one::<i32>("SELECT (bloom_size(25000)).bytes").into();
        let bits = 8.0 * bits;
        let load = 8.0 * n as f64 / bits;
        let error = (bits * (load.exp() - load - 1.0)).sqrt() / 8.0;
        let allowed = if form == "dense" { 4.0 * error + 1.0 } else { 0.0 };
        assert!((count - n).abs() as f64 <= allowed, "{n}: {count}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_is_made() {
    let mut db = Db::new();
    db.fails("SELECT bloom_empty(0)", "22023");
    let before = memory::peak(&mut db);
    for sql in [
        "SELECT bloom_agg(1, 1000000000)",
        "SELECT bloom_empty(1000000000)",
        "SELECT bloom_size(1000000000)",
        "SELECT bloom_agg(i, 1000000000, 0.01) FROM generate_series(1, 10) i",
        "SELECT bloom_empty(500000000, 1e-9)",
        "SELECT bloom_empty(9223372036854775807)",
    ] {
        let error = db.fails(sql, "54000");
        let message = error.message();
        assert!(message.contains(" bytes, more than half a gigabyte"), "{message}");
        let hint = error.hint().expect("a hint");
        let fits: Vec<i64> = hint.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(fits.len(), 1, "{hint}");
        assert!(fits[0] > 50_000_000, "{hint}");
    }
    assert!(memory::peak(&mut db) - before < 5 * MB);
    // What the hint says does fit, and one more does not; neither takes memory while there is
    // nothing to hold.
    let error = db.fails("SELECT bloom_size(1000000000)", "54000");
    let hint = error.hint().expect("a hint");
    let most: i64 = hint.split(' ').find_map(|word| word.parse().ok()).expect("a number");
    db.holds(&format!("SELECT (bloom_size({most})).bytes BETWEEN 499000000 AND 500000000"));
    db.fails(&format!("SELECT bloom_size({most} + 1)"), "54000");
    db.holds(&format!("SELECT bloom_agg(i, {most}) @> 3 FROM generate_series(1, 10) i"));
    db.holds(&format!("SELECT length((bloom_empty({most}) + 1)::bytea) < 40"));
    assert!(memory::peak(&mut db) - before < 5 * MB);
}
