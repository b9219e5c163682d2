-- Prints what was measured. Nothing in it can fail a build: a timing is no test.

\pset footer off
\pset null '-'
\pset border 1
\pset numericlocale on

\pset tuples_only on
\pset format unaligned
SELECT format(
        'Extensions  %s',
        string_agg(extname || ' ' || extversion, ', ' ORDER BY extname DESC)
    )
FROM pg_extension WHERE extname IN ('pg_sketch', 'hll');
SELECT format('Settings    %s', string_agg(name || ' ' || current_setting(name), ', ' ORDER BY name))
FROM pg_settings
WHERE name IN (
    'shared_buffers', 'work_mem', 'hash_mem_multiplier', 'jit', 'fsync', 'autovacuum',
    'max_parallel_workers_per_gather'
);
SELECT format('Collation   %s', datcollate) FROM pg_database WHERE datname = current_database();
\pset tuples_only off
\pset format aligned
\echo

CREATE VIEW bench.summary AS
SELECT name, contestant, min(case_id) AS case_id,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS median, min(ms) AS minimum,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY cpu_ms) AS cpu
FROM bench.timing
WHERE round > 0
GROUP BY name, contestant;

-- A case in a row.
CREATE VIEW bench.compared AS
SELECT s.name, s.case_id, s.median,
       p.median AS plain, s.median / p.median AS by_plain, s.minimum / p.minimum AS by_plain_min,
       s.cpu / p.cpu AS by_plain_cpu,
       e.median AS exact,
       t.median AS theirs, s.median / t.median AS by_theirs, s.minimum / t.minimum AS by_theirs_min,
       s.cpu / t.cpu AS by_theirs_cpu
FROM bench.summary s
    LEFT JOIN bench.summary p ON p.name = s.name AND p.contestant = 'plain'
    LEFT JOIN bench.summary e ON e.name = s.name AND e.contestant = 'exact'
    LEFT JOIN bench.summary t ON t.name = s.name AND t.contestant = 'theirs'
WHERE s.contestant = 'pg_sketch';

SELECT count(*) > 0 AS any FROM bench.compared \gset
\if :any
\echo 'Milliseconds, medians. Beside each ratio of medians stands the ratio of the minima.'
SELECT name AS "case",
       round(median::numeric, 1) AS "pg_sketch",
       round(plain::numeric, 1) AS "plain count",
       round(by_plain::numeric, 2) AS "ratio",
       round(by_plain_min::numeric, 2) AS "(min)",
       round(exact::numeric, 1) AS "COUNT(DISTINCT)",
       round(theirs::numeric, 1) AS "postgresql-hll",
       round(by_theirs::numeric, 2) AS "ours/theirs",
       round(by_theirs_min::numeric, 2) AS "(min)"
FROM bench.compared
ORDER BY case_id;
\endif

SELECT count(*) > 0 AS any FROM bench.plan WHERE name ~ '^update' AND :plans = 1 \gset
\if :any
\echo 'Plans'
SELECT name AS "case", contestant, plan
FROM (SELECT *, row_number() OVER () AS n FROM bench.plan WHERE name ~ '^update') plans
ORDER BY n;
\endif

SELECT count(*) > 0 AS any FROM bench.summary WHERE name = 'storage' \gset
\if :any
\echo 'A rollup table of' :many 'mixed sketches, by the storage of their column'
SELECT upper(storage) AS "storage",
       pg_size_pretty(pg_total_relation_size('bench.rollup_' || storage)) AS "table",
       round(scan.median::numeric, 1) AS "scan without sketches ms",
       round(merge.median::numeric, 1) AS "merge of all ms"
FROM (VALUES ('main'), ('external')) storages (storage)
    JOIN bench.summary scan ON scan.contestant = storage || '_scan'
    JOIN bench.summary merge ON merge.contestant = storage || '_merge'
ORDER BY storage DESC;
\endif

SELECT count(*) > 0 AS any FROM bench.size \gset
\if :any
\echo 'Bytes of stored sketches: mean, and the largest of so many'
SELECT n AS "values", max(sketches) AS "sketches",
       round(max(mean) FILTER (WHERE contestant = '13'), 1) AS "p = 13",
       max(largest) FILTER (WHERE contestant = '13') AS "(max)",
       round(max(mean) FILTER (WHERE contestant = '11'), 1) AS "p = 11",
       max(largest) FILTER (WHERE contestant = '11') AS "(max)",
       round(max(mean) FILTER (WHERE contestant = 'theirs'), 1) AS "postgresql-hll",
       max(largest) FILTER (WHERE contestant = 'theirs') AS "(max)"
FROM bench.size
GROUP BY n
ORDER BY size.n;
\endif

-- What the project promises. Medians decide; minima and processor time tell noise from a miss.
\echo 'Promises, by medians, (minima) and (medians of the processor time)'
WITH ratios (place, promise, name, peer, most) AS (
    VALUES
        (1, 'hll_agg(bigint), one group, by count(x)', 'update/bigint/one-group', 'plain', 1.25),
        (2, 'hll_agg(text), one group, by count(x)', 'update/text/one-group', 'plain', 1.2),
        (3, 'hll_agg, groups of 5, by count(x)', 'update/bigint/' || :groups || '-groups', 'plain', 1.6),
        (4, 'hll_agg, groups of 5, by postgresql-hll', 'update/bigint/' || :groups || '-groups', 'theirs', 0.2),
        (5, 'hll_merge_agg, large, by hll_union_agg', 'merge/' || :few || '/large', 'theirs', 0.25),
        (6, 'hll_cardinality, large, by postgresql-hll', 'cardinality/' || :few || '/large', 'theirs', 0.5),
        (13, '@> on a stored filter of 10 MB, by reading it whole', 'bloom/contains', 'plain', 0.02)
), bytes (place, promise, contestant, n, most) AS (
    VALUES
        (7, 'bytes, saturated, p = 13', '13', :saturated, 4200),
        (8, 'bytes, saturated, p = 11', '11', :saturated, 1090),
        (9, 'bytes, 1 value', '13', 1, 12),
        (10, 'bytes, 10 values', '13', 10, 45),
        (11, 'bytes, 100 values', '13', 100, 300),
        (12, 'bytes, 1,000 values', '13', 1000, 2300)
), promises AS (
    SELECT place, promise, most, CASE WHEN most < 0.1 THEN 4 ELSE 2 END AS digits,
           CASE peer WHEN 'plain' THEN by_plain ELSE by_theirs END AS measured,
           CASE peer WHEN 'plain' THEN by_plain_min ELSE by_theirs_min END AS minimum,
           CASE peer WHEN 'plain' THEN by_plain_cpu ELSE by_theirs_cpu END AS cpu
    FROM ratios LEFT JOIN bench.compared USING (name)
    UNION ALL
    SELECT place, promise, most, 0, largest, NULL, NULL
    FROM bytes LEFT JOIN bench.size USING (contestant, n)
)
SELECT promise,
       round(most::numeric, digits) AS "at most",
       round(measured::numeric, digits) AS "measured",
       round(minimum::numeric, digits) AS "(min)",
       round(cpu::numeric, digits) AS "(cpu)",
       CASE
           WHEN measured IS NULL THEN 'not measured'
           WHEN measured <= most THEN 'holds'
           WHEN least(minimum, cpu) <= most THEN 'MISSED, but not in each bracket'
           ELSE 'MISSED'
       END AS "verdict"
FROM promises
ORDER BY place;
