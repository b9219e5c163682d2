-- Every function: what it gives, empty filters, NULL, wrong parameters, arguments by name.
\pset null NULL
-- bloom_empty
SELECT bloom_empty(10), bloom_empty() = bloom_empty(1000000, 0.01) AS default_is_a_million_at_1_percent,
    bloom_empty(error_rate => 0.05, capacity => 10) = bloom_empty(10, 0.05) AS by_name,
    bloom_empty(NULL), bloom_empty(10, NULL);
SELECT code, message, hint FROM attempt('SELECT bloom_empty(0)');
SELECT code, message, hint FROM attempt('SELECT bloom_empty(-5)');
SELECT code, message, hint FROM attempt('SELECT bloom_empty(10, 0)');
SELECT code, message, hint FROM attempt('SELECT bloom_empty(10, 0.6)');
SELECT code, message, hint FROM attempt('SELECT bloom_empty(10, 1e-10)');
SELECT code, message, hint FROM attempt($$SELECT bloom_empty(10, 'NaN')$$);
SELECT code, message, hint FROM attempt('SELECT bloom_empty(10000000000)');
-- bloom_add: a NULL value adds nothing, a NULL filter stays NULL
SELECT bloom_add(bloom_empty(10), 42) = bloom_agg(42, 10) AS added,
    bloom_add(bloom_agg(42), 42) = bloom_agg(42) AS twice,
    bloom_add(value => 42, filter => bloom_empty(10)) = bloom_agg(42, 10) AS by_name;
SELECT bloom_add(bloom_agg(42), NULL) = bloom_agg(42) AS no_value,
    bloom_add(bloom_agg(42), NULL::int) = bloom_agg(42) AS no_number,
    bloom_add(NULL, 42) AS no_filter, bloom_add(NULL, NULL) AS nothing;
SELECT bloom_add(bloom_empty(10), 'abc') = bloom_agg('abc'::text, 10) AS literal;
PREPARE add_untyped AS SELECT bloom_add(bloom_empty(10), $1) = bloom_agg('abc'::text, 10) AS untyped;
EXECUTE add_untyped('abc');
DEALLOCATE add_untyped;
-- One by one, past the change of form
DO $$
DECLARE
    filter bloom := bloom_empty(500);
BEGIN
    FOR n IN 1..200 LOOP
        filter := bloom_add(filter, n);
        IF filter IS DISTINCT FROM (SELECT bloom_agg(v, 500) FROM generate_series(1, n) AS v) THEN
            RAISE 'the filter of % values differs', n;
        END IF;
    END LOOP;
    IF (bloom_info(filter)).form <> 'dense' THEN
        RAISE 'the form did not change';
    END IF;
END
$$;
-- bloom_merge: a NULL or an empty filter adds nothing
SELECT bloom_merge(bloom_agg(1, 10), bloom_agg(2, 10)) = bloom_empty(10) + 1 + 2 AS merged,
    bloom_merge(a => bloom_agg(1, 10), b => bloom_agg(2, 10)) = bloom_empty(10) + 1 + 2 AS by_name,
    bloom_merge(bloom_agg(1), NULL) = bloom_agg(1) AS no_b,
    bloom_merge(NULL, bloom_agg(1)) = bloom_agg(1) AS no_a,
    bloom_merge(NULL, NULL) AS nothing;
SELECT bloom_merge(bloom_agg(1), bloom_empty()) = bloom_agg(1) AS empty_b,
    bloom_merge(bloom_empty(), bloom_agg(1)) = bloom_agg(1) AS empty_a,
    bloom_merge(bloom_empty(), bloom_empty(5)) = bloom_empty(5) AS what_was_asked_for_stays,
    bloom_merge(bloom_empty(5), bloom_empty()) = bloom_empty(5) AS either_way;
SELECT code, message, hint FROM attempt('SELECT bloom_merge(bloom_agg(1, 10), bloom_agg(1, 11))');
SELECT code, message, hint
FROM attempt('SELECT bloom_merge(bloom_agg(1, 10, 0.05), bloom_agg(1, 10, 0.001))');
SELECT code, message, hint FROM attempt('SELECT bloom_merge(bloom_agg(1), bloom_agg(1.5::float8))');
-- bloom_contains: true for every value that was added, whatever its type's width
SELECT bloom_contains(bloom_agg(42), 42) AS int, bloom_contains(bloom_agg(42), 42::smallint) AS smallint,
    bloom_contains(bloom_agg(42), 42.0) AS numeric, bloom_contains(value => 42, filter => bloom_agg(42)) AS by_name,
    bloom_contains(bloom_agg('abc'::text), 'abc') AS literal,
    bloom_contains(bloom_agg('abc'::text), 'abc'::char(9)) AS padded,
    bloom_contains(bloom_empty(), 42) AS in_an_empty_one, bloom_contains(bloom_empty(), 'abc') AS of_any_class;
SELECT bloom_contains(NULL, 42) AS no_filter, bloom_contains(bloom_agg(42), NULL) AS no_value,
    bloom_contains(bloom_agg(42), NULL::int) AS no_number;
SELECT _bloom_contained_by(42, bloom_agg(42)) AS held, _bloom_contained_by(42, bloom_empty()) AS not_held,
    _bloom_contained_by(value => NULL::int, filter => bloom_agg(42)) AS no_value;
