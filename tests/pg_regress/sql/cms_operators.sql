-- Operators: +, ||, -, ->.
\pset null NULL
-- + adds a value of any type once
SELECT cms_empty() + 42 = cms_agg(42) AS number, cms_empty() + 'abc'::text = cms_agg('abc'::text) AS text,
    cms_empty() + true = cms_agg(true) AS bool, cms_empty() + ARRAY[1, 2] = cms_agg(ARRAY[1, 2]) AS array,
    cms_empty() + ROW(1, 2) = cms_agg(ROW(1, 2)) AS row;
-- An untyped literal, or an untyped parameter, is text, and so is every string type
SELECT cms_empty() + 'abc' = cms_agg('abc'::text) AS literal, cms_empty() + 'abc'::char(5) = cms_agg('abc'::text) AS padded,
    cms_empty() + 'abc'::name = cms_agg('abc'::text) AS name;
PREPARE plus AS SELECT cms_empty() + $1 -> $1 AS untyped;
EXECUTE plus('abc');
DEALLOCATE plus;
SELECT cms_agg(42) + NULL = cms_agg(42) AS no_value, cms_agg(42) + NULL::int = cms_agg(42) AS no_number, NULL::cms + 42 AS no_sketch;
-- The class of the first value stays
SELECT code, message, hint FROM attempt($$SELECT cms_empty() + 1 + 'abc'$$);
-- || adds up
SELECT a || b = cms_empty() + 1 + 2 AS merged, a || b = b || a AS either_way, (a || a) -> 1 AS twice,
    a || cms_empty() = a AS with_empty, a || b || c = a || (b || c) AS grouped
FROM (SELECT cms_empty() + 1, cms_empty() + 2, cms_empty() + 3) AS sketches (a, b, c);
SELECT cms_agg(1) || NULL = cms_agg(1) AS right_null, NULL || cms_agg(1) = cms_agg(1) AS left_null, NULL::cms || NULL::cms AS nothing;
SELECT code, message FROM attempt($$SELECT cms_agg(1) || 'abc'$$);
-- - takes a sketch away
SELECT (a || b) - b = a AS back, a - a = cms_empty() AS nothing_left, a - cms_empty() = a AS without_empty, a - NULL = a AS right_null,
    NULL - a AS left_null
FROM (SELECT cms_empty() + 1 + 1, cms_empty() + 2) AS sketches (a, b);
SELECT code, message, hint FROM attempt('SELECT cms_agg(1) - cms_agg(2)');
-- A value is not taken away by -, which would be taken for a sketch
SELECT code FROM attempt('SELECT cms_agg(1) - 1');
-- -> looks a frequency up
SELECT s -> 1 AS one, s -> 2::bigint AS two, s -> 3.0 AS three, s -> NULL::int AS no_value, NULL::cms -> 1 AS no_sketch
FROM (VALUES (cms_empty() + 1 + 2 + 2)) AS sketches (s);
SELECT s -> 'abc' AS literal, s -> 'abc'::varchar AS varchar, s -> 'abd' AS other FROM (VALUES (cms_empty() + 'abc' + 'abc')) AS sketches (s);
SELECT code, message, hint FROM attempt($$SELECT cms_agg(1) -> 'abc'$$);
-- Precedence: + before ->, and -> and || from left to right
SELECT cms_empty() + 1 + 1 -> 1 AS plus, cms_agg(1) || cms_agg(1) -> 1 AS merged;
