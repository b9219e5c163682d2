//! The aggregates as SQL defines aggregates: grouping, filters, orders, NULL, no rows.

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    no_rows_make_an_empty_sketch,
    nulls_alone_make_an_empty_sketch,
    nulls_among_values_add_nothing,
    an_empty_sketch_takes_the_parameters_and_class_of_what_it_meets,
    every_row_of_a_group_asks_for_the_same,
    order_does_not_matter,
    a_filter_takes_only_the_rows_that_pass,
    grouping_sets_are_their_groups_side_by_side,
    sketches_of_parts_merge_to_the_sketch_of_the_whole,
    a_states_bytes_are_no_result,
}

/// 4,999 values, each several times.
const DATA: &str = "
    CREATE TABLE r AS
        SELECT i AS id, i % 4 AS a, chr(97 + i % 3) AS b, nullif(i * 31 % 5003, 7)::bigint AS v,
            'user ' || i % 100 AS t
        FROM generate_series(1, 20000) i;
    ANALYZE r;";

fn no_rows_make_an_empty_sketch(kind: &Kind) {
    let mut db = Db::with(DATA);
    for condition in [
        "{T}_agg(v) = {T}_empty()",
        "{T}_agg(v, {P}) IS NOT NULL",
        "{COUNT}({T}_agg(v, {P})) = 0",
        "({T}_info({T}_agg(v, {P}))).form = 'empty'",
        "{T}_merge_agg(NULL::{T}) = {T}_empty()",
    ] {
        db.holds(&kind.sql(&format!("SELECT {condition} FROM r WHERE false")));
    }
    db.none(&kind.sql("SELECT {T}_agg(v) FROM r WHERE false GROUP BY a"));
}

fn nulls_alone_make_an_empty_sketch(kind: &Kind) {
    let mut db = Db::with(DATA);
    for condition in [
        "{T}_agg(nullif(v, v)) = {T}_empty()",
        "{T}_agg(nullif(t, t)) = {T}_empty()",
        "{T}_agg(nullif(v, v), {P}) = {T}_empty({P})",
        "{T}_merge_agg(NULL::{T}) = {T}_empty()",
    ] {
        db.holds(&kind.sql(&format!("SELECT {condition} FROM r")));
    }
    db.none(&kind.sql("SELECT a FROM r GROUP BY a HAVING {T}_agg(nullif(v, v)) <> {T}_empty()"));
}

fn nulls_among_values_add_nothing(kind: &Kind) {
    let mut db = Db::with(DATA);
    db.holds(&kind.sql("SELECT {T}_agg(v) = {T}_agg(v) FILTER (WHERE v IS NOT NULL) FROM r"));
    db.holds(&kind.sql(
        "SELECT {T}_merge_agg(s) = {T}_empty({P}) + 1
        FROM (VALUES (NULL::{T}), ({T}_empty({P}) + 1), (NULL), ({T}_empty({P}))) t (s)",
    ));
}

fn an_empty_sketch_takes_the_parameters_and_class_of_what_it_meets(kind: &Kind) {
    let mut db = Db::new();
    for params in ["{LOW}", "{P}"] {
        for value in ["1", "'a'::text"] {
            let other = kind.sql(&format!("(SELECT {{T}}_agg({value}, {params}))"));
            let empty = kind.sql("{T}_empty()");
            db.holds(&format!("{empty} || {other} = {other} AND {other} || {empty} = {other}"));
            for rows in [format!("({empty}), ({other})"), format!("({other}), ({empty})")] {
                db.holds(&kind.sql(&format!(
                    "SELECT {{T}}_merge_agg(s) = {other} FROM (VALUES {rows}) t (s)"
                )));
            }
        }
    }
}

