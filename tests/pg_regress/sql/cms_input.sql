-- What a sketch may look like from outside: malformed text and bytes are refused with a SQLSTATE of
-- their own, valid ones come out canonical.
\pset format unaligned
\pset tuples_only on
-- Malformed text: 22P02. Valid are the empty 6d01001802, the list 6d1101180215024a271b61dddea2914527135eca80281d4703
-- of 1 once and 2 twenty times, and the table 6d21011802fb4101090005054589f56a4981258500 with 3 three
-- hundred times more
SELECT what, code, message
FROM (VALUES
    (1, 'nothing', ''),
    (2, 'no prefix', '6d01001802'),
    (3, 'half a byte', '\x6d0100180'),
    (4, 'no digit', '\x6d0100180g'),
    (5, 'no bytes', '\x'),
    (6, 'two bytes', '\x6d01'),
    (7, 'another type', '\x6801001802'),
    (8, 'version 0', '\x6d00001802'),
    (9, 'version 2', '\x6d02001802'),
    (10, 'the reserved bit', '\x6d81001802'),
    (11, 'a keyed hash', '\x6d41001802'),
    (12, 'class 25', '\x6d1119180215024a271b61dddea2914527135eca80281d4703'),
    (13, 'empty with a class', '\x6d01011802'),
    (14, 'sparse without a class', '\x6d1100180215024a271b61dddea2914527135eca80281d4703'),
    (15, 'no width', '\x6d0100'),
    (16, 'no depth', '\x6d010018'),
    (17, 'width 2', '\x6d01000202'),
    (18, 'depth 0', '\x6d01001800'),
    (19, 'depth 33', '\x6d01001821'),
    (20, 'too many cells', '\x6d0100fcffffff0702'),
    (21, 'a long width', '\x6d0100fb180002'),
    (22, 'a byte too many, empty', '\x6d0100180200'),
    (23, 'no total', '\x6d11011802'),
    (24, 'a total of 0', '\x6d1101180200024a271b61dddea2914527135eca80281d4703'),
    (25, 'a total of 2^63', '\x6d11011802fd0000000000000080024a271b61dddea2914527135eca80281d4703'),
    (26, 'another total', '\x6d1101180216024a271b61dddea2914527135eca80281d4703'),
    (27, 'no count', '\x6d1101180215'),
    (28, 'no entries', '\x6d110118021500'),
    (29, 'three entries', '\x6d1101180215034a271b61dddea2914527135eca80281d4703'),
    (30, 'a byte too few', '\x6d1101180215024a271b61dddea2914527135eca80281d47'),
    (31, 'a byte too many, sparse', '\x6d1101180215024a271b61dddea2914527135eca80281d470300'),
    (32, 'a padding bit', '\x6d1101180215024a271b61dddea2914527135eca80281d4783'),
    (33, 'a key of 0', '\x6d11011802010100000000000000000000'),
    (34, 'a table cut short', '\x6d210118021509000505'),
    (35, 'no directory', '\x6d21011802fb4101'),
    (36, 'another total of a table', '\x6d21011802fb4201090005054589f56a4981258500'),
    (37, '64 bits', '\x6d21011802fb4101404000'),
    (38, 'more bits in all cells than in one', '\x6d21011802fb4101010200'),
    (39, 'more exceptions than cells', '\x6d21011802fb4101090031'),
    (40, 'bits above, but no exceptions', '\x6d21011802fb4101090000'),
    (41, 'other bits than a writer takes', '\x6d21011802fb41010909000000000000a0250000000050000000000000000000000000000000000000000000000000000000000080250000000000004001008000'),
    (42, 'a byte too many, dense', '\x6d21011802fb4101090005054589f56a498125850000'),
    (43, 'a byte too few, dense', '\x6d21011802fb4101090005054589f56a49812585'),
    (44, 'a table without values', '\x6d2101180200000000'),
    (45, 'a working state', '\x6d31' || repeat('00', 58))
) AS malformed (line, what, literal), attempt(format('SELECT %L::cms', literal))
ORDER BY line;
-- Hints
SELECT hint FROM attempt($$SELECT 'no sketch'::cms$$);
SELECT hint FROM attempt($$SELECT '\x6d02001802'::cms$$);
SELECT hint FROM attempt($$SELECT '\x6d0100fb180002'::cms$$);
-- Malformed bytes: the same messages, 22P03
SELECT code, message FROM attempt($$SELECT ''::bytea::cms$$);
SELECT code, message FROM attempt($$SELECT '\x6d01001800'::bytea::cms$$);
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000]) AS n, attempt(format($$
    SELECT (cms_agg(v)::bytea || '\x00')::cms FROM generate_series(1, %s) AS v
$$, n))
ORDER BY n;
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000]) AS n, attempt(format($$
    SELECT substr(b, 1, length(b) - 1)::cms
    FROM (SELECT cms_agg(v)::bytea AS b FROM generate_series(1, %s) AS v) AS built
$$, n))
ORDER BY n;
-- Valid text, in capitals too: the worked examples of docs/format.md
SELECT '\x6D01001802'::cms;
SELECT '\x6d1101180215024a271b61dddea2914527135eca80281d4703'::cms
    = cms_add(cms_add(cms_empty(0.1135, 0.2), 1, 1), 2, 20);
SELECT '\x6d21011802fb4101090005054589f56a4981258500'::cms
    = cms_add(cms_add(cms_add(cms_empty(0.1135, 0.2), 1, 1), 2, 20), 3, 300);
-- Every form comes back from text and from bytes as it was
SELECT n, form, s::text::cms = s AND s::bytea::cms = s AND _cms_in(_cms_out(s)) = s AS same
FROM unnest(ARRAY[0, 1, 566, 567, 50000]) AS n,
    LATERAL (SELECT cms_agg(v) AS s FROM generate_series(1, n) AS v) AS built,
    cms_info(s)
ORDER BY n;
-- COPY, where a backslash is written twice
CREATE TEMP TABLE copied (s cms);
COPY copied FROM stdin;
\\x6d01001802
\N
\.
COPY copied TO stdout;
