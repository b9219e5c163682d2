-- Functions of rings and of keys.
\pset null NULL
CREATE TEMP TABLE cluster AS
    SELECT hash_ring_agg('server' || n) AS four, hash_ring_agg('server' || n) || hash_ring_empty() + 'server5' AS five
    FROM generate_series(1, 4) AS n;
-- Owners never change
SELECT k, four -> k AS four, five -> k AS five FROM cluster, generate_series(1, 8) AS k;
SELECT k, hash_ring_node(four, k) AS four FROM cluster, unnest(ARRAY['a', 'b', 'c']) AS k;
SELECT hash_ring_nodes(five, 42, 3), hash_ring_nodes(five, 42, 1), hash_ring_nodes(five, 42, 0),
    cardinality(hash_ring_nodes(five, 42, 99)) AS all_nodes FROM cluster;
-- 42 and 42.0 are one key, '42' is another
SELECT bool_and(five -> k = five -> k::numeric AND five -> k = five -> k::smallint) AS numbers,
    bool_and(five -> k = five -> k::text) AS text
FROM cluster, generate_series(1, 100) AS k;
-- An empty ring owns nothing
SELECT hash_ring_node(hash_ring_empty(), 1), hash_ring_empty(7) -> 'a', hash_ring_nodes(hash_ring_empty(), 1, 2);
SELECT hash_ring_node(NULL, 1), hash_ring_node(four, NULL::int), hash_ring_nodes(four, 1, NULL) FROM cluster;
-- Adding, weighing, removing
SELECT hash_ring_empty() + 'a', hash_ring_add(hash_ring_empty() + 'a', 'a', 2), hash_ring_empty() + 'a' - 'a', hash_ring_empty() - 'a';
SELECT hash_ring_add(hash_ring_empty(), NULL), hash_ring_add(NULL, 'a'), hash_ring_add(hash_ring_empty(), 'a', NULL),
    hash_ring_remove(hash_ring_empty() + 'a', NULL), hash_ring_remove(NULL, 'a');
SELECT hash_ring_merge(hash_ring_empty() + 'b', hash_ring_empty() + 'a'), hash_ring_merge(NULL, hash_ring_empty()), hash_ring_merge(hash_ring_empty(9), hash_ring_empty());
-- Nodes, weights and shares
SELECT * FROM hash_ring_items(hash_ring_add(hash_ring_empty() + 'a', 'b', 3));
SELECT node, weight, round(share::numeric, 6) AS share
FROM hash_ring_items(hash_ring_add(hash_ring_empty(2) + 'a', 'b', 3));
SELECT count(*) FROM hash_ring_items(hash_ring_empty());
SELECT count(*) FROM hash_ring_items(NULL);
-- Which keys move: to the new node, from the old one, and from the one that weighs less now
SELECT m.from_node, m.to_node, round(share::numeric, 6) AS share
FROM cluster, hash_ring_moves(four, five) AS m ORDER BY 1, 2;
SELECT m.from_node, m.to_node, round(share::numeric, 6) AS share
FROM cluster, hash_ring_moves(five, five - 'server2') AS m ORDER BY 1, 2;
SELECT m.from_node, m.to_node, round(share::numeric, 6) AS share
FROM cluster, hash_ring_moves(four, hash_ring_add(four, 'server1', 2)) AS m ORDER BY 1, 2;
SELECT * FROM cluster, hash_ring_moves(four, four);
SELECT m.* FROM hash_ring_moves(hash_ring_empty(), hash_ring_empty() + 'a' + 'b') AS m ORDER BY 1, 2;
SELECT m.* FROM hash_ring_moves(hash_ring_empty() + 'a', hash_ring_empty()) AS m;
SELECT m.* FROM hash_ring_moves(hash_ring_empty(), hash_ring_empty(3)) AS m;
SELECT round(sum(share)::numeric, 6) AS to_another_method FROM hash_ring_moves(hash_ring_empty() + 'a', hash_ring_empty(1) + 'a' + 'b');
-- Information and sizes
SELECT i.* FROM cluster, hash_ring_info(five) AS i;
SELECT * FROM hash_ring_info(hash_ring_add(hash_ring_empty(100), 'a', 2.5));
SELECT * FROM hash_ring_info(hash_ring_empty());
SELECT hash_ring_info(NULL);
SELECT nodes, vnodes, s.bytes, round(s.expected_max_load::numeric, 3) AS expected_max_load
FROM (VALUES (1, 0), (10, 0), (4, 1), (4, 100), (10, 100), (1000, 100)) AS v (nodes, vnodes), hash_ring_size(nodes, vnodes) AS s;
SELECT hash_ring_size(10);
-- Buckets, and the hash of a value
SELECT k, consistent_hash(k, 1) AS of_1, consistent_hash(k, 10) AS of_10, consistent_hash(k, 11) AS of_11, consistent_hash(k, 2147483647) AS of_many
FROM generate_series(1, 5) AS k;
SELECT consistent_hash(NULL::int, 3), consistent_hash(1, NULL), consistent_hash('a', 3);
SELECT to_hex(sketch_hash(42)), to_hex(sketch_hash(1.50)), to_hex(sketch_hash('abc'::text)), sketch_hash(NULL::int);
-- What cannot be is refused
SELECT call, code, message, hint
FROM unnest(ARRAY[
    'hash_ring_empty(-1)', 'hash_ring_empty(10001)',
    'hash_ring_add(hash_ring_empty(), ''a'', 0)', 'hash_ring_add(hash_ring_empty(), ''a'', -1)',
    'hash_ring_add(hash_ring_empty(), ''a'', ''NaN'')', 'hash_ring_add(hash_ring_empty(), ''a'', ''Infinity'')',
    'hash_ring_add(hash_ring_empty(10000), ''a'', 1000)',
    '(hash_ring_empty() + ''a'') || (hash_ring_empty(5) + ''a'')',
    'hash_ring_add(hash_ring_empty(), ''a'', 2) || (hash_ring_empty() + ''a'')',
    'hash_ring_nodes(hash_ring_empty(), 1, -1)', 'hash_ring_size(0)', 'hash_ring_size(10, -1)', 'consistent_hash(1, 0)',
    'hash_ring_empty() -> hash_ring_empty()', 'sketch_hash(''{}''::json)'
]) AS call, attempt('SELECT ' || call);
