-- Operators: +, -, ||, @>, <@.
\pset null NULL
-- + adds a copy of a value of any type, - takes one away
SELECT cuckoo_empty(10) + 42 = cuckoo_agg(42, 10) AS number,
    cuckoo_empty(10) + 'abc'::text = cuckoo_agg('abc'::text, 10) AS text,
    cuckoo_empty(10) + ARRAY[1, 2] = cuckoo_agg(ARRAY[1, 2], 10) AS array,
    cuckoo_empty(10) + ROW(1, 2) - ROW(1, 2) = cuckoo_empty(10) AS row;
SELECT cuckoo_empty(10) + 1 + 2 - 1 = cuckoo_agg(2, 10) AS one_left, cuckoo_empty(10) + 1 + 1 - 1 = cuckoo_agg(1, 10) AS copy_left,
    cuckoo_agg(42) - NULL = cuckoo_agg(42) AS no_value, NULL::cuckoo - 42 AS no_filter;
-- An untyped literal, or an untyped parameter, is text
SELECT cuckoo_empty(10) + 'abc' - 'abc' = cuckoo_empty(10) AS literal,
    cuckoo_empty(10) + 'abc' - 'abc'::char(5) = cuckoo_empty(10) AS padded;
PREPARE minus AS SELECT cuckoo_empty(10) + 'abc' - $1 = cuckoo_empty(10) AS untyped;
EXECUTE minus('abc');
DEALLOCATE minus;
-- Where the right side is a filter, - subtracts
SELECT a - b = cuckoo_empty(10) + 1 AS subtracted, a - NULL::cuckoo = a AS nothing, NULL::cuckoo - a AS no_filter,
    a - b = cuckoo_subtract(a, b) AS as_function
FROM (VALUES (cuckoo_empty(10) + 1 + 2, cuckoo_empty(10) + 2 + 3)) AS filters (a, b);
BEGIN;
CREATE DOMAIN small_filter AS cuckoo;
SELECT cuckoo_empty(10) + 1 - (cuckoo_empty(10) + 1)::small_filter = cuckoo_empty(10) AS domain,
    (cuckoo_empty(10) + 1)::small_filter - (cuckoo_empty(10) + 1) = cuckoo_empty(10) AS domain_first;
ROLLBACK;
SELECT code, message, hint FROM attempt($$SELECT cuckoo_empty() + 1 - 'abc'$$);
SELECT code, message, hint FROM attempt('SELECT cuckoo_agg(1, 10) - cuckoo_agg(1, 100)');
-- || merges
SELECT a || b = cuckoo_empty(10) + 1 + 2 AS merged, a || b = b || a AS either_way, a || a = a AS itself,
    a || b || c = a || (b || c) AS grouped
FROM (SELECT cuckoo_empty(10) + 1, cuckoo_empty(10) + 2, cuckoo_empty(10) + 3) AS filters (a, b, c);
SELECT cuckoo_agg(1) || NULL = cuckoo_agg(1) AS right_null, NULL || cuckoo_agg(1) = cuckoo_agg(1) AS left_null;
SELECT code, message, hint FROM attempt('SELECT cuckoo_agg(1, 10) || cuckoo_agg(1, 100)');
SELECT code, message, hint FROM attempt('SELECT cuckoo_agg(1, 10) || cuckoo_agg(true, 10)');
-- @> and <@ look a value up
SELECT f @> 1 AS one, f @> 2::bigint AS two, f @> 3.0 AS three, 1 <@ f AS one_in, 9 <@ f AS nine_in,
    f @> NULL::int AS no_value, NULL::cuckoo @> 1 AS no_filter
FROM (VALUES (cuckoo_empty(1000) + 1 + 2 + 3)) AS filters (f);
PREPARE look AS SELECT cuckoo_empty(1000) + 'abc' @> $1 AS untyped, $2 <@ cuckoo_agg('abc'::text) AS untyped_in;
EXECUTE look('abc', 'abc');
DEALLOCATE look;
SELECT code, message, hint FROM attempt($$SELECT cuckoo_agg(1) @> 'abc'$$);
