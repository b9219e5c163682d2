-- What every case uses: the procedure that measures, and where it keeps what it finds.

CREATE EXTENSION pg_sketch;
CREATE SCHEMA bench;

CREATE TABLE bench.timing (
    case_id integer,
    name text,
    contestant text,
    round integer,
    ms double precision,
    cpu_ms double precision
);
CREATE SEQUENCE bench.case_id;

CREATE TABLE bench.plan (name text, contestant text, plan text);

-- How many bytes stored sketches of n values take.
CREATE TABLE bench.size (contestant text, n integer, sketches integer, mean numeric, largest integer);

-- What a row of a rollup table takes on disk, by the precision and the storage of its sketches.
CREATE TABLE bench.disk (
    "precision" integer, storage text, sketch numeric, least integer, most integer, row_bytes numeric
);

-- Milliseconds for which this backend has run on a processor: time that goes to other programs does
-- not count. NULL where the system does not tell. Parallel workers are not in it.
CREATE FUNCTION bench.cpu_ms() RETURNS double precision
LANGUAGE sql AS $$
    SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)::double precision / 1e6
$$;

-- The contestants take turns, and another one begins each round, so that a change of the machine's
-- speed meets them alike. Round 0 fills the caches. A peer that takes more than two seconds runs
-- in every other round, and one that takes more than five only once, which then counts. After three
-- counted rounds the case ends when pg_sketch and the plain count have taken 20 seconds.
CREATE PROCEDURE bench.measure(name text, rounds integer, VARIADIC pairs text[])
LANGUAGE plpgsql AS $$
DECLARE
    contestants integer := cardinality(pairs) / 2;
    -- In which rounds: each one, every other one, none.
    step integer[] := array_fill(1, ARRAY[contestants]);
    this_case integer := nextval('bench.case_id');
    who text;
    query text;
    line text;
    plan text;
    turn integer;
    started timestamptz;
    ms double precision;
    cpu double precision;
    spent double precision := 0;
    discarded text;
BEGIN
    FOR round IN 0 .. rounds - 1 LOOP
        EXIT WHEN round > 3 AND spent > 20000;
        FOR i IN 0 .. contestants - 1 LOOP
            turn := (i + round) % contestants + 1;
            who := pairs[2 * turn - 1];
            query := pairs[2 * turn];
            CONTINUE WHEN query IS NULL;
            CONTINUE WHEN round > 0 AND (step[turn] = 0 OR step[turn] = 2 AND round % 2 = 0);
            cpu := bench.cpu_ms();
            started := clock_timestamp();
            EXECUTE query INTO discarded;
            ms := extract(epoch FROM clock_timestamp() - started) * 1000;
            cpu := bench.cpu_ms() - cpu;
            IF who NOT IN ('exact', 'theirs') THEN
                spent := spent + ms;
            ELSIF round = 0 THEN
                step[turn] := CASE WHEN ms > 5000 THEN 0 WHEN ms > 2000 THEN 2 ELSE 1 END;
            END IF;
            IF round = 0 THEN
                plan := '';
                FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
                    IF line ~ '(Aggregate|Gather|Sort|Scan)' AND line !~ 'Key:' THEN
                        plan := concat_ws(' < ', nullif(plan, ''), btrim(line, ' ->'));
                    END IF;
                END LOOP;
                INSERT INTO bench.plan VALUES (name, who, plan);
            END IF;
            INSERT INTO bench.timing
            VALUES (this_case, name, who, round + (step[turn] = 0)::integer, ms, cpu);
        END LOOP;
    END LOOP;
END
$$;

-- The first call in this connection, and the second, once all that the server itself has to look up
-- is known.
CREATE PROCEDURE bench.first_use(round integer)
LANGUAGE plpgsql AS $$
DECLARE
    query text := 'SELECT hll_cardinality(ours) FROM bench.large LIMIT 1';
    who text;
    started timestamptz;
    cpu double precision;
    discarded text;
BEGIN
    EXECUTE 'SELECT octet_length(ours::bytea) FROM bench.large LIMIT 1' INTO discarded;
    EXECUTE 'EXPLAIN ' || query INTO discarded;
    FOREACH who IN ARRAY ARRAY['pg_sketch', 'plain'] LOOP
        cpu := bench.cpu_ms();
        started := clock_timestamp();
        EXECUTE query INTO discarded;
        INSERT INTO bench.timing
        SELECT nextval('bench.case_id'), 'first-use', who, round,
               extract(epoch FROM clock_timestamp() - started) * 1000, bench.cpu_ms() - cpu;
    END LOOP;
END
$$;
