-- A stored filter of 10 MB, the keys that it holds, 100,000 values to look for, of which every other
-- one is a key, and stored filters of 1 MB to merge. The filters are at least a quarter full, so
-- they have bits.

CREATE UNLOGGED TABLE bench.bloom_keys AS
SELECT n * 2 AS x FROM generate_series(1, :filter_keys::bigint) n;

CREATE UNLOGGED TABLE bench.bloom_stored AS
SELECT bloom_agg(x, 8000000) AS filter FROM bench.bloom_keys;

CREATE UNLOGGED TABLE bench.bloom_probes AS
SELECT n * 15485863 % (2 * :filter_keys) + 1 AS x FROM generate_series(1, 100000::bigint) n;

CREATE UNLOGGED TABLE bench.bloom_merge AS
SELECT id, made.*
FROM generate_series(1, :filters) id,
    LATERAL (
        SELECT bloom_agg(v, 760000) AS filter
        FROM generate_series(id::bigint * 200000, id::bigint * 200000 + 199999) v
    ) made;

VACUUM (FREEZE, ANALYZE) bench.bloom_keys, bench.bloom_stored, bench.bloom_probes, bench.bloom_merge;
CHECKPOINT;
