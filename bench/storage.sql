-- The same rollup table twice: as the type has it, and with the sketches out of line.

CREATE UNLOGGED TABLE bench.rollup_main (day date, segment integer, visits bigint, visitors hll);
CREATE UNLOGGED TABLE bench.rollup_external (LIKE bench.rollup_main);
ALTER TABLE bench.rollup_main ALTER visitors SET STORAGE MAIN;
ALTER TABLE bench.rollup_external ALTER visitors SET STORAGE EXTERNAL;

\set source 'SELECT date \'2020-01-01\' + id / 100, id % 100, id * 7, s FROM bench.ours_' :many '_mixed'
INSERT INTO bench.rollup_main :source ORDER BY id;
INSERT INTO bench.rollup_external :source ORDER BY id;

VACUUM (FREEZE, ANALYZE) bench.rollup_main, bench.rollup_external;
CHECKPOINT;
