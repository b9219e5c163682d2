-- What a filter may look like from outside: malformed text and bytes are refused with a SQLSTATE of
-- their own, valid ones come out canonical.
\pset format unaligned
\pset tuples_only on
-- A filter is its header (62, form, class), capacity, error rate, number of hashes (0: split
-- blocks), number of bits or blocks, and what it holds. Malformed text: 22P02
SELECT what, code, message
FROM (VALUES
    (1, 'nothing', ''),
    (2, 'no prefix', '6201000a0ad7233c0662'),
    (3, 'half a byte', '\x6201000a0ad7233c066'),
    (4, 'no digit', '\x6201000a0ad7233c066g'),
    (5, 'no bytes', '\x'),
    (6, 'two bytes', '\x6201'),
    (7, 'another type', '\x6801000d'),
    (8, 'version 2', '\x6202000a0ad7233c0662'),
    (9, 'a keyed hash', '\x6241000a0ad7233c0662'),
    (10, 'empty with a class', '\x6201010a0ad7233c0662'),
    (11, 'dense without a class', '\x6221000a0ad7233c0662ff000000000000000000000000'),
    (12, 'class 25', '\x6221190a0ad7233c0662ff000000000000000000000000'),
    (13, 'no parameters', '\x620100'),
    (14, 'half an error rate', '\x6201000a0ad7'),
    (15, 'no size', '\x6201000a0ad7233c06'),
    (16, 'a long capacity', '\x620100fb0a000ad7233c0662'),
    (17, 'capacity 0', '\x620100000ad7233c0662'),
    (18, 'capacity 0 and no size', '\x620100000ad7233c0000'),
    (19, 'error rate 0', '\x6201000a000000000662'),
    (20, 'error rate 0.75', '\x6201000a0000403f0662'),
    (21, 'error rate NaN', '\x6201000a0000c07f0662'),
    (22, 'size 0', '\x6201000a0ad7233c0600'),
    (23, '24 bits', '\x6201000a0ad7233c0618'),
    (24, '2^33 bits', '\x6201000a0ad7233c06fd0000000002000000'),
    (25, '65 hashes', '\x6201000a0ad7233c4162'),
    (26, 'a byte too many, empty', '\x6201000a0ad7233c066200'),
    (27, 'a byte too few, dense', '\x6221010a0ad7233c0662ff0000000000000000000000'),
    (28, 'a byte too many, dense', '\x6221010a0ad7233c0662ff00000000000000000000000000'),
    (29, 'no bit', '\x6221010a0ad7233c066200000000000000000000000000'),
    (30, 'a bit behind the last', '\x6221010a0ad7233c0662ff000000000000000000000004'),
    (31, 'no count', '\x6211010a0ad7233c0662'),
    (32, 'no keys', '\x6211010a0ad7233c066200'),
    (33, '2 keys where 1 is most', '\x6211010a0ad7233c06620200'),
    (34, '1000 keys in a byte', '\x621101fc40420f000ad7233c00fbaaa0fbe80300'),
    (35, '4,294,967,295 keys', '\x621101fc40420f000ad7233c00fbaaa0fcffffffff00'),
    (36, 'a working state', '\x6231' || repeat('00', 58))
) AS malformed (line, what, literal), attempt(format('SELECT %L::bloom', literal))
ORDER BY line;
-- Hints
SELECT hint FROM attempt($$SELECT 'no filter'::bloom$$);
SELECT hint FROM attempt($$SELECT '\x6202000a0ad7233c0662'::bloom$$);
SELECT hint FROM attempt($$SELECT '\x620100fb0a000ad7233c0662'::bloom$$);
-- Malformed bytes: the same messages, 22P03
SELECT code, message FROM attempt($$SELECT ''::bytea::bloom$$);
SELECT code, message FROM attempt($$SELECT '\x6201000a0ad7233c0600'::bytea::bloom$$);
SELECT code, message FROM attempt($$SELECT '\x6221010a0ad7233c066200000000000000000000000000'::bytea::bloom$$);
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000, 20000]) AS n, attempt(format($$
    SELECT (bloom_agg(v, 80000)::bytea || '\x00')::bloom FROM generate_series(1, %s) AS v
$$, n))
ORDER BY n;
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000, 20000]) AS n, attempt(format($$
    SELECT substr(b, 1, length(b) - 1)::bloom
    FROM (SELECT bloom_agg(v, 80000)::bytea AS b FROM generate_series(1, %s) AS v) AS built
$$, n))
ORDER BY n;
-- 5,000 keys have a directory, here of offsets that lie
SELECT code
FROM attempt($$
    SELECT set_byte(bloom_agg(v, 80000)::bytea, 20, 255)::bloom FROM generate_series(1, 5000) AS v
$$);
-- Valid text, in capitals too
SELECT '\x6201000A0AD7233C0662'::bloom = bloom_empty(10);
SELECT '\x6221010a0ad7233c0662ff000000000000000000000000'::bloom;
SELECT capacity, error_rate, layout, form, value_class
FROM bloom_info('\x6221010a0ad7233c0662ff000000000000000000000000');
-- Geometry that nobody would choose: what a later version finds better is read all the same
SELECT capacity, layout, form, bytes FROM bloom_info('\x6201000a0ad7233c0001');
SELECT '\x6201000a0ad7233c0001'::bloom + 42 @> 42;
-- Every form comes back from text and from bytes as it was
SELECT n, form, s::text::bloom = s AND s::bytea::bloom = s AND _bloom_in(_bloom_out(s)) = s AS same
FROM unnest(ARRAY[0, 1, 100, 5000, 20000]) AS n,
    LATERAL (SELECT bloom_agg(v, 80000) AS s FROM generate_series(1, n) AS v) AS built,
    bloom_info(s)
ORDER BY n;
-- COPY, where a backslash is written twice
CREATE TEMP TABLE copied (s bloom);
COPY copied FROM stdin;
\\x6201000a0ad7233c0662
\N
\.
COPY copied TO stdout;
