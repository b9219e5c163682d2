-- Operators: +, ||, @>, <@, &.
\pset null NULL
-- + adds a value of any type
SELECT bloom_empty(10) + 42 = bloom_agg(42, 10) AS number,
    bloom_empty(10) + 'abc'::text = bloom_agg('abc'::text, 10) AS text,
    bloom_empty(10) + true = bloom_agg(true, 10) AS bool,
    bloom_empty(10) + ARRAY[1, 2] = bloom_agg(ARRAY[1, 2], 10) AS array,
    bloom_empty(10) + ROW(1, 2) = bloom_agg(ROW(1, 2), 10) AS row;
SELECT bloom_empty(10) + 1 + 2 + 1 = bloom_agg(n, 10) AS one_by_one FROM generate_series(1, 2) AS n;
-- An untyped literal, or an untyped parameter, is text, and so is every string type
SELECT bloom_empty(10) + 'abc' = bloom_agg('abc'::text, 10) AS literal,
    bloom_empty(10) + 'abc'::char(5) = bloom_agg('abc'::text, 10) AS padded,
    bloom_empty(10) + 'abc'::name = bloom_agg('abc'::text, 10) AS name;
PREPARE plus AS SELECT bloom_empty(10) + $1 = bloom_agg('abc'::text, 10) AS untyped;
EXECUTE plus('abc');
DEALLOCATE plus;
SELECT bloom_agg(42) + NULL = bloom_agg(42) AS no_value, bloom_agg(42) + NULL::int = bloom_agg(42) AS no_number,
    NULL::bloom + 42 AS no_filter;
-- The class of the first value stays
SELECT code, message, hint FROM attempt($$SELECT bloom_empty() + 1 + 'abc'$$);
SELECT code, message, hint FROM attempt($$SELECT bloom_empty() + '2024-02-29'::date + now()$$);
-- || merges
SELECT a || b = bloom_empty(10) + 1 + 2 AS merged, a || b = b || a AS either_way, a || a = a AS itself,
    a || bloom_empty(10) = a AS with_empty, a || b || c = a || (b || c) AS grouped
FROM (SELECT bloom_empty(10) + 1, bloom_empty(10) + 2, bloom_empty(10) + 3) AS filters (a, b, c);
SELECT bloom_agg(1) || NULL = bloom_agg(1) AS right_null, NULL || bloom_agg(1) = bloom_agg(1) AS left_null,
    NULL::bloom || NULL::bloom AS nothing;
-- An untyped literal beside a filter is a filter
SELECT bloom_agg(1) || '\x6201000a0ad7233c0662' = bloom_agg(1) AS literal;
SELECT code, message FROM attempt($$SELECT bloom_agg(1) || 'abc'$$);
SELECT code, message, hint FROM attempt('SELECT bloom_agg(1, 10) || bloom_agg(1, 100)');
SELECT code, message, hint FROM attempt('SELECT bloom_agg(1) || bloom_agg(true)');
-- @> and <@ look a value up
SELECT f @> 1 AS one, f @> 2::bigint AS two, f @> 3.0 AS three, 1 <@ f AS one_in, 9 <@ f AS nine_in,
    f @> NULL::int AS no_value, NULL::bloom @> 1 AS no_filter, NULL::int <@ f AS neither
FROM (VALUES (bloom_empty(1000) + 1 + 2 + 3)) AS filters (f);
SELECT f @> 'abc' AS literal, 'abc' <@ f AS literal_in, f @> 'abc'::varchar AS varchar, f @> 'abd' AS other
FROM (VALUES (bloom_empty(1000) + 'abc')) AS filters (f);
SELECT f @> ROW(1, true) AS row, ARRAY[1] <@ bloom_agg(ARRAY[1]) AS array
FROM (VALUES (bloom_empty(1000) + ROW(1, true))) AS filters (f) GROUP BY f;
PREPARE look AS SELECT bloom_empty(1000) + 'abc' @> $1 AS untyped, $2 <@ bloom_agg('abc'::text) AS untyped_in;
EXECUTE look('abc', 'abc');
DEALLOCATE look;
SELECT code, message, hint FROM attempt($$SELECT bloom_agg(1) @> 'abc'$$);
SELECT code, message, hint FROM attempt($$SELECT 'abc' <@ bloom_agg(1)$$);
-- As conditions, of a join too
CREATE TEMP TABLE pages AS SELECT page, bloom_agg(page * 10 + n, 1000) AS users
    FROM generate_series(1, 5) AS page, generate_series(1, 15) AS n GROUP BY page;
SELECT page FROM pages WHERE users @> 25 ORDER BY page;
SELECT visitor, array_agg(page ORDER BY page) AS pages
FROM (VALUES (15), (22), (31), (99)) AS v (visitor) LEFT JOIN pages ON visitor <@ users
GROUP BY visitor ORDER BY visitor;
-- & intersects
SELECT a & b = bloom_empty(1000) + 2 AS common, a & b = b & a AS either_way, a & a = a AS itself,
    a & bloom_empty(1000) = bloom_empty(1000) AS with_empty, a & NULL AS nothing
FROM (VALUES (bloom_empty(1000) + 1 + 2, bloom_empty(1000) + 2 + 3)) AS filters (a, b);
SELECT code, message, hint FROM attempt('SELECT bloom_agg(1, 10) & bloom_agg(1, 100)');
