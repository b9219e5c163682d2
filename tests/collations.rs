//! Text whose equality is not that of its bytes counts as it compares.

use crate::db::Db;

#[test]
fn a_column_of_citext_counts_as_citext_compares() {
    let mut db = Db::new();
    if !db.has_extension("citext") {
        return;
    }
    db.run("CREATE TABLE t AS SELECT v::citext FROM (VALUES ('a'), ('A'), ('b')) t (v)");
    db.holds("SELECT approx_count_distinct(v) = 2 AND hll_cardinality(hll_agg(v)) = 2 FROM t");
    db.holds("SELECT approx_count_distinct(v::text) = 3 FROM t");
    db.holds("SELECT count(DISTINCT hll_add(hll_empty(), v)::text) = 2 FROM t");
    db.holds("SELECT count(DISTINCT (hll_empty() + v)::text) = 2 FROM t");
    db.holds(
        "SELECT bool_and(hll_cardinality(s + v) = 2) FROM t, (SELECT hll_agg(v) AS s FROM t) a",
    );
    db.fails("SELECT hll_agg(v) || hll_agg(v::text) FROM t", "22000");
}

#[test]
fn a_constant_of_citext_counts_as_citext_compares() {
    let mut db = Db::new();
    if !db.has_extension("citext") {
        return;
    }
    db.holds("hll_add(hll_empty(), 'A'::citext) = hll_add(hll_empty(), 'a'::citext)");
    db.holds("hll_empty() + 'A'::citext = hll_empty() + 'a'::citext");
    db.holds("hll_empty() + 'A'::text <> hll_empty() + 'a'::text");
    db.holds(
        "hll_cardinality((SELECT hll_agg(v) FROM (VALUES ('A'::citext)) t (v)) + 'a'::citext) = 1",
    );
}

#[test]
fn a_nondeterministic_collation_decides_what_is_equal() {
    let mut db = Db::new();
    if !db.has_icu() {
        return;
    }
    db.run(
        "CREATE COLLATION no_case
            (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE t (plain text, loose text COLLATE no_case, padded char(4) COLLATE no_case);
        INSERT INTO t SELECT v, v, v FROM (VALUES ('a'), ('A'), ('b')) t (v)",
    );
    db.holds("SELECT approx_count_distinct(loose) = 2 AND approx_count_distinct(plain) = 3 FROM t");
    db.holds("SELECT approx_count_distinct(padded) = 2 FROM t");
    db.holds("SELECT approx_count_distinct(plain COLLATE no_case) = 2 FROM t");
    db.holds("SELECT approx_count_distinct(loose COLLATE \"C\") = 3 FROM t");
    db.holds("SELECT approx_count_distinct(ARRAY[loose]) = 2 FROM t");
    db.holds("SELECT count(DISTINCT hll_add(hll_empty(), loose)::text) = 2 FROM t");
    db.holds("hll_empty() + 'x' COLLATE no_case = hll_empty() + 'X' COLLATE no_case");
    let states = [
        "SELECT hll_agg(plain) || hll_agg(loose) FROM t",
        "SELECT hll_agg(plain) || hll_agg(padded) FROM t",
        "SELECT hll_add(hll_agg(loose), 'x' COLLATE \"C\") FROM t",
    ];
    for sql in states {
        let error = db.fails(sql, "22000");
        assert!(error.message().contains("collated text"), "{}", error.message());
    }
}
