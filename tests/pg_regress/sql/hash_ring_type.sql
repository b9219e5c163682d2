-- The type: equality, grouping, storage.
\pset null NULL
-- Equal are rings of the same nodes, weights and vnodes, whatever the order in which they came
SELECT hash_ring_agg(n) = hash_ring_agg(n ORDER BY n DESC) AS other_order, hash_ring_agg(n) <> hash_ring_agg(n || 'x') AS differs
FROM unnest(ARRAY['a', 'b', 'c']) AS n;
SELECT hash_ring_empty() = hash_ring_empty(0) AS same, hash_ring_empty() = hash_ring_empty(1) AS other_vnodes,
    hash_ring_empty() + 'a' = hash_ring_add(hash_ring_empty(), 'a', 1) AS weight_1,
    hash_ring_empty() + 'a' = hash_ring_add(hash_ring_empty(), 'a', 2) AS weight_2,
    hash_ring_empty() = NULL AS nothing;
-- DISTINCT, GROUP BY, joins, sorting and indexes go by equality; the order means nothing
CREATE TEMP TABLE rings AS
    SELECT n, hash_ring_agg('node' || i) AS r
    FROM unnest(ARRAY[0, 1, 1, 30, 30, 30]) WITH ORDINALITY AS sizes (n, id)
    LEFT JOIN LATERAL generate_series(1, n) AS i ON true
    GROUP BY id, n
    UNION ALL SELECT NULL, NULL UNION ALL SELECT NULL, NULL;
SELECT n, count(*) FROM rings GROUP BY r, n ORDER BY n;
SELECT count(*) FROM (SELECT DISTINCT r FROM rings) AS d;
SELECT count(DISTINCT r) FROM rings;
SELECT count(*) FROM rings AS a JOIN rings AS b USING (r);
CREATE INDEX ON rings (r);
CREATE INDEX ON rings USING hash (r);
SET enable_seqscan = off;
SELECT n FROM rings WHERE r = hash_ring_empty() + 'node1';
RESET enable_seqscan;
CREATE TEMP TABLE parts (r hash_ring) PARTITION BY HASH (r);
CREATE TEMP TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT r FROM rings;
SELECT count(*) FROM parts WHERE r = hash_ring_empty() + 'node1';
-- There is no type modifier
SELECT code FROM attempt('CREATE TABLE bad (r hash_ring(3))');
-- A column may compress the names
SELECT attname, attstorage
FROM pg_attribute WHERE attrelid = 'rings'::regclass AND attnum > 0 ORDER BY attnum;
-- Casts to and from bytea are to be written
SELECT (hash_ring_empty() + 'a')::bytea AS bytes, (hash_ring_empty() + 'a')::bytea::hash_ring = hash_ring_empty() + 'a' AS back;
SELECT code FROM attempt($$INSERT INTO rings (r) SELECT '\x00'::bytea$$);
-- Not with text: a name is no ring
SELECT code FROM attempt($$SELECT 'a'::text::hash_ring$$);
