-- Stored sketches of the default size, each of a million hits on a million values by a Zipf law. Ten
-- are different; of each there are many copies, each stored by itself.

CREATE UNLOGGED TABLE bench.hits AS
SELECT exp(ln(1000000::float8) * (n * 7919 % 1000000) / 1000000)::bigint AS x
FROM generate_series(1, 1000000::bigint) AS n;

CREATE UNLOGGED TABLE bench.cms_stored AS
SELECT copy, made.*
FROM generate_series(0, 9) AS shift,
    LATERAL (SELECT cms_agg(x + shift * 1000000) AS s FROM bench.hits) AS made,
    generate_series(1, :few / 10) AS copy;

VACUUM (FREEZE, ANALYZE) bench.cms_stored;
CHECKPOINT;
