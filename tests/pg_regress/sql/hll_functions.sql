-- Every function: what it gives, empty sketches, NULL, wrong parameters, arguments by name.
\pset null NULL
-- hll_empty
SELECT hll_empty(), hll_empty(4), hll_empty(18), hll_empty("precision" => 11), hll_empty(NULL);
SELECT code, message, hint FROM attempt('SELECT hll_empty(3)');
SELECT code, message, hint FROM attempt('SELECT hll_empty(19)');
SELECT code, message, hint FROM attempt('SELECT hll_empty(-1)');
SELECT code, message, hint FROM attempt('SELECT hll_empty(2147483647)');
-- hll_add: a NULL value adds nothing, a NULL sketch stays NULL
SELECT hll_add(hll_empty(), 42) = hll_agg(42) AS added,
    hll_add(hll_agg(42), 42) = hll_agg(42) AS twice,
    hll_add(hll_empty(11), 42) = hll_agg(42, 11) AS other_precision,
    hll_add(value => 42, sketch => hll_empty()) = hll_agg(42) AS by_name;
SELECT hll_add(hll_agg(42), NULL) = hll_agg(42) AS no_value,
    hll_add(hll_agg(42), NULL::int) = hll_agg(42) AS no_number,
    hll_add(NULL, 42) AS no_sketch, hll_add(NULL, NULL) AS nothing;
SELECT hll_add(hll_empty(), 'abc') = hll_agg('abc'::text) AS literal,
    hll_add(hll_empty(), 'a'::"char") = hll_agg('a'::text) AS "char";
PREPARE add_untyped AS SELECT hll_add(hll_empty(), $1) = hll_agg('abc'::text) AS untyped;
EXECUTE add_untyped('abc');
DEALLOCATE add_untyped;
-- One by one, past the change of form
DO $$
DECLARE
    sketch hll := hll_empty(8);
BEGIN
    FOR n IN 1..200 LOOP
        sketch := hll_add(sketch, n);
        IF sketch IS DISTINCT FROM (SELECT hll_agg(v, 8) FROM generate_series(1, n) AS v) THEN
            RAISE 'the sketch of % values differs', n;
        END IF;
    END LOOP;
END
$$;
-- hll_merge: a NULL or an empty sketch adds nothing
SELECT hll_merge(hll_agg(1), hll_agg(2)) = hll_empty() + 1 + 2 AS merged,
    hll_merge(a => hll_agg(1), b => hll_agg(2)) = hll_empty() + 1 + 2 AS by_name,
    hll_merge(hll_agg(1), NULL) = hll_agg(1) AS no_b,
    hll_merge(NULL, hll_agg(1)) = hll_agg(1) AS no_a,
    hll_merge(NULL, NULL) AS nothing;
SELECT hll_merge(hll_agg(1), hll_empty()) = hll_agg(1) AS empty_b,
    hll_merge(hll_empty(), hll_agg(1)) = hll_agg(1) AS empty_a,
    hll_merge(hll_empty(4), hll_agg(1)) = hll_agg(1) AS of_other_precision,
    hll_merge(hll_empty(4), hll_empty(5)) = hll_empty(4) AS lower_precision,
    hll_merge(hll_empty(5), hll_empty(4)) = hll_empty(4) AS either_way;
SELECT code, message, hint FROM attempt('SELECT hll_merge(hll_agg(1), hll_agg(1, 11))');
SELECT code, message, hint FROM attempt('SELECT hll_merge(hll_agg(1, 4), hll_agg(1))');
SELECT code, message, hint FROM attempt('SELECT hll_merge(hll_agg(1), hll_agg(1.5::float8))');
-- hll_cardinality: exact while small
SELECT hll_cardinality(hll_empty()) AS empty, hll_cardinality(hll_agg(1)) AS one,
    hll_cardinality(NULL) AS nothing, hll_cardinality(sketch => hll_agg(1)) AS by_name;
SELECT hll_cardinality(hll_agg(n)) FROM generate_series(1, 960) AS n;
SELECT hll_cardinality(hll_agg(n)) BETWEEN 95000 AND 105000 AS near
FROM generate_series(1, 100000) AS n;
-- hll_bounds
SELECT * FROM hll_bounds(hll_empty());
-- Up to 960 values: two share a token with a probability of 960^2 / 2^27, less than a hundredth
SELECT n, bounds.* FROM unnest(ARRAY[1, 2, 100]) AS n,
    LATERAL (SELECT hll_agg(v) AS s FROM generate_series(1, n) AS v) AS built, hll_bounds(s) AS bounds
