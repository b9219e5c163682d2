\echo '8. How many flights went to Chicago?'
\echo
\echo 'A count-min sketch answers how often a value occurred. Sketches add up: here are two for each month,'
\echo 'one of the flights on each route, one of those of each aircraft. An estimate is never too low, and'
\echo 'rarely too high by more than epsilon times all flights: 1 % for the routes, 0.1 % for the aircraft.'
\echo

\set ECHO queries
CREATE TABLE monthly_flights AS
    SELECT to_char(day, 'YYYY-MM') AS month,
           cms_agg(origin || '-' || dest, 0.01) AS by_route, cms_agg(tailnum) AS by_aircraft
    FROM flights GROUP BY month;
\set ECHO none

\echo
\echo 'The year is the sum of its months. Flights to ORD, with the bounds and the exact number beside:'
\echo

\set ECHO queries
CREATE TEMP TABLE year AS
    SELECT cms_merge_agg(by_route) AS by_route, cms_merge_agg(by_aircraft) AS by_aircraft
    FROM monthly_flights;

SELECT route, b.lower, b.estimate, b.upper, count(*) AS exact
    FROM year, unnest(ARRAY['EWR-ORD', 'JFK-ORD', 'LGA-ORD']) AS route,
         cms_bounds(by_route, route) AS b
    LEFT JOIN LATERAL (SELECT FROM flights WHERE origin || '-' || dest = route) AS f ON true
    GROUP BY route, b.lower, b.estimate, b.upper ORDER BY route;
\set ECHO none

\echo 'By month, from the same sketches:'
\echo

\set ECHO queries
SELECT month, by_route -> 'LGA-ORD' AS "LGA-ORD", count(f) AS exact
    FROM monthly_flights
    LEFT JOIN flights AS f ON origin = 'LGA' AND dest = 'ORD' AND to_char(day, 'YYYY-MM') = month
    WHERE month < '2013-05' GROUP BY month, by_route ORDER BY month;
\set ECHO none

CREATE TEMP TABLE frequencies AS
SELECT asked.what, asked.exact, cms_total(s) AS total, b.*, cms_unbiased_frequency(s, value) AS unbiased,
       pg_column_size(s) AS bytes, i.epsilon, i.delta
FROM (
    SELECT 'routes' AS what, by_route AS s, value, exact
    FROM year, (SELECT origin || '-' || dest AS value, count(*) AS exact FROM flights GROUP BY 1) AS f
    UNION ALL
    SELECT 'aircraft', by_aircraft, value, exact
    FROM year, (SELECT tailnum AS value, count(*) AS exact
                FROM flights WHERE tailnum IS NOT NULL GROUP BY 1) AS f
) AS asked, cms_bounds(s, value) AS b, cms_info(s) AS i;

SELECT what, demo.count(count(*)) AS asked, demo.count(max(total)) AS flights,
       demo.count(count(*) FILTER (WHERE estimate < exact)) AS "too low",
       demo.count(count(*) FILTER (WHERE estimate = exact)) AS "exact",
       demo.count(max(estimate - exact)) AS "largest error",
       demo.count(floor(max(epsilon * total))::bigint) AS "allowed",
       demo.count(max(bytes)) AS bytes
FROM frequencies GROUP BY what ORDER BY what DESC;

\echo 'All routes and all aircraft were asked. Errors come from other values in the same cells; they grow'
\echo 'with the number of all flights.'
\echo

DO $$
BEGIN
    IF (SELECT count(*) FROM frequencies WHERE what = 'aircraft') <> 4043
        OR (SELECT count(*) FROM frequencies WHERE what = 'routes') <> 224 THEN
        RAISE EXCEPTION 'there are not 4,043 aircraft and 224 routes';
    END IF;
    IF EXISTS (SELECT FROM frequencies WHERE upper < exact) THEN
        RAISE EXCEPTION 'an upper bound is below the exact number';
    END IF;
    IF EXISTS (
        SELECT FROM frequencies GROUP BY what, delta
        HAVING count(*) FILTER (WHERE lower > exact) > delta * count(*)
    ) THEN
        RAISE EXCEPTION 'more than a share delta of the lower bounds are above the exact number';
    END IF;
    IF EXISTS (
        SELECT FROM year, unnest(ARRAY['EWR-ORD', 'JFK-ORD', 'LGA-ORD']) AS route,
            cms_bounds(by_route, route) AS b
        WHERE (SELECT count(*) FROM flights WHERE origin || '-' || dest = route)
            NOT BETWEEN b.lower AND b.upper
    ) THEN
        RAISE EXCEPTION 'the bounds of a route to ORD do not hold its flights';
    END IF;
    IF (SELECT by_aircraft FROM year) <> (SELECT cms_agg(tailnum) FROM flights) THEN
        RAISE EXCEPTION 'the sum of the months is not the sketch of the year';
    END IF;
END
$$;
