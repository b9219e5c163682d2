-- One-value sketches of every value class, and some of more values. The stored format gives these
-- bytes, which never change. They follow from docs/format.md alone.
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
SET lc_monetary = 'C';
-- A type as an extension would bring it, with a hash function of its own.
CREATE TYPE sketch_other;
CREATE FUNCTION sketch_other_in(cstring) RETURNS sketch_other
    AS 'byteain' LANGUAGE internal IMMUTABLE STRICT;
CREATE FUNCTION sketch_other_out(sketch_other) RETURNS cstring
    AS 'byteaout' LANGUAGE internal IMMUTABLE STRICT;
CREATE TYPE sketch_other (INPUT = sketch_other_in, OUTPUT = sketch_other_out, LIKE = bytea);
CREATE FUNCTION sketch_other_eq(sketch_other, sketch_other) RETURNS boolean
    AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT;
CREATE OPERATOR = (LEFTARG = sketch_other, RIGHTARG = sketch_other, FUNCTION = sketch_other_eq);
CREATE FUNCTION sketch_other_hash(sketch_other) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 1';
CREATE FUNCTION sketch_other_hash(sketch_other, seed bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 81985529216486895 + seed';
CREATE OPERATOR CLASS sketch_other_ops DEFAULT FOR TYPE sketch_other USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 sketch_other_hash(sketch_other),
    FUNCTION 2 sketch_other_hash(sketch_other, bigint);
-- number
SELECT hll_agg(42);
SELECT hll_agg(-1::bigint);
SELECT hll_agg((-9223372036854775808)::bigint);
SELECT hll_agg(9223372036854775808);
SELECT hll_agg(1e20::numeric);
SELECT hll_agg(1.50);
SELECT hll_agg(-0.00012);
SELECT hll_agg('NaN'::numeric);
SELECT hll_agg('Infinity'::numeric);
SELECT hll_agg('-Infinity'::numeric);
-- float
SELECT hll_agg(1.5::float8);
SELECT hll_agg('-0'::float8);
SELECT hll_agg('NaN'::float4);
SELECT hll_agg('-Infinity'::float4);
-- text
SELECT hll_agg(''::text);
SELECT hll_agg('abc'::text);
SELECT hll_agg('abc'::char(10));
SELECT hll_agg(repeat('0123456789', 30));
-- bytea
SELECT hll_agg('\x00ff'::bytea);
-- uuid
SELECT hll_agg('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid);
-- bool
SELECT hll_agg(true);
SELECT hll_agg(false);
-- bit
SELECT hll_agg(B'101');
SELECT hll_agg(''::varbit);
-- macaddr
SELECT hll_agg('08:00:2b:01:02:03'::macaddr);
SELECT hll_agg('08:00:2b:01:02:03:04:05'::macaddr8);
-- inet
SELECT hll_agg('192.168.0.1/24'::inet);
SELECT hll_agg('2001:db8::1'::inet);
-- money
SELECT hll_agg(1234::money / 100);
-- pg_lsn
SELECT hll_agg('16/B374D848'::pg_lsn);
-- date
SELECT hll_agg('2024-02-29'::date);
SELECT hll_agg('infinity'::date);
-- time
SELECT hll_agg('12:34:56.789'::time);
-- timetz
SELECT hll_agg('12:34:56.789+02'::timetz);
-- timestamp
SELECT hll_agg('2024-02-29 12:34:56.789'::timestamp);
-- timestamptz
SELECT hll_agg('2024-02-29 12:34:56.789+00'::timestamptz);
SELECT hll_agg('infinity'::timestamptz);
-- interval
SELECT hll_agg('1 mon 2 days 3 us'::interval);
SELECT hll_agg('-1 us'::interval);
-- jsonb
SELECT hll_agg('5'::jsonb);
SELECT hll_agg('null'::jsonb);
SELECT hll_agg('{"id": 7, "tags": ["x", null, true, 1.50]}'::jsonb);
-- record
SELECT hll_agg(ROW(1, 'a'::text, NULL::bool));
SELECT hll_agg(ROW(ROW(1), '5'::jsonb));
-- array
SELECT hll_agg('{}'::int[]);
SELECT hll_agg(ARRAY[1, NULL, 3]);
SELECT hll_agg(ARRAY['abc', 'de', '']);
SELECT hll_agg('[0:1][5:5]={{1},{2}}'::int[]);
-- range
SELECT hll_agg(int4range(1, 5));
SELECT hll_agg('(,1.5]'::numrange);
SELECT hll_agg('empty'::int4range);
SELECT hll_agg('(,)'::int4range);
-- multirange
SELECT hll_agg('{[1,3),[5,7)}'::int4multirange);
SELECT hll_agg('{}'::int4multirange);
-- other
SELECT hll_agg('a'::sketch_other);
-- Rows and arrays of a user's own types are parts of their class.
SELECT hll_agg(ARRAY['a'::sketch_other]);
-- None, several, and as many as a precision keeps as tokens
SELECT hll_empty();
SELECT hll_empty(4);
SELECT hll_agg(n, 4) FROM generate_series(1, 3) AS n;
SELECT hll_agg(n) FROM generate_series(1, 10) AS n;
SELECT hll_agg(n, 8) FROM generate_series(1, 60) AS n;
-- Values whose hashes have zeros behind the prefix
SELECT hll_agg(n, 18) FROM unnest(ARRAY[218, 546, 636, 857, 988]) AS n;
-- Counts of one and three bytes
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n) AS s FROM generate_series(1, 250) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n) AS s FROM generate_series(1, 251) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n) AS s FROM generate_series(1, 1920) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n, 18) AS s FROM generate_series(1, 61477) AS n) AS many;
-- Registers: as they are, coded in one group, and in many; hardly filled, full, in repeated tables
SELECT hll_agg(n, 4) FROM generate_series(1, 4) AS n;
SELECT hll_agg(n, 5) FROM generate_series(1, 16) AS n;
SELECT hll_agg(n, 8) FROM generate_series(1, 61) AS n;
SELECT hll_agg(n, 8) FROM generate_series(1, 20000) AS n;
SELECT count, p, octet_length(s::bytea), get_byte(s::bytea, 4) AS phase,
    encode(sha256(s::bytea), 'hex')
