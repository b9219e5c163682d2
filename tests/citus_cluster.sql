-- Run by tools/citus on the coordinator: the same queries over distributed tables and over local ones,
-- on which Citus leaves the work to the one server.
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT citus_set_coordinator_host('127.0.0.1', :port) IS NOT NULL AS coordinator,
    citus_add_node('127.0.0.1', :first) > 0 AS first,
    citus_add_node('127.0.0.1', :second) > 0 AS second;
CREATE EXTENSION pg_sketch;
CREATE EXTENSION pg_sketch_citus;

CREATE SCHEMA one;
CREATE TABLE events (
    user_id bigint, day date, item integer, country text, name varchar, amount integer, id uuid,
    price numeric, at timestamptz, ratio double precision, address inet, payload bytea, yes boolean
);
SELECT create_distributed_table('events', 'user_id', shard_count => 8);
CREATE TABLE one.events (LIKE events);
INSERT INTO one.events
SELECT (i * 7919::bigint) % 30007, date '2024-01-01' + i % 30, (i * 31) % 5003, 'c' || i % 20,
    'n' || (i * 131::bigint) % 7001, CASE WHEN i % 10 <> 0 THEN i % 100 END,
    md5((i % 9001)::text)::uuid, (i % 777) / 100.0, timestamptz '2024-01-01Z' + i % 999 * interval '1 h',
    (i % 555) / 8.0, inet '10.0.0.0' + i % 1234, decode(md5((i % 4321)::text), 'hex'), i % 3 = 0
FROM generate_series(1, 200000) AS i;
INSERT INTO events TABLE one.events;
CREATE TABLE filters AS SELECT bloom_agg(user_id, 40000) AS f, cuckoo_agg(user_id, 40000) AS c
    FROM one.events WHERE user_id % 3 = 0;
SELECT create_reference_table('filters');
CREATE TABLE one.filters AS TABLE filters;
CREATE TABLE rollup (country text, day date, users hll, filter bloom, items cms, PRIMARY KEY (country, day));
SELECT create_distributed_table('rollup', 'country', shard_count => 8);
CREATE TABLE one.rollup (LIKE rollup INCLUDING ALL);

-- A query's rows over the cluster and over one server; where is how much of it the workers do.
CREATE FUNCTION compare(query text, OUT same boolean, OUT rows bigint, OUT on_workers boolean)
LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
    digest CONSTANT text :=
        'SELECT count(*), md5(string_agg(q::text, E''\n'' ORDER BY q::text COLLATE "C")) FROM (%s) AS q';
    cluster record;
    one record;
    line text;
BEGIN
    EXECUTE format(digest, query) INTO cluster;
    PERFORM set_config('search_path', 'one, public', true);
    EXECUTE format(digest, query) INTO one;
    PERFORM set_config('search_path', 'public', true);
    same := cluster = one;
    rows := cluster.count;
    on_workers := false;
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        -- The query that a shard gets has the call, or Citus's form of it.
        on_workers := on_workers OR line ~ 'Query: SELECT .*(worker_(binary_)?partial_agg|_agg\(|approx_count_distinct)';
    END LOOP;
END $$;