SELECT code, message, hint FROM attempt($$SELECT bloom_contains(bloom_agg(42), 'abc')$$);
SELECT code, message, hint FROM attempt('SELECT bloom_contains(bloom_agg(42), 42::float8)');
SELECT code, hint FROM attempt($$SELECT bloom_contains(bloom_agg(42), '{}'::json)$$);
PREPARE contains_untyped AS SELECT bloom_contains(bloom_agg('abc'::text), $1) AS untyped;
EXECUTE contains_untyped('abc');
DEALLOCATE contains_untyped;
-- A full filter: all of its values are held, and of the others one in a hundred seems to be
CREATE TEMP TABLE large AS SELECT bloom_agg(n, 50000) AS s FROM generate_series(1, 50000) AS n;
SELECT count(*) FILTER (WHERE n <= 50000) AS held,
    count(*) FILTER (WHERE n > 50000) BETWEEN 350 AND 650 AS about_500_others
FROM large, generate_series(1, 100000) AS n WHERE bloom_contains(s, n);
-- bloom_intersect: exact while there are few values
SELECT bloom_intersect(a, b) = bloom_empty(1000) + 3 AS common, bloom_intersect(b => a, a => b) = bloom_empty(1000) + 3
    AS by_name, bloom_intersect(a, bloom_empty(1000)) = bloom_empty(1000) AS with_an_empty_one,
    bloom_intersect(a, bloom_empty(1000) + 9) = bloom_empty(1000) AS disjoint, bloom_intersect(a, NULL) AS no_b,
    bloom_intersect(NULL, b) AS no_a
FROM (VALUES (bloom_empty(1000) + 1 + 3, bloom_empty(1000) + 2 + 3)) AS filters (a, b);
SELECT count(*) FILTER (WHERE n BETWEEN 30001 AND 50000) AS in_both_and_held,
    count(*) FILTER (WHERE n NOT BETWEEN 30001 AND 50000) <= 1100 AS no_more_than_either_errs
FROM (
    SELECT bloom_intersect(s, (SELECT bloom_agg(v, 50000) FROM generate_series(30001, 80000) AS v)) AS s
    FROM large OFFSET 0
) AS common, generate_series(1, 100000) AS n
WHERE bloom_contains(s, n);
SELECT code, message, hint FROM attempt('SELECT bloom_intersect(bloom_agg(1, 10), bloom_agg(1, 11))');
SELECT code, message, hint FROM attempt('SELECT bloom_intersect(bloom_agg(1), bloom_agg(true))');
-- bloom_cardinality: exact while there are few values
SELECT bloom_cardinality(bloom_empty()) AS empty, bloom_cardinality(bloom_agg(1)) AS one,
    bloom_cardinality(NULL) AS nothing, bloom_cardinality(filter => bloom_agg(1)) AS by_name;
SELECT bloom_cardinality(bloom_agg(n, 100000)) FROM generate_series(1, 8000) AS n;
SELECT bloom_cardinality(s) BETWEEN 49500 AND 50500 AS near FROM large;
-- bloom_error_rate: what it is now
SELECT bloom_error_rate(bloom_empty()) AS empty, bloom_error_rate(NULL) AS nothing,
    bloom_error_rate(filter => s) BETWEEN 0.009 AND 0.011 AS as_asked,
    bloom_error_rate(s || (SELECT bloom_agg(n, 50000) FROM generate_series(50001, 100000) AS n))
        BETWEEN 0.1 AND 0.2 AS of_twice_the_capacity
FROM large;
-- bloom_info
SELECT * FROM bloom_info(bloom_empty());
SELECT * FROM bloom_info(bloom_empty(10, 0.001));
SELECT capacity, error_rate, layout, form, bytes, over_capacity, value_class
FROM bloom_info(bloom_empty() + 'abc');
SELECT capacity, error_rate, layout, form, bytes = octet_length(s::bytea) AS bytes_are_the_length,
    fill BETWEEN 0.5 AND 0.55 AS half_full, present_error_rate = bloom_error_rate(s) AS rate_is_the_same,
    over_capacity, value_class
FROM large, bloom_info(filter => s);
SELECT held, over_capacity FROM unnest(ARRAY[500, 1000, 1500, 5000]) AS held,
    LATERAL (SELECT bloom_agg(n, 1000) AS s FROM generate_series(1, held) AS n) AS built, bloom_info(s)
ORDER BY held;
SELECT bloom_info(NULL);
-- bloom_size: what a full filter takes
SELECT bytes = (bloom_size(1000000, 0.01)).bytes AS default_is_a_million_at_1_percent,
    bits_per_value < 10.6 AS small, expected_error_rate BETWEEN 0.0099 AND 0.01 AS as_asked
FROM bloom_size();
-- A length word of four bytes stands before it
SELECT bytes = 4 + octet_length(s::bytea) AS bytes_are_right FROM large, bloom_size(capacity => 50000, error_rate => 0.01);
-- The theory has 1.44 log2(1 / rate) bits a value, and split blocks up to a sixth more
SELECT rate, bits_per_value / (ln(1 / rate) / ln(2) ^ 2) BETWEEN 1 AND 1.167 AS near_the_theory,
    expected_error_rate BETWEEN 0.98 * rate AND rate AS as_asked
FROM unnest(ARRAY[0.05, 0.01, 0.001, 1e-6]::float8[]) AS rate, bloom_size(1000000, rate) ORDER BY rate;
SELECT bloom_size(NULL), bloom_size(10, NULL);
SELECT code, message, hint FROM attempt('SELECT bloom_size(0)');
SELECT code, message, hint FROM attempt('SELECT bloom_size(1000000000)');
