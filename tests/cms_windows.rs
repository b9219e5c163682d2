//! Over a window whose frame moves, rows that leave are taken out of a `cms` again: the result is
//! that of counting each frame anew.

use crate::db::Db;

/// Frames that slide, that start or end empty, that are empty between, that grow, and the
/// conditions by which a row `f` is in the frame of row `w`. The ids have gaps.
const FRAMES: [(&str, &str); 9] = [
    ("ORDER BY n ROWS BETWEEN 20 PRECEDING AND CURRENT ROW", "f.n BETWEEN w.n - 20 AND w.n"),
    ("ORDER BY n ROWS BETWEEN 9 PRECEDING AND 3 PRECEDING", "f.n BETWEEN w.n - 9 AND w.n - 3"),
    ("ORDER BY n ROWS BETWEEN 3 FOLLOWING AND 9 FOLLOWING", "f.n BETWEEN w.n + 3 AND w.n + 9"),
    (
        "PARTITION BY g ORDER BY n RANGE BETWEEN 40 PRECEDING AND 4 PRECEDING",
        "f.g = w.g AND f.n BETWEEN w.n - 40 AND w.n - 4",
    ),
    ("ORDER BY id RANGE BETWEEN 6 PRECEDING AND 4 PRECEDING", "f.id BETWEEN w.id - 6 AND w.id - 4"),
    (
        "ORDER BY n ROWS BETWEEN 150 PRECEDING AND 100 FOLLOWING",
        "f.n BETWEEN w.n - 150 AND w.n + 100",
    ),
    ("ORDER BY n ROWS BETWEEN 5 PRECEDING AND UNBOUNDED FOLLOWING", "f.n >= w.n - 5"),
    ("ORDER BY n", "f.n <= w.n"),
    (
        "ORDER BY n ROWS BETWEEN 20 PRECEDING AND CURRENT ROW EXCLUDE TIES",
        "f.n BETWEEN w.n - 20 AND w.n",
    ),
];

#[test]
fn a_moving_window_is_as_if_its_frame_were_counted_anew() {
    let mut db = Db::with(
        "CREATE TABLE w AS
            SELECT n, n + 5 * (n / 30) AS id, n % 3 AS g,
                CASE WHEN n NOT BETWEEN 100 AND 130 AND n % 13 > 0 THEN n * n % 101 END AS x,
                't' || n % 50 AS t,
                CASE n % 11 WHEN 0 THEN NULL WHEN 1 THEN 0 ELSE (n * 31 % 1000)::bigint ^ 3 END::bigint
                    AS m
            FROM generate_series(1, 360) n",
    );
    // With 0.3 and 0.05 the exact list ends at one entry, with 0.01 at 56, with 0.1 at five.
    for aggregate in [
        "cms_agg(x)",
        "cms_agg(x, 0.01)",
        "cms_agg(t, 0.1)",
        "cms_agg(x, 0.3, 0.05)",
        "cms_agg(x) FILTER (WHERE n % 4 > 0)",
        "cms_weighted_agg(x, m)",
        "cms_weighted_agg(x, m, 0.01)",
        "cms_weighted_agg(t, m, 0.3, 0.05)",
    ] {
        for (window, in_frame) in FRAMES {
            db.same_rows(
                &format!("SELECT n, {aggregate} OVER ({window}) FROM w"),
                &format!(
                    "SELECT w.n, (SELECT {aggregate} FROM w f WHERE {in_frame}) FROM w",
                    aggregate = aggregate
                        .replace("n % 4", "f.n % 4")
                        .replace("(x", "(f.x")
                        .replace("(t", "(f.t")
                        .replace(", m", ", f.m")
                ),
            );
        }
    }
    db.fails("SELECT cms_weighted_agg(x, -n) OVER (ORDER BY n ROWS 2 PRECEDING) FROM w", "22000");
}
