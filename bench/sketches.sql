-- Tables of stored sketches, ours and theirs of the same values. They are OWNER_NUMBER_KIND: small
-- ones hold 10 values, large ones enough to be saturated, and of mixed ones every tenth is large.
-- Many large ones are copies of the few, each stored by itself. Those of large13 have the next
-- higher precision.

\set their_column ''
\set their_column_13 ''
\if :theirs
    \set their_column ', theirs.hll_add_agg(theirs.hll_hash_bigint(v), 13, 5, -1, 1) AS theirs'
    \set their_column_13 ', theirs.hll_add_agg(theirs.hll_hash_bigint(v), 14, 5, -1, 1) AS theirs_13'
\endif

CREATE UNLOGGED TABLE bench.small AS
SELECT id, made.*
FROM generate_series(1, :many) id,
    LATERAL (
        SELECT hll_agg(v) AS ours :their_column
        FROM generate_series(id::bigint * 10, id::bigint * 10 + 9) v
    ) made;

CREATE UNLOGGED TABLE bench.large AS
SELECT id, made.*
FROM generate_series(1, :few) id,
    LATERAL (
        SELECT hll_agg(v) AS ours :their_column, hll_agg(v, 13) AS ours_13 :their_column_13
        FROM generate_series(id::bigint * :saturated, (id + 1)::bigint * :saturated - 1) v
    ) made;

-- Rows must lie in the order of id, so that mixed ones are mixed.
SELECT format(
        'CREATE UNLOGGED TABLE bench.%1$s_%2$s_%3$s AS
         SELECT i AS id, %1$s AS s FROM (%4$s) chosen ORDER BY i',
        owner, number, kind, source
    ),
    format('VACUUM (FREEZE, ANALYZE) bench.%s_%s_%s', owner, number, kind)
FROM (VALUES ('ours'), ('theirs')) owners (owner),
    (VALUES (:few), (:many)) numbers (number),
    LATERAL (
        VALUES
            ('small', format('SELECT id AS i, %s FROM bench.small WHERE id <= %s', owner, number)),
            ('large', format('SELECT i, %s FROM generate_series(1, %s) i
                              JOIN bench.large ON id = i %% %s + 1', owner, number, :few)),
            ('mixed', format('SELECT id AS i, %1$s FROM bench.small
                              WHERE id <= %2$s AND id %% 10 <> 0
                              UNION ALL
                              SELECT i, %1$s FROM generate_series(10, %2$s, 10) i
                              JOIN bench.large ON id = i / 10 %% %3$s + 1', owner, number, :few)),
            ('large13', format('SELECT id AS i, %s_13 AS %1$s FROM bench.large', owner))
    ) kinds (kind, source)
WHERE (owner = 'ours' OR :theirs = 1) AND (kind <> 'large13' OR number = :few)
\gexec

CHECKPOINT;
