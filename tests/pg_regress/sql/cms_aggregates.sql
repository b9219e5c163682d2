-- Aggregates: wrong parameters, no rows, NULL, FILTER, moving windows, grouping sets, parallel and
-- hashed plans.
\pset null NULL
CREATE TEMP TABLE visits AS
    SELECT day, n % (day * 7) AS page, (n % 4)::bigint AS seconds FROM generate_series(1, 4) AS day, generate_series(1, 500) AS n;
SELECT code, message, hint FROM attempt('SELECT cms_agg(page, 0) FROM visits');
SELECT code, message, hint FROM attempt('SELECT cms_agg(page, 0.1, 7) FROM visits');
SELECT code, message, hint FROM attempt('SELECT cms_weighted_agg(page, -3) FROM visits');
SELECT code, message, hint FROM attempt('SELECT cms_weighted_agg(page, 9223372036854775807) FROM visits');
SELECT code, message, hint FROM attempt('SELECT cms_agg(point(1, 2)) FROM visits');
SELECT code, message, hint
FROM attempt('SELECT cms_merge_agg(s) FROM (VALUES (cms_empty() + 1), (cms_empty(0.1) + 1)) AS t (s)');
-- No rows give the empty sketch; only NULLs give that of the parameters in the first row
SELECT cms_agg(page) = cms_empty() AS plain, cms_agg(page, 0.1) = cms_empty() AS with_epsilon,
    cms_weighted_agg(page, seconds) = cms_empty() AS weighted, cms_merge_agg(NULL::cms) = cms_empty() AS merged
FROM visits WHERE false;
SELECT cms_agg(NULL::int) = cms_empty() AS plain, cms_agg(NULL::int, 0.1) = cms_empty(0.1) AS with_epsilon,
    cms_agg(NULL::int, NULL, 0.1) = cms_empty(0.001, 0.1) AS with_delta,
    cms_weighted_agg(page, NULL, 0.1, 0.4) = cms_empty(0.1, 0.4) AS weighted, cms_merge_agg(NULL::cms) = cms_empty() AS merged
FROM visits;
SELECT day, cms_agg(page) FROM visits WHERE false GROUP BY day;
-- NULLs are skipped, and a weight of NULL or 0 adds nothing
SELECT cms_agg(nullif(n, 3)) = cms_agg(n) FILTER (WHERE n <> 3) AS value, cms_weighted_agg(n, nullif(n, 3)) = cms_weighted_agg(n, n) FILTER (WHERE n <> 3) AS weight,
    cms_weighted_agg(n, 0) = cms_empty() AS zero, cms_weighted_agg(n, 1) = cms_agg(n) AS one
FROM generate_series(1, 5) AS n;
-- Exact while there are few values
SELECT day, s -> 3 AS sketch, exact, sw -> 3 AS seconds, exact_seconds
FROM (SELECT day, cms_agg(page) AS s, count(*) FILTER (WHERE page = 3) AS exact, cms_weighted_agg(page, seconds) AS sw,
        sum(seconds) FILTER (WHERE page = 3) AS exact_seconds FROM visits GROUP BY day) AS daily ORDER BY day;
-- Order does not matter, and DISTINCT counts each value once
SELECT cms_agg(page ORDER BY day DESC, page) = cms_agg(page) AS ordered, cms_agg(DISTINCT page) -> 3 AS distinct_values FROM visits;
-- Sums of parts are the whole
SELECT cms_merge_agg(s) = (SELECT cms_agg(page) FROM visits) AS whole FROM (SELECT cms_agg(page) AS s FROM visits GROUP BY day) AS daily;
SELECT day, s -> 3 AS threes FROM (SELECT day, cms_agg(page) AS s FROM visits GROUP BY ROLLUP (day)) AS r ORDER BY day;
-- A window that moves is counted anew in each frame: rows that leave are taken out
SELECT n, s -> 1 AS ones, cms_total(s) AS total
FROM (SELECT n, cms_agg(nullif(n % 3, 0)) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS s FROM generate_series(1, 8) AS n) AS w;
SELECT n, s -> 1 AS ones, cms_total(s) AS total
FROM (SELECT n, cms_weighted_agg(n % 3, nullif(n, 4)) OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM generate_series(1, 8) AS n) AS w;
SELECT count(*) AS frames, count(*) FILTER (WHERE moving = anew) AS same
FROM (SELECT n, cms_agg(n * n % 37, 0.1) OVER (ORDER BY n ROWS BETWEEN 20 PRECEDING AND CURRENT ROW) AS moving FROM generate_series(1, 200) AS n) AS w,
    LATERAL (SELECT cms_agg(f * f % 37, 0.1) AS anew FROM generate_series(greatest(n - 20, 1), n) AS f) AS a;
-- Parallel workers and a hash table that spills give the same as one plain scan
CREATE TABLE many AS SELECT n, n % 6000 AS g, n % 7 AS h FROM generate_series(1, 60000) AS n;
ANALYZE many;
SET max_parallel_workers_per_gather = 0;
CREATE TEMP TABLE expected AS
    SELECT NULL AS g, cms_agg(n) AS s, cms_weighted_agg(h, n, 0.1) AS c FROM many
    UNION ALL SELECT g, cms_agg(n), cms_weighted_agg(h, n, 0.1) FROM many GROUP BY g;
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
FROM pg_temp.plan('SELECT cms_agg(n), cms_weighted_agg(h, n, 0.1) FROM many GROUP BY g') AS plan;
SELECT count(*) AS equal_groups
FROM expected JOIN (SELECT g, cms_agg(n) AS s, cms_weighted_agg(h, n, 0.1) AS c FROM many GROUP BY g) AS again USING (g, s, c);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT plan @? '$.**."Partial Mode" ? (@ == "Partial")' AS parallel
FROM pg_temp.plan('SELECT cms_agg(n), cms_weighted_agg(h, n, 0.1) FROM many') AS plan;
SELECT count(*) AS equal
FROM expected JOIN (SELECT cms_agg(n) AS s, cms_weighted_agg(h, n, 0.1) AS c FROM many) AS again USING (s, c);
DROP TABLE many;
