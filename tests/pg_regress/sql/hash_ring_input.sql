-- What a ring may look like from outside: malformed text and bytes are refused with a SQLSTATE of
-- their own, valid ones come out as rings.
\pset format unaligned
\pset tuples_only on
-- A ring is its header (72, form, class), vnodes, the number of nodes, whether there are weights, and
-- for each node the length of its name, the name and the weight. Malformed text: 22P02
SELECT what, code, message
FROM (VALUES
    (1, 'nothing', ''),
    (2, 'no prefix', '72010000'),
    (3, 'half a byte', '\x7201000'),
    (4, 'no bytes', '\x'),
    (5, 'another type', '\x6201000a6f12033b0a0c'),
    (6, 'version 2', '\x72020000'),
    (7, 'a keyed hash', '\x72410000'),
    (8, 'empty with a class', '\x72010300'),
    (9, 'no class', '\x721100000100' || '0161'),
    (10, 'class 1', '\x721101000100' || '0161'),
    (11, 'dense', '\x722103000100' || '0161'),
    (12, 'no vnodes', '\x720100'),
    (13, '10,001 vnodes', '\x720100fb1127'),
    (14, 'a byte too many, empty', '\x7201000000'),
    (15, 'no nodes', '\x721103000000'),
    (16, 'marks of 2', '\x721103000102' || '0161'),
    (17, 'a node too few', '\x721103000200' || '0161'),
    (18, 'a byte too few', '\x721103000100' || '0261'),
    (19, 'a byte too many', '\x721103000100' || '016162'),
    (20, 'not in order', '\x721103000200' || '01620161'),
    (21, 'twice', '\x721103000200' || '01610161'),
    (22, '4,294,967,295 nodes', '\x72110300fcffffffff00' || '0161'),
    (23, 'a long number of nodes', '\x72110300fb010000' || '0161'),
    (24, 'weights of 1', '\x721103000101' || '0161000000000000f03f'),
    (25, 'weight 0', '\x721103000101' || '01610000000000000000'),
    (26, 'weight -1', '\x721103000101' || '0161000000000000f0bf'),
    (27, 'weight infinite', '\x721103000101' || '0161000000000000f07f'),
    (28, 'weight NaN', '\x721103000101' || '0161000000000000f87f'),
    (29, 'half a weight', '\x721103000101' || '016100000000'),
    (30, 'points without end', '\x721103010101' || '01610000000000005046'),
    (31, 'a working state', '\x7231' || repeat('00', 58))
) AS malformed (line, what, literal), attempt(format('SELECT %L::hash_ring', literal))
ORDER BY line;
-- Hints
SELECT hint FROM attempt($$SELECT 'no ring'::hash_ring$$);
SELECT hint FROM attempt($$SELECT '\x72020000'::hash_ring$$);
SELECT hint FROM attempt($$SELECT '\x72110300fb0100000161'::hash_ring$$);
-- Malformed bytes: the same messages, 22P03
SELECT code, message FROM attempt($$SELECT ''::bytea::hash_ring$$);
SELECT code, message FROM attempt($$SELECT '\x72110300020001620161'::bytea::hash_ring$$);
-- Valid text, in capitals too
SELECT '\x7211030001000161'::hash_ring = hash_ring_empty() + 'a';
SELECT '\x721103FB2C010101016100000000000004' || '40' AS text \gset
SELECT :'text'::hash_ring = hash_ring_add(hash_ring_empty(300), 'a', 2.5);
-- Every ring comes back from text and from bytes as it was
SELECT n, r::text::hash_ring = r AND r::bytea::hash_ring = r AND _hash_ring_in(_hash_ring_out(r)) = r AS same
FROM unnest(ARRAY[0, 1, 100, 5000]) AS n,
    LATERAL (SELECT hash_ring_agg('node' || i, 1 + i % 3) AS r FROM generate_series(1, n) AS i) AS built
ORDER BY n;
-- A name that is no text in the encoding of the database stays inside
SELECT (hash_ring_info('\x72110300010001ff')).nodes;
SELECT code FROM attempt($$SELECT '\x72110300010001ff'::hash_ring -> 1$$);
SELECT code FROM attempt($$SELECT hash_ring_items('\x7211030001000100')$$);
-- COPY, where a backslash is written twice
CREATE TEMP TABLE copied (r hash_ring);
COPY copied FROM stdin;
\\x7211030001000161
\N
\.
COPY copied TO stdout;
