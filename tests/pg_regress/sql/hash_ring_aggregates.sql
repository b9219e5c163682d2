-- Aggregates.
\pset null NULL
CREATE TEMP TABLE nodes (region int, node text, weight double precision);
INSERT INTO nodes VALUES (1, 'a', 1), (1, 'b', 2), (1, 'a', 1), (2, 'c', 1), (2, 'd', NULL), (2, NULL, 5), (3, NULL, NULL);
-- Once each; a NULL name is none, a NULL weight is 1
SELECT hash_ring_agg(node) AS equal, hash_ring_agg(node, weight) AS weighted, hash_ring_agg(node, weight, 300) AS points FROM nodes;
SELECT region, hash_ring_agg(node, weight) FROM nodes GROUP BY region ORDER BY region;
SELECT region, hash_ring_agg(node, weight) FILTER (WHERE node <> 'b') FROM nodes GROUP BY ROLLUP (region) ORDER BY region;
-- No rows give the empty ring
SELECT hash_ring_agg(node), hash_ring_agg(node, weight, 7), hash_ring_merge_agg(hash_ring_empty()) FROM nodes WHERE false;
SELECT hash_ring_agg(node, weight, 7) FROM nodes WHERE node IS NULL;
-- Merging
SELECT hash_ring_merge_agg(ring) = (SELECT hash_ring_agg(node, weight) FROM nodes) AS same
FROM (SELECT hash_ring_agg(node, weight) AS ring FROM nodes GROUP BY region UNION ALL SELECT NULL) AS regions;
-- Windows
SELECT region, node, (hash_ring_info(hash_ring_agg(node, weight) OVER (ORDER BY region, node))).nodes FROM nodes ORDER BY region, node;
-- A node has one weight, a group one number of vnodes
SELECT call, code, message, hint
FROM unnest(ARRAY[
    'hash_ring_agg(node, region) FROM (VALUES (1, ''a''), (2, ''a'')) AS v (region, node)',
    'hash_ring_agg(node, 1, region) FROM nodes',
    'hash_ring_agg(node, 0) FROM nodes', 'hash_ring_agg(node, 1, -1) FROM nodes',
    'hash_ring_merge_agg(hash_ring_empty(region) + ''a'') FROM nodes'
]) AS call, attempt('SELECT ' || call);
-- Functions of aggregates return rings at rest to everybody else
SELECT _hash_ring_agg_trans(NULL, 'a'), _hash_ring_combine(NULL, hash_ring_empty() + 'a'), _hash_ring_agg_final(NULL);
