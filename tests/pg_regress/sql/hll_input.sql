-- What a sketch may look like from outside: malformed text and bytes are refused with a SQLSTATE of
-- their own, valid ones come out canonical.
\pset format unaligned
\pset tuples_only on
-- Malformed text: 22P02
SELECT what, code, message
FROM (VALUES
    (1, 'nothing', ''),
    (2, 'no prefix', '6801000d'),
    (3, 'a capital X', '\X6801000d'),
    (4, 'half a byte', '\x6801000'),
    (5, 'no digit', '\x6801000g'),
    (6, 'a space', '\x6801 000d'),
    (7, 'no bytes', '\x'),
    (8, 'two bytes', '\x6801'),
    (9, 'another type', '\x6201000d'),
    (10, 'version 0', '\x6800000d'),
    (11, 'version 2', '\x6802000d'),
    (12, 'the reserved bit', '\x6881000d'),
    (13, 'a keyed hash', '\x6841000d'),
    (14, 'class 25', '\x6811190d011d34d407'),
    (15, 'empty with a class', '\x6801010d'),
    (16, 'sparse without a class', '\x6811000d011d34d407'),
    (17, 'no precision', '\x680100'),
    (18, 'precision 3', '\x68010003'),
    (19, 'precision 19', '\x68010013'),
    (20, 'a byte too many, empty', '\x6801000d00'),
    (21, 'no count', '\x6811010d'),
    (22, 'half a count', '\x6811010dfb01'),
    (23, 'no tokens', '\x6811010d00'),
    (24, '1921 tokens', '\x6811010dfb8107'),
    (25, '1900 tokens in 4 bytes', '\x6811010dfb6c071d34d407'),
    (26, 'a byte too few', '\x6811010d011d34d4'),
    (27, 'a byte too many, sparse', '\x6811010d011d34d40700'),
    (28, 'a padding bit', '\x6811010d011d34d487'),
    (29, 'a long count', '\x6811010dfb01001d34d407'),
    (30, 'a token twice', '\x6811010d020a000000000000'),
    (31, 'a token above the range', '\x6811010d02f7ffff2f000000'),
    (32, 'zeros 0 where 1 is least', '\x6811010d0100400000'),
    (33, 'zeros 40 where 39 is most', '\x6811010d01004000a0'),
    (34, 'a working state', '\x6831' || repeat('00', 58))
) AS malformed (line, what, literal), attempt(format('SELECT %L::hll', literal))
ORDER BY line;
-- Hints
SELECT hint FROM attempt($$SELECT 'no sketch'::hll$$);
SELECT hint FROM attempt($$SELECT '\x6802000d'::hll$$);
SELECT hint FROM attempt($$SELECT '\x6841000d'::hll$$);
SELECT hint FROM attempt($$SELECT '\x6811010dfb01001d34d407'::hll$$);
-- Malformed bytes: the same messages, 22P03
SELECT code, message FROM attempt($$SELECT ''::bytea::hll$$);
SELECT code, message FROM attempt($$SELECT '\x68010013'::bytea::hll$$);
SELECT code, message FROM attempt($$SELECT '\x6811010d011d34d40700'::bytea::hll$$);
-- Dense sketches: the second worked example of docs/format.md, and what is wrong with its likes
SELECT '\x6821010504030302df4a400e6da08ca0d94480'::hll = hll_agg(n, 5) AS example
FROM generate_series(1, 16) AS n;
SELECT what, code, message
FROM (VALUES
    (1, 'no body', '\x6821010d'),
    (2, 'no registers', '\x6821010dff'),
    (3, 'another phase', '\x6821010505030303c04c40036b4075d000cec480'),
    (4, 'an escape for a pair with a code',
        '\x6821010504030602df4a40fb00000736d08ca0d94480'),
    (5, 'registers as they are where a code is due',
        '\x68210105ff0410000400040800000000000e00140000080014000000001004040400040004'),
    (6, 'a code where none may be', '\x682101040001010100000000'),
    (7, 'a padding bit', '\x6821010504030302df4a400e6da08ca0d94481'),
    (8, 'a byte too many', '\x6821010504030302df4a400e6da08ca0d9448000'),
    (9, 'a byte too few', '\x6821010504030302df4a400e6da08ca0d944'),
    (10, 'a byte too many in the first stream', '\x6821010504040302df4a40000e6da08ca0d94480'),
    (11, 'a stream longer than the sketch', '\x6821010504ff0302df4a400e6da08ca0d94480'),
    (12, 'a long count', '\x6821010504fb03000302df4a400e6da08ca0d94480'),
    (13, 'less than a bit a register', '\x6821010504000000'),
    (14, 'no values', '\x682101050001010100000000'),
    (15, 'no values, as they are', '\x68210104ff00000000000000000000000000000000'),
    (16, 'a register of level 62, of 61', '\x68210104fff8000000000000000000000000000000'),
    (17, 'a register of level 2 and 0', '\x68210104ff09000000000000000000000000000000')
) AS malformed (line, what, literal), attempt(format('SELECT %L::hll', literal))
ORDER BY line;
SELECT code
FROM attempt($$SELECT (hll_agg(n)::bytea || '\x00')::hll FROM generate_series(1, 5000) AS n$$);
SELECT code
FROM attempt($$SELECT substr(hll_agg(n)::bytea, 1, 100)::hll FROM generate_series(1, 5000) AS n$$);
-- Valid text, in capitals too
SELECT '\x6801000D'::hll;
SELECT '\x6811010d011d34d407'::hll;
SELECT hll_cardinality('\x6811010d011d34d407');
-- Every form comes back from text and from bytes as it was
SELECT n, s::text::hll = s AND s::bytea::hll = s AND _hll_in(_hll_out(s), 0, -1) = s
FROM unnest(ARRAY[0, 1, 960, 961, 50000]) AS n,
    LATERAL (SELECT hll_agg(v) AS s FROM generate_series(1, n) AS v) AS built
ORDER BY n;
-- COPY, where a backslash is written twice
CREATE TEMP TABLE copied (s hll);
COPY copied FROM stdin;
\\x6811010d011d34d407
\N
\.
COPY copied TO stdout;
