-- The type: its modifier, equality, grouping.
\pset null NULL
-- The modifier is the precision
CREATE TEMP TABLE daily (day int, users hll(11), any_precision hll);
SELECT attname, format_type(atttypid, atttypmod)
FROM pg_attribute WHERE attrelid = 'daily'::regclass AND attnum > 0 ORDER BY attnum;
SELECT code, message, hint FROM attempt('CREATE TABLE bad (s hll(3))');
SELECT code, message, hint FROM attempt('CREATE TABLE bad (s hll(19))');
SELECT code, message, hint FROM attempt('CREATE TABLE bad (s hll(11, 12))');
SELECT code FROM attempt('CREATE TABLE bad (s hll(''eleven''))');
-- A column takes sketches of its precision alone
INSERT INTO daily VALUES (1, hll_empty(11), hll_empty(12)), (2, NULL, NULL);
SELECT code, message, hint FROM attempt('INSERT INTO daily VALUES (3, hll_empty(13) + 1, NULL)');
SELECT code, message, hint FROM attempt('INSERT INTO daily VALUES (3, hll_empty(4) + 1, NULL)');
SELECT code, message, hint FROM attempt($$INSERT INTO daily VALUES (3, '\x6811010d011d34d407', NULL)$$);
SELECT code FROM attempt('UPDATE daily SET users = any_precision + 1');
COPY daily (day, users) FROM stdin;
4	\\x6811010d011d34d407
\.
-- An empty sketch takes the precision of the column
INSERT INTO daily VALUES (5, hll_empty(13), NULL), (6, hll_empty(4), NULL), (7, '\x6801000d', NULL);
COPY daily (day, users) FROM stdin;
8	\\x6801000d
\.
SELECT * FROM daily ORDER BY day;
-- A written cast reduces, and refuses to raise
SELECT (hll_empty(13) + 1)::hll(11) = hll_empty(11) + 1 AS reduced;
SELECT (hll_empty(11) + 1)::hll(11) = hll_empty(11) + 1 AS as_it_was;
SELECT (hll_empty(11) + 1)::hll = hll_empty(11) + 1 AS any_precision;
SELECT '\x6801000d'::hll(11);
SELECT NULL::hll(11);
SELECT hll_empty(11)::hll(13);
SELECT code, message, hint FROM attempt('SELECT (hll_empty(11) + 1)::hll(13)');
UPDATE daily SET users = any_precision::hll(11) + 1;
ALTER TABLE daily ALTER users TYPE hll(4) USING users::hll(4);
UPDATE daily SET any_precision = any_precision + 1;
SELECT code FROM attempt('ALTER TABLE daily ALTER any_precision TYPE hll(4)');
SELECT * FROM daily ORDER BY day;
-- Arrays and domains have the modifier too
SELECT ARRAY[hll_empty(13)]::hll(11)[];
CREATE TEMP TABLE arrays (a hll(11)[]);
INSERT INTO arrays VALUES (ARRAY[hll_empty(11)]);
SELECT code FROM attempt('INSERT INTO arrays VALUES (ARRAY[hll_empty(13) + 1])');
SET client_min_messages = warning;
CREATE DOMAIN sketch11 AS hll(11);
SELECT hll_empty(13)::sketch11;
CREATE TEMP TABLE domains (d sketch11);
SELECT code FROM attempt('INSERT INTO domains VALUES (hll_empty(13) + 1)');
DROP DOMAIN sketch11 CASCADE;
-- Equal are sketches of equal sets, precision and class
SELECT hll_agg(n) = hll_agg(11 - n) AS other_order, hll_agg(n) = hll_agg(n % 5) AS fewer,
    hll_agg(n) <> hll_agg(n % 5) AS differs, hll_agg(n) <> hll_agg(n) AS differs_from_itself
FROM generate_series(1, 10) AS n;
SELECT hll_agg(n) = hll_agg(50001 - n) AS other_order
FROM generate_series(1, 50000) AS n;
SELECT hll_empty(4) = hll_empty(4) AS same, hll_empty(4) = hll_empty(5) AS other_precision,
    hll_agg(1) = hll_agg('1'::text) AS other_class, hll_empty() = NULL AS nothing;
-- DISTINCT, GROUP BY, hash joins and IN go by equality, hashed or sorted; the order means nothing
CREATE TEMP TABLE sketches AS
    SELECT n, hll_agg(v) AS s
    FROM unnest(ARRAY[0, 1, 1, 100, 100, 100, 5000, 5000]) WITH ORDINALITY AS sizes (n, id)
    LEFT JOIN LATERAL generate_series(1, n) AS v ON true
    GROUP BY id, n
    UNION ALL SELECT NULL, NULL UNION ALL SELECT NULL, NULL;
SELECT count(*) AS sketches, count(DISTINCT n) AS sizes FROM sketches;
SELECT n, count(*) FROM sketches GROUP BY s, n ORDER BY n;
SELECT count(*) FROM (SELECT DISTINCT s FROM sketches) AS d;
SELECT count(*) FROM sketches AS a JOIN sketches AS b USING (s);
SELECT count(*) FROM sketches WHERE s IN (SELECT hll_agg(v) FROM generate_series(1, 100) AS v);
SELECT count(*) FROM (SELECT s FROM sketches UNION SELECT hll_empty()) AS u;
SELECT code FROM attempt('SELECT s FROM sketches ORDER BY s');
SELECT code FROM attempt('SELECT max(s) FROM sketches');
SELECT code FROM attempt('CREATE INDEX ON sketches (s)');
CREATE INDEX ON sketches USING hash (s);
SET enable_seqscan = off;
SELECT count(*) FROM sketches WHERE s = hll_empty() + 1;
RESET enable_seqscan;
-- A key of hash partitions
CREATE TEMP TABLE parts (s hll) PARTITION BY HASH (s);
CREATE TEMP TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TEMP TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT s FROM sketches;
SELECT count(*) FROM parts WHERE s = hll_empty() + 1;