ORDER BY n;
SELECT lower = 960 AND estimate = 960 AND upper BETWEEN 960 AND 961 AS holds
FROM hll_bounds((SELECT hll_agg(n) FROM generate_series(1, 960) AS n));
CREATE TEMP TABLE large AS SELECT hll_agg(n) AS s FROM generate_series(1, 100000) AS n;
-- 1.19 % standard error: half of 3.92 standard deviations on either side
SELECT lower < estimate AND estimate < upper AS in_order,
    (upper - lower) / estimate::float8 BETWEEN 0.043 AND 0.050 AS as_wide_as_expected
FROM large, hll_bounds(s);
SELECT count(*) AS wider_with_confidence
FROM large, hll_bounds(s, 0.5) AS half, hll_bounds(s) AS usual,
    hll_bounds(sketch => s, confidence => 0.999) AS sure
WHERE sure.lower < usual.lower AND usual.lower < half.lower AND half.lower < half.estimate
    AND half.estimate < half.upper AND half.upper < usual.upper AND usual.upper < sure.upper
    AND half.estimate = usual.estimate AND usual.estimate = sure.estimate;
SELECT hll_cardinality(s) = (hll_bounds(s)).estimate AS same_estimate FROM large;
SELECT hll_bounds(NULL), hll_bounds(hll_empty(), NULL);
SELECT code, message, hint FROM attempt('SELECT hll_bounds(hll_empty(), 0)');
SELECT code, message, hint FROM attempt('SELECT hll_bounds(hll_empty(), 1)');
SELECT code, message, hint FROM attempt('SELECT hll_bounds(hll_empty(), -0.5)');
SELECT code, message, hint FROM attempt($$SELECT hll_bounds(hll_empty(), 'NaN')$$);
-- hll_reduce: as if built at the lower precision
SELECT size, count(*) AS precisions, bool_and(hll_reduce(high, low) = built) AS as_built
FROM unnest(ARRAY[0, 1, 3, 50, 1000, 20000]) AS size, generate_series(4, 13, 3) AS low,
    LATERAL (
        SELECT hll_agg(n, 13) AS high, hll_agg(n, low) AS built FROM generate_series(0, size) AS n
    ) AS sketches
GROUP BY size ORDER BY size;
SELECT hll_reduce(hll_empty(13), 4), hll_reduce(sketch => hll_empty(13), "precision" => 5),
    hll_reduce(hll_empty(13), 13), hll_reduce(NULL, 4), hll_reduce(hll_empty(), NULL);
SELECT code, message, hint FROM attempt('SELECT hll_reduce(hll_empty(11) + 1, 12)');
SELECT code, message, hint FROM attempt('SELECT hll_reduce(hll_empty(11), 3)');
-- hll_info
SELECT * FROM hll_info(hll_empty());
SELECT * FROM hll_info(hll_empty(11) + 'abc');
SELECT * FROM hll_info((SELECT hll_agg(n::float8) FROM generate_series(1, 480) AS n));
SELECT "precision", form, bytes = octet_length(s::bytea) AS bytes_are_the_length, fill,
    round(standard_error::numeric, 6) AS standard_error, value_class
FROM large, hll_info(s);
SELECT hll_info(NULL);
-- hll_size: about what a full sketch takes: within a hundredth, and five standard deviations of 1.5
-- bits a register. Tokens never take more than registers of a byte
SELECT bytes = (hll_size(12)).bytes AS default_is_12, round(standard_error::numeric, 6) AS error
FROM hll_size();
SELECT p, round(standard_error::numeric, 4) AS error,
    round((0.7609 / sqrt(2 ^ p))::numeric, 4) AS expected, pg_column_size(few) <= 9 + (1 << p) AS few_fit,
    abs(pg_column_size(many) - bytes) <= 0.01 * bytes + 5 * 1.5 * sqrt(2 ^ p) / 8 AS many_fit
FROM generate_series(4, 14) AS p, hll_size("precision" => p),
    LATERAL (SELECT hll_agg(n, p) AS few FROM generate_series(1, 15 * (1 << p) / 64) AS n) AS a,
    LATERAL (
        SELECT hll_agg(n, p) AS many FROM generate_series(1, 8 * (1 << p)) AS n
    ) AS b
ORDER BY p;
SELECT hll_size(NULL);
SELECT code, message, hint FROM attempt('SELECT hll_size(19)');
