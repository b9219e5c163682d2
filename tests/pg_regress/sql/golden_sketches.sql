-- The stored bytes of every type, which every later version must read and, from an aggregate, write.
-- They follow from docs/format.md alone. First one-value sketches of every value class.
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
SELECT hll_agg(42, 13);
SELECT hll_agg(-1::bigint, 13);
SELECT hll_agg((-9223372036854775808)::bigint, 13);
SELECT hll_agg(9223372036854775808, 13);
SELECT hll_agg(1e20::numeric, 13);
SELECT hll_agg(1.50, 13);
SELECT hll_agg(-0.00012, 13);
SELECT hll_agg('NaN'::numeric, 13);
SELECT hll_agg('Infinity'::numeric, 13);
SELECT hll_agg('-Infinity'::numeric, 13);
-- float
SELECT hll_agg(1.5::float8, 13);
SELECT hll_agg('-0'::float8, 13);
SELECT hll_agg('NaN'::float4, 13);
SELECT hll_agg('-Infinity'::float4, 13);
-- text
SELECT hll_agg(''::text, 13);
SELECT hll_agg('abc'::text, 13);
SELECT hll_agg('abc'::char(10), 13);
SELECT hll_agg(repeat('0123456789', 30), 13);
-- bytea
SELECT hll_agg('\x00ff'::bytea, 13);
-- uuid
SELECT hll_agg('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 13);
-- bool
SELECT hll_agg(true, 13);
SELECT hll_agg(false, 13);
-- bit
SELECT hll_agg(B'101', 13);
SELECT hll_agg(''::varbit, 13);
-- macaddr
SELECT hll_agg('08:00:2b:01:02:03'::macaddr, 13);
SELECT hll_agg('08:00:2b:01:02:03:04:05'::macaddr8, 13);
-- inet
SELECT hll_agg('192.168.0.1/24'::inet, 13);
SELECT hll_agg('2001:db8::1'::inet, 13);
-- money
SELECT hll_agg(1234::money / 100, 13);
-- pg_lsn
SELECT hll_agg('16/B374D848'::pg_lsn, 13);
-- date
SELECT hll_agg('2024-02-29'::date, 13);
SELECT hll_agg('infinity'::date, 13);
-- time
SELECT hll_agg('12:34:56.789'::time, 13);
-- timetz
SELECT hll_agg('12:34:56.789+02'::timetz, 13);
-- timestamp
SELECT hll_agg('2024-02-29 12:34:56.789'::timestamp, 13);
-- timestamptz
SELECT hll_agg('2024-02-29 12:34:56.789+00'::timestamptz, 13);
SELECT hll_agg('infinity'::timestamptz, 13);
-- interval
SELECT hll_agg('1 mon 2 days 3 us'::interval, 13);
SELECT hll_agg('-1 us'::interval, 13);
-- jsonb
SELECT hll_agg('5'::jsonb, 13);
SELECT hll_agg('null'::jsonb, 13);
SELECT hll_agg('{"id": 7, "tags": ["x", null, true, 1.50]}'::jsonb, 13);
-- record
SELECT hll_agg(ROW(1, 'a'::text, NULL::bool), 13);
SELECT hll_agg(ROW(ROW(1), '5'::jsonb), 13);
-- array
SELECT hll_agg('{}'::int[], 13);
SELECT hll_agg(ARRAY[1, NULL, 3], 13);
SELECT hll_agg(ARRAY['abc', 'de', ''], 13);
SELECT hll_agg('[0:1][5:5]={{1},{2}}'::int[], 13);
-- range
SELECT hll_agg(int4range(1, 5), 13);
SELECT hll_agg('(,1.5]'::numrange, 13);
SELECT hll_agg('empty'::int4range, 13);
SELECT hll_agg('(,)'::int4range, 13);
-- multirange
SELECT hll_agg('{[1,3),[5,7)}'::int4multirange, 13);
SELECT hll_agg('{}'::int4multirange, 13);
-- other
SELECT hll_agg('a'::sketch_other, 13);
-- Rows and arrays of a user's own types are parts of their class.
SELECT hll_agg(ARRAY['a'::sketch_other], 13);
-- None, several, and as many as a precision keeps as tokens
SELECT hll_empty();
SELECT hll_empty(4);
SELECT hll_agg(n, 4) FROM generate_series(1, 3) AS n;
SELECT hll_agg(n, 13) FROM generate_series(1, 10) AS n;
SELECT hll_agg(n, 8) FROM generate_series(1, 60) AS n;
-- Values whose hashes have zeros behind the prefix
SELECT hll_agg(n, 18) FROM unnest(ARRAY[218, 546, 636, 857, 988]) AS n;
-- Counts of one and three bytes
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n, 13) AS s FROM generate_series(1, 250) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n, 13) AS s FROM generate_series(1, 251) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT hll_agg(n, 13) AS s FROM generate_series(1, 1920) AS n) AS many;
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
-- cuckoo: empty, with the default, small, with a low rate
SELECT cuckoo_empty();
SELECT cuckoo_empty(10);
SELECT cuckoo_empty(1000, 1e-6);
-- Lists: one value, several, of other classes, with copies; so many that they have a directory
SELECT cuckoo_agg(42, 1000);
SELECT cuckoo_agg('abc'::text, 1000);
SELECT cuckoo_agg('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 1000000, 0.0001);
SELECT cuckoo_empty(10) + 1 + 2 + 3;
SELECT cuckoo_empty(1000) + 1 + 1 + 2 + 1;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT cuckoo_agg(n, 40000) AS s FROM generate_series(1, 4095) AS n) AS many;
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT cuckoo_agg(n, 40000) AS s FROM generate_series(1, 4096) AS n) AS many;
-- Tables: by an aggregate, one by one, sized to what came; large
SELECT cuckoo_agg(n, 10) FROM generate_series(1, 10) AS n;
SELECT cuckoo_empty(10) + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10;
SELECT cuckoo_agg(n, 10, 0.000001) FROM generate_series(1, 10) AS n;
SELECT cuckoo_agg(n, NULL, 0.1) FROM generate_series(1, 20) AS n;
SELECT count, capacity, rate, form, bytes, encode(sha256(s::bytea), 'hex')
FROM (VALUES (1000, 1000, 0.002), (5000, 5000, 0.00001), (40000, 40000, 0.03), (20000, 40000, 0.03))
    AS many (count, planned, rate),
    LATERAL (SELECT cuckoo_agg(n, planned, rate) AS s FROM generate_series(1, count) AS n) AS built,
    cuckoo_info(s)
