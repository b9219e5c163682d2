//! The type `cms`: frequencies are never below the truth, and rarely far above it, however a sketch was made, kept and
//! merged; sums and differences to the byte.

use crate::db::Db;

/// 100,000 rows by a Zipf law of exponent 1 over 50,000 values, in sixteen parts, and how often each
/// value is there: those of 20,000 others are 0. The rows do not depend on chance.
const ZIPF: &str = "
    CREATE TABLE z AS
        SELECT floor(exp(ln(50000) * ((hashint8extended(i, 7) & 1048575) / 1048576.0)::float8))::bigint
            AS v, i % 16 AS part
        FROM generate_series(1, 100000) i;
    CREATE TABLE truth AS SELECT v, count(*) AS n FROM z GROUP BY v;
    INSERT INTO truth SELECT -v, 0 FROM generate_series(1, 20000) v;
    ALTER TABLE z SET (parallel_workers = 4);
    ANALYZE;";

/// Epsilon and delta.
const PARAMS: [(f64, f64); 4] = [(0.001, 0.01), (0.01, 0.05), (0.02, 0.3), (0.0002, 0.001)];

/// The rows and the hashes are fixed, so that nothing here is left to chance. Were the hashes
/// others, the test would hardly fail: the largest share above epsilon N is
/// 0.001 of the values, where delta is 0.3.
#[test]
fn estimates_keep_to_epsilon_and_delta() {
    let mut db = Db::with(ZIPF);
    for (epsilon, delta) in PARAMS {
        db.run(&format!(
            "DROP TABLE IF EXISTS f; CREATE TABLE f AS
                SELECT t.v, n, b.*, cms_unbiased_frequency(s, t.v) AS unbiased
                FROM (SELECT cms_agg(v, {epsilon}, {delta}) AS s FROM z) made, truth t,
                    LATERAL cms_bounds(s, t.v) b"
        ));
        db.none("SELECT FROM f WHERE estimate < n OR upper <> estimate OR lower > estimate");
        db.none("SELECT FROM f WHERE unbiased NOT BETWEEN 0 AND estimate");
        let share: f64 =
            db.one(&format!("SELECT avg((estimate > n + {epsilon} * 100000)::int)::float8 FROM f"));
        let outside: f64 = db.one("SELECT avg((n < lower)::int)::float8 FROM f");
        println!("{epsilon}, {delta}: {share} above epsilon N, {outside} outside of the bounds");
        assert!(share <= delta && outside <= delta, "{epsilon}, {delta}: {share}, {outside}");
        // In a table of many more values than cells the estimate without the share of others errs
        // less.
        if epsilon >= 0.01 {
            db.holds("SELECT avg(abs(unbiased - n)) < avg(estimate - n) / 4 FROM f");
        }
    }
}

#[test]
fn every_plan_and_sixteen_parts_give_the_same_bytes() {
    let mut db = Db::with(ZIPF);
    for aggregate in [
        "cms_agg(v)",
        "cms_agg(v, 0.01)",
        "cms_agg(v, 0.0002, 0.001)",
        "cms_agg(v % 300)",
        "cms_weighted_agg(v, v)",
        "cms_weighted_agg(v % 300, 1 << (part::int * 3), 0.01)",
    ] {
        db.serial();
        db.run(&format!(
            "DROP TABLE IF EXISTS f; CREATE TABLE f AS SELECT {aggregate} AS s FROM z"
        ));
        db.holds(&format!(
            "(SELECT cms_merge_agg(s) FROM (SELECT {aggregate} AS s FROM z GROUP BY part) p)
                = (SELECT s FROM f)"
        ));
        db.holds(&format!(
            "(SELECT cms_merge(a, b) FROM (SELECT {aggregate} FROM z WHERE part < 5) x (a),
                (SELECT {aggregate} FROM z WHERE part >= 5) y (b)) = (SELECT s FROM f)"
        ));
        db.parallel();
        let parallel = format!("SELECT {aggregate} = (SELECT s FROM f) AS same FROM z");
        db.runs_in_parts(&parallel);
        assert_eq!(db.rows(&parallel), ["(t)"], "{aggregate}");
    }
}

