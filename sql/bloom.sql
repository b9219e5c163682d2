-- The type bloom: may this value be in the set?
-- Functions, operators, aggregates and casts stand in the order of docs/bloom.md.

CREATE TYPE bloom;

-- Input and output

CREATE FUNCTION _bloom_in(cstring) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_out(bloom) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_recv(internal) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_send(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Storage external: parts of a filter can be read only where it is not compressed, and its bits
-- would not compress.
CREATE TYPE bloom (
    INPUT = _bloom_in,
    OUTPUT = _bloom_out,
    RECEIVE = _bloom_recv,
    SEND = _bloom_send,
    INTERNALLENGTH = variable,
    ALIGNMENT = int4,
    STORAGE = external
);

COMMENT ON TYPE bloom IS 'a filter that tells whether a value may be in a set';

-- Functions. A value is of type anycompatible, not anyelement: so an untyped literal or parameter
-- is taken as text, and every other value, citext say, comes with its own type

CREATE FUNCTION bloom_empty(
    capacity bigint DEFAULT 1000000,
    error_rate double precision DEFAULT 0.01
) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_empty(bigint, double precision)
    IS 'an empty filter for so many values, with the given error rate once it holds them';

CREATE FUNCTION bloom_add(filter bloom, value anycompatible) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_add(bloom, anycompatible) IS 'the filter with one more value';

CREATE FUNCTION bloom_merge(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_merge(bloom, bloom) IS 'the filter of the union';

CREATE FUNCTION bloom_contains(filter bloom, value anycompatible) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contains(bloom, anycompatible)
    IS 'whether the filter may hold the value; false is certain';

CREATE FUNCTION _bloom_contained_by(value anycompatible, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_intersect(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_intersect(bloom, bloom)
    IS 'a filter of the values in both, which may hold more than those';

CREATE FUNCTION bloom_cardinality(filter bloom) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_cardinality(bloom) IS 'the estimated number of distinct values';

CREATE FUNCTION bloom_error_rate(filter bloom) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_error_rate(bloom)
    IS 'the chance that a value which is not in the filter seems to be, at its present fill';

CREATE FUNCTION bloom_info(
    filter bloom,
    OUT capacity bigint,
    OUT error_rate double precision,
    OUT layout text,
    OUT form text,
    OUT bytes integer,
    OUT fill double precision,
    OUT present_error_rate double precision,
    OUT over_capacity boolean,
    OUT value_class text
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_info(bloom)
    IS 'parameters, form, bytes, fill, present error rate, whether it is over-full, and value class';

CREATE FUNCTION bloom_size(
    capacity bigint DEFAULT 1000000,
    error_rate double precision DEFAULT 0.01,
    OUT bytes integer,
    OUT bits_per_value double precision,
    OUT expected_error_rate double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(bigint, double precision)
    IS 'the bytes that a full filter takes, in all and in bits a value, and its expected error rate';

-- Operators. There is no selectivity estimate for @> and <@: a filter that is full of what is
-- asked for and one that is not look alike to the planner, so it takes its default, one half

CREATE OPERATOR + (LEFTARG = bloom, RIGHTARG = anycompatible, FUNCTION = bloom_add);
COMMENT ON OPERATOR + (bloom, anycompatible) IS 'the filter with one more value';

CREATE OPERATOR || (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (bloom, bloom) IS 'the filter of the union';

CREATE OPERATOR @> (
    LEFTARG = bloom, RIGHTARG = anycompatible, FUNCTION = bloom_contains, COMMUTATOR = <@
);
COMMENT ON OPERATOR @> (bloom, anycompatible) IS 'whether the filter may hold the value';

CREATE OPERATOR <@ (
    LEFTARG = anycompatible, RIGHTARG = bloom, FUNCTION = _bloom_contained_by, COMMUTATOR = @>
);
COMMENT ON OPERATOR <@ (anycompatible, bloom) IS 'whether the value may be in the filter';

CREATE OPERATOR & (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_intersect, COMMUTATOR = &);
COMMENT ON OPERATOR & (bloom, bloom) IS 'a filter of the values in both, which may hold more';

-- Equality, and an order that means nothing but lets filters be sorted, grouped and
-- deduplicated: by the bytes at rest, which are canonical

CREATE FUNCTION _bloom_eq(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_ne(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_lt(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_le(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_gt(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_ge(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_cmp(bloom, bloom) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_hash(bloom) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_hash_extended(bloom, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (bloom, bloom) IS 'the same filter';

CREATE OPERATOR <> (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (bloom, bloom) IS 'not the same filter';

CREATE OPERATOR < (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (bloom, bloom) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR <= (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (bloom, bloom) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR > (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (bloom, bloom) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR >= (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = _bloom_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (bloom, bloom) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR CLASS bloom_ops DEFAULT FOR TYPE bloom USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _bloom_hash(bloom),
    FUNCTION 2 _bloom_hash_extended(bloom, bigint);

CREATE OPERATOR CLASS bloom_ops DEFAULT FOR TYPE bloom USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _bloom_cmp(bloom, bloom);

-- Aggregates; the state is a filter in its working form

CREATE FUNCTION _bloom_agg_trans(bloom, anycompatible) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _bloom_agg_trans(bloom, anycompatible, bigint) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _bloom_agg_trans(bloom, anycompatible, bigint, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _bloom_combine(bloom, bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _bloom_agg_final(bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE bloom_agg(value anycompatible) (
    SFUNC = _bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = _bloom_agg_final,
    COMBINEFUNC = _bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible)
    IS 'a filter of the values, sized to their number, with error rate 0.01';

CREATE AGGREGATE bloom_agg(value anycompatible, capacity bigint) (
    SFUNC = _bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = _bloom_agg_final,
    COMBINEFUNC = _bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible, bigint)
    IS 'a filter of the values, sized for the given number, with error rate 0.01';

CREATE AGGREGATE bloom_agg(value anycompatible, capacity bigint, error_rate double precision) (
    SFUNC = _bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = _bloom_agg_final,
    COMBINEFUNC = _bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible, bigint, double precision)
    IS 'a filter of the values, sized for the given number, with the given error rate';

CREATE AGGREGATE bloom_merge_agg(filter bloom) (
    SFUNC = _bloom_combine, STYPE = bloom, SSPACE = 4096, FINALFUNC = _bloom_agg_final,
    COMBINEFUNC = _bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_merge_agg(bloom) IS 'the filter of the union';

-- Casts

CREATE FUNCTION _bloom_from_bytea(bytea) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _bloom_to_bytea(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- In an assignment, since drivers send sketches as bytes
CREATE CAST (bytea AS bloom) WITH FUNCTION _bloom_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (bloom AS bytea) WITH FUNCTION _bloom_to_bytea(bloom);
