-- Aggregates: no rows, NULL, FILTER, windows, grouping sets, parameters, parallel and hashed plans.
\pset null NULL
CREATE TEMP TABLE visits AS
    SELECT day, day * 10 + n % (day * 100) AS visitor,
        CASE WHEN n % 3 > 0 THEN 'web' ELSE 'app' END AS via
    FROM generate_series(1, 4) AS day, generate_series(1, 1000) AS n;
-- No rows, and only NULLs, give the empty sketch and 0
SELECT hll_agg(visitor), hll_agg(visitor, 11), approx_count_distinct(visitor),
    approx_count_distinct(visitor, 11)
FROM visits WHERE false;
SELECT hll_agg(NULL::int), hll_agg(NULL::int, 11), approx_count_distinct(NULL::int) FROM visits;
SELECT hll_merge_agg(s), hll_merge_agg(NULL::hll) FROM (SELECT hll_empty() WHERE false) AS none (s);
SELECT day, hll_agg(visitor) FROM visits WHERE false GROUP BY day;
-- NULLs are skipped
SELECT hll_agg(nullif(n, 3)) = hll_agg(n) FILTER (WHERE n <> 3) AS skipped,
    approx_count_distinct(nullif(n, 3))
FROM generate_series(1, 5) AS n;
-- A small count is exact
SELECT day, approx_count_distinct(visitor), count(DISTINCT visitor), hll_cardinality(hll_agg(visitor)) AS count
FROM visits GROUP BY day ORDER BY day;
SELECT approx_count_distinct(visitor), count(DISTINCT visitor),
    approx_count_distinct(visitor) FILTER (WHERE via = 'web') AS web,
    count(DISTINCT visitor) FILTER (WHERE via = 'web') AS web_exact,
    approx_count_distinct(visitor) FILTER (WHERE via = 'fax') AS fax,
    approx_count_distinct(via) AS ways, count(DISTINCT via) AS ways_exact,
    approx_count_distinct(visits) AS rows, count(DISTINCT visits) AS rows_exact
FROM visits;
-- Order and repetition do not matter
SELECT hll_agg(visitor ORDER BY day DESC, visitor) = hll_agg(visitor) AS ordered,
    hll_agg(DISTINCT visitor) = hll_agg(visitor) AS distinct_values
FROM visits;
-- The precision; NULL is the default, and the first row of a group decides
SELECT hll_agg(n, 12) = hll_agg(n) AS default_is_12, hll_agg(n, NULL) = hll_agg(n) AS no_precision,
    (hll_info(hll_agg(n, 4))).precision AS four, (hll_info(hll_agg(n, 18))).precision AS eighteen
FROM generate_series(1, 1000) AS n;
SELECT abs(approx_count_distinct(n, 18) - 10000) <= 5 AS nearly_exact,
    approx_count_distinct(n, 4) BETWEEN 2000 AND 30000 AS rough
FROM generate_series(1, 10000) AS n;
SELECT p, (hll_info(hll_agg(n, p))).precision
FROM generate_series(4, 6) AS p, generate_series(1, 9) AS n
GROUP BY p ORDER BY p;
SELECT code, message, hint FROM attempt('SELECT hll_agg(n, 3) FROM generate_series(1, 9) AS n');
SELECT code, message, hint
FROM attempt('SELECT approx_count_distinct(n, 19) FROM generate_series(1, 9) AS n');
-- Windows
SELECT n, approx_count_distinct(n / 2) OVER (ORDER BY n) AS running,
    approx_count_distinct(n / 2) OVER (ORDER BY n ROWS 1 PRECEDING) AS of_two_rows,
    approx_count_distinct(n / 2) OVER () AS in_all,
    hll_cardinality(hll_agg(n / 2) OVER (PARTITION BY n % 2 ORDER BY n)) AS running_sketch
FROM generate_series(1, 6) AS n ORDER BY n;
SELECT bool_and(running = (SELECT hll_agg(v, 4) FROM generate_series(1, n) AS v))
    AS past_the_change_of_form