#[test]
fn a_weight_is_as_many_rows() {
    let mut db = Db::with(
        "CREATE TABLE w AS
            SELECT i % 90 AS v, nullif((i * 7 % 23)::bigint, 11) AS n FROM generate_series(1, 900) i;
        INSERT INTO w VALUES (NULL, 5), (NULL, NULL), (3, 0), (1000, NULL), (1001, 0)",
    );
    for params in ["", ", 0.001", ", 0.05", ", 0.05, 0.2"] {
        db.same_rows(
            &format!("SELECT cms_weighted_agg(v, n{params}) FROM w"),
            &format!("SELECT cms_agg(v{params}) FROM w, generate_series(1, n)"),
        );
        db.same_rows(
            &format!("SELECT v, cms_weighted_agg(v, n{params}) FROM w WHERE v < 99 GROUP BY v"),
            &format!(
                "SELECT v, cms_agg(v{params}) FROM w, generate_series(1, n) WHERE v < 99
                GROUP BY v"
            ),
        );
    }
    db.holds("SELECT cms_total(cms_weighted_agg(v, n)) = sum(n) FILTER (WHERE v < 99) FROM w");
    db.holds("cms_add(cms_empty(), 7, 3) = cms_empty() + 7 + 7 + 7");
    db.holds("cms_add(cms_empty() + 7, 7, NULL) = cms_empty() + 7");
    // Negative weights undo what came before, and nothing else.
    let weights = "(VALUES (1, 1, 5), (2, 2, 4), (3, 1, -3), (4, 2, -3)) t (o, v, n)";
    db.holds(&format!(
        "SELECT cms_weighted_agg(v, n ORDER BY o) = cms_empty() + 1 + 1 + 2 FROM {weights}"
    ));
    let error =
        db.fails(&format!("SELECT cms_weighted_agg(v, n ORDER BY n) FROM {weights}"), "22000");
    assert!(error.message().contains("cannot") && error.hint().is_some(), "{error}");
    // Of a value that is NULL no weight matters.
    db.holds("SELECT cms_weighted_agg(NULL::int, -1::bigint) = cms_empty() FROM w");
}

#[test]
fn a_total_past_the_largest_bigint_is_refused_and_changes_nothing() {
    let mut db = Db::with(
        "CREATE TABLE t AS
            SELECT 'list' AS form, cms_empty() + 1 + 2 AS s
            UNION ALL SELECT 'table', cms_agg(i, 0.01) FROM generate_series(1, 3000) i;
        CREATE TABLE before AS SELECT * FROM t;",
    );
    let most = i64::MAX;
    for form in ["list", "table"] {
        for change in [
            format!("cms_add(s, 1, {most})"),
            format!(
                "s || (SELECT cms_weighted_agg(1, {most}, e) FROM (SELECT (cms_info(s)).epsilon) i (e))"
            ),
        ] {
            let sql = format!("UPDATE t SET s = {change} WHERE form = '{form}'");
            let error = db.fails(&sql, "54000");
            assert!(error.message().contains(&most.to_string()), "{sql}: {}", error.message());
            assert!(error.hint().is_some(), "{sql}");
        }
        db.run(&format!(
            "UPDATE t SET s = cms_add(s, 1, {most} - cms_total(s)) WHERE form = '{form}'"
        ));
        db.fails(&format!("SELECT s + 5 FROM t WHERE form = '{form}'"), "54000");
        db.run(&format!(
            "UPDATE t SET s = cms_add(s, 1, -({most} - cms_total(b))) FROM
                (SELECT s AS b FROM before WHERE form = '{form}') o WHERE form = '{form}'"
        ));
        db.same_rows("SELECT * FROM t", "SELECT * FROM before");
    }
    db.fails(&format!("SELECT cms_weighted_agg(i, {most}) FROM generate_series(1, 2) i"), "54000");
    db.holds(&format!("cms_weighted_agg(1, {most}) -> 1 = {most}"));
}

#[test]
fn what_is_not_there_cannot_be_taken_away() {
    let mut db = Db::with(
        "CREATE TABLE t AS
            SELECT 'list' AS form, cms_agg(i % 9, 0.01) AS s FROM generate_series(1, 30) i
            UNION ALL SELECT 'table', cms_agg(i, 0.01) FROM generate_series(1, 3000) i;",
    );
    for form in ["list", "table"] {
        for change in [
            "cms_add(s, 5, -1000)",
            "s - cms_weighted_agg(5, 900, 0.01)",
            "cms_subtract(s, s + 5)",
            "cms_subtract(s, s || s)",
            "cms_empty() - s",
        ] {
            let sql = format!("SELECT {change} FROM t WHERE form = '{form}' GROUP BY s");
            let error = db.fails(&sql, "22000");
            assert!(error.hint().is_some_and(|hint| hint.contains("added")), "{sql}: {error}");
        }
    }
    db.none("SELECT FROM t WHERE s - s <> cms_empty(0.01)");
    db.none("SELECT FROM t WHERE (s + 5) - s IS NULL OR s - NULL <> s OR NULL - s IS NOT NULL");
    db.none("SELECT FROM t WHERE cms_add(s + 5, 5, -1) <> s");
    // A sum of parts less one of them is the sum of the others.
    db.run(
        "CREATE TABLE parts AS SELECT i % 3 AS part, cms_agg(i % 2000, 0.01) AS s
            FROM generate_series(1, 9000) i GROUP BY part",
    );
    db.holds(
        "(SELECT cms_merge_agg(s) FROM parts) - (SELECT s FROM parts WHERE part = 1)
            = (SELECT cms_merge_agg(s) FROM parts WHERE part <> 1)",
    );
}

