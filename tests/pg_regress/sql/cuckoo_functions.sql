-- Functions, in the order of sql/cuckoo.sql.
\pset null NULL
-- Parameters out of range
SELECT call, code, message, hint
FROM (VALUES
    (1, 'cuckoo_empty(0)'), (2, 'cuckoo_empty(-1)'), (3, 'cuckoo_empty(10, 0)'),
    (4, 'cuckoo_empty(10, 0.6)'), (5, $$cuckoo_empty(10, 'NaN')$$), (6, 'cuckoo_empty(1000000000000)'),
    (7, 'cuckoo_size(0)'), (8, 'cuckoo_size(10, 1e-9)'), (9, 'cuckoo_size(9223372036854775807)')
) AS calls (line, call), attempt('SELECT ' || call)
ORDER BY line;
-- Values that cannot meet, or have no equality
SELECT call, code, message, hint
FROM (VALUES
    (1, $$cuckoo_add(cuckoo_empty() + 1, 'one')$$), (2, $$cuckoo_remove(cuckoo_empty() + 1, 'one')$$),
    (3, $$cuckoo_contains(cuckoo_empty() + 1, true)$$), (4, $$cuckoo_add(cuckoo_empty(), '1'::json)$$),
    (5, 'cuckoo_merge(cuckoo_empty(10) + 1, cuckoo_empty(20) + 1)'),
    (6, 'cuckoo_subtract(cuckoo_empty(10) + 1, cuckoo_empty(10, 0.1) + 1)'),
    (7, $$cuckoo_subtract(cuckoo_empty(10) + 1, cuckoo_empty(10) + 'one')$$)
) AS calls (line, call), attempt('SELECT ' || call)
ORDER BY line;
-- Without values
SELECT cuckoo_empty(), cuckoo_empty(10), cuckoo_empty(error_rate => 0.01, capacity => 10);
SELECT cuckoo_empty(NULL) AS no_capacity, cuckoo_empty(10, NULL) AS no_rate;
-- A value is there as often as it was added
SELECT copies, cuckoo_count(f) AS count, f @> 'a' AS held, cuckoo_count(f - 'a') AS less,
    cuckoo_count(cuckoo_add_if_absent(f, 'a')) AS if_absent
FROM (VALUES (0, cuckoo_empty(10)), (1, cuckoo_add(cuckoo_empty(10), 'a')),
    (2, cuckoo_add(cuckoo_add(cuckoo_empty(10), 'a'), 'a'))) AS filters (copies, f) ORDER BY copies;
-- The ninth copy
SELECT code, message, hint
FROM attempt($$SELECT cuckoo_empty(10) + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1$$);
SELECT cuckoo_count(cuckoo_empty(10) + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1) AS eight;
-- More values than fit
SELECT code, message, hint
FROM attempt('SELECT cuckoo_agg(n, 10) FROM generate_series(1, 11) AS n');
SELECT code, message, hint
FROM attempt('SELECT cuckoo_agg(n, 1000) || cuckoo_agg(-n, 1000) FROM generate_series(1, 1000) AS n');
-- Removing what is not there changes nothing; NULL neither
SELECT cuckoo_remove(f, 2) = f AS not_there, cuckoo_remove(f, NULL::int) = f AS no_value,
    cuckoo_add(f, NULL) = f AS added, cuckoo_add_if_absent(f, NULL) = f AS if_absent,
    cuckoo_remove(f, 1) = cuckoo_empty(10) AS nothing_left, cuckoo_remove(NULL, 1) AS no_filter
FROM (VALUES (cuckoo_empty(10) + 1)) AS filters (f);
-- A filter that is empty again takes any class
SELECT cuckoo_empty(10) + 1 - 1 + 'one' @> 'one' AS text;
-- Subtracting takes away one copy for each copy
SELECT cuckoo_subtract(a, b) = cuckoo_empty(10) + 1 AS subtracted, cuckoo_subtract(a, a) = cuckoo_empty(10) AS all,
    cuckoo_subtract(a, NULL) = a AS nothing, cuckoo_subtract(NULL, a) AS no_filter,
    cuckoo_subtract(a, cuckoo_empty(99)) = a AS empty, cuckoo_subtract(cuckoo_empty(99), a) = cuckoo_empty(99) AS of_empty
FROM (VALUES (cuckoo_empty(10) + 1 + 1 + 2, cuckoo_empty(10) + 1 + 2 + 3)) AS filters (a, b);
-- Merging keeps the larger number of copies
SELECT cuckoo_merge(a, b) = cuckoo_empty(10) + 1 + 1 + 2 + 3 AS merged, cuckoo_merge(a, b) = cuckoo_merge(b, a) AS either_way,
    cuckoo_merge(a, a) = a AS itself, cuckoo_merge(a, NULL) = a AND cuckoo_merge(NULL, a) = a AS one,
    cuckoo_merge(NULL, NULL) AS none, cuckoo_merge(a, cuckoo_empty(99)) = a AS empty
FROM (VALUES (cuckoo_empty(10) + 1 + 1 + 2, cuckoo_empty(10) + 1 + 2 + 3)) AS filters (a, b);
-- Membership
SELECT cuckoo_contains(f, 1) AS one, cuckoo_contains(f, 1.0) AS numeric, _cuckoo_contained_by(2, f) AS two,
    cuckoo_contains(f, NULL::int) AS no_value, cuckoo_contains(NULL, 1) AS no_filter
FROM (VALUES (cuckoo_empty() + 1)) AS filters (f);
SELECT cuckoo_contains(cuckoo_empty(), 1) AS number, cuckoo_contains(cuckoo_empty(), 'one') AS text;
-- Counts and rates
SELECT n, cuckoo_count(f) AS count, round(cuckoo_error_rate(f)::numeric, 8) AS rate
FROM unnest(ARRAY[0, 1, 100, 1000]) AS n,
    LATERAL (SELECT cuckoo_agg(v, 1000) AS f FROM generate_series(1, n) AS v) AS made;
SELECT cuckoo_count(NULL) AS count, cuckoo_error_rate(NULL) AS rate, cuckoo_info(NULL) AS info;
\x
SELECT * FROM cuckoo_info(cuckoo_empty());
SELECT * FROM cuckoo_info(cuckoo_empty(10) + 'alice' + 'bob');
SELECT * FROM cuckoo_info((SELECT cuckoo_agg(n, 1000, 0.01) FROM generate_series(1, 1000) AS n));
SELECT * FROM cuckoo_info((SELECT cuckoo_agg(n, 10) FROM generate_series(1, 10) AS n) + 11);
\x
SELECT * FROM cuckoo_size();
SELECT capacity, rate, s.bytes, round(s.bits_per_value::numeric, 2) AS bits,
    s.expected_error_rate <= rate AS keeps_the_rate
FROM (VALUES (1000, 0.03), (1000, 0.002), (1000000, 0.03), (1000000, 0.0001)) AS sizes (capacity, rate),
    cuckoo_size(capacity, rate) AS s;