FROM (
    SELECT n, hll_agg(n, 4) OVER (ORDER BY n) AS running FROM generate_series(1, 50) AS n
) AS windows;
SELECT day, hll_cardinality(hll_merge_agg(s) OVER (ORDER BY day ROWS 1 PRECEDING)) AS two_days
FROM (SELECT day, hll_agg(visitor) AS s FROM visits GROUP BY day) AS daily ORDER BY day;
-- Grouping sets
SELECT day, via, approx_count_distinct(visitor) AS about, count(DISTINCT visitor) AS exact
FROM visits GROUP BY CUBE (day, via) ORDER BY day, via;
SELECT count(*) AS groups, count(*) FILTER (WHERE s = (SELECT hll_agg(visitor) FROM visits)) AS whole
FROM (
    SELECT hll_agg(visitor) AS s FROM visits GROUP BY GROUPING SETS ((day, via), (via), ())
) AS sets;
-- hll_merge_agg: the union of the parts is the whole
SELECT hll_merge_agg(s) = (SELECT hll_agg(visitor) FROM visits) AS whole,
    hll_merge_agg(s) = hll_merge_agg(s ORDER BY day DESC) AS any_order
FROM (
    SELECT day, hll_agg(visitor) AS s FROM visits GROUP BY day
    UNION ALL SELECT 0, NULL
    UNION ALL SELECT -1, hll_empty()
) AS daily;
SELECT hll_merge_agg(s) FROM (VALUES (hll_empty(12)), (hll_empty(11)), (NULL)) AS empties (s);
SELECT hll_merge_agg(s) = hll_empty(11) + 1 AS empty_yields
FROM (VALUES (hll_empty(4)), (hll_empty(11) + 1), (hll_empty())) AS sketches (s);
SELECT code, message, hint
FROM attempt('SELECT hll_merge_agg(s) FROM unnest(ARRAY[hll_empty(4) + 1, hll_empty(11) + 1]) AS s');
SELECT code, message, hint
FROM attempt('SELECT hll_merge_agg(s) FROM unnest(ARRAY[hll_empty() + 1, hll_empty() + true]) AS s');
-- The inputs of a merge stay as they were
CREATE TEMP TABLE stored AS
    SELECT day, hll_agg(visitor, 8) AS s, hll_agg(visitor, 8)::text AS written FROM visits GROUP BY day;
SELECT hll_cardinality(hll_merge_agg(s)) = hll_cardinality(hll_merge_agg(written::hll)) AS same FROM stored;
SELECT count(*) AS changed FROM stored WHERE s::text <> written;
-- Several aggregates on one argument share a state, which no final function changes
SELECT approx_count_distinct(n), hll_cardinality(hll_agg(n)) AS count, hll_agg(n) = hll_agg(n + 0) AS same,
    hll_cardinality(hll_merge_agg(hll_empty() + n)) AS merged
FROM generate_series(1, 300) AS n;
-- Parallel workers and a hash table that spills give the same as one plain scan
CREATE TABLE many AS SELECT n, n % 6000 AS g, n % 7 AS h FROM generate_series(1, 60000) AS n;
ANALYZE many;
SET max_parallel_workers_per_gather = 0;
CREATE TEMP TABLE expected AS
    SELECT NULL AS g, hll_agg(n) AS s, approx_count_distinct(h) AS c FROM many
    UNION ALL SELECT g, hll_agg(n), approx_count_distinct(h) FROM many GROUP BY g;
CREATE FUNCTION pg_temp.plan(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    plan jsonb;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
    RETURN plan;
END
$$;
SET work_mem = '64kB';
SET enable_sort = off;
SELECT plan @? '$.**."HashAgg Batches" ? (@ > 1)' AS spills
FROM pg_temp.plan('SELECT hll_agg(n), approx_count_distinct(h) FROM many GROUP BY g') AS plan;
SELECT count(*) AS equal_groups
FROM expected
JOIN (SELECT g, hll_agg(n) AS s, approx_count_distinct(h) AS c FROM many GROUP BY g) AS again
    USING (g, s, c);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT plan @? '$.**."Partial Mode" ? (@ == "Partial")' AS parallel
FROM pg_temp.plan('SELECT hll_agg(n), approx_count_distinct(h) FROM many') AS plan;
SELECT count(*) AS equal
FROM expected
JOIN (SELECT hll_agg(n) AS s, approx_count_distinct(h) AS c FROM many) AS again USING (s, c);
SELECT plan @? '$.**."Partial Mode" ? (@ == "Partial")' AS parallel
FROM pg_temp.plan('SELECT hll_agg(n), approx_count_distinct(h) FROM many GROUP BY h') AS plan;
SELECT count(*) AS groups, sum(c) AS sum_of_counts,
    hll_merge_agg(s) = (SELECT hll_agg(n) FROM many) AS whole
FROM (SELECT hll_agg(n, 12) AS s, approx_count_distinct(h) AS c FROM many GROUP BY h) AS parts;
DROP TABLE many;
