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
       s.cpu / nullif(p.cpu, 0) AS by_plain_cpu,
       e.median AS exact,
       t.median AS theirs, s.median / t.median AS by_theirs, s.minimum / t.minimum AS by_theirs_min,
       s.cpu / nullif(t.cpu, 0) AS by_theirs_cpu
FROM bench.summary s
    LEFT JOIN bench.summary p ON p.name = s.name AND p.contestant = 'plain'
    LEFT JOIN bench.summary e ON e.name = s.name AND e.contestant = 'exact'
    LEFT JOIN bench.summary t ON t.name = s.name AND t.contestant = 'theirs'
WHERE s.contestant = 'pg_sketch';

SELECT count(*) > 0 AS any FROM bench.compared \gset
\if :any
\echo 'Milliseconds, medians. Beside each ratio of medians stand those of the minima and of processor time.'
SELECT name AS "case",
       round(median::numeric, 1) AS "pg_sketch",
       round(plain::numeric, 1) AS "plain count",
       round(by_plain::numeric, 2) AS "ratio",
       round(by_plain_min::numeric, 2) AS "(min)",
       round(by_plain_cpu::numeric, 2) AS "(cpu)",
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
\echo 'Bytes of stored sketches: average and maximum'
SELECT n AS "values", max(sketches) AS "sketches",
       round(max(mean) FILTER (WHERE contestant = '12'), 1) AS "p = 12",
       max(largest) FILTER (WHERE contestant = '12') AS "(max)",
       round(max(mean) FILTER (WHERE contestant = '13'), 1) AS "p = 13",
       max(largest) FILTER (WHERE contestant = '13') AS "(max)",
       round(max(mean) FILTER (WHERE contestant = 'theirs'), 1) AS "postgresql-hll",
       max(largest) FILTER (WHERE contestant = 'theirs') AS "(max)"
FROM bench.size
WHERE contestant IN ('12', '13', 'theirs')
GROUP BY n
ORDER BY size.n;
\endif

SELECT count(*) > 0 AS any FROM bench.disk \gset
\if :any
\echo 'Bytes on disk of a row with a date, a country code and a full sketch, by the storage of its column'
SELECT "precision", round(max(sketch)) AS "sketch", min(least) AS "(min)", max(most) AS "(max)",
       round(max(row_bytes) FILTER (WHERE storage = 'main')) AS "row, MAIN",
       round(max(row_bytes) FILTER (WHERE storage = 'external')) AS "row, EXTERNAL"
FROM bench.disk
GROUP BY "precision"
ORDER BY "precision";
\endif

