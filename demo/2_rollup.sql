\echo '2. A rollup: one sketch for each day and airport'
\echo
\echo 'Counts of distinct values do not add up: the same aircraft flies on many days. Sketches do, so a'
\echo 'small table of them answers for any days and airports. Here it is built, without the last day.'
\echo

\set ECHO queries
CREATE TABLE daily (day date, origin text, aircraft hll, PRIMARY KEY (day, origin));
INSERT INTO daily
    SELECT day, origin, hll_agg(tailnum)
    FROM flights WHERE day < '2013-12-31' GROUP BY day, origin;
\set ECHO none
VACUUM ANALYZE daily;

\echo
SELECT "table", demo.count(rows) AS rows, demo.count(bytes) AS "bytes, with indexes",
       to_char(100.0 * bytes / max(bytes) OVER (), '990.0 %') AS share
FROM (
    SELECT 'flights' AS "table", (SELECT count(*) FROM flights) AS rows,
           pg_total_relation_size('flights') AS bytes
    UNION ALL
    SELECT 'daily', (SELECT count(*) FROM daily), pg_total_relation_size('daily')
) AS t ORDER BY bytes DESC;
