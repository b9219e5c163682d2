//! Laws that hold for every set of values, over random ones.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::one;

    /// 60 sets of values that overlap, around and far from the change of form at precision 8.
    fn make_sets() {
        Spi::run(
            "SELECT setseed(0.5);
             CREATE TEMP TABLE elements AS
             SELECT id, (random() * 1000)::int AS value
             FROM generate_series(1, 60) AS id, generate_series(1, (id % 12) * (id % 12) * 4) AS n;
             CREATE TEMP TABLE sets AS
             SELECT id, hll_agg(value, 8) AS s
             FROM generate_series(1, 60) AS id LEFT JOIN elements USING (id) GROUP BY id;
             CREATE TEMP TABLE pairs AS
             SELECT a.id AS a_id, a.s AS a, b.id AS b_id, b.s AS b
             FROM sets AS a JOIN sets AS b ON b.id IN (a.id + 1, a.id + 17)",
        )
        .unwrap();
        let forms: i64 = one("SELECT count(DISTINCT (hll_info(s)).form) FROM sets");
        assert_eq!(forms, 3, "the sets are to have every form");
    }

    /// Counts the rows of which a condition does not hold.
    #[track_caller]
    fn holds(condition: &str, from: &str) {
        let failed: i64 =
            one(&format!("SELECT count(*) FROM {from} WHERE ({condition}) IS NOT TRUE"));
        assert_eq!(failed, 0, "{condition}");
    }

    #[pg_test]
    fn merging_is_commutative_and_idempotent() {
        make_sets();
        holds("a || b = (b || a)", "pairs");
        holds("a || b || b = (a || b) AND a || b || a = (a || b)", "pairs");
        holds("s || s = s AND s || hll_empty(8) = s AND hll_empty(8) || s = s", "sets");
    }

    #[pg_test]
    fn merging_is_associative() {
        make_sets();
        holds("a || b || s = (a || (b || s))", "pairs, sets");
    }

    #[pg_test]
    fn the_sketch_of_a_union_is_the_union_of_sketches() {
        make_sets();
        holds(
            "a || b = (SELECT hll_agg(value, 8) FROM (
                SELECT value FROM elements WHERE id = a_id
                UNION ALL SELECT value FROM elements WHERE id = b_id) AS both_sets)
            OR a || b = hll_empty(8)",
            "pairs",
        );
        holds(
            "s = (SELECT hll_agg(value, 8) FROM elements)",
            "(SELECT hll_merge_agg(s) AS s FROM sets) AS merged",
        );
    }

    #[pg_test]
    fn reducing_and_merging_change_places() {
        make_sets();
        for precision in 4..=8 {
            holds(
                &format!(
                    "hll_reduce(a || b, {precision})
                        = (hll_reduce(a, {precision}) || hll_reduce(b, {precision}))"
                ),
                "pairs",
            );
            holds(
                &format!(
                    "hll_reduce(s, {precision}) = (
                        SELECT hll_agg(value, {precision}) FROM elements WHERE elements.id = sets.id)
                    OR s = hll_empty(8)"
                ),
                "sets",
            );
        }
    }

    #[pg_test]
    fn order_and_repetition_do_not_matter() {
        make_sets();
        holds(
            "s = again",
            "sets JOIN (
                SELECT id, hll_agg(value, 8 ORDER BY random()) AS again
                FROM (TABLE elements UNION ALL TABLE elements) AS twice GROUP BY id
            ) AS built USING (id)",
        );
    }

    #[pg_test]
    fn adding_one_by_one_is_aggregating() {
        make_sets();
        Spi::run(
            "CREATE FUNCTION pg_temp.add_all(sketch hll, numbers int[]) RETURNS hll
             LANGUAGE plpgsql AS $$
             BEGIN
                 FOR n IN 1..cardinality(numbers) LOOP
                     sketch := sketch + numbers[n];
                 END LOOP;
                 RETURN sketch;
             END $$",
        )
        .unwrap();
        holds(
            "pg_temp.add_all(hll_empty(8), ARRAY(
                SELECT value FROM elements WHERE elements.id = sets.id)) = s",
            "sets",
        );
        holds(
            "pg_temp.add_all(a, ARRAY(SELECT value FROM elements WHERE id = b_id)) = (a || b)",
            "pairs",
        );
    }

    /// A value that some set holds changes no sketch that holds it; the estimate never falls.
    #[pg_test]
    fn counts_grow_with_their_sets() {
        make_sets();
        holds(
            "hll_cardinality(a || b) >= greatest(hll_cardinality(a), hll_cardinality(b))",
            "pairs",
        );
        holds("s + value = s", "sets JOIN elements USING (id)");
    }

    #[pg_test]
    fn bytes_and_text_bring_every_sketch_back() {
        make_sets();
        holds("s::bytea::hll = s AND s::text::hll = s", "sets");
        holds("(a || b)::bytea::hll = (a || b)", "pairs");
    }
}
