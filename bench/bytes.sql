-- Bytes of sketches as they are stored, of several sets of n values each, and of full filters.

\set their_column ', NULL::bytea AS theirs'
\set their_name NULL
\if :theirs
    \set their_name theirs
    \set their_column ', theirs.hll_add_agg(theirs.hll_hash_bigint(v), 13, 5, -1, 1) AS theirs'
\endif

CREATE UNLOGGED TABLE bench.sketches AS
SELECT n, made.*
FROM (VALUES (1, 200), (10, 200), (100, 200), (1000, 100), (10000, 50), (100000, 5), (1000000, 1)
    ) sizes (n, sets),
    generate_series(1, sets) i,
    LATERAL (
        SELECT hll_agg(v) AS ours, hll_agg(v, 13) AS ours_13 :their_column
        FROM generate_series(i::bigint * n, (i + 1)::bigint * n - 1) v
    ) made
UNION ALL
SELECT :saturated, ours, ours_13, :their_name FROM bench.large;

INSERT INTO bench.size
SELECT contestant, n, count(bytes), avg(bytes), max(bytes)
FROM bench.sketches,
    LATERAL (
        VALUES ('12', pg_column_size(ours)),
               ('13', pg_column_size(ours_13)),
               ('theirs', pg_column_size(theirs))
    ) columns (contestant, bytes)
GROUP BY contestant, n;

-- Full filters, and a cms of as many hits, of which few values have most.
INSERT INTO bench.size
SELECT contestant, 1000000, 1, bytes, bytes
FROM (
        SELECT pg_column_size(bloom_agg(v, 1000000)) AS bloom,
               pg_column_size(cuckoo_agg(v, 1000000)) AS cuckoo,
               pg_column_size(cms_agg(exp(ln(1000000::float8) * (v * 7919 % 1000000) / 1000000)::bigint)) AS cms
        FROM generate_series(1, 1000000::bigint) v
    ) made,
    LATERAL (VALUES ('bloom', bloom), ('cuckoo', cuckoo), ('cms', cms)) sizes (contestant, bytes);
