\echo
\echo '1. How many aircraft left New York in 2013?'
\echo
\echo 'The table has 336,776 flights. To count aircraft exactly, the server must sort or keep all'
\echo 'distinct tail numbers. A sketch keeps a few kilobytes instead, however many there are, for a'
\echo 'standard error of 0.84 %; it also lets parallel workers share the counting.'
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

\echo 'The sketch also says what it knows: the true number lies within these bounds, at 95 %.'
\echo

SELECT (hll_bounds(hll_agg(tailnum))).* FROM flights;
