\echo '7. Which aircraft flew in the last three days?'
\echo
\echo 'A cuckoo filter forgets: what was added can be removed. Here it slides over March. At each step the'
\echo 'aircraft of one more day are added, and those of the day that leaves the window are subtracted. An'
\echo 'aircraft that flew on several of the days is in the filter as often, and out of it with the last.'
\echo

\set ECHO queries
CREATE TABLE daily_aircraft AS
    SELECT day, cuckoo_agg(tailnum, 10000) AS aircraft
    FROM flights WHERE day BETWEEN '2013-03-01' AND '2013-03-31' GROUP BY day;
\set ECHO none

CREATE FUNCTION demo.enter(recent cuckoo, d date) RETURNS cuckoo LANGUAGE plpgsql AS $$
DECLARE
    tail text;
BEGIN
    FOR tail IN SELECT DISTINCT tailnum FROM flights WHERE day = d AND tailnum IS NOT NULL LOOP
        recent := recent + tail;
    END LOOP;
    RETURN recent;
END
$$;

\echo
\set ECHO queries
CREATE TABLE sliding AS
    WITH RECURSIVE step (day, recent) AS (
        SELECT date '2013-03-01', demo.enter(cuckoo_empty(10000), '2013-03-01')
        UNION ALL
        SELECT step.day + 1,
               demo.enter(cuckoo_subtract(recent, leaving.aircraft), step.day + 1)
        FROM step LEFT JOIN daily_aircraft AS leaving ON leaving.day = step.day - 2
        WHERE step.day < '2013-03-31'
    )
    SELECT * FROM step;
\set ECHO none

CREATE TEMP TABLE flown_on AS
SELECT DISTINCT day, tailnum FROM flights
WHERE tailnum IS NOT NULL AND day BETWEEN '2013-03-01' AND '2013-03-31';
CREATE TEMP TABLE tails AS SELECT DISTINCT tailnum FROM flights WHERE tailnum IS NOT NULL;
VACUUM ANALYZE flown_on, tails;

-- The filter of each day was asked for every aircraft.
CREATE TEMP TABLE slid AS
SELECT day, cuckoo_count(recent) AS copies, cuckoo_error_rate(recent) AS rate,
       pg_column_size(recent) AS bytes,
       (SELECT count(*) FROM flown_on AS f WHERE f.day BETWEEN s.day - 2 AND s.day) AS flown,
       a.*
FROM sliding AS s, LATERAL (
    SELECT count(active) AS active, count(*) FILTER (WHERE recent @> tailnum) AS yes,
           count(active) FILTER (WHERE NOT recent @> tailnum) AS missing,
           count(*) FILTER (WHERE active IS NULL) AS others,
           sum(octet_length(active)) AS exact_bytes
    FROM tails LEFT JOIN (
        SELECT DISTINCT tailnum AS active FROM flown_on AS f WHERE f.day BETWEEN s.day - 2 AND s.day
    ) AS exact ON active = tailnum
) AS a;

\echo
SELECT to_char(day, 'DD Mon') AS "up to", demo.count(copies) AS "copies in it",
       demo.count(flown) AS "aircraft and days", demo.count(active) AS "aircraft",
       demo.count(missing) AS "false negatives",
       demo.count(yes - active + missing) AS "false positives",
       to_char(others * rate, '90.0') AS "expected", demo.count(bytes) AS bytes
FROM slid WHERE extract(day FROM day) IN (1, 2, 3, 4, 11, 21, 31) ORDER BY day;

\echo 'Each filter was asked for all 4,043 aircraft. It has no false negatives, since only what was added'
\echo 'is removed, and holds exactly one copy for each aircraft and each of its three days.'
\echo

DO $$
DECLARE
    s record;
BEGIN
    IF (SELECT count(*) FROM slid) <> 31
        OR (SELECT active FROM slid WHERE day = '2013-03-31') <> 1336 THEN
        RAISE EXCEPTION 'the exact counts are not the known ones';
    END IF;
    FOR s IN SELECT * FROM slid LOOP
        IF s.copies <> s.flown THEN
            RAISE EXCEPTION 'the filter of % holds % copies where % is right', s.day, s.copies, s.flown;
        END IF;
        IF s.missing > 0 THEN
            RAISE EXCEPTION 'the filter of % has % false negatives', s.day, s.missing;
        END IF;
    END LOOP;
    -- The windows overlap, so that a false positive is there in up to three of them.
    SELECT sum(yes - active) AS wrong, sum(others * rate) AS expected INTO s FROM slid;
    IF s.wrong > s.expected + 4 * sqrt(3 * s.expected) THEN
        RAISE EXCEPTION '% wrong answers where % are to be expected', s.wrong, s.expected;
    END IF;
END
$$;