-- What the project promises, and its goals where they lie beyond that. Medians decide; minima and
-- processor time tell noise from a miss.
\echo 'Promises and goals, by medians, (minima) and (medians of the processor time)'
WITH ratios (place, promise, name, peer, most, goal) AS (
    VALUES
        (1, 'hll_agg(bigint), one group, by count(x)', 'update/bigint/one-group', 'plain', 1.25, 1.1),
        (2, 'hll_agg(text), one group, by count(x)', 'update/text/one-group', 'plain', 1.3, 1.1),
        (3, 'hll_agg, 1,000 groups, by count(x)', 'update/bigint/1000-groups', 'plain', 2.6, 1.5),
        (4, 'hll_agg, groups of 5, by count(x)', 'update/bigint/' || :groups || '-groups', 'plain', 1.6, 1.3),
        (5, 'hll_agg, groups of 5, by postgresql-hll', 'update/bigint/' || :groups || '-groups', 'theirs', 0.2, NULL),
        (6, 'hll_merge_agg, full, by postgresql-hll', 'merge/' || :few || '/large', 'theirs', 0.25, NULL),
        (7, 'hll_merge_agg, small, by postgresql-hll', 'merge/' || :many || '/small', 'theirs', 1.6, 0.9),
        (8, 'hll_cardinality, full, by postgresql-hll', 'cardinality/' || :few || '/large', 'theirs', 0.5, NULL),
        (20, 'bloom_agg with a capacity, by count(x)', 'bloom/update/capacity', 'plain', 1.6, 1.3),
        (21, 'bloom_agg sized at the end, by count(x)', 'bloom/update/sized', 'plain', 3.2, 1.8),
        (22, 'bloom_agg, 1,000 groups, by count(x)', 'bloom/update/1000-groups', 'plain', 3.5, 1.8),
        (23, 'bloom_agg, groups of 5, by count(x)', 'bloom/update/' || :groups || '-groups', 'plain', 4.2, 1.6),
        (24, '@> on a stored bloom of 10 MB, by reading it', 'bloom/contains', 'plain', 0.02, NULL),
        (30, 'cuckoo_agg of a fifth, by count(x)', 'cuckoo/update/fifth', 'plain', 3.1, 1.8),
        (31, 'cuckoo_agg with a capacity, by count(x)', 'cuckoo/update/capacity', 'plain', 4.2, 2.2),
        (32, 'cuckoo_agg, 1,000 groups, by count(x)', 'cuckoo/update/1000-groups', 'plain', 3.5, 1.8),
        (33, 'cuckoo_agg, groups of 5, by count(x)', 'cuckoo/update/' || :groups || '-groups', 'plain', 1.9, 1.5),
        (40, 'cms_agg, one group, by count(x)', 'cms/update/one-group', 'plain', 1.6, 1.3),
        (41, 'cms_agg, 1,000 groups, by count(x)', 'cms/update/1000-groups', 'plain', 3.5, 1.8),
        (42, 'cms_agg, groups of 5, by count(x)', 'cms/update/' || :groups || '-groups', 'plain', 2.2, 1.6)
), times (place, promise, name, number, most, goal) AS (
    VALUES
        (9, 'us a sketch, hll_merge_agg, full, p = 13', 'merge/' || :few || '/large13', :few, 12, 6),
        (10, 'us, the first hll_cardinality', 'first-use', 1, 2000, 200),
        (34, 'ms, cuckoo || cuckoo', 'cuckoo/merge', 1000, 300, 50),
        (35, 'ms, cuckoo = cuckoo', 'cuckoo/equal', 1000, 300, 50),
        (43, 'us a sketch, cms + value, full', 'cms/add/' || :few, :few, 200, 40),
        (50, 'us a key, hash_ring of 10 nodes', 'hash_ring/10', 1000000, 0.5, 0.2),
        (51, 'us a key, hash_ring of 100 nodes', 'hash_ring/100', 1000000, 1.0, 0.5),
        (52, 'us a key, hash_ring of 100 weights', 'hash_ring/100-weighted', 1000000, 2.0, 1.2),
        (53, 'us a key, hash_ring of 100,000 points', 'hash_ring/points', 1000000, 0.6, 0.3)
), bytes (place, promise, contestant, n, most) AS (
    VALUES
        (11, 'bytes of an hll, full', '12', :saturated, 2140),
        (12, 'bytes of an hll, full, p = 13', '13', :saturated, 4200),
        (13, 'bytes of an hll, 1 value', '12', 1, 12),
        (14, 'bytes of an hll, 10 values', '12', 10, 45),
        (15, 'bytes of an hll, 100 values', '12', 100, 300),
        (16, 'bytes of an hll, 1,000 values, p = 13', '13', 1000, 2300),
        (25, 'bytes of a bloom of 1,000,000', 'bloom', 1000000, 10.6 / 8 * 1000000),
        (36, 'bytes of a cuckoo of 1,000,000', 'cuckoo', 1000000, 12.8 / 8 * 1000000),
        (44, 'bytes of a cms after 1,000,000 hits', 'cms', 1000000, 25000)
), promises AS (
    SELECT place, promise, most, goal, CASE WHEN most < 0.1 THEN 4 ELSE 2 END AS digits,
           CASE peer WHEN 'plain' THEN by_plain ELSE by_theirs END AS measured,
           CASE peer WHEN 'plain' THEN by_plain_min ELSE by_theirs_min END AS minimum,
           CASE peer WHEN 'plain' THEN by_plain_cpu ELSE by_theirs_cpu END AS cpu
    FROM ratios LEFT JOIN bench.compared USING (name)
    UNION ALL
    SELECT place, promise, most, goal, 1,
           median * 1000 / number, minimum * 1000 / number, cpu * 1000 / number
    FROM times LEFT JOIN (
        SELECT * FROM bench.summary WHERE contestant = 'pg_sketch'
    ) s USING (name)
    UNION ALL
    SELECT place, promise, most, NULL, 0, largest, NULL, NULL
    FROM bytes LEFT JOIN bench.size USING (contestant, n)
)
SELECT promise,
       round(most::numeric, digits) AS "at most",
       round(goal::numeric, digits) AS "goal",
       round(measured::numeric, digits) AS "measured",
       round(minimum::numeric, digits) AS "(min)",
       round(cpu::numeric, digits) AS "(cpu)",
       CASE
           WHEN measured IS NULL THEN 'not measured'
           WHEN measured <= goal THEN 'holds, and reaches the goal'
           WHEN measured <= most THEN 'holds'
           WHEN least(minimum, cpu) <= most THEN 'MISSED, but not in each bracket'
           ELSE 'MISSED'
       END AS "verdict"
FROM promises
ORDER BY place;
