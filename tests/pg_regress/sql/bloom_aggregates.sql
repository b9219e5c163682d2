-- Aggregates: no rows, NULL, FILTER, windows, grouping sets, parameters, parallel and hashed plans.
\pset null NULL
CREATE TEMP TABLE visits AS
    SELECT day, day * 10 + n % (day * 100) AS visitor,
        CASE WHEN n % 3 > 0 THEN 'web' ELSE 'app' END AS via
    FROM generate_series(1, 4) AS day, generate_series(1, 1000) AS n;
-- No rows give the empty filter; only NULLs give that of the parameters in the first row
SELECT bloom_agg(visitor) = bloom_empty() AS plain, bloom_agg(visitor, 10) = bloom_empty() AS with_capacity,
    bloom_merge_agg(NULL::bloom) = bloom_empty() AS merged
FROM visits WHERE false;
SELECT bloom_agg(NULL::int) = bloom_empty() AS plain, bloom_agg(NULL::int, 10) = bloom_empty(10) AS with_capacity,
    bloom_agg(NULL::int, 10, 0.05) = bloom_empty(10, 0.05) AS with_rate,
    bloom_merge_agg(NULL::bloom) = bloom_empty() AS merged
FROM visits;
SELECT day, bloom_agg(visitor) FROM visits WHERE false GROUP BY day;
-- NULLs are skipped
SELECT bloom_agg(nullif(n, 3)) = bloom_agg(n) FILTER (WHERE n <> 3) AS skipped FROM generate_series(1, 5) AS n;
-- Every visitor is held, and of the others hardly any
SELECT day, count(*) FILTER (WHERE visitor BETWEEN day * 10 AND day * 110 - 1) AS held,
    count(*) FILTER (WHERE visitor NOT BETWEEN day * 10 AND day * 110 - 1) <= 35 AS few_others
FROM (SELECT day, bloom_agg(visitor) AS s FROM visits GROUP BY day) AS daily,
    generate_series(1, 1000) AS visitor
WHERE s @> visitor GROUP BY day ORDER BY day;
-- Order and repetition do not matter
SELECT bloom_agg(visitor ORDER BY day DESC, visitor) = bloom_agg(visitor) AS ordered,
    bloom_agg(DISTINCT visitor) = bloom_agg(visitor) AS distinct_values
FROM visits;
-- Without a capacity, or with NULL, a filter is sized to what came; the error rate is 0.01
SELECT capacity, error_rate FROM bloom_info((SELECT bloom_agg(n) FROM generate_series(1, 1000) AS n));
SELECT capacity, error_rate FROM bloom_info((SELECT bloom_agg(n, NULL) FROM generate_series(1, 1000) AS n));
SELECT capacity, error_rate FROM bloom_info((SELECT bloom_agg(n, NULL, 0.05) FROM generate_series(1, 1000) AS n));
SELECT capacity, error_rate FROM bloom_info((SELECT bloom_agg(n, 20, NULL) FROM generate_series(1, 1000) AS n));
SELECT capacity, error_rate FROM bloom_info((SELECT bloom_agg(n, 20, 1e-6) FROM generate_series(1, 1000) AS n));
-- The first row of a group decides
SELECT c, capacity
FROM (
    SELECT c, bloom_agg(n, c) AS s FROM unnest(ARRAY[10, 20, 30]) AS c, generate_series(1, 9) AS n GROUP BY c
) AS built, bloom_info(s) ORDER BY c;
SELECT code, message, hint FROM attempt('SELECT bloom_agg(n, n ORDER BY n) FROM generate_series(1, 9) AS n');
SELECT code, message, hint FROM attempt('SELECT bloom_agg(n, 0) FROM generate_series(1, 9) AS n');
SELECT code, message, hint FROM attempt('SELECT bloom_agg(n, 10, 2) FROM generate_series(1, 9) AS n');
SELECT code, message, hint FROM attempt('SELECT bloom_agg(n, NULL, 0.7) FROM generate_series(1, 9) AS n');
SELECT code, message, hint FROM attempt('SELECT bloom_agg(n, 1000000000) FROM generate_series(1, 9) AS n');
-- Windows
SELECT n, s @> 1 AS one, s @> 4 AS four, bloom_cardinality(s) AS held
FROM (SELECT n, bloom_agg(n, 1000) OVER (ORDER BY n ROWS 2 PRECEDING) AS s FROM generate_series(1, 6) AS n) AS running
ORDER BY n;
SELECT bool_and(running = (SELECT bloom_agg(v, 100) FROM generate_series(1, n) AS v)) AS past_the_change_of_form
FROM (SELECT n, bloom_agg(n, 100) OVER (ORDER BY n) AS running FROM generate_series(1, 50) AS n) AS windows;
SELECT bool_and(running = (SELECT bloom_agg(v) FROM generate_series(1, n) AS v)) AS sized_to_the_frame
FROM (SELECT n, bloom_agg(n) OVER (ORDER BY n) AS running FROM generate_series(1, 50) AS n) AS windows;
-- Grouping sets
SELECT count(*) AS groups, count(*) FILTER (WHERE s = (SELECT bloom_agg(visitor, 1000) FROM visits)) AS whole
FROM (SELECT bloom_agg(visitor, 1000) AS s FROM visits GROUP BY GROUPING SETS ((day, via), (via), ())) AS sets;
-- bloom_merge_agg: the union of the parts is the whole
SELECT bloom_merge_agg(s) = (SELECT bloom_agg(visitor, 1000) FROM visits) AS whole,
    bloom_merge_agg(s) = bloom_merge_agg(s ORDER BY day DESC) AS any_order
