-- The objects of the extension in the system catalogs: assertions that hold for every object, so
-- that a new function cannot miss them.
\pset null NULL
CREATE TEMP VIEW member AS
    SELECT classid, objid
    FROM pg_depend
    WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pg_sketch');
CREATE TEMP VIEW functions AS
    SELECT p.* FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid;
SELECT count(*) > 20 AS there_are_functions FROM functions;
-- Every function is immutable and safe in parallel plans; none changes settings or rights
SELECT oid::regprocedure AS not_immutable FROM functions WHERE provolatile <> 'i';
SELECT oid::regprocedure AS not_parallel_safe FROM functions WHERE proparallel <> 's';
SELECT oid::regprocedure AS odd
FROM functions WHERE prosecdef OR proconfig IS NOT NULL;
-- What lists the parts of a value returns sets of rows, and nothing else does
SELECT oid::regprocedure AS sets FROM functions WHERE proretset ORDER BY 1;
-- Every library function lives in the extension's own library
SELECT DISTINCT probin
FROM functions AS p JOIN pg_language AS l ON l.oid = prolang WHERE lanname = 'c';
SELECT DISTINCT lanname
FROM functions AS p JOIN pg_language AS l ON l.oid = prolang ORDER BY lanname;
-- A function that people call has a comment. The names of the others begin with an underscore
SELECT oid::regprocedure AS without_a_comment
FROM functions
WHERE obj_description(oid, 'pg_proc') IS NULL AND proname NOT LIKE '\_%';
SELECT oid::regoperator AS without_a_comment
FROM pg_operator JOIN member ON classid = 'pg_operator'::regclass AND objid = oid
WHERE obj_description(oid, 'pg_operator') IS NULL;
SELECT oid::regtype AS without_a_comment
FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
WHERE typcategory <> 'A' AND obj_description(oid, 'pg_type') IS NULL;
-- Comments do not end in a full stop, nor start with a capital
SELECT description AS odd
FROM pg_description AS d JOIN member AS m ON d.classoid = m.classid AND d.objoid = m.objid
WHERE description ~ '^[A-Z]|\.$|^$';
-- The parameters of what people call have names
SELECT oid::regprocedure AS without_names
FROM functions
WHERE obj_description(oid, 'pg_proc') IS NOT NULL AND pronargs > 0
    AND (proargnames IS NULL OR '' = ANY (proargnames));
-- The types that lack a function of a name that two and more others have, after their own: only what
-- is not in their nature
WITH types AS (
    SELECT typname::text AS type
    FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
    WHERE typcategory <> 'A'
), stems AS (
    SELECT substr(proname, length(type) + 1) AS stem, array_agg(DISTINCT type) AS has
    FROM functions JOIN types ON starts_with(proname, type || '_') GROUP BY 1
)
SELECT stem, array_agg(type ORDER BY type COLLATE "C") AS lack_it
FROM stems, types WHERE type <> ALL (has)
GROUP BY stem, has HAVING cardinality(has) >= 2 ORDER BY stem COLLATE "C";
-- The types
SELECT typname, typlen, typbyval, typalign, typstorage, typcategory, typisdefined,
    typcollation = 0 AS no_collation
FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
WHERE typcategory <> 'A' ORDER BY typname;
SELECT typname, typinput, typoutput, typreceive, typsend, typmodin, typmodout
FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
WHERE typcategory <> 'A' ORDER BY typname;
-- Operators point to each other where they have partners
SELECT oid::regoperator, oprcom::regoperator, oprnegate::regoperator, oprcanhash, oprcanmerge,
    oprrest, oprjoin
FROM pg_operator JOIN member ON classid = 'pg_operator'::regclass AND objid = oid
WHERE oprleft = oprright ORDER BY oprleft::regtype::text COLLATE "C", oprname COLLATE "C";
SELECT oid::regoperator, oprcom::regoperator, oprresult::regtype
FROM pg_operator JOIN member ON classid = 'pg_operator'::regclass AND objid = oid
WHERE oprleft <> oprright ORDER BY oid::regoperator::text COLLATE "C";
-- Aggregates: an ordinary state that any plan may combine, and a final function that only reads
SELECT aggfnoid::regprocedure AS odd
FROM pg_aggregate JOIN member ON classid = 'pg_proc'::regclass AND objid = aggfnoid
WHERE aggcombinefn = 0 OR aggserialfn <> 0 OR aggdeserialfn <> 0
    OR aggtranstype = 'internal'::regtype OR aggfinalmodify <> 'r' OR aggkind <> 'n' OR agginitval IS NOT NULL;
