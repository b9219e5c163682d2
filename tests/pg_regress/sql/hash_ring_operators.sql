-- Operators, and what literals and parameters they take.
\pset null NULL
SELECT hash_ring_empty() + 'a' + 'b' - 'a' = hash_ring_empty() + 'b' AS equal, (hash_ring_empty() + 'a') || (hash_ring_empty() + 'b') = hash_ring_empty() + 'b' + 'a' AS merged;
SELECT (hash_ring_empty() + 'a') -> 1, (hash_ring_empty() + 'a') -> 'x', (hash_ring_empty() + 'a') -> NULL, (hash_ring_empty() + 'a') -> now()::date;
SELECT hash_ring_empty() + NULL, hash_ring_empty() - NULL, NULL::hash_ring + 'a', hash_ring_empty() || NULL;
-- A name of any type of strings
SELECT hash_ring_empty() + 'a'::varchar + 'b'::name = hash_ring_empty() + 'a' + 'b' AS equal;
SELECT code FROM attempt('SELECT hash_ring_empty() + 1');
-- Parameters
PREPARE route (hash_ring, text) AS SELECT $1 -> $2;
EXECUTE route ('\x7211030001000161', 'key');
DEALLOCATE route;
-- Constant folding: an immutable call of constants is done while planning
EXPLAIN (COSTS OFF, VERBOSE) SELECT '\x7211030001000161'::hash_ring -> 1;
