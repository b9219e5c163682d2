-- A fifth of the rows: for what depends on the size of one set.

CREATE UNLOGGED TABLE bench.rows_fifth AS
SELECT x FROM bench.rows_bigint LIMIT :groups;

VACUUM (FREEZE, ANALYZE) bench.rows_fifth;
CHECKPOINT;
