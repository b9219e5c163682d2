//! The aggregates as SQL defines aggregates: grouping, filters, orders, NULL, no rows.

use crate::db::Db;

const DATA: &str = "
    CREATE TABLE r AS
        SELECT i AS id, i % 4 AS a, chr(97 + i % 3) AS b, nullif(i * 31 % 5003, 7)::bigint AS v,
            'user ' || i % 100 AS t
        FROM generate_series(1, 20000) i;
    ANALYZE r;";

#[test]
fn no_rows_make_an_empty_sketch_and_count_zero() {
    let mut db = Db::with(DATA);
    db.holds("SELECT hll_agg(v) = hll_empty() FROM r WHERE false");
    db.holds("SELECT hll_agg(v, 10) IS NOT NULL FROM r WHERE false");
    db.holds("SELECT hll_cardinality(hll_agg(v, 10)) = 0 FROM r WHERE false");
    db.holds("SELECT hll_merge_agg(NULL::hll) = hll_empty() FROM r WHERE false");
    db.holds("SELECT approx_count_distinct(v) = 0 FROM r WHERE false");
    db.holds("SELECT approx_count_distinct(v, 10) = 0 FROM r WHERE false");
    db.none("SELECT hll_agg(v) FROM r WHERE false GROUP BY a");
}

#[test]
fn nulls_alone_make_an_empty_sketch_and_count_zero() {
    let mut db = Db::with(DATA);
    db.holds("SELECT hll_agg(nullif(v, v)) = hll_empty() FROM r");
    db.holds("SELECT hll_agg(nullif(t, t)) = hll_empty() FROM r");
    db.holds("SELECT hll_agg(nullif(v, v), 10) = hll_empty(10) FROM r");
    db.holds("SELECT hll_merge_agg(NULL::hll) = hll_empty() FROM r");
    db.holds("SELECT approx_count_distinct(nullif(v, v)) = 0 FROM r");
    db.none("SELECT a FROM r GROUP BY a HAVING hll_agg(nullif(v, v)) <> hll_empty()");
}

#[test]
fn nulls_among_values_add_nothing() {
    let mut db = Db::with(DATA);
    db.holds("SELECT hll_agg(v) = hll_agg(v) FILTER (WHERE v IS NOT NULL) FROM r");
    db.holds(
        "SELECT hll_merge_agg(s) = hll_agg(1)
        FROM (VALUES (NULL::hll), (hll_empty() + 1), (NULL), (hll_empty())) t (s)",
    );
}

#[test]
fn an_empty_sketch_takes_the_precision_and_class_of_what_it_meets() {
    let mut db = Db::new();
    for low_or_high in [4, 13, 18] {
        for value in ["1", "'a'::text"] {
            let other = format!("(SELECT hll_agg({value}, {low_or_high}))");
            db.holds(&format!("hll_empty() || {other} = {other}"));
            db.holds(&format!("{other} || hll_empty() = {other}"));
            db.holds(&format!(
                "SELECT hll_merge_agg(s) = {other} FROM (VALUES (hll_empty()), ({other})) t (s)"
            ));
            db.holds(&format!(
                "SELECT hll_merge_agg(s) = {other} FROM (VALUES ({other}), (hll_empty())) t (s)"
            ));
        }
    }
}

#[test]
fn the_first_row_of_a_group_decides_the_precision() {
    let mut db = Db::new();
    let rows = "FROM (VALUES (1, 9, 10), (2, 8, 12), (3, 7, NULL)) t (id, v, p)";
    for (order, first) in [("id", 10), ("id DESC", 13), ("v = 8 DESC, id", 12)] {
        db.holds(&format!(
            "SELECT (hll_info(hll_agg(v, p ORDER BY {order}))).precision = {first} {rows}"
        ));
        db.holds(&format!(
            "SELECT hll_agg(v, p ORDER BY {order}) = (SELECT hll_agg(v, {first}) {rows}) {rows}"
        ));
    }
    db.holds(
        "SELECT array_agg((hll_info(s)).precision ORDER BY p) = '{4,11,18}'
        FROM (SELECT p, hll_agg(v, p) AS s
            FROM generate_series(1, 50) v, unnest('{4,11,18}'::int[]) p
            GROUP BY p) t",
    );
}

#[test]
fn order_and_duplicates_do_not_matter() {
    let mut db = Db::with(DATA);
    for precision in ["", ", 4", ", 9", ", 18"] {
        db.holds(&format!(
            "SELECT hll_agg(DISTINCT v{precision}) = hll_agg(v{precision})
                AND hll_agg(v{precision} ORDER BY v) = hll_agg(v{precision} ORDER BY v DESC)
                AND hll_agg(v{precision} ORDER BY v) = hll_agg(v{precision} ORDER BY id)
                AND approx_count_distinct(DISTINCT v{precision})
                    = approx_count_distinct(v{precision} ORDER BY t)
            FROM r"
        ));
    }
    db.holds(
        "SELECT hll_merge_agg(s ORDER BY n) = hll_merge_agg(s ORDER BY n DESC)
            AND hll_merge_agg(s ORDER BY n) = (SELECT hll_agg(v) FROM r)
        FROM (SELECT id / 900 AS n, hll_agg(v) AS s FROM r GROUP BY 1
            UNION ALL SELECT -a, hll_agg(v) FROM r GROUP BY a) t",
    );
}

