-- A million keys, and rings of few and many nodes, of several weights, and of points.

CREATE UNLOGGED TABLE bench.ring_keys AS SELECT x FROM generate_series(1, 1000000::bigint) AS x;

CREATE UNLOGGED TABLE bench.rings AS
SELECT name, hash_ring_agg('server' || i, 1 + i % weights, vnodes) AS ring
FROM (VALUES ('10', 10, 1, 0), ('100', 100, 1, 0), ('100-weighted', 100, 100, 0), ('points', 1000, 1, 100))
        AS rings (name, nodes, weights, vnodes),
    LATERAL generate_series(1, nodes) AS i
GROUP BY name;

VACUUM (FREEZE, ANALYZE) bench.ring_keys;
VACUUM (FREEZE, ANALYZE) bench.rings;
CHECKPOINT;
