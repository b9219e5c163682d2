-- The type: equality, grouping, storage.
\pset null NULL
-- Equal are filters of the same copies, whatever the order in which they came
SELECT cuckoo_agg(n) = cuckoo_agg(11 - n) AS other_order, cuckoo_agg(n) <> cuckoo_agg(n % 5) AS differs,
    cuckoo_agg(n) <> cuckoo_agg(n) AS differs_from_itself
FROM generate_series(1, 10) AS n;
SELECT cuckoo_agg(n, 100000) = cuckoo_agg(50001 - n, 100000) AS other_order
FROM generate_series(1, 50000) AS n;
SELECT cuckoo_empty(10) = cuckoo_empty(10) AS same, cuckoo_empty(10) = cuckoo_empty(11) AS other_capacity,
    cuckoo_empty(10) = cuckoo_empty(10, 0.02) AS other_rate,
    cuckoo_agg(1) = cuckoo_agg('1'::text) AS other_class, cuckoo_empty() = NULL AS nothing;
-- DISTINCT, GROUP BY, hash joins and IN go by equality, hashed or sorted; the order means nothing
CREATE TEMP TABLE filters AS
    SELECT n, cuckoo_agg(v, 6000) AS s
    FROM unnest(ARRAY[0, 1, 1, 100, 100, 100, 5000, 5000]) WITH ORDINALITY AS sizes (n, id)
    LEFT JOIN LATERAL generate_series(1, n) AS v ON true
    GROUP BY id, n
    UNION ALL SELECT NULL, NULL UNION ALL SELECT NULL, NULL;
SELECT count(*) AS filters, count(DISTINCT n) AS sizes FROM filters;
SELECT n, count(*) FROM filters GROUP BY s, n ORDER BY n;
SELECT count(*) FROM (SELECT DISTINCT s FROM filters) AS d;
SELECT count(*) FROM filters AS a JOIN filters AS b USING (s);
SELECT count(*) FROM filters
WHERE s IN (SELECT cuckoo_agg(v, 6000) FROM generate_series(1, 100) AS v);
SELECT count(*) FROM (SELECT s FROM filters UNION SELECT cuckoo_empty(6000)) AS u;
SELECT code FROM attempt('SELECT s FROM filters ORDER BY s');
SELECT code FROM attempt('SELECT max(s) FROM filters');
SELECT code FROM attempt('CREATE INDEX ON filters (s)');
CREATE INDEX ON filters USING hash (s);
SET enable_seqscan = off;
SELECT count(*) FROM filters WHERE s = cuckoo_empty(6000) + 1;
RESET enable_seqscan;
-- A key of hash partitions
CREATE TEMP TABLE parts (s cuckoo) PARTITION BY HASH (s);
CREATE TEMP TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT s FROM filters;
SELECT count(*) FROM parts WHERE s = cuckoo_empty(6000) + 1;
-- There is no type modifier
SELECT code FROM attempt('CREATE TABLE bad (s cuckoo(1000))');
-- A column keeps a filter out of line and not compressed, so that parts of it can be read
SELECT attname, attstorage
FROM pg_attribute WHERE attrelid = 'filters'::regclass AND attnum > 0 ORDER BY attnum;
-- Casts to and from bytea are to be written
SELECT cuckoo_empty(10)::bytea AS bytes, (cuckoo_empty(10)::bytea)::cuckoo = cuckoo_empty(10) AS back;
SELECT code FROM attempt($$INSERT INTO filters (s) SELECT '\x00'::bytea$$);
-- Equal filters may differ in their bytes: a table keeps the order of additions
CREATE TEMP TABLE ordered AS
WITH RECURSIVE up (n, s) AS (
    SELECT 0, cuckoo_empty(100) UNION ALL SELECT n + 1, s + (n + 1) FROM up WHERE n < 95
), down (n, s) AS (
    SELECT 96, cuckoo_empty(100) UNION ALL SELECT n - 1, s + (n - 1) FROM down WHERE n > 1
)
SELECT up.s AS a, down.s AS b FROM up, down WHERE up.n = 95 AND down.n = 1;
SELECT a = b AS equal, NOT a <> b AS not_unequal, a::bytea = b::bytea AS same_bytes,
    _cuckoo_hash(a) = _cuckoo_hash(b) AS same_hash, _cuckoo_hash_extended(a, 1) = _cuckoo_hash_extended(b, 1) AS same_extended,
    _cuckoo_hash_extended(a, 1) <> _cuckoo_hash_extended(a, 2) AS seeded
FROM ordered;
SELECT count(*) AS filters, min(_cuckoo_hash(s)) = max(_cuckoo_hash(s)) AS one_hash
FROM ordered, unnest(ARRAY[a, b]) AS s GROUP BY s;
