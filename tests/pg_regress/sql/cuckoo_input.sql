-- What a cuckoo filter may look like from outside: malformed text and bytes are refused with a
-- SQLSTATE of their own, valid ones come out as filters.
\pset format unaligned
\pset tuples_only on
-- A filter is its header (63, form, class), capacity, error rate, bits of a fingerprint, number of
-- buckets, and the number of copies with what they are. Malformed text: 22P02
SELECT what, code, message
FROM (VALUES
    (1, 'nothing', ''),
    (2, 'no prefix', '6301000a6f12033b0a0c'),
    (3, 'half a byte', '\x6301000a6f12033b0a0'),
    (4, 'no digit', '\x6301000a6f12033b0a0g'),
    (5, 'no bytes', '\x'),
    (6, 'another type', '\x6201000a6f12033b0a0c'),
    (7, 'version 2', '\x6302000a6f12033b0a0c'),
    (8, 'a keyed hash', '\x6341000a6f12033b0a0c'),
    (9, 'empty with a class', '\x6301010a6f12033b0a0c'),
    (10, 'sparse without a class', '\x6311000a6f12033b0a0c03034e8bba2b0f'),
    (11, 'class 25', '\x6311190a6f12033b0a0c03034e8bba2b0f'),
    (12, 'no parameters', '\x630100'),
    (13, 'half an error rate', '\x6301000a6f12'),
    (14, 'no buckets', '\x6301000a6f12033b0a'),
    (15, 'a long capacity', '\x630100fb0a006f12033b0a0c'),
    (16, 'capacity 0', '\x630100006f12033b0a0c'),
    (17, 'capacity 2^64 - 1', '\x630100fdffffffffffffffff6f12033b0a0c'),
    (18, 'error rate 0', '\x6301000a000000000a0c'),
    (19, 'error rate 0.75', '\x6301000a0000403f0a0c'),
    (20, 'error rate NaN', '\x6301000a0000c07f0a0c'),
    (21, '3 bits', '\x6301000a6f12033b030c'),
    (22, '33 bits', '\x6301000a6f12033b210c'),
    (23, 'no bucket', '\x6301000a6f12033b0a00'),
    (24, '13 buckets', '\x6301000a6f12033b0a0d'),
    (25, '4,294,967,294 buckets', '\x6301000a6f12033b0afcfeffffff'),
    (26, 'a byte too many, empty', '\x6301000a6f12033b0a0c00'),
    (27, 'no count', '\x6311010a6f12033b0a0c'),
    (28, 'no copies', '\x6311010a6f12033b0a0c00'),
    (29, '2 copies and not 3', '\x6311010a6f12033b0a0c02034e8bba2b0f'),
    (30, '7 copies where 6 are most', '\x6311010a6f12033b0a0c07034e8bba2b0f'),
    (31, 'a byte too few, sparse', '\x6311010a6f12033b0a0c03034e8bba2b'),
    (32, 'a byte too many, sparse', '\x6311010a6f12033b0a0c03034e8bba2b0f00'),
    (33, '4,294,967,295 copies', '\x6311010a6f12033b0a0cfcffffffff034e8bba2b0f'),
    (34, 'dense of 3', '\x6321010a6f12033b0a0c03'),
    (35, 'a byte too few, dense', '\x6321010a6f12033b0a0c0a880000f0090000000058e76a360f00000000ef01008007000000000000000050000000340000000000000000684600004009000000'),
    (36, 'another number of copies', '\x6321010a6f12033b0a0c0b880000f0090000000058e76a360f00000000ef0100800700000000000000005000000034000000000000000068460000400900000000'),
    (37, 'multiset 4,095', '\x6321010a6f12033b0a0c0aff0f00f0090000000058e76a360f00000000ef0100800700000000000000005000000034000000000000000068460000400900000000'),
    (38, 'a working state', '\x6331' || repeat('00', 58))
) AS malformed (line, what, literal), attempt(format('SELECT %L::cuckoo', literal))
ORDER BY line;
-- Hints
SELECT hint FROM attempt($$SELECT 'no filter'::cuckoo$$);
SELECT hint FROM attempt($$SELECT '\x6302000a6f12033b0a0c'::cuckoo$$);
SELECT hint FROM attempt($$SELECT '\x630100fb0a006f12033b0a0c'::cuckoo$$);
-- Malformed bytes: the same messages, 22P03
SELECT code, message FROM attempt($$SELECT ''::bytea::cuckoo$$);
SELECT code, message FROM attempt($$SELECT '\x6301000a6f12033b0a00'::bytea::cuckoo$$);
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000, 20000]) AS n, attempt(format($$
    SELECT (cuckoo_agg(v, 40000)::bytea || '\x00')::cuckoo FROM generate_series(1, %s) AS v
$$, n))
ORDER BY n;
SELECT n, code
FROM unnest(ARRAY[1, 100, 5000, 20000]) AS n, attempt(format($$
    SELECT substr(b, 1, length(b) - 1)::cuckoo
    FROM (SELECT cuckoo_agg(v, 40000)::bytea AS b FROM generate_series(1, %s) AS v) AS built
$$, n))
ORDER BY n;
-- Valid text, in capitals too
SELECT '\x6301000A6F12033B0A0C'::cuckoo = cuckoo_empty(10);
SELECT '\x6311010a6f12033b0a0c03034e8bba2b0f'::cuckoo = cuckoo_empty(10) + 1 + 2 + 3;
-- Geometry that nobody would choose: what a later version finds better is read all the same
SELECT capacity, fingerprint_bits, form, bytes FROM cuckoo_info('\x6301000a6f12033b2002');
SELECT '\x6301000a6f12033b2002'::cuckoo + 42 @> 42;
-- Every form comes back from text and from bytes as it was
SELECT n, form, s::text::cuckoo = s AND s::bytea::cuckoo = s AND _cuckoo_in(_cuckoo_out(s)) = s AS same
FROM unnest(ARRAY[0, 1, 100, 5000, 20000]) AS n,
    LATERAL (SELECT cuckoo_agg(v, 40000) AS s FROM generate_series(1, n) AS v) AS built,
    cuckoo_info(s)
ORDER BY n;
-- COPY, where a backslash is written twice
CREATE TEMP TABLE copied (s cuckoo);
COPY copied FROM stdin;
\\x6301000a6f12033b0a0c
\N
\.
COPY copied TO stdout;
