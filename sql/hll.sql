-- The type hll: how many distinct values were there?
-- Functions, operators, aggregates and casts stand in the order of docs/hll.md.

CREATE TYPE hll;

-- Input and output

CREATE FUNCTION _hll_in(cstring, oid, integer) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_out(hll) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_recv(internal, oid, integer) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_send(hll) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Storage main keeps a sketch of the default precision, 2 kB, in its row.
CREATE TYPE hll (
    INPUT = _hll_in,
    OUTPUT = _hll_out,
    RECEIVE = _hll_recv,
    SEND = _hll_send,
    TYPMOD_IN = _hll_typmod_in,
    TYPMOD_OUT = _hll_typmod_out,
    INTERNALLENGTH = variable,
    ALIGNMENT = int4,
    STORAGE = main
);

COMMENT ON TYPE hll IS 'a sketch of a set of values that estimates how many there are';

-- Functions. A value is of type anycompatible, not anyelement: so an untyped literal or parameter
-- is taken as text, and every other value, citext say, comes with its own type

CREATE FUNCTION hll_empty("precision" integer DEFAULT 12) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_empty(integer) IS 'an empty sketch of the given precision, 4 to 18';

CREATE FUNCTION hll_add(sketch hll, value anycompatible) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_add(hll, anycompatible) IS 'the sketch with one more value';

CREATE FUNCTION hll_merge(a hll, b hll) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_merge(hll, hll) IS 'the sketch of the union';

CREATE FUNCTION hll_cardinality(sketch hll) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_cardinality(hll) IS 'the estimated number of distinct values';

CREATE FUNCTION hll_bounds(
    sketch hll,
    confidence double precision DEFAULT 0.95,
    OUT lower bigint,
    OUT estimate bigint,
    OUT upper bigint
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_bounds(hll, double precision)
    IS 'the estimate with bounds that hold the true number with the given confidence';

CREATE FUNCTION hll_overlap(
    a hll,
    b hll,
    confidence double precision DEFAULT 0.95,
    OUT "both" bigint, OUT both_lower bigint, OUT both_upper bigint,
    OUT only_a bigint, OUT only_a_lower bigint, OUT only_a_upper bigint,
    OUT only_b bigint, OUT only_b_lower bigint, OUT only_b_upper bigint,
    OUT "union" bigint, OUT union_lower bigint, OUT union_upper bigint,
    OUT jaccard double precision,
    OUT jaccard_lower double precision,
    OUT jaccard_upper double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_overlap(hll, hll, double precision)
    IS 'how many values are in both sets, in one alone, in either, and the Jaccard index, each with bounds';

CREATE FUNCTION hll_reduce(sketch hll, "precision" integer) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_reduce(hll, integer) IS 'the sketch of the same values at a lower precision';

CREATE FUNCTION hll_info(
    sketch hll,
    OUT "precision" integer,
    OUT form text,
    OUT bytes integer,
    OUT fill double precision,
    OUT standard_error double precision,
    OUT value_class text
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_info(hll) IS 'parameters, form, bytes, fill, relative error and value class';

CREATE FUNCTION hll_size(
    "precision" integer DEFAULT 12,
    OUT bytes integer,
    OUT standard_error double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_size(integer)
    IS 'the bytes that a full sketch of this precision takes, and its relative error';

-- Operators

CREATE OPERATOR + (LEFTARG = hll, RIGHTARG = anycompatible, FUNCTION = hll_add);
COMMENT ON OPERATOR + (hll, anycompatible) IS 'the sketch with one more value';

CREATE OPERATOR || (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (hll, hll) IS 'the sketch of the union';

-- Equality, and an order that means nothing but lets sketches be sorted, grouped and
-- deduplicated: by the bytes at rest, which are canonical

CREATE FUNCTION _hll_eq(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_ne(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_lt(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_le(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_gt(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_ge(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_cmp(hll, hll) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_hash(hll) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_hash_extended(hll, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (hll, hll) IS 'the same sketch';

CREATE OPERATOR <> (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (hll, hll) IS 'not the same sketch';

CREATE OPERATOR < (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (hll, hll) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR <= (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (hll, hll) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR > (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (hll, hll) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR >= (
    LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (hll, hll) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR CLASS hll_ops DEFAULT FOR TYPE hll USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _hll_hash(hll),
    FUNCTION 2 _hll_hash_extended(hll, bigint);

CREATE OPERATOR CLASS hll_ops DEFAULT FOR TYPE hll USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _hll_cmp(hll, hll);

-- Aggregates; the state is a sketch in its working form

CREATE FUNCTION _hll_agg_trans(hll, anycompatible) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hll_agg_trans(hll, anycompatible, integer) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hll_combine(hll, hll) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hll_agg_final(hll) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _approx_count_distinct_trans(hll, anycompatible) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _approx_count_distinct_final(hll) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE hll_agg(value anycompatible) (
    SFUNC = _hll_agg_trans, STYPE = hll, SSPACE = 128, FINALFUNC = _hll_agg_final,
    COMBINEFUNC = _hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(anycompatible) IS 'a sketch of the values, of precision 12';

CREATE AGGREGATE hll_agg(value anycompatible, "precision" integer) (
    SFUNC = _hll_agg_trans, STYPE = hll, SSPACE = 128, FINALFUNC = _hll_agg_final,
    COMBINEFUNC = _hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(anycompatible, integer) IS 'a sketch of the values';

CREATE AGGREGATE approx_count_distinct(value anycompatible) (
    SFUNC = _approx_count_distinct_trans, STYPE = hll, SSPACE = 128, FINALFUNC = _approx_count_distinct_final,
    COMBINEFUNC = _hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(anycompatible)
    IS 'the estimated number of distinct values, with a standard error of 1.19 %; of sketches that in their union';

CREATE AGGREGATE approx_count_distinct(value anycompatible, "precision" integer) (
    SFUNC = _hll_agg_trans, STYPE = hll, SSPACE = 128, FINALFUNC = _approx_count_distinct_final,
    COMBINEFUNC = _hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(anycompatible, integer)
    IS 'the estimated number of distinct values';

CREATE AGGREGATE hll_merge_agg(sketch hll) (
    SFUNC = _hll_combine, STYPE = hll, SSPACE = 4096, FINALFUNC = _hll_agg_final,
    COMBINEFUNC = _hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_merge_agg(hll) IS 'the sketch of the union';

-- Casts

CREATE FUNCTION _hll_typmod_cast(hll, integer, boolean) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_from_bytea(bytea) RETURNS hll
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hll_to_bytea(hll) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE CAST (hll AS hll) WITH FUNCTION _hll_typmod_cast(hll, integer, boolean) AS IMPLICIT;
-- In an assignment, since drivers send sketches as bytes
CREATE CAST (bytea AS hll) WITH FUNCTION _hll_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (hll AS bytea) WITH FUNCTION _hll_to_bytea(hll);
