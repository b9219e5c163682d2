-- The type cms: how often did this value occur?
-- Functions, operators, aggregates and casts stand in the order of docs/cms.md.

CREATE TYPE cms;

-- Input and output

CREATE FUNCTION _cms_in(cstring) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_out(cms) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_recv(internal) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_send(cms) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Storage external: the counts are packed and would not compress, and a look-up reads parts of them.
CREATE TYPE cms (
    INPUT = _cms_in,
    OUTPUT = _cms_out,
    RECEIVE = _cms_recv,
    SEND = _cms_send,
    INTERNALLENGTH = variable,
    ALIGNMENT = int4,
    STORAGE = external
);

COMMENT ON TYPE cms IS 'a sketch of how often values occur';

-- Functions. A value is of type anycompatible, not anyelement: so an untyped literal or parameter
-- is taken as text, and every other value, citext say, comes with its own type

CREATE FUNCTION cms_empty(
    epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01
) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_empty(double precision, double precision)
    IS 'an empty sketch, whose estimates will exceed the truth by more than epsilon times the total for at most a share delta of values';

CREATE FUNCTION cms_add(sketch cms, value anycompatible) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_add(cms, anycompatible) IS 'the sketch with the value once more';

CREATE FUNCTION cms_add(sketch cms, value anycompatible, count bigint) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_add(cms, anycompatible, bigint)
    IS 'the sketch with the value so many times more; a negative count takes away';

CREATE FUNCTION cms_merge(a cms, b cms) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_merge(cms, cms) IS 'the sketch of the values of both';

CREATE FUNCTION cms_subtract(a cms, b cms) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_subtract(cms, cms)
    IS 'the first sketch without the values of the second, which must be among its own';

CREATE FUNCTION cms_frequency(sketch cms, value anycompatible) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_frequency(cms, anycompatible)
    IS 'the estimated frequency of the value, never below the truth';

