-- Runs the demo from the root of the checkout: \copy reads relative to where psql was started.

\set ON_ERROR_STOP on
\pset footer off
\pset null ''
SET client_min_messages = warning;

\ir 0_load.sql
\ir 1_count.sql
\ir 2_rollup.sql
\ir 3_one_more_day.sql
\ir 4_from_the_rollup.sql
\ir 5_several_columns.sql
\ir 6_membership.sql
\ir 7_sliding_window.sql
\ir 8_frequencies.sql
\ir 9_hash_ring.sql

\echo 'Every exact count is the known one, and every sketch is within 4 standard errors of it. No filter'
\echo 'has a false negative, and there are no more false positives than expected. No frequency is below'
\echo 'the exact one, and all are within their bounds. No aircraft moved between two old servers.'
\echo
\echo 'What to try next'
\echo '  make psql    psql in a cluster with these tables: flights, the rollups daily, monthly_aircraft'
\echo '               and monthly_flights, and the windows sliding'
\echo '  README.md    how to use pg_sketch with your own tables'
\echo
