\echo '4. Answers from the rollup alone'
\echo
\echo 'Aircraft by month: each number of the rollup merges the sketches of about 90 rows, and reads no'
\echo 'flight.'
\echo

CREATE TEMP TABLE monthly AS
SELECT month, exact, sketch
FROM (
    SELECT to_char(day, 'YYYY-MM') AS month, count(DISTINCT tailnum) AS exact
    FROM flights GROUP BY 1
) AS e
JOIN (
    SELECT to_char(day, 'YYYY-MM') AS month, hll_cardinality(hll_merge_agg(aircraft)) AS sketch
    FROM daily GROUP BY 1
) AS s USING (month);

SELECT month, demo.count(exact) AS exact, demo.count(sketch) AS "from the rollup",
       demo.error(exact, sketch) AS error
FROM monthly ORDER BY month;

DO $$
BEGIN
    IF (SELECT count(*) FROM monthly) <> 12 THEN
        RAISE EXCEPTION 'there are not twelve months';
    END IF;
    PERFORM demo.check(exact, exact, sketch) FROM monthly;
    PERFORM demo.check(sum(exact)::bigint, 37976, sum(sketch)::bigint) FROM monthly;
END
$$;

\echo 'And for the year: the same rows again, merged over all months. Bytes are those of the table read.'
\echo

SELECT * FROM demo.compare(
    'SELECT count(DISTINCT tailnum) FROM flights',
    'SELECT hll_cardinality(hll_merge_agg(aircraft)) FROM daily',
    4043,
    pg_total_relation_size('flights'),
    pg_total_relation_size('daily')
);