\set QUIET off
\pset footer off
\echo 'Every aggregate, of every type'
SELECT call, (compare(format('SELECT %s FROM events', call))).*
FROM unnest(ARRAY[
    'approx_count_distinct(user_id)', 'approx_count_distinct(name, 14)', 'hll_agg(user_id)',
    'hll_agg(item, 9)', 'hll_agg(country)', 'hll_agg(name)', 'hll_agg(id)', 'hll_agg(price)',
    'hll_agg(at)', 'hll_agg(day)', 'hll_agg(ratio)', 'hll_agg(address)', 'hll_agg(payload)', 'hll_agg(yes)',
    'hll_agg(amount::smallint)', 'hll_agg(at::timestamp)', 'bloom_agg(user_id, 40000)',
    'bloom_agg(name, 8000, 0.001)', 'cuckoo_count(cuckoo_agg(item, 6000, 0.00001))',
    'cms_agg(item)', 'cms_agg(name, 0.01)', 'cms_weighted_agg(item, amount)',
    'cms_weighted_agg(country, amount, 0.01, 0.1)',
    'hll_merge_agg(hll_empty() + item)', 'approx_count_distinct(hll_empty() + item)'
]) AS call;
\echo 'Shapes of queries'
SELECT query, (compare(query)).*
FROM unnest(ARRAY[
    'SELECT country, approx_count_distinct(user_id) FROM events GROUP BY country',
    'SELECT user_id, approx_count_distinct(item) FROM events GROUP BY user_id HAVING approx_count_distinct(item) > 6',
    'SELECT day FROM events GROUP BY day HAVING approx_count_distinct(name) > 5000',
    'SELECT hll_agg(user_id) FILTER (WHERE item < 100), cms_agg(item) FROM events WHERE amount > 5',
    'SELECT approx_count_distinct(user_id) FROM events WHERE false',
    'SELECT hll_agg(s) FROM (SELECT hll_agg(item) AS s FROM events GROUP BY user_id) AS parts WHERE false',
    'SELECT hll_cardinality(hll_merge_agg(s)) FROM (SELECT hll_agg(item) AS s FROM events GROUP BY user_id) AS parts',
    'SELECT approx_count_distinct(user_id) FROM events, filters WHERE f @> user_id',
    'SELECT count(*) FROM events, filters WHERE c @> user_id',
    'SELECT count(*) FROM events WHERE (SELECT f FROM filters) @> user_id'
]) AS query WHERE query NOT LIKE 'SELECT hll_agg(s)%';

\echo 'A rollup, and an upsert of it'
\set QUIET on
INSERT INTO rollup SELECT country, day, hll_agg(user_id), bloom_agg(user_id, 5000), cms_agg(item)
    FROM events WHERE item < 2500 GROUP BY country, day;
INSERT INTO one.rollup SELECT country, day, hll_agg(user_id), bloom_agg(user_id, 5000), cms_agg(item)
    FROM one.events WHERE item < 2500 GROUP BY country, day;
INSERT INTO rollup AS r SELECT country, day, hll_agg(user_id), bloom_agg(user_id, 5000), cms_agg(item)
    FROM events WHERE item >= 2500 GROUP BY country, day
    ON CONFLICT (country, day) DO UPDATE SET users = r.users || EXCLUDED.users,
        filter = r.filter || EXCLUDED.filter, items = r.items || EXCLUDED.items;
INSERT INTO one.rollup AS r SELECT country, day, hll_agg(user_id), bloom_agg(user_id, 5000), cms_agg(item)
    FROM one.events WHERE item >= 2500 GROUP BY country, day
    ON CONFLICT (country, day) DO UPDATE SET users = r.users || EXCLUDED.users,
        filter = r.filter || EXCLUDED.filter, items = r.items || EXCLUDED.items;
UPDATE rollup SET users = users + 5::bigint, items = items + 7;
UPDATE one.rollup SET users = users + 5::bigint, items = items + 7;
\set QUIET off
SELECT query, (compare(query)).*
FROM unnest(ARRAY[
    'SELECT * FROM rollup',
    'SELECT approx_count_distinct(users), hll_merge_agg(users), bloom_merge_agg(filter), cms_merge_agg(items) FROM rollup',
    'SELECT day, approx_count_distinct(users) FROM rollup GROUP BY day'
]) AS query;

\echo 'A shard on the move'
\set QUIET on
SELECT citus_move_shard_placement(shardid, '127.0.0.1', nodeport, '127.0.0.1',
    CASE nodeport WHEN :first THEN :second ELSE :first END, 'block_writes')
FROM citus_shards WHERE table_name = 'rollup'::regclass ORDER BY shardid LIMIT 1;
\set QUIET off
SELECT (compare('SELECT * FROM rollup')).*;

\echo 'Counting 2,000,000 rows'
\set QUIET on
TRUNCATE events;
INSERT INTO events (user_id, name, country)
SELECT (i * 7919::bigint) % 300007, 'n' || (i * 131::bigint) % 70001, 'c' || i % 20
FROM generate_series(1, 2000000) AS i;
VACUUM ANALYZE events;
\timing on
SELECT count(DISTINCT user_id) FROM events;
SELECT count(DISTINCT name) FROM events;
SELECT approx_count_distinct(user_id) FROM events;
SELECT approx_count_distinct(user_id) FROM events;
SELECT approx_count_distinct(name) FROM events;
SELECT country, approx_count_distinct(user_id) FROM events GROUP BY country ORDER BY country LIMIT 1;
