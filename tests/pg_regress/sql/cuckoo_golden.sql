-- Stored bytes of cuckoo filters, which every later version must read and, from an aggregate, write.
\pset format unaligned
\pset tuples_only on
-- Empty, with the default, small, with a low rate
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
SELECT cuckoo_hash(s), cuckoo_hash_extended(s, 0), cuckoo_hash_extended(s, 1)
FROM (VALUES (1, cuckoo_empty(10)), (2, cuckoo_empty(10) + 1 + 2), (3, cuckoo_empty(10) + 'abc')) AS filters (n, s)
ORDER BY n;
