-- Bytes of sketches as they are stored, of several sets of n values each.

\set their_column ', NULL::bytea AS theirs'
\set their_name NULL
\if :theirs
    \set their_name theirs
    \set their_column ', theirs.hll_add_agg(theirs.hll_hash_bigint(v), 14, 5, -1, 1) AS theirs'
\endif

CREATE UNLOGGED TABLE bench.sketches AS
SELECT n, made.*
FROM (VALUES (1, 200), (10, 200), (100, 200), (1000, 100), (10000, 50), (100000, 5), (1000000, 1)
    ) sizes (n, sets),
    generate_series(1, sets) i,
    LATERAL (
        SELECT hll_agg(v) AS ours, hll_agg(v, 11) AS ours_11 :their_column
        FROM generate_series(i::bigint * n, (i + 1)::bigint * n - 1) v
    ) made
UNION ALL
SELECT :saturated, ours, ours_11, :their_name FROM bench.large;

INSERT INTO bench.size
SELECT contestant, n, count(bytes), avg(bytes), max(bytes)
FROM bench.sketches,
    LATERAL (
        VALUES ('13', pg_column_size(ours)),
               ('11', pg_column_size(ours_11)),
               ('theirs', pg_column_size(theirs))
    ) columns (contestant, bytes)
GROUP BY contestant, n;