#[test]
fn an_inner_product_is_an_upper_bound_within_its_error() {
    let mut db = Db::with(ZIPF);
    db.run("CREATE TABLE y AS SELECT v, v % 5 + 1 AS n FROM truth WHERE v % 3 = 0 AND v > 0");
    for params in ["0.001, 0.01", "0.01, 0.01", "0.05, 0.05"] {
        db.holds(&format!(
            "SELECT p.estimate >= exact AND p.estimate - p.error <= exact
                AND abs(p.error - (cms_info(a)).epsilon * 100000 * cms_total(b)) < 1
            FROM (SELECT cms_agg(v, {params}) AS a FROM z) a,
                (SELECT cms_weighted_agg(v, n, {params}) AS b FROM y) b,
                (SELECT sum(t.n * y.n) AS exact FROM truth t JOIN y USING (v)) e,
                cms_inner_product(a, b) p"
        ));
    }
    // Two lists are exact, above 2^64 too.
    db.holds(
        "SELECT p.estimate = 4611686018427387904::numeric * 3 + 8 AND p.error = 0
        FROM cms_inner_product(
            cms_add(cms_add(cms_empty(), 1, 4611686018427387904), 2, 4) + 9,
            cms_add(cms_add(cms_empty(), 1, 3), 2, 2) + 8) p",
    );
    let largest = "cms_add(cms_empty(), 1, 9223372036854775807)";
    db.holds(&format!(
        "(cms_inner_product({largest}, {largest})).estimate = 9223372036854775807::numeric ^ 2"
    ));
    db.fails("SELECT cms_inner_product(cms_empty(0.1) + 1, cms_empty() + 1)", "22000");
}

#[test]
fn few_values_take_few_bytes() {
    let mut db = Db::new();
    db.holds("(SELECT octet_length(cms_agg(i)::bytea) < 150 FROM generate_series(1, 10) i)");
    db.holds(
        "(SELECT octet_length(cms_weighted_agg(i, i * 1000)::bytea) < 150
        FROM generate_series(1, 10) i)",
    );
    // A million Zipf values at the default parameters.
    db.holds(
        "(SELECT octet_length(cms_agg(floor(exp(ln(50000)
            * ((hashint8extended(i, 7) & 1048575) / 1048576.0)::float8)))::bytea) < 25000
        FROM generate_series(1, 1000000) i)",
    );
}

#[test]
fn look_ups_in_a_join_are_those_of_each_sketch_alone() {
    let mut db = Db::with(ZIPF);
    db.run(
        "CREATE TABLE s AS
            SELECT part::text AS name, cms_agg(v, 0.001) AS s FROM z GROUP BY part
            UNION ALL SELECT 'few', cms_agg(v % 10) FROM z UNION ALL SELECT 'list', cms_agg(v % 500) FROM z
            UNION ALL SELECT 'huge', cms_agg(v, 0.00002) FROM z
            UNION ALL SELECT 'empty', cms_empty() UNION ALL SELECT 'none', NULL;
        ANALYZE s",
    );
    let asked = "(SELECT v FROM truth WHERE v % 97 = 0 OR v BETWEEN -5 AND 20) k";
    for storage in ["external", "extended", "main"] {
        db.run(&format!(
            "DROP TABLE IF EXISTS t; CREATE TABLE t (name text, s cms);
            ALTER TABLE t ALTER s SET STORAGE {storage};
            INSERT INTO t SELECT * FROM s;
            ANALYZE t"
        ));
        // Many values asked of one sketch, and one of many sketches by turns.
        for order in ["name, v", "v, name"] {
            db.same_rows(
                &format!(
                    "SELECT name, v, s -> v, cms_bounds(s, v), cms_unbiased_frequency(s, v)
                    FROM (SELECT * FROM t, {asked} ORDER BY {order} OFFSET 0) o"
                ),
                &format!(
                    "SELECT name, v, whole -> v, cms_bounds(whole, v), cms_unbiased_frequency(whole, v)
                    FROM (SELECT name, s::bytea::cms AS whole FROM s OFFSET 0) p, {asked}"
                ),
            );
        }
        db.none(
            "SELECT FROM t, truth WHERE name = 'huge' AND truth.v % 20 = 0 AND s -> truth.v < n",
        );
    }
}
