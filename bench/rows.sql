-- One table of rows: by_1000 and by_5 are groups, 1,000 in all and of 5 rows each, and x is one
-- distinct value a row. The multipliers are primes that do not divide the moduli, so every number
-- comes as often as every other, in scattered order.

CREATE UNLOGGED TABLE bench.:table AS
SELECT (i * 104729 % 1000)::integer AS by_1000,
       (i * 104729 % :groups)::integer AS by_5,
       CAST(:value AS :type) AS x
FROM (SELECT i, i * 15485863 % :rows AS n FROM generate_series(1, :rows::bigint) i) numbers;

VACUUM (FREEZE, ANALYZE) bench.:table;
CHECKPOINT;
