-- Every function: what it gives, empty sketches, NULL, wrong parameters, arguments by name.
\pset null NULL
-- cms_empty
SELECT code, message, hint FROM attempt('SELECT cms_empty(0)');
SELECT code, message, hint FROM attempt('SELECT cms_empty(1)');
SELECT code, message, hint FROM attempt('SELECT cms_empty(-0.1)');
SELECT code, message, hint FROM attempt($$SELECT cms_empty('NaN')$$);
SELECT code, message, hint FROM attempt('SELECT cms_empty(0.01, 0)');
SELECT code, message, hint FROM attempt('SELECT cms_empty(0.01, 1e-20)');
SELECT code, message, hint FROM attempt('SELECT cms_empty(1e-9)');
SELECT cms_empty(0.1135, 0.2), cms_empty() = cms_empty(0.001, 0.01) AS defaults,
    cms_empty(delta => 0.2, epsilon => 0.1135) = cms_empty(0.1135, 0.2) AS by_name,
    cms_empty(NULL), cms_empty(0.1, NULL);
-- cms_add: a NULL value or count adds nothing, a NULL sketch stays NULL
SELECT code, message, hint FROM attempt('SELECT cms_add(cms_empty() + 1, 1, -2)');
SELECT code, message, hint FROM attempt('SELECT cms_add(cms_empty() + 1, 2, -1)');
SELECT code, message, hint FROM attempt('SELECT cms_add(cms_empty() + 1, 1, 9223372036854775807)');
SELECT code, message, hint FROM attempt('SELECT cms_add(cms_empty(), 1, -9223372036854775808)');
SELECT code, message, hint FROM attempt($$SELECT cms_add(cms_empty() + 1, 'abc')$$);
SELECT code, message, hint FROM attempt('SELECT cms_add(cms_empty(), point(1, 2))');
SELECT cms_add(cms_empty(), 42) = cms_agg(42) AS added,
    cms_add(cms_add(cms_empty(), 42), 42) = cms_add(cms_empty(), 42, 2) AS twice,
    cms_add(count => 3, value => 42, sketch => cms_empty()) -> 42 AS by_name,
    cms_add(cms_add(cms_empty(), 42, 5), 42, -3) = cms_add(cms_empty(), 42, 2) AS less,
    cms_add(cms_agg(42), 42, -1) = cms_empty() AS none_left, cms_add(cms_agg(42), 7, 0) = cms_agg(42) AS zero;
SELECT cms_add(cms_agg(42), NULL) = cms_agg(42) AS no_value, cms_add(cms_agg(42), NULL::int, 5) = cms_agg(42) AS no_number,
    cms_add(cms_agg(42), 42, NULL) = cms_agg(42) AS no_count, cms_add(NULL, 42) AS no_sketch, cms_add(NULL, 42, 3) AS nothing;
SELECT cms_add(cms_empty(), 'abc') = cms_agg('abc'::text) AS literal;
PREPARE add_untyped AS SELECT cms_add(cms_empty(), $1, 2) -> $1 AS untyped;
EXECUTE add_untyped('abc');
DEALLOCATE add_untyped;
-- One by one, past the change of form
DO $$
DECLARE
    sketch cms := cms_empty(0.02);
BEGIN
    FOR n IN 1..60 LOOP
        sketch := cms_add(sketch, n % 40, n);
        IF sketch IS DISTINCT FROM (SELECT cms_weighted_agg(v % 40, v, 0.02) FROM generate_series(1, n) AS v) THEN
            RAISE 'the sketch of % values differs', n;
        END IF;
    END LOOP;
    IF (cms_info(sketch)).form <> 'dense' THEN
        RAISE 'the form did not change';
    END IF;
END
$$;
-- cms_merge: a NULL or an empty sketch adds nothing
SELECT code, message, hint FROM attempt('SELECT cms_merge(cms_empty(0.1) + 1, cms_empty(0.01) + 1)');
SELECT code, message, hint FROM attempt('SELECT cms_merge(cms_agg(1), cms_agg(1.5::float8))');
SELECT cms_merge(cms_agg(1), cms_agg(2)) = cms_empty() + 1 + 2 AS merged, cms_merge(cms_agg(1), cms_agg(1)) -> 1 AS twice,
    cms_merge(a => cms_agg(1), b => cms_agg(2)) = cms_empty() + 1 + 2 AS by_name,
    cms_merge(cms_agg(1), NULL) = cms_agg(1) AS no_b, cms_merge(NULL, cms_agg(1)) = cms_agg(1) AS no_a, cms_merge(NULL, NULL) AS nothing;
SELECT cms_merge(cms_agg(1), cms_empty()) = cms_agg(1) AS empty_b, cms_merge(cms_empty(), cms_agg(1)) = cms_agg(1) AS empty_a,
    cms_merge(cms_empty(), cms_empty(0.5)) = cms_empty(0.5) AS what_was_asked_for_stays,
    cms_merge(cms_empty(0.5), cms_empty()) = cms_empty(0.5) AS either_way;
-- cms_subtract: subtracting NULL changes nothing
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_agg(1), cms_agg(2))');
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_empty() + 1 + 3, cms_empty() + 1 + 1)');
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_agg(v), cms_agg(v) + 1) FROM generate_series(1, 9) AS v');
-- In a table it can go unnoticed that a value was never added: 99 shares its cells with others
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_agg(v, 0.5), cms_empty(0.5) + 99) FROM generate_series(1, 9) AS v');
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_empty(0.5) + 1, (SELECT cms_agg(v, 0.5) FROM generate_series(1, 9) AS v))');
SELECT code, message, hint FROM attempt($$SELECT cms_subtract(cms_empty() + 1, cms_empty() + 'a')$$);
SELECT code, message, hint FROM attempt('SELECT cms_subtract(cms_empty() + 1, cms_empty(0.1) + 1)');
SELECT cms_subtract(cms_empty() + 1 + 2 + 2, cms_agg(2)) = cms_empty() + 1 + 2 AS less,
    cms_subtract(a => cms_agg(1), b => cms_agg(1)) = cms_empty() AS by_name,
    cms_subtract(cms_agg(1), NULL) = cms_agg(1) AS no_b, cms_subtract(NULL, cms_agg(1)) AS no_a;
