//! Estimates against exact counts.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::one;

    /// Two values share a token once in 2^26 pairs: a seventh of a pair is expected over all groups
    /// here.
    #[pg_test]
    fn small_counts_are_exact() {
        let (worst, total) = Spi::get_two::<i64, i64>(
            "SELECT max(abs(about - exact)), sum(abs(about - exact))::bigint
             FROM (
                 SELECT approx_count_distinct(g * 1000000 + n % (16 * g)) AS about,
                     count(DISTINCT n % (16 * g)) AS exact
                 FROM generate_series(1, 60) AS g, generate_series(1, 2000) AS n
                 GROUP BY g
             ) AS counts",
        )
        .unwrap();
        assert!(worst.unwrap() <= 1 && total.unwrap() <= 4, "{worst:?} {total:?}");
    }

    /// Five standard errors: a false alarm once in a million, were it not for fixed values.
    #[pg_test]
    fn large_counts_are_within_the_error() {
        for (type_name, precisions) in [("bigint", 4..=13), ("text", 8..=8), ("numeric", 11..=11)] {
            for precision in precisions {
                let error: f64 = one(&format!(
                    "SELECT (approx_count_distinct(n::{type_name}, {precision}) / 20000.0 - 1)::float8
                        / (hll_size({precision})).standard_error
                     FROM generate_series(1, 20000) AS n"
                ));
                assert!(error.abs() < 5.0, "{type_name} at precision {precision}: {error}");
            }
        }
    }

    /// Of 400 trials at 95 %, 20 miss on average, 42 with five standard deviations more.
    #[pg_test]
    fn bounds_hold_with_their_confidence() {
        for (precision, count) in [(5, 100), (7, 500)] {
            let missed: i64 = one(&format!(
                "SELECT count(*)
                 FROM (
                     SELECT hll_bounds(hll_agg(g * 1000000 + n, {precision})) AS bounds
                     FROM generate_series(1, 400) AS g, generate_series(1, {count}) AS n
                     GROUP BY g
                 ) AS trials
                 WHERE {count} NOT BETWEEN (bounds).lower AND (bounds).upper"
            ));
            assert!((2..=42).contains(&missed), "precision {precision}: {missed} of 400 missed");
        }
    }

    /// A rollup counts as the raw rows do, whatever the skew of the groups.
    #[pg_test]
    fn merged_groups_count_as_the_rows() {
        Spi::run(
            "CREATE TEMP TABLE visits AS
             SELECT (n * 7919 % 30)::int AS day, (sqrt(n * 6007 % 40000) * 20)::int AS visitor
             FROM generate_series(1, 40000) AS n;
             CREATE TEMP TABLE daily AS
             SELECT day, hll_agg(visitor) AS visitors FROM visits GROUP BY day",
        )
        .unwrap();
        let different: i64 = one("SELECT count(*) FROM generate_series(1, 30) AS days
             WHERE (SELECT hll_merge_agg(visitors) FROM daily WHERE day < days)
                 <> (SELECT hll_agg(visitor) FROM visits WHERE day < days)");
        assert_eq!(different, 0);
        let error: f64 = one(
            "SELECT approx_count_distinct(visitor) / count(DISTINCT visitor)::float8 - 1 FROM visits",
        );
        assert!(error.abs() < 5.0 * 0.0119, "{error}");
    }
}
