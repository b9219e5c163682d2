-- The type: equality, grouping, storage.
\pset null NULL
-- Equal are filters of equal sets, parameters and class
SELECT bloom_agg(n) = bloom_agg(11 - n) AS other_order, bloom_agg(n) <> bloom_agg(n % 5) AS differs,
    bloom_agg(n) <> bloom_agg(n) AS differs_from_itself
FROM generate_series(1, 10) AS n;
SELECT bloom_agg(n, 100000) = bloom_agg(50001 - n, 100000) AS other_order
FROM generate_series(1, 50000) AS n;
SELECT bloom_empty(10) = bloom_empty(10) AS same, bloom_empty(10) = bloom_empty(11) AS other_capacity,
    bloom_empty(10) = bloom_empty(10, 0.02) AS other_rate,
    bloom_agg(1) = bloom_agg('1'::text) AS other_class, bloom_empty() = NULL AS nothing;
-- DISTINCT, GROUP BY, hash joins and IN go by equality, hashed or sorted; the order means nothing
CREATE TEMP TABLE filters AS
    SELECT n, bloom_agg(v, 2000) AS s
    FROM unnest(ARRAY[0, 1, 1, 100, 100, 100, 5000, 5000]) WITH ORDINALITY AS sizes (n, id)
    LEFT JOIN LATERAL generate_series(1, n) AS v ON true
    GROUP BY id, n
    UNION ALL SELECT NULL, NULL UNION ALL SELECT NULL, NULL;
SELECT count(*) AS filters, count(DISTINCT n) AS sizes FROM filters;
SELECT n, count(*) FROM filters GROUP BY s, n ORDER BY n;
SELECT count(*) FROM (SELECT DISTINCT s FROM filters) AS d;
SELECT count(*) FROM filters AS a JOIN filters AS b USING (s);
SELECT count(*) FROM filters
WHERE s IN (SELECT bloom_agg(v, 2000) FROM generate_series(1, 100) AS v);
SELECT count(*) FROM (SELECT s FROM filters UNION SELECT bloom_empty(2000)) AS u;
SELECT code FROM attempt('SELECT s FROM filters ORDER BY s');
SELECT code FROM attempt('SELECT max(s) FROM filters');
SELECT code FROM attempt('CREATE INDEX ON filters (s)');
CREATE INDEX ON filters USING hash (s);
SET enable_seqscan = off;
SELECT count(*) FROM filters WHERE s = bloom_empty(2000) + 1;
RESET enable_seqscan;
-- A key of hash partitions
CREATE TEMP TABLE parts (s bloom) PARTITION BY HASH (s);
CREATE TEMP TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT s FROM filters;
SELECT count(*) FROM parts WHERE s = bloom_empty(2000) + 1;
-- There is no type modifier
SELECT code FROM attempt('CREATE TABLE bad (s bloom(1000))');
-- A column keeps a filter out of line and not compressed, so that parts of it can be read
SELECT attname, attstorage
FROM pg_attribute WHERE attrelid = 'filters'::regclass AND attnum > 0 ORDER BY attnum;
-- Casts to and from bytea are to be written
SELECT bloom_empty(10)::bytea AS bytes, (bloom_empty(10)::bytea)::bloom = bloom_empty(10) AS back;
SELECT code FROM attempt($$INSERT INTO filters (s) SELECT '\x00'::bytea$$);