FROM (VALUES (61478, 18), (20000, 16), (1921, 13), (8192, 13), (65536, 13), (300000, 12), (300000, 6))
    AS many (count, p),
    LATERAL (SELECT hll_agg(n, p) AS s FROM generate_series(1, count) AS n) AS built
ORDER BY p DESC, count;
-- bloom: empty, with the default, with few and with many hashes
SELECT bloom_empty();
SELECT bloom_empty(10);
SELECT bloom_empty(1000, 1e-6);
-- Keys: one, several, of other classes; so many that they have a directory
SELECT bloom_agg(42, 1000);
SELECT bloom_agg('abc'::text, 1000);
SELECT bloom_agg('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 1000000, 0.0001);
SELECT bloom_agg(n, 1000) FROM generate_series(1, 10) AS n;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT bloom_agg(n, 80000) AS s FROM generate_series(1, 4095) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT bloom_agg(n, 80000) AS s FROM generate_series(1, 4096) AS n) AS many;
-- Bits: classic, small and large, sized to what came; split blocks
SELECT bloom_agg(n, 10) FROM generate_series(1, 10) AS n;
SELECT bloom_agg(n, 10, 0.0001) FROM generate_series(1, 10) AS n;
SELECT bloom_agg(n) FROM generate_series(1, 20) AS n;
SELECT count, capacity, rate, layout, form, bytes, encode(sha256(s::bytea), 'hex')
FROM (VALUES (1000, 1000, 0.01), (5000, 5000, 0.001), (4000, 4000, 0.01), (40000, 40000, 0.05), (4000, 400, 0.01))
    AS many (count, planned, rate),
    LATERAL (SELECT bloom_agg(n, planned, rate) AS s FROM generate_series(1, count) AS n) AS built,
    bloom_info(s)
ORDER BY capacity;
DROP TYPE sketch_other CASCADE;