-- Where windows move by an inverse, the state and the final function are the same
SELECT aggfnoid::regprocedure AS odd
FROM pg_aggregate JOIN member ON classid = 'pg_proc'::regclass AND objid = aggfnoid
WHERE aggmtransfn <> 0 AND (aggmtranstype <> aggtranstype OR aggmfinalfn <> aggfinalfn
    OR aggmfinalmodify <> 'r' OR aggminitval IS NOT NULL);
SELECT DISTINCT aggtranstype::regtype, aggcombinefn::text
FROM pg_aggregate JOIN member ON classid = 'pg_proc'::regclass AND objid = aggfnoid
ORDER BY aggcombinefn;
-- Casts: only hll to hll, which checks the modifier, is implicit
SELECT castsource::regtype, casttarget::regtype, castcontext, castfunc::regprocedure
FROM pg_cast JOIN member ON classid = 'pg_cast'::regclass AND objid = oid
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";
-- The operator class serves GROUP BY and hash partitions: both hash functions are there
SELECT opcname, opcdefault, amname, count(amprocnum)
FROM pg_opclass AS c
JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid
JOIN pg_am AS a ON a.oid = opcmethod
LEFT JOIN pg_amproc ON amprocfamily = opcfamily
GROUP BY opcname, opcdefault, amname ORDER BY opcname;
SELECT amvalidate(objid) FROM member WHERE classid = 'pg_opclass'::regclass;
-- The extension: trusted, relocatable, and everything in one schema
SELECT relocatable, trusted, superuser, schema, requires
FROM pg_available_extension_versions WHERE name = 'pg_sketch' AND installed;
SELECT identity.type, identity.schema, identity.identity
FROM member, pg_identify_object(classid, objid, 0) AS identity
WHERE identity.schema <> 'public' AND identity.type NOT IN ('cast');
-- In another schema it works under its full names alone, and it moves
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION pg_sketch CASCADE;
CREATE SCHEMA regress_here;
CREATE SCHEMA regress_there;
CREATE EXTENSION pg_sketch SCHEMA regress_here;
SELECT regress_here.approx_count_distinct(n) FROM generate_series(1, 9) AS n;
CREATE TABLE regress_moved AS SELECT regress_here.hll_agg(n) AS s FROM generate_series(1, 9) AS n;
ALTER EXTENSION pg_sketch SET SCHEMA regress_there;
SELECT DISTINCT identity.schema
FROM member, pg_identify_object(classid, objid, 0) AS identity WHERE identity.schema IS NOT NULL;
SELECT regress_there.hll_cardinality(s),
    s OPERATOR(regress_there.=) (SELECT regress_there.hll_agg(n) FROM generate_series(1, 9) AS n) AS equal
FROM regress_moved;
SELECT regress_there.hll_merge_agg(s) IS NOT NULL AS merged, count(*)
FROM (SELECT DISTINCT s FROM regress_moved) AS sketches;
SELECT (regress_there.hll_info(s)).bytes, (regress_there.hll_bounds(s)).upper FROM regress_moved;
SELECT f OPERATOR(regress_there.@>) 9 AS held, 9 OPERATOR(regress_there.<@) f AS held_in,
    (regress_there.bloom_info(f OPERATOR(regress_there.+) 10)).form
FROM (SELECT regress_there.bloom_agg(n, 1000) FROM generate_series(1, 9) AS n) AS filters (f);
ROLLBACK;
-- A user without superuser's rights may create it
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION pg_sketch CASCADE;
CREATE ROLE regress_sketch_owner;
SELECT format('GRANT CREATE ON DATABASE %I TO regress_sketch_owner', current_database()) AS grant
\gset
:grant;
CREATE SCHEMA regress_here AUTHORIZATION regress_sketch_owner;
SET LOCAL ROLE regress_sketch_owner;
SET LOCAL search_path = regress_here;
CREATE EXTENSION pg_sketch;
SELECT extname, extowner::regrole FROM pg_extension WHERE extname = 'pg_sketch';
SELECT approx_count_distinct(n) FROM generate_series(1, 9) AS n;
DROP EXTENSION pg_sketch;
ROLLBACK;
-- All is as it was
SELECT count(*) FROM pg_extension WHERE extname = 'pg_sketch';
SELECT approx_count_distinct(n) FROM generate_series(1, 9) AS n;
