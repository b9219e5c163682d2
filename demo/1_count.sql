\echo
\echo '1. How many aircraft left New York in 2013?'
\echo
\echo 'The table has 336,776 flights. To count aircraft exactly, the server must sort or keep all'
\echo 'distinct tail numbers. A sketch keeps two kilobytes instead, however many there are, for a'
\echo 'standard error of 1.19 %; it also lets parallel workers share the counting.'
\echo
\echo 'Times are medians of three runs. Bytes are what each has to keep to be able to go on counting.'
\echo

SELECT * FROM demo.compare(
    'SELECT count(DISTINCT tailnum) FROM flights',
    'SELECT approx_count_distinct(tailnum) FROM flights',
    4043,
    (SELECT sum(octet_length(tailnum)) FROM (SELECT DISTINCT tailnum FROM flights) AS t),
    (SELECT pg_column_size(hll_agg(tailnum)) FROM flights)
);

\echo 'A sketch also has bounds, which contain the true number with a confidence of 95 %.'
\echo

SELECT bounds.* FROM (SELECT hll_agg(tailnum) AS s FROM flights) AS f, hll_bounds(s) AS bounds;
