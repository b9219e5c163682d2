-- The type: equality, grouping, storage.
\pset null NULL
-- Equal are sketches of equal frequencies, parameters and class
SELECT cms_agg(n) = cms_agg(11 - n) AS other_order, cms_agg(n) <> cms_agg(n % 5) AS differs, cms_agg(n) <> cms_agg(n) AS differs_from_itself
FROM generate_series(1, 10) AS n;
SELECT cms_agg(n) = cms_agg(50001 - n) AS other_order FROM generate_series(1, 50000) AS n;
SELECT cms_empty() + 1 = cms_empty() + 1 + 1 AS other_frequency, cms_empty(0.01) = cms_empty(0.02) AS other_epsilon,
    cms_empty(0.01) = cms_empty(0.01, 0.001) AS other_delta, cms_empty(0.001) = cms_empty(0.0009999) AS near_enough,
    cms_agg(1) = cms_agg('1'::text) AS other_class, cms_empty() = NULL AS nothing;
-- DISTINCT, GROUP BY, hash joins and IN go by equality, hashed or sorted; the order means nothing
CREATE TEMP TABLE sketches AS
    SELECT n, cms_agg(v, 0.01) AS s
    FROM unnest(ARRAY[0, 1, 1, 100, 100, 100, 5000, 5000]) WITH ORDINALITY AS sizes (n, id)
    LEFT JOIN LATERAL generate_series(1, n) AS v ON true
    GROUP BY id, n
    UNION ALL SELECT NULL, NULL UNION ALL SELECT NULL, NULL;
SELECT n, count(*) FROM sketches GROUP BY s, n ORDER BY n;
SELECT count(*) FROM (SELECT DISTINCT s FROM sketches) AS d;
SELECT count(*) FROM sketches AS a JOIN sketches AS b USING (s);
SELECT count(*) FROM sketches WHERE s IN (SELECT cms_agg(v, 0.01) FROM generate_series(1, 100) AS v);
SELECT code FROM attempt('SELECT s FROM sketches ORDER BY s');
SELECT code FROM attempt('CREATE INDEX ON sketches (s)');
CREATE INDEX ON sketches USING hash (s);
SET enable_seqscan = off;
SELECT count(*) FROM sketches WHERE s = cms_empty(0.01) + 1;
RESET enable_seqscan;
-- A key of hash partitions
CREATE TEMP TABLE parts (s cms) PARTITION BY HASH (s);
CREATE TEMP TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT s FROM sketches;
SELECT count(*) FROM parts WHERE s = cms_empty(0.01) + 1;
-- There is no type modifier
SELECT code FROM attempt('CREATE TABLE bad (s cms(1000))');
-- A column keeps a sketch out of line and not compressed, so that parts of it can be read
SELECT attname, attstorage FROM pg_attribute WHERE attrelid = 'sketches'::regclass AND attnum > 0 ORDER BY attnum;
-- Casts to and from bytea are to be written
SELECT cms_empty(0.1135, 0.2)::bytea AS bytes, (cms_empty()::bytea)::cms = cms_empty() AS back;
SELECT code FROM attempt($$INSERT INTO sketches (s) SELECT '\x00'::bytea$$);
