//! Laws that hold for every set of values, over random ones.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;
    use sketch::Owned;
    use sketch::bloom::{self, Bloom, Params};
    use sketch::hash::{self, ValueClass};

    use super::super::one;

    /// 60 sets of values that overlap, around and far from the change of form at capacity 500.
    fn make_sets() {
        Spi::run(
            "SELECT setseed(0.5);
             CREATE TEMP TABLE elements AS
             SELECT id, (random() * 1000)::int AS value
             FROM generate_series(1, 60) AS id, generate_series(1, (id % 12) * (id % 12) * 4) AS n;
             CREATE TEMP TABLE sets AS
             SELECT id, bloom_agg(value, 500) AS s
             FROM generate_series(1, 60) AS id LEFT JOIN elements USING (id) GROUP BY id;
             CREATE TEMP TABLE pairs AS
             SELECT a.id AS a_id, a.s AS a, b.id AS b_id, b.s AS b
             FROM sets AS a JOIN sets AS b ON b.id IN (a.id + 1, a.id + 17)",
        )
        .unwrap();
        let forms: i64 = one("SELECT count(DISTINCT (bloom_info(s)).form) FROM sets");
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
    fn no_value_of_a_set_is_denied() {
        make_sets();
        holds("s @> value AND value <@ s", "sets JOIN elements USING (id)");
        holds("(a || b) @> value", "pairs JOIN elements ON id IN (a_id, b_id)");
        holds(
            "(a & b) @> x.value",
            "pairs JOIN elements AS x ON x.id = a_id
                JOIN elements AS y ON y.id = b_id AND y.value = x.value",
        );
    }

    #[pg_test]
    fn merging_is_commutative_associative_and_idempotent() {
        make_sets();
        holds("a || b = (b || a) AND a || b || b = (a || b)", "pairs");
        holds("a || b || s = (a || (b || s))", "pairs, sets");
        holds("s || s = s AND s || bloom_empty() = s AND bloom_empty() || s = s", "sets");
    }

    #[pg_test]
    fn intersecting_is_commutative_and_idempotent_and_absorbs() {
        make_sets();
        holds("a & b = (b & a)", "pairs");
        holds("s & s = s AND s & bloom_empty(500) = bloom_empty(500)", "sets");
        holds("(a & b) || a = a AND (a & b) || b = b", "pairs");
    }

    #[pg_test]
    fn the_filter_of_a_union_is_the_union_of_filters() {
        make_sets();
        holds(
            "a || b = (SELECT bloom_agg(value, 500) FROM (
                SELECT value FROM elements WHERE id = a_id
                UNION ALL SELECT value FROM elements WHERE id = b_id) AS both_sets)
            OR a || b = bloom_empty(500)",
            "pairs",
        );
        holds(
            "s = (SELECT bloom_agg(value, 500) FROM elements)",
            "(SELECT bloom_merge_agg(s) AS s FROM sets) AS merged",
        );
    }

    #[pg_test]
    fn order_and_repetition_do_not_matter_to_a_filter() {
        make_sets();
        holds(
            "s = again",
            "sets JOIN (
                SELECT id, bloom_agg(value, 500 ORDER BY random()) AS again
                FROM (TABLE elements UNION ALL TABLE elements) AS twice GROUP BY id
            ) AS built USING (id)",
        );
    }

    #[pg_test]
    fn adding_to_a_filter_is_aggregating() {
        make_sets();
        Spi::run(
            "CREATE FUNCTION pg_temp.add_all(filter bloom, numbers int[]) RETURNS bloom
             LANGUAGE plpgsql AS $$
             BEGIN
                 FOR n IN 1..cardinality(numbers) LOOP
                     filter := filter + numbers[n];
                 END LOOP;
                 RETURN filter;
             END $$",
        )
        .unwrap();
        holds(
            "pg_temp.add_all(bloom_empty(500), ARRAY(
                SELECT value FROM elements WHERE elements.id = sets.id)) = s",
            "sets",
        );
        holds("s + value = s", "sets JOIN elements USING (id)");
    }

    #[pg_test]
    fn bytes_and_text_bring_every_filter_back() {
        make_sets();
        holds("s::bytea::bloom = s AND s::text::bloom = s", "sets");
    }

    /// The filter of the numbers up to `count`, as a program outside would build it.
    fn outside(params: Params, count: i64) -> Vec<u8> {
        let mut filter = Owned::<Bloom>::new(params);
        for n in 1..=count {
            filter.insert(ValueClass::Number, hash::number(n)).unwrap();
        }
        filter.rest().unwrap()
    }

    #[pg_test]
    fn filters_built_outside_are_those_of_the_database() {
        for (capacity, rate) in [(10, 0.01), (3000, 0.001), (100_000, 0.01)] {
            for count in [0, 1, 100, 5000, 20_000] {
                let bytes: Vec<u8> = one(&format!(
                    "SELECT bloom_merge(bloom_empty({capacity}, {rate}),
                        bloom_agg(n, {capacity}, {rate}))::bytea
                     FROM generate_series(1, {count}) AS n"
                ));
                let params = Params::new(capacity, rate).unwrap();
                assert!(bytes == outside(params, count), "{capacity}, {rate}, {count}");
                for n in 1..=count.min(300) {
                    let hash = hash::number(n);
                    assert!(bloom::contains(&mut &bytes[..], ValueClass::Number, hash).unwrap());
                }
            }
        }
        let gathered: Vec<u8> = one("SELECT bloom_agg(n)::bytea FROM generate_series(1, 777) AS n");
        assert!(gathered == outside(Params::new(777, 0.01).unwrap(), 777));
    }
}