/// The lists of parameters of the two halves of the rows, as columns `p` and `q`; a type whose
/// aggregate has one parameter uses `p` alone.
fn every_row_of_a_group_asks_for_the_same(kind: &Kind) {
    let mut db = Db::with(
        "CREATE TABLE n AS SELECT i % 4 AS g, i AS v FROM generate_series(1, 4000) i; ANALYZE n",
    );
    // As many as the shorter list.
    let lists = ["{P}", "{LOW}"].map(|list| kind.sql(list));
    let many = lists.iter().map(|list| list.split(", ").count()).min().expect("a list");
    let [p, low] = [0, 1].map(|list| lists[list].split(", ").take(many).collect::<Vec<_>>());
    let asked: Vec<String> =
        (0..many).map(|i| format!("CASE WHEN {{C}} THEN {} ELSE {} END", p[i], low[i])).collect();
    let asked = asked.join(", ");
    for condition in ["v <= 2000", "v > 2000", "v < 4000", "v <> 1", "g < 2"] {
        let asked = asked.replace("{C}", condition);
        // Also where the other row brings no value.
        for value in ["v % 40", "nullif(v, 1) % 40", "nullif(v, 4000) % 40"] {
            for call in [
                format!("SELECT {{T}}_agg({value}, {asked}) FROM n"),
                format!("SELECT {{T}}_agg({value}, {asked} ORDER BY v DESC) FROM n"),
                format!("SELECT {{T}}_agg({value}, {asked}) OVER () FROM n"),
                format!("SELECT g % 2, {{T}}_agg({value}, {asked}) FROM n GROUP BY 1"),
            ] {
                let error = db.fails(&kind.sql(&call), "22023");
                let named = |list: &[&str]| list.iter().all(|word| error.message().contains(word));
                // A cms names the epsilon and delta of its cells.
                let are_named = kind.name == "cms" || named(&p) && named(&low);
                assert!(are_named, "{}", error.message());
                let hint = error.hint().expect("a hint");
                assert!(hint.contains(&kind.sql("{T}_agg((a, b))")), "{hint}");
            }
        }
    }
    // Each group has its own.
    let asked = asked.replace("{C}", "g < 2");
    db.same_rows(
        &kind.sql(&format!("SELECT g, {{T}}_agg(v % 40, {asked})::text FROM n GROUP BY g")),
        &kind.sql(&format!(
            "SELECT g, {{T}}_agg(v % 40, {})::text FROM n WHERE g < 2 GROUP BY g
            UNION ALL SELECT g, {{T}}_agg(v % 40, {})::text FROM n WHERE g >= 2 GROUP BY g",
            p.join(", "),
            low.join(", ")
        )),
    );
}

fn order_does_not_matter(kind: &Kind) {
    let mut db = Db::with(DATA);
    for params in ["", ", {P}"] {
        db.holds(&kind.sql(&format!(
            "SELECT {{T}}_agg(v{params} ORDER BY v) = {{T}}_agg(v{params} ORDER BY v DESC)
                AND {{T}}_agg(v{params} ORDER BY v) = {{T}}_agg(v{params} ORDER BY id)
                AND {{T}}_agg(v{params}) = {{T}}_agg(v{params} ORDER BY t)
            FROM r"
        )));
        if kind.is_set {
            db.holds(&kind.sql(&format!(
                "SELECT {{T}}_agg(DISTINCT v{params}) = {{T}}_agg(v{params}) FROM r"
            )));
        }
    }
    db.holds(&kind.sql(
        "SELECT {T}_merge_agg(s ORDER BY n) = {T}_merge_agg(s ORDER BY n DESC)
            AND {T}_merge_agg(s ORDER BY n) = (SELECT {T}_agg(v, {P}) FROM r)
        FROM (SELECT id / 900 AS n, {T}_agg(v, {P}) AS s FROM r GROUP BY 1) t",
    ));
}