ORDER BY capacity, count;
-- Hashes of filters, by which hash indexes and hash partitions find them
SELECT _cuckoo_hash(s), _cuckoo_hash_extended(s, 0), _cuckoo_hash_extended(s, 1)
FROM (VALUES (1, cuckoo_empty(10)), (2, cuckoo_empty(10) + 1 + 2), (3, cuckoo_empty(10) + 'abc')) AS filters (n, s)
ORDER BY n;
-- cms: empty, with the default, small, of the most rows
SELECT cms_empty();
SELECT cms_empty(0.05, 0.2);
SELECT cms_empty(0.5, 1e-13);
-- Lists: one value, several, of other classes, with counts of one byte and more
SELECT cms_agg(42);
SELECT cms_agg('abc'::text);
SELECT cms_agg('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 0.00001, 0.0001);
SELECT cms_agg(n % 4, 0.05, 0.2) FROM generate_series(1, 10) AS n;
SELECT cms_weighted_agg(n, (10 ^ n)::bigint) FROM generate_series(0, 18) AS n;
SELECT cms_add(cms_empty(), 42, 9223372036854775807);
SELECT octet_length(s::bytea), encode(sha256(s::bytea), 'hex')
FROM (SELECT cms_agg(n % 500) AS s FROM generate_series(1, 3000) AS n) AS many;
-- Tables: small, of one row, of large counts, and one that has become empty enough for a list
SELECT cms_agg(n, 0.05, 0.2) FROM generate_series(1, 100) AS n;
SELECT cms_agg(n, 0.5, 0.45) FROM generate_series(1, 100) AS n;
SELECT cms_weighted_agg(n, n * 1000000, 0.1, 0.2) FROM generate_series(1, 40) AS n;
SELECT cms_agg(n, 0.05, 0.2) - cms_agg(n, 0.05, 0.2) FILTER (WHERE n > 1)
FROM generate_series(1, 100) AS n;
SELECT count, e, width, depth, form, bytes, encode(sha256(s::bytea), 'hex')
FROM (VALUES (1000, 0.01, 0.1), (100000, 0.01, 0.1), (100000, 0.001, 0.01), (100000, 0.0001, 0.45))
    AS many (count, e, d),
    LATERAL (SELECT cms_agg(n * n % 65521, e, d) AS s FROM generate_series(1, count::bigint) AS n) AS built,
    cms_info(s)
ORDER BY e DESC, count;
DROP TYPE sketch_other CASCADE;
