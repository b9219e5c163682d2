\echo '5. Several columns at once'
\echo
\echo 'A row is a value like any other: this counts flight numbers, which are pairs of a carrier and a'
\echo 'number.'
\echo

SELECT * FROM demo.compare(
    'SELECT count(DISTINCT (carrier, flight)) FROM flights',
    'SELECT approx_count_distinct((carrier, flight)) FROM flights',
    5725,
    (SELECT sum(octet_length(carrier) + pg_column_size(flight))
     FROM (SELECT DISTINCT carrier, flight FROM flights) AS t),
    (SELECT pg_column_size(hll_agg((carrier, flight))) FROM flights)
);