fn a_filter_takes_only_the_rows_that_pass(kind: &Kind) {
    let mut db = Db::with(DATA);
    db.holds(&kind.sql(
        "SELECT {T}_agg(v) FILTER (WHERE a = 1) = (SELECT {T}_agg(v) FROM r WHERE a = 1) FROM r",
    ));
    db.holds(&kind.sql("SELECT {T}_agg(v) FILTER (WHERE false) = {T}_empty() FROM r"));
    let a = "SELECT b, {T}_agg(t) FILTER (WHERE a = 1), {T}_agg(v) FILTER (WHERE a = 2)
        FROM r GROUP BY b";
    let b = "SELECT b, (SELECT {T}_agg(t) FROM r WHERE a = 1 AND b = o.b),
            (SELECT {T}_agg(v) FROM r WHERE a = 2 AND b = o.b)
        FROM (SELECT DISTINCT b FROM r) o";
    db.same_rows(&kind.sql(a), &kind.sql(b));
}

fn grouping_sets_are_their_groups_side_by_side(kind: &Kind) {
    let mut db = Db::with(DATA);
    let columns = kind.sql("{T}_agg(v), {T}_agg(v % 50, {LOW}), {T}_agg(t)");
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

fn sketches_of_parts_merge_to_the_sketch_of_the_whole(kind: &Kind) {
    let mut db = Db::with(DATA);
    // Of all values, of which thousands are in several parts, and of a few dozen.
    for (value, params) in [("v", "{P}"), ("v % 50", "{LOW}"), ("t", "{P}")] {
        let agg = kind.sql(&format!("{{T}}_agg({value}, {params})"));
        db.holds(&kind.sql(&format!(
            "SELECT {{T}}_merge_agg(s) = (SELECT {agg} FROM r)
            FROM (SELECT {agg} AS s FROM r GROUP BY t) parts"
        )));
        let of_sets = if kind.is_set { "x || x = x AND (x || y) || x = x || y" } else { "true" };
        db.holds(&format!(
            "SELECT x || y = (SELECT {agg} FROM r) AND x || y = y || x AND {of_sets}
            FROM (SELECT {agg} FILTER (WHERE a = 0) AS x, {agg} FILTER (WHERE a > 0) AS y FROM r) p"
        ));
    }
}

fn a_states_bytes_are_no_result(kind: &Kind) {
    // An aggregate of a user's own may leave the state as it is; every function takes it.
    let mut db = Db::with(DATA);
    let empty: String = db.one(&kind.sql("SELECT {T}_empty({P})::text"));
    db.run(&kind.sql(&format!(
        "CREATE AGGREGATE raw_agg (bigint)
            (SFUNC = _{{T}}_agg_trans, STYPE = {{T}}, INITCOND = '{empty}');
        CREATE TABLE s AS SELECT a, raw_agg(v) AS raw, {{T}}_agg(v, {{P}}) AS s FROM r GROUP BY a
            UNION ALL SELECT 9, raw_agg(v), {{T}}_agg(v, {{P}}) FROM r WHERE id < 50;
        CREATE TABLE v AS SELECT v FROM r WHERE id % 100 = 0"
    )));
    for wrong in [
        "({T}_info(raw)).form <> 'working'",
        "({T}_info(s)).form NOT IN ('sparse', 'dense')",
        "raw::bytea::{T} <> s OR raw::text::{T} <> s OR _{T}_agg_final(raw) <> s",
        "{T}_merge(raw, NULL) <> s OR raw || raw <> s || s OR raw || s <> s || s",
        "raw + 5 <> s + 5",
        "{COUNT}(raw) <> {COUNT}(s)",
    ] {
        db.none(&kind.sql(&format!("SELECT FROM s WHERE {wrong}")));
    }
    if !kind.has_look_ups() {
        return;
    }
    db.none(&kind.sql(
        "SELECT FROM (SELECT raw, s AS rest FROM s OFFSET 0) o, v,
            LATERAL (SELECT {HOLDS} AS of_raw FROM (SELECT raw AS s) x) x,
            LATERAL (SELECT {HOLDS} AS of_rest FROM (SELECT rest AS s) y) y
        WHERE of_raw IS DISTINCT FROM of_rest",
    ));
}
