-- Values that SQL calls equal count once; values of different classes never meet.
\pset null NULL
SET timezone = 'UTC';
-- Each row: one value written in two ways
SELECT what, equal
FROM (
    SELECT 1, 'smallint and bigint',
        hll_agg(42::smallint) = hll_agg(42::bigint)
    UNION ALL SELECT 2, 'integer and numeric',
        hll_agg(42) = hll_agg(42.0)
    UNION ALL SELECT 3, 'negative integer and numeric',
        hll_agg(-42) = hll_agg(-42.000)
    UNION ALL SELECT 4, 'numeric of another scale',
        hll_agg(1.5) = hll_agg(1.500)
    UNION ALL SELECT 5, 'numeric of many digits',
        hll_agg(1e30::numeric) = hll_agg(1000000000000000000000000000000.00)
    UNION ALL SELECT 6, 'numeric zero',
        hll_agg(0.000) = hll_agg(0)
    UNION ALL SELECT 7, 'largest bigint and numeric',
        hll_agg(9223372036854775807) = hll_agg(9223372036854775807.0)
    UNION ALL SELECT 8, 'smallest bigint and numeric',
        hll_agg((-9223372036854775808)::bigint) = hll_agg(-9223372036854775808.0)
    UNION ALL SELECT 9, 'numeric modifier',
        hll_agg(1.5::numeric(10, 5)) = hll_agg(1.5)
    UNION ALL SELECT 10, 'oid',
        hll_agg(4000000000::oid) = hll_agg(4000000000)
    UNION ALL SELECT 11, 'regclass',
        hll_agg('pg_class'::regclass) = hll_agg('pg_class'::regclass::oid)
    UNION ALL SELECT 12, 'real and double precision',
        hll_agg(1.5::real) = hll_agg(1.5::float8)
    UNION ALL SELECT 13, 'zeros',
        hll_agg('-0'::float8) = hll_agg('0'::real)
    UNION ALL SELECT 14, 'varchar',
        hll_agg('abc'::varchar(9)) = hll_agg('abc'::text)
    UNION ALL SELECT 15, 'char',
        hll_agg('abc'::char(9)) = hll_agg('abc'::text)
    UNION ALL SELECT 16, 'name',
        hll_agg('abc'::name) = hll_agg('abc'::text)
    UNION ALL SELECT 17, '"char"',
        hll_agg('a'::"char") = hll_agg('a'::text)
    UNION ALL SELECT 18, 'bit and varbit',
        hll_agg(B'101') = hll_agg('101'::varbit)
    UNION ALL SELECT 19, 'macaddr and macaddr8',
        hll_agg('08:00:2b:01:02:03'::macaddr) = hll_agg('08:00:2b:ff:fe:01:02:03'::macaddr8)
    UNION ALL SELECT 20, 'inet and cidr',
        hll_agg('10.0.0.0/8'::inet) = hll_agg('10.0.0.0/8'::cidr)
    UNION ALL SELECT 21, 'timestamptz of two zones',
        hll_agg('2024-02-29 12:00+00'::timestamptz) = hll_agg('2024-02-29 14:00+02'::timestamptz)
    UNION ALL SELECT 22, 'a month and 30 days',
        hll_agg('1 month'::interval) = hll_agg('30 days'::interval)
    UNION ALL SELECT 23, 'a day and 24 hours',
        hll_agg('1 day'::interval) = hll_agg('24:00:00'::interval)
    UNION ALL SELECT 24, 'jsonb of another order and scale',
        hll_agg('{"a": 1, "bb": [2.0]}'::jsonb) = hll_agg('{"bb": [2.00], "a": 1.0}'::jsonb)
    UNION ALL SELECT 25, 'range of integers',
        hll_agg('[1,5)'::int4range) = hll_agg('(0,4]'::int4range)
    UNION ALL SELECT 26, 'range of numbers',
        hll_agg('[1,5)'::numrange) = hll_agg('[1.0,5.00)'::numrange)
    UNION ALL SELECT 27, 'multirange',
        hll_agg('{[1,3),[3,5)}'::int4multirange) = hll_agg('{[1,5)}'::int4multirange)
    UNION ALL SELECT 28, 'arrays',
        hll_agg(ARRAY[1, 2]) = hll_agg('{1,2}'::bigint[])
    UNION ALL SELECT 29, 'rows',
        hll_agg(ROW(1, 'abc'::text)) = hll_agg(ROW(1.0, 'abc'::char(9)))
    UNION ALL SELECT 30, 'short and long form of an array',
        hll_agg(ARRAY['abc', 'd', 'efghi']) = hll_agg(string_to_array('abc,d,efghi', ','))
    UNION ALL SELECT 31, '"char" beyond ASCII',
        hll_agg((-1)::"char") = hll_agg((-1)::"char"::text)
    UNION ALL SELECT 32, 'xid8 beyond bigint',
        hll_agg('18446744073709551615'::xid8) = hll_agg(18446744073709551615)
) AS pairs (line, what, equal)
ORDER BY line;
-- Each row: values of one type, all different
SELECT what, found = expected AS all_found, found
FROM (
    SELECT 1, 'numeric', hll_cardinality(hll_agg(v)), 8
    FROM unnest('{0,1,-1,10000,0.0001,NaN,Infinity,-Infinity}'::numeric[]) AS v
    UNION ALL
    SELECT 2, 'float8', hll_cardinality(hll_agg(v)), 7
    FROM unnest('{0,1,-1,1e-300,NaN,Infinity,-Infinity}'::float8[]) AS v
    UNION ALL
    SELECT 3, 'text', hll_cardinality(hll_agg(v)), 6 FROM unnest('{"","a"," a","a ",A,ab}'::text[]) AS v
    UNION ALL
    SELECT 4, 'bit', hll_cardinality(hll_agg(v)), 5 FROM unnest('{"",0,00,1,10}'::varbit[]) AS v
    UNION ALL
    SELECT 5, 'bytea', hll_cardinality(hll_agg(v)), 3 FROM unnest(ARRAY['', '\x00', '\x0000']::bytea[]) AS v
    UNION ALL
    SELECT 6, 'inet', hll_cardinality(hll_agg(v)), 5
    FROM unnest('{10.0.0.0,10.0.0.0/8,10.0.0.1/8,::,::ffff:10.0.0.0}'::inet[]) AS v
    UNION ALL
    SELECT 7, 'timetz', hll_cardinality(hll_agg(v)), 2 FROM unnest('{12:00+00,13:00+01}'::timetz[]) AS v
    UNION ALL
    SELECT 8, 'timestamp', hll_cardinality(hll_agg(v)), 3
    FROM unnest('{2024-02-29,infinity,-infinity}'::timestamp[]) AS v
    UNION ALL
    SELECT 9, 'jsonb', hll_cardinality(hll_agg(v)), 12
    FROM unnest(ARRAY[
        '5', '"5"', '[5]', 'null', '[null]', '[]', '[[]]', '[{}]', '{}', '{"a": []}', '{"a": {}}',
        'true'
    ]::jsonb[]) AS v
    UNION ALL
    SELECT 10, 'int[]', hll_cardinality(hll_agg(v)), 7
    FROM (VALUES
        ('{}'::int[]), ('{1}'), ('{1,2}'), ('{2,1}'), ('{{1,2}}'), ('[0:1]={1,2}'), ('{1,NULL}')
    ) AS arrays (v)
    UNION ALL
    SELECT 11, 'text[]', hll_cardinality(hll_agg(v)), 4
    FROM (VALUES ('{ab,c}'::text[]), ('{a,bc}'), ('{NULL}'), ('{"NULL"}')) AS arrays (v)
    UNION ALL
    SELECT 12, 'row', hll_cardinality(hll_agg(v)), 4
    FROM (VALUES (ROW(1, 2)), (ROW(1, NULL::int)), (ROW(NULL::int, 1)), (ROW(2, 1))) AS rows (v)
    UNION ALL
    SELECT 13, 'numrange', hll_cardinality(hll_agg(v)), 7
    FROM unnest(ARRAY['empty', '(,)', '[1,)', '(,1]', '(,1)', '[1,2)', '[1,2]']::numrange[]) AS v
) AS counted (line, what, found, expected)
ORDER BY line;
-- Types that a user makes: enums count by label, domains as their base, rows by their columns
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE mood_again AS ENUM ('happy', 'sad');
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE DOMAIN several AS positive[];
CREATE TYPE pair AS (a int, b text);
CREATE TABLE dropped (a int, gone text, b text);
ALTER TABLE dropped DROP COLUMN gone;
INSERT INTO dropped VALUES (1, 'x');
SELECT hll_agg('sad'::mood) = hll_agg('sad'::text) AS label,
    hll_agg('sad'::mood) = hll_agg('sad'::mood_again) AS enums,
    hll_agg(7::positive) = hll_agg(7) AS domain,
    hll_agg('{7}'::several) = hll_agg(ARRAY[7]) AS domain_of_array,
    hll_agg(ROW(1, 'x')::pair) = hll_agg(ROW(1, 'x'::text)) AS composite,
    hll_agg(dropped) = hll_agg(ROW(1, 'x')::pair) AS dropped_column,
    hll_agg(ARRAY[ROW(1, 'x')::pair]) = hll_agg(ARRAY[dropped]) AS array_of_rows