#[test]
fn a_filter_counts_only_the_rows_that_pass() {
    let mut db = Db::with(DATA);
    db.holds(
        "SELECT hll_agg(v) FILTER (WHERE a = 1) = (SELECT hll_agg(v) FROM r WHERE a = 1) FROM r",
    );
    db.holds("SELECT hll_agg(v) FILTER (WHERE false) = hll_empty() FROM r");
    db.same_rows(
        "SELECT b, hll_agg(t) FILTER (WHERE a = 1), approx_count_distinct(v) FILTER (WHERE a = 2)
        FROM r GROUP BY b",
        "SELECT b, (SELECT hll_agg(t) FROM r WHERE a = 1 AND b = o.b),
            (SELECT approx_count_distinct(v) FROM r WHERE a = 2 AND b = o.b)
        FROM (SELECT DISTINCT b FROM r) o",
    );
}

#[test]
fn aggregates_of_one_argument_share_a_state_and_agree() {
    let mut db = Db::with(DATA);
    for group in ["", "GROUP BY a", "GROUP BY t"] {
        db.none(&format!(
            "SELECT FROM r {group}
            HAVING hll_cardinality(hll_agg(v)) <> approx_count_distinct(v)
                OR hll_cardinality(hll_agg(v, 6)) <> approx_count_distinct(v, 6)
                OR hll_agg(v) <> hll_reduce(hll_agg(v, 14), 13)"
        ));
    }
}

#[test]
fn grouping_sets_are_their_groups_side_by_side() {
    let mut db = Db::with(DATA);
    let columns = "hll_agg(v), hll_agg(v, 5), approx_count_distinct(t)";
    let by_a = format!("SELECT a, NULL AS b, {columns} FROM r GROUP BY a");
    let by_b = format!("SELECT NULL::int, b, {columns} FROM r GROUP BY b");
    let by_both = format!("SELECT a, b, {columns} FROM r GROUP BY a, b");
    let all = format!("SELECT NULL::int, NULL, {columns} FROM r");
    for settings in ["RESET ALL", "SET enable_hashagg = off", "SET work_mem = '64kB'"] {
        db.run(settings);
        db.same_rows(
            &format!("SELECT a, b, {columns} FROM r GROUP BY GROUPING SETS ((a), (b), ())"),
            &format!("{by_a} UNION ALL {by_b} UNION ALL {all}"),
        );
        db.same_rows(
            &format!("SELECT a, b, {columns} FROM r GROUP BY ROLLUP (a, b)"),
            &format!("{by_both} UNION ALL {by_a} UNION ALL {all}"),
        );
        db.same_rows(
            &format!("SELECT a, b, {columns} FROM r GROUP BY CUBE (a, b)"),
            &format!("{by_both} UNION ALL {by_a} UNION ALL {by_b} UNION ALL {all}"),
        );
    }
}

#[test]
fn sketches_of_parts_merge_to_the_sketch_of_the_whole() {
    let mut db = Db::with(DATA);
    for precision in [4, 8, 13, 18] {
        db.holds(&format!(
            "SELECT hll_merge_agg(s) = (SELECT hll_agg(v, {precision}) FROM r)
            FROM (SELECT hll_agg(v, {precision}) AS s FROM r GROUP BY t) parts"
        ));
        db.holds(&format!(
            "SELECT x || y = (SELECT hll_agg(v, {precision}) FROM r) AND x || y = y || x
                AND x || x = x AND (x || y) || x = x || y
            FROM (SELECT hll_agg(v, {precision}) FILTER (WHERE a = 0) AS x,
                hll_agg(v, {precision}) FILTER (WHERE a > 0) AS y FROM r) parts"
        ));
        db.holds(&format!(
            "SELECT hll_reduce(hll_agg(v, 18), {precision}) = hll_agg(v, {precision}) FROM r"
        ));
    }
}

#[test]
fn a_states_bytes_are_no_result() {
    // An aggregate of a user's own may leave the state as it is; every function takes it.
    let mut db = Db::with(DATA);
    db.run(
        "CREATE AGGREGATE raw_agg (bigint) (SFUNC = hll_agg_trans, STYPE = hll);
        CREATE TABLE s AS SELECT a, raw_agg(v) AS raw, hll_agg(v) AS s FROM r GROUP BY a
            UNION ALL SELECT 9, raw_agg(v), hll_agg(v) FROM r WHERE id < 50",
    );
    db.none("SELECT FROM s WHERE (hll_info(raw)).form <> 'working'");
    db.none("SELECT FROM s WHERE raw::bytea <> s::bytea OR raw::text <> s::text");
    db.none("SELECT FROM s WHERE raw || raw <> s OR hll_merge(raw, NULL) <> s OR raw || s <> s");
    db.none("SELECT FROM s WHERE raw + 5 <> s + 5 OR hll_reduce(raw, 6) <> hll_reduce(s, 6)");
    db.none("SELECT FROM s WHERE hll_cardinality(raw) <> hll_cardinality(s)");
    db.none("SELECT FROM s WHERE hll_bounds(raw)::text <> hll_bounds(s)::text");
    db.holds("SELECT hll_merge_agg(raw) = hll_merge_agg(s) FROM s");
    db.none("SELECT a FROM s GROUP BY a HAVING hll_merge_agg(raw) <> hll_merge_agg(s)");
}