CREATE FUNCTION cms_bounds(
    sketch cms,
    value anycompatible,
    OUT lower bigint,
    OUT estimate bigint,
    OUT upper bigint
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_bounds(cms, anycompatible)
    IS 'the estimated frequency with its bounds: the upper one is certain, the lower one holds for all but a share delta of values';

CREATE FUNCTION cms_unbiased_frequency(sketch cms, value anycompatible) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_unbiased_frequency(cms, anycompatible)
    IS 'the estimated frequency less what other values add to it in the mean; no bound';

CREATE FUNCTION cms_total(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_total(cms) IS 'the number of values, each as often as it was added';

CREATE FUNCTION cms_inner_product(
    a cms,
    b cms,
    OUT estimate numeric,
    OUT error double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_inner_product(cms, cms)
    IS 'an upper bound of the size of the join of the two, and how far the truth may be below it';

CREATE FUNCTION cms_info(
    sketch cms,
    OUT epsilon double precision,
    OUT delta double precision,
    OUT width integer,
    OUT depth integer,
    OUT form text,
    OUT bytes integer,
    OUT fill double precision,
    OUT total bigint,
    OUT distinct_values bigint,
    OUT value_class text
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_info(cms)
    IS 'parameters, form, bytes, fill, total, number of distinct values while it is exact, and value class';

CREATE FUNCTION cms_size(
    epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01,
    total bigint DEFAULT 1000000,
    OUT width integer,
    OUT depth integer,
    OUT bytes integer,
    OUT max_bytes integer,
    OUT actual_epsilon double precision,
    OUT actual_delta double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_size(double precision, double precision, bigint)
    IS 'the dimensions of a sketch, the bytes that it takes after so many values, and its true parameters';

-- Operators

CREATE OPERATOR + (LEFTARG = cms, RIGHTARG = anycompatible, FUNCTION = cms_add);
COMMENT ON OPERATOR + (cms, anycompatible) IS 'the sketch with the value once more';

CREATE OPERATOR || (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cms, cms) IS 'the sketch of the values of both';

CREATE OPERATOR - (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_subtract);
COMMENT ON OPERATOR - (cms, cms) IS 'the first sketch without the values of the second';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = anycompatible, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, anycompatible) IS 'the estimated frequency of the value';

-- Equality, and an order that means nothing but lets sketches be sorted, grouped and
-- deduplicated: by the bytes at rest, which are canonical

CREATE FUNCTION _cms_eq(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_ne(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_lt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_le(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_gt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_ge(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_cmp(cms, cms) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_hash(cms) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_hash_extended(cms, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (cms, cms) IS 'the same sketch';

CREATE OPERATOR <> (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (cms, cms) IS 'not the same sketch';

CREATE OPERATOR < (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (cms, cms) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR <= (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (cms, cms) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR > (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (cms, cms) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR >= (
    LEFTARG = cms, RIGHTARG = cms, FUNCTION = _cms_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (cms, cms) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _cms_hash(cms),
    FUNCTION 2 _cms_hash_extended(cms, bigint);

CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _cms_cmp(cms, cms);

-- Aggregates; the state is a sketch in its working form

CREATE FUNCTION _cms_agg_trans(cms, anycompatible) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_moving(cms, anycompatible) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_inverse(cms, anycompatible) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_trans(cms, anycompatible, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_moving(cms, anycompatible, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_inverse(cms, anycompatible, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_trans(cms, anycompatible, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_moving(cms, anycompatible, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_inverse(cms, anycompatible, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_trans(cms, anycompatible, bigint) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_moving(cms, anycompatible, bigint) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_inverse(cms, anycompatible, bigint) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_trans(cms, anycompatible, bigint, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_moving(cms, anycompatible, bigint, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_inverse(cms, anycompatible, bigint, double precision) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_trans(
    cms, anycompatible, bigint, double precision, double precision
) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_moving(
    cms, anycompatible, bigint, double precision, double precision
) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_weighted_agg_inverse(
    cms, anycompatible, bigint, double precision, double precision
) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_combine(cms, cms) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cms_agg_final(cms) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE cms_agg(value anycompatible) (
    SFUNC = _cms_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine, MSFUNC = _cms_agg_moving, MINVFUNC = _cms_agg_inverse,
    MSTYPE = cms, MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg(anycompatible)
    IS 'a sketch of how often the values occur, with epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value anycompatible, epsilon double precision) (
    SFUNC = _cms_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine, MSFUNC = _cms_agg_moving, MINVFUNC = _cms_agg_inverse,
    MSTYPE = cms, MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg(anycompatible, double precision)
    IS 'a sketch of how often the values occur, with the given epsilon and delta 0.01';

CREATE AGGREGATE cms_agg(value anycompatible, epsilon double precision, delta double precision) (
    SFUNC = _cms_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine, MSFUNC = _cms_agg_moving, MINVFUNC = _cms_agg_inverse,
    MSTYPE = cms, MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg(anycompatible, double precision, double precision)
    IS 'a sketch of how often the values occur, with the given epsilon and delta';

CREATE AGGREGATE cms_weighted_agg(value anycompatible, weight bigint) (
    SFUNC = _cms_weighted_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine,
    MSFUNC = _cms_weighted_agg_moving, MINVFUNC = _cms_weighted_agg_inverse, MSTYPE = cms,
    MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_weighted_agg(anycompatible, bigint)
    IS 'a sketch of the sums of the weights of the values, with epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_weighted_agg(value anycompatible, weight bigint, epsilon double precision) (
    SFUNC = _cms_weighted_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine,
    MSFUNC = _cms_weighted_agg_moving, MINVFUNC = _cms_weighted_agg_inverse, MSTYPE = cms,
    MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_weighted_agg(anycompatible, bigint, double precision)
    IS 'a sketch of the sums of the weights of the values, with the given epsilon and delta 0.01';

CREATE AGGREGATE cms_weighted_agg(
    value anycompatible, weight bigint, epsilon double precision, delta double precision
) (
    SFUNC = _cms_weighted_agg_trans, STYPE = cms, SSPACE = 256, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine,
    MSFUNC = _cms_weighted_agg_moving, MINVFUNC = _cms_weighted_agg_inverse, MSTYPE = cms,
    MSSPACE = 1024, MFINALFUNC = _cms_agg_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_weighted_agg(anycompatible, bigint, double precision, double precision)
    IS 'a sketch of the sums of the weights of the values, with the given epsilon and delta';

CREATE AGGREGATE cms_merge_agg(sketch cms) (
    SFUNC = _cms_combine, STYPE = cms, SSPACE = 16384, FINALFUNC = _cms_agg_final,
    COMBINEFUNC = _cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_merge_agg(cms) IS 'the sketch of the values of all';

-- Casts

CREATE FUNCTION _cms_from_bytea(bytea) RETURNS cms
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cms_to_bytea(cms) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- In an assignment, since drivers send sketches as bytes
CREATE CAST (bytea AS cms) WITH FUNCTION _cms_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (cms AS bytea) WITH FUNCTION _cms_to_bytea(cms);
