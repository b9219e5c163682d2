-- The data, and the functions that measure, compare and check.

CREATE EXTENSION pg_sketch;

CREATE TABLE flights (
    day date NOT NULL,
    carrier text NOT NULL,
    flight integer NOT NULL,
    tailnum text,
    origin text NOT NULL,
    dest text NOT NULL,
    dep_delay integer
);
\copy flights FROM PROGRAM 'gzip -dc demo/flights.csv.gz' WITH (FORMAT csv, HEADER)
VACUUM ANALYZE flights;

CREATE SCHEMA demo;

-- The answer of a query that returns one number, and the median time of three runs.
CREATE FUNCTION demo.measure(query text, OUT answer bigint, OUT ms double precision)
LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz;
    times double precision[];
BEGIN
    FOR run IN 1..3 LOOP
        started := clock_timestamp();
        EXECUTE query INTO answer;
        times := times || 1000 * extract(epoch FROM clock_timestamp() - started)::double precision;
    END LOOP;
    SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) INTO ms FROM unnest(times) AS t;
END
$$;

-- Fails unless the exact count is the known one and the sketch is near it: within four standard
-- errors, of 1.19 % each at the default precision.
CREATE FUNCTION demo.check(exact bigint, known bigint, sketch bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF exact IS DISTINCT FROM known THEN
        RAISE EXCEPTION 'the exact count is %, but it should be %', exact, known;
    END IF;
    IF sketch IS NULL OR abs(sketch - exact) > 4 * 0.0119 * exact THEN
        RAISE EXCEPTION 'the sketch says % where % is right: more than four standard errors',
            sketch, exact;
    END IF;
END
$$;

CREATE FUNCTION demo.count(n bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT to_char(n, '99,999,999') $$;

CREATE FUNCTION demo.error(exact bigint, sketch bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(100.0 * (sketch - exact) / exact, 'S990.00') || ' %'
$$;

-- Two rows: a query that counts exactly beside one that asks a sketch. The bytes are what each has to
-- keep: the distinct values, or the sketch.
CREATE FUNCTION demo.compare(
    exact_query text, sketch_query text, known bigint, exact_bytes bigint, sketch_bytes bigint
)
RETURNS TABLE ("query" text, answer text, error text, "time" text, bytes text)
LANGUAGE plpgsql AS $$
DECLARE
    exact record;
    sketch record;
BEGIN
    exact := demo.measure(exact_query);
    sketch := demo.measure(sketch_query);
    PERFORM demo.check(exact.answer, known, sketch.answer);
    RETURN QUERY VALUES
        (exact_query, demo.count(exact.answer), '   exact', to_char(exact.ms, '99990.0 "ms"'),
            demo.count(exact_bytes)),
        (sketch_query, demo.count(sketch.answer), demo.error(exact.answer, sketch.answer),
            to_char(sketch.ms, '99990.0 "ms"'), demo.count(sketch_bytes));
END
$$;