-- A table stays a table until nothing is left: so it differs from a list of the same values
SELECT (cms_info(s)).form, s -> 1 AS one, s = cms_empty(0.1) + 1 AS same, s - (cms_empty(0.1) + 1) = cms_empty(0.1) AS nothing_left
FROM (SELECT cms_agg(v, 0.1) - cms_agg(v, 0.1) FILTER (WHERE v > 1) FROM generate_series(1, 30) AS v) AS made (s);
-- cms_frequency
SELECT code, message, hint FROM attempt($$SELECT cms_frequency(cms_agg(1), 'abc')$$);
SELECT cms_frequency(s, 42) AS int, cms_frequency(s, 42::smallint) AS smallint, cms_frequency(s, 42.0) AS numeric,
    cms_frequency(value => 7, sketch => s) AS by_name, cms_frequency(s, 8) AS absent, cms_frequency(s, NULL::int) AS no_value
FROM (VALUES (cms_empty() + 42 + 7 + 42)) AS made (s);
SELECT cms_frequency(cms_empty(), 42) AS of_an_empty_one, cms_frequency(cms_empty(), 'abc') AS of_any_class,
    cms_frequency(NULL, 42) AS no_sketch, cms_frequency(cms_agg('abc'::text), 'abc'::char(9)) AS padded;
-- cms_bounds: exact while the sketch is, then with the error of the parameters
SELECT code, message, hint FROM attempt('SELECT * FROM cms_bounds(cms_empty() + 1, true)');
SELECT b.* FROM cms_bounds(cms_empty() + 42 + 7 + 42, 42) AS b;
SELECT b.*, cms_total(s) AS total FROM (SELECT cms_agg(v % 100, 0.05) FROM generate_series(1, 1000) AS v) AS made (s), cms_bounds(s, 42) AS b;
SELECT cms_bounds(cms_empty(), 42) AS empty, cms_bounds(cms_agg(1), NULL::int) AS no_value, cms_bounds(NULL, 1) AS no_sketch;
-- cms_unbiased_frequency
SELECT cms_unbiased_frequency(cms_empty() + 42 + 42, 42) AS exact, cms_unbiased_frequency(cms_empty(), 42) AS empty,
    cms_unbiased_frequency(NULL, 42) AS no_sketch, cms_unbiased_frequency(cms_agg(1), NULL::int) AS no_value;
SELECT round(cms_unbiased_frequency(s, 42)::numeric, 3) AS unbiased, s -> 42 AS estimate
FROM (SELECT cms_agg(v % 100, 0.05) FROM generate_series(1, 1000) AS v) AS made (s);
-- cms_total
SELECT cms_total(cms_empty()), cms_total(cms_empty() + 1 + 1 + 2), cms_total(NULL);
-- cms_inner_product
SELECT code, message, hint FROM attempt('SELECT cms_inner_product(cms_empty(0.1) + 1, cms_empty() + 1)');
SELECT code, message, hint FROM attempt('SELECT cms_inner_product(cms_agg(1), cms_agg(true))');
SELECT * FROM cms_inner_product(cms_empty() + 1 + 1 + 2, cms_empty() + 1 + 2 + 2 + 3);
SELECT estimate, round(error::numeric, 3) AS error
FROM (SELECT cms_agg(v % 100, 0.05), cms_agg(v % 50, 0.05) FROM generate_series(1, 1000) AS v) AS made (a, b), cms_inner_product(a, b);
SELECT cms_inner_product(cms_empty(), cms_agg(1)) AS empty, cms_inner_product(NULL, cms_agg(1)) AS no_a, cms_inner_product(cms_agg(1), NULL) AS no_b;
-- cms_info
SELECT * FROM cms_info(cms_empty());
SELECT round(epsilon::numeric, 6) AS epsilon, round(delta::numeric, 6) AS delta, width, depth, form, bytes,
    round(fill::numeric, 4) AS fill, total, distinct_values, value_class
FROM unnest(ARRAY[1, 566, 567, 5000]) AS n, LATERAL (SELECT cms_agg(v) AS s FROM generate_series(1, n) AS v) AS built, cms_info(s)
ORDER BY n;
SELECT cms_info(NULL);
-- cms_size: the bytes are those of a typical sketch, and the most there can be
SELECT code, message, hint FROM attempt('SELECT cms_size(0.01, 0.01, -1)');
SELECT code, message, hint FROM attempt('SELECT cms_size(2)');
SELECT * FROM cms_size();
SELECT width, depth, bytes, max_bytes FROM cms_size(0.01, 0.05, total => 1000);
SELECT cms_size(NULL), cms_size(0.1, NULL), cms_size(0.1, 0.1, NULL);
SELECT (cms_size(0.001, 0.01, n)).max_bytes >= pg_column_size(s) AS is_bound,
    (cms_size(0.001, 0.01, n)).bytes BETWEEN 0.85 * pg_column_size(s) AND 1.15 * pg_column_size(s) AS is_near
FROM unnest(ARRAY[5000, 200000]) AS n, LATERAL (SELECT cms_agg(v) AS s FROM generate_series(1, n) AS v) AS built;
