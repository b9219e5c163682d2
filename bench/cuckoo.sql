-- Two stored filters of :set values each, half of them common, and the first one again in another
-- arrangement of its table.

CREATE UNLOGGED TABLE bench.cuckoo_stored AS
SELECT a, b, same || a AS same
FROM (
    SELECT cuckoo_agg(x, 2 * :set::bigint) FILTER (WHERE x <= :set) AS a,
           cuckoo_agg(x, 2 * :set::bigint) FILTER (WHERE x > :set / 2) AS b,
           cuckoo_agg(x, 2 * :set::bigint) FILTER (WHERE x <= :set / 2) AS same
    FROM generate_series(1, :set::bigint * 3 / 2) AS x
) AS made;

VACUUM (FREEZE, ANALYZE) bench.cuckoo_stored;
CHECKPOINT;