FROM dropped;
DROP TABLE dropped;
DROP TYPE mood, mood_again, pair;
DROP DOMAIN several, positive;
-- A long value counts alike, whether compressed, out of line or plain
CREATE TEMP TABLE long (id int, v text);
ALTER TABLE long ALTER v SET STORAGE EXTENDED;
INSERT INTO long SELECT 1, string_agg(md5(n::text), '') FROM generate_series(1, 1000) AS n;
INSERT INTO long SELECT 2, repeat('a', 100000);
ALTER TABLE long ALTER v SET STORAGE EXTERNAL;
INSERT INTO long SELECT id, v || '' FROM long;
SELECT id, count(*), hll_cardinality(hll_agg(v)) AS text, hll_cardinality(hll_agg(v::bytea)) AS bytea,
    hll_cardinality(hll_agg(ARRAY[v])) AS array, hll_cardinality(hll_agg(ROW(v))) AS row, hll_cardinality(hll_agg(to_jsonb(v))) AS jsonb,
    hll_cardinality(hll_agg(long)) AS table_row
FROM long GROUP BY id ORDER BY id;
-- The class of each type
SELECT hll_agg(v) = hll_empty() AS no_class_yet FROM (SELECT NULL::int) AS none (v);
SELECT (hll_info(hll_agg(oid))).value_class AS oid,
    (hll_info(hll_agg(relname))).value_class AS name,
    (hll_info(hll_agg(relkind))).value_class AS "char",
    (hll_info(hll_agg(relispartition))).value_class AS bool,
    (hll_info(hll_agg(reltuples))).value_class AS real,
    (hll_info(hll_agg(pg_class))).value_class AS row
