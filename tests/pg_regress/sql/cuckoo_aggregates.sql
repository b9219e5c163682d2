-- cuckoo_agg and cuckoo_merge_agg.
\pset null NULL
-- Parameters out of range
SELECT code, message FROM attempt('SELECT cuckoo_agg(n, 0) FROM generate_series(1, 3) AS n');
SELECT code, message FROM attempt('SELECT cuckoo_agg(n, 10, 0.9) FROM generate_series(1, 3) AS n');
SELECT code, message, hint FROM attempt('SELECT cuckoo_agg(n, 1000000000000) FROM generate_series(1, 3) AS n');
-- Sized to the distinct values that came, or as asked
SELECT n, i.capacity, i.error_rate, i.form, cuckoo_count(f) AS count
FROM unnest(ARRAY[1, 10, 1000]) AS n,
    LATERAL (SELECT cuckoo_agg(v % n) AS f FROM generate_series(1, 3000) AS v) AS made, cuckoo_info(f) AS i;
SELECT a.capacity, a.error_rate, b.capacity, b.error_rate, c.capacity, c.error_rate
FROM (SELECT cuckoo_agg(n, 500), cuckoo_agg(n, NULL, 0.01), cuckoo_agg(n, 500, NULL) FROM generate_series(1, 99) AS n)
    AS made (x, y, z), cuckoo_info(x) AS a, cuckoo_info(y) AS b, cuckoo_info(z) AS c;
-- NULL is skipped; no rows give the default, only NULLs what was asked for
SELECT cuckoo_count(cuckoo_agg(nullif(n, 2), 10)) AS count FROM generate_series(1, 3) AS n;
SELECT cuckoo_agg(n) = cuckoo_empty() AS no_rows, cuckoo_agg(n, 10) = cuckoo_empty() AS of_ten,
    cuckoo_merge_agg(NULL::cuckoo) = cuckoo_empty() AS no_filters FROM generate_series(1, 0) AS n;
SELECT cuckoo_agg(NULL::int, 10) = cuckoo_empty(10) AS ten, cuckoo_agg(NULL::int) = cuckoo_empty() AS sized;
-- FILTER, GROUPING SETS, windows
SELECT cuckoo_count(cuckoo_agg(n) FILTER (WHERE n > 7)) AS filtered FROM generate_series(1, 10) AS n;
SELECT g, cuckoo_count(cuckoo_agg(n, 50)) AS count
FROM (SELECT n, n % 3 AS g FROM generate_series(1, 20) AS n) AS t GROUP BY ROLLUP (g) ORDER BY g;
SELECT n, cuckoo_count(cuckoo_agg(n, 50) OVER w) AS count, cuckoo_agg(n, 50) OVER w @> 4 AS four
FROM generate_series(1, 8) AS n WINDOW w AS (ORDER BY n ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) ORDER BY n;
-- The union: of each value the larger number of copies
SELECT cuckoo_merge_agg(f) = cuckoo_agg(n, 1000) AS same
FROM generate_series(1, 300) AS n, LATERAL (SELECT cuckoo_empty(1000) + n) AS one (f);
SELECT cuckoo_count(cuckoo_merge_agg(f)) AS count
FROM (VALUES (cuckoo_empty(10) + 1 + 1), (cuckoo_empty(10) + 1 + 2), (NULL), (cuckoo_empty(77))) AS filters (f);
SELECT code, message, hint
FROM attempt('SELECT cuckoo_merge_agg(f)
    FROM (VALUES (cuckoo_empty(10) + 1), (cuckoo_empty(11) + 1)) AS filters (f)');
