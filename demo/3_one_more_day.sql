\echo '3. One more day arrives'
\echo
\echo 'The rollup takes it by an upsert that merges sketches with ||. To merge the same values again'
\echo 'changes nothing, so a job that loads data can safely be repeated after a failure.'
\echo

CREATE TEMP TABLE progress (step integer, what text, rows bigint, sketch bigint, sketches daily[]);
CREATE FUNCTION pg_temp.note(step integer, what text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO progress
        SELECT step, what, count(*),
               hll_cardinality(hll_merge_agg(aircraft) FILTER (WHERE day = '2013-12-31')),
               array_agg(daily ORDER BY day, origin)
        FROM daily
$$;

SELECT pg_temp.note(1, 'before') \g /dev/null
\set ECHO queries
\ir upsert.sql
\set ECHO none
SELECT pg_temp.note(2, 'after it ran') \g /dev/null
\ir upsert.sql
SELECT pg_temp.note(3, 'after it ran again') \g /dev/null

\echo
SELECT what AS "rollup", demo.count(rows) AS rows,
       demo.count(sketch) AS "aircraft on 2013-12-31",
       demo.count((SELECT count(DISTINCT tailnum) FROM flights WHERE day = '2013-12-31')) AS "exact",
       CASE step
           WHEN 2 THEN 'new rows'
           WHEN 3 THEN CASE WHEN sketches = lag(sketches) OVER w THEN 'none' ELSE 'some' END
       END AS "changes"
FROM progress WINDOW w AS (ORDER BY step) ORDER BY step;

DO $$
BEGIN
    PERFORM demo.check(
        (SELECT count(DISTINCT tailnum) FROM flights WHERE day = '2013-12-31'), 609,
        (SELECT sketch FROM progress WHERE step = 2));
    IF (SELECT array_agg(rows ORDER BY step) FROM progress) <> '{1092, 1095, 1095}' THEN
        RAISE EXCEPTION 'the rollup has not 1,092 rows and then 1,095';
    END IF;
    IF (SELECT sketches FROM progress WHERE step = 2)
        <> (SELECT sketches FROM progress WHERE step = 3) THEN
        RAISE EXCEPTION 'repeating the upsert has changed the rollup';
    END IF;
END
$$;