FROM pg_class;
SELECT code, message, hint FROM attempt($$SELECT hll_agg(1) + '1'::text$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg(1) + 1::float8$$);
SELECT code, message, hint
FROM attempt($$SELECT hll_agg('2024-02-29'::date) || hll_agg('2024-02-29'::timestamp)$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg('[1]'::jsonb) || hll_agg(ARRAY[1])$$);
-- Refused: types without equality or without a hash function, by themselves or inside others
SELECT code, message, hint FROM attempt($$SELECT hll_agg('{}'::json)$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg('(1,2)'::point)$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg('a'::tsvector)$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg(ARRAY['{}'::json])$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg(ROW(1, '(1,2)'::point))$$);
SELECT code, message, hint FROM attempt($$SELECT hll_agg(ROW('abc'))$$);
-- Refused: a sketch, by itself or inside another value
SELECT code, message, hint FROM attempt($$SELECT hll_agg(hll_empty())$$);
SELECT code, message, hint FROM attempt($$SELECT bloom_empty() @> ROW(1, ARRAY[cms_empty()])$$);
SELECT hll_cardinality(hll_agg(hll_empty()::bytea)) AS its_bytes;
-- A literal is text
SELECT hll_agg('abc') = hll_agg('abc'::text) AS literal,
    approx_count_distinct('abc') AS one, hll_agg(NULL) = hll_empty() AS nothing;