FROM (
    SELECT day, bloom_agg(visitor, 1000) AS s FROM visits GROUP BY day
    UNION ALL SELECT 0, NULL
    UNION ALL SELECT -1, bloom_empty()
) AS daily;
SELECT bloom_merge_agg(s) = bloom_empty(11) AS smallest
FROM (VALUES (bloom_empty(12)), (bloom_empty(11)), (bloom_empty()), (NULL)) AS empties (s);
SELECT bloom_merge_agg(s) = bloom_empty(11) + 1 AS empty_yields
FROM (VALUES (bloom_empty(4)), (bloom_empty(11) + 1), (bloom_empty())) AS filters (s);
SELECT code, message, hint
FROM attempt('SELECT bloom_merge_agg(s) FROM unnest(ARRAY[bloom_empty(4) + 1, bloom_empty(11) + 1]) AS s');
SELECT code, message, hint
FROM attempt('SELECT bloom_merge_agg(s) FROM unnest(ARRAY[bloom_empty() + 1, bloom_empty() + true]) AS s');
-- Filters sized to different numbers do not merge; the hint says what does
SELECT code, message, hint
FROM attempt('SELECT bloom_merge_agg(s) FROM (SELECT bloom_agg(visitor) FROM visits GROUP BY day) AS daily (s)');
-- The inputs of a merge stay as they were
CREATE TEMP TABLE stored AS
    SELECT day, bloom_agg(visitor, 300) AS s, bloom_agg(visitor, 300)::text AS written FROM visits GROUP BY day;
SELECT bloom_merge_agg(s) = bloom_merge_agg(written::bloom) AS same FROM stored;
SELECT count(*) AS changed FROM stored WHERE s::text <> written;
-- Several aggregates on one argument share a state, which no final function changes
SELECT bloom_agg(n) = bloom_agg(n + 0) AS same, bloom_agg(n) @> 300 AS held,
    bloom_merge_agg(bloom_empty(300) + n) = bloom_agg(n, 300) AS merged
FROM generate_series(1, 300) AS n;
-- Parallel workers and a hash table that spills give the same as one plain scan
CREATE TABLE many AS SELECT n, n % 6000 AS g, n % 7 AS h FROM generate_series(1, 60000) AS n;
ANALYZE many;
SET max_parallel_workers_per_gather = 0;
CREATE TEMP TABLE expected AS
    SELECT NULL AS g, bloom_agg(n) AS s, bloom_agg(h, 100) AS c FROM many
    UNION ALL SELECT g, bloom_agg(n), bloom_agg(h, 100) FROM many GROUP BY g;
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
FROM pg_temp.plan('SELECT bloom_agg(n), bloom_agg(h, 100) FROM many GROUP BY g') AS plan;
SELECT count(*) AS equal_groups
FROM expected
JOIN (SELECT g, bloom_agg(n) AS s, bloom_agg(h, 100) AS c FROM many GROUP BY g) AS again USING (g, s, c);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT plan @? '$.**."Partial Mode" ? (@ == "Partial")' AS parallel
FROM pg_temp.plan('SELECT bloom_agg(n), bloom_agg(h, 100) FROM many') AS plan;
SELECT count(*) AS equal
FROM expected JOIN (SELECT bloom_agg(n) AS s, bloom_agg(h, 100) AS c FROM many) AS again USING (s, c);
SELECT plan @? '$.**."Partial Mode" ? (@ == "Partial")' AS parallel
FROM pg_temp.plan('SELECT bloom_agg(n, 60000) FROM many GROUP BY h') AS plan;
SELECT count(*) AS groups, bloom_merge_agg(s) = (SELECT bloom_agg(n) FROM many) AS whole
FROM (SELECT bloom_agg(n, 60000) AS s FROM many GROUP BY h) AS parts;
DROP TABLE many;
