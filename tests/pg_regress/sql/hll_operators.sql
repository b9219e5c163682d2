-- Operators: +, ||, #.
\pset null NULL
-- + adds a value of any type
SELECT hll_empty() + 42 = hll_agg(42) AS number,
    hll_empty() + 'abc'::text = hll_agg('abc'::text) AS text,
    hll_empty() + true = hll_agg(true) AS bool,
    hll_empty() + ARRAY[1, 2] = hll_agg(ARRAY[1, 2]) AS array,
    hll_empty() + ROW(1, 2) = hll_agg(ROW(1, 2)) AS row;
SELECT hll_empty() + 1 + 2 + 1 = hll_agg(n) AS one_by_one FROM generate_series(1, 2) AS n;
-- An untyped literal, or an untyped parameter, is text, and so is every string type
SELECT hll_empty() + 'abc' = hll_agg('abc'::text) AS literal,
    hll_empty() + 'abc'::varchar = hll_agg('abc'::text) AS varchar,
    hll_empty() + 'abc'::char(5) = hll_agg('abc'::text) AS padded,
    hll_empty() + 'abc'::name = hll_agg('abc'::text) AS name,
    hll_empty() + 'a'::"char" = hll_agg('a'::text) AS "char";
PREPARE plus AS SELECT hll_empty() + $1 = hll_agg('abc'::text) AS untyped;
EXECUTE plus('abc');
DEALLOCATE plus;
-- NULL
SELECT hll_agg(42) + NULL = hll_agg(42) AS no_value,
    hll_agg(42) + NULL::int = hll_agg(42) AS no_number,
    NULL::hll + 42 AS no_sketch;
-- The class of the first value stays
SELECT code, message, hint FROM attempt($$SELECT hll_empty() + 1 + 'abc'$$);
SELECT code, message, hint FROM attempt($$SELECT hll_empty() + 'abc' + 1$$);
SELECT code, message, hint FROM attempt($$SELECT hll_empty() + '2024-02-29'::date + now()$$);
-- || merges
SELECT hll_agg(1) || hll_agg(2) = hll_empty() + 1 + 2 AS merged,
    hll_agg(1) || hll_agg(2) = (hll_agg(2) || hll_agg(1)) AS either_way,
    hll_agg(1) || hll_agg(1) = hll_agg(1) AS itself,
    hll_agg(1) || hll_empty() = hll_agg(1) AS with_empty,
    hll_agg(1) || hll_agg(2) || hll_agg(3) = hll_agg(1) || (hll_agg(2) || hll_agg(3)) AS grouped;
SELECT hll_agg(1) || NULL = hll_agg(1) AS right_null, NULL || hll_agg(1) = hll_agg(1) AS left_null,
    NULL::hll || NULL::hll AS nothing;
-- An untyped literal beside a sketch is a sketch
SELECT hll_agg(1) || '\x6801000c' = hll_agg(1) AS literal;
SELECT code, message FROM attempt($$SELECT hll_agg(1) || 'abc'$$);
SELECT code, message, hint FROM attempt('SELECT hll_agg(1) || hll_agg(1, 11)');
SELECT code, message, hint FROM attempt('SELECT hll_agg(1) || hll_agg(true)');
-- There is no prefix operator: `# a + # b` would have been # (a + (# b))
SELECT count(*) AS prefix_operators
FROM pg_operator WHERE oprright = 'hll'::regtype AND oprleft = 0;
