-- What a row of a date, the code of a country and a full sketch takes on disk: each sketch many times
-- over, so that pages which are not full do not count. The sketches of a precision hold from 16 to 54
-- values for each register, so that they are of all the sizes that full ones have.

CREATE UNLOGGED TABLE bench.full_sketches AS
SELECT p, made.*
FROM generate_series(10, 16) AS p,
    LATERAL (SELECT CASE WHEN p < 14 THEN :disk_sets ELSE :disk_sets / 4 END AS sets) AS s,
    generate_series(1, sets) AS i,
    LATERAL (
        SELECT hll_agg(v, p) AS sketch
        FROM generate_series(i::bigint << 32, (i::bigint << 32) + (1 << p) * (16 + 38.0 * i / sets)) AS v
    ) AS made;

SELECT format('CREATE TABLE bench.disk_%1$s_%2$s (day date, country text, visitors hll(%1$s))', p, storage),
    format('ALTER TABLE bench.disk_%s_%s ALTER visitors SET STORAGE %2$s', p, storage),
    format('INSERT INTO bench.disk_%s_%s
            SELECT date ''2024-01-01'' + copy, ''DE'', sketch
            FROM generate_series(1, 25) AS copy, bench.full_sketches WHERE p = %1$s', p, storage),
    format('VACUUM (FREEZE, ANALYZE) bench.disk_%s_%s', p, storage),
    format('INSERT INTO bench.disk
            SELECT %1$s, %2$L, avg(pg_column_size(visitors)), min(pg_column_size(visitors)),
                max(pg_column_size(visitors)), pg_total_relation_size(''bench.disk_%1$s_%2$s'') / count(*)::numeric
            FROM bench.disk_%1$s_%2$s', p, storage)
FROM generate_series(10, 16) AS p, (VALUES ('main'), ('external')) AS storages (storage)
\gexec
