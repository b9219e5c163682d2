-- The type bloom: may this value be in the set?
-- Functions, operators, aggregates and casts stand in the order of docs/bloom.md.

CREATE TYPE bloom;

-- Input and output

CREATE FUNCTION bloom_in(cstring) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_out(bloom) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_recv(internal) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_send(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Storage external: parts of a filter can be read only where it is not compressed, and its bits
-- would not compress.
CREATE TYPE bloom (
    INPUT = bloom_in,
    OUTPUT = bloom_out,
    RECEIVE = bloom_recv,
    SEND = bloom_send,
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

CREATE FUNCTION bloom_contained_by(value anycompatible, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contained_by(anycompatible, bloom)
    IS 'whether the value may be in the filter; false is certain';

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
    LEFTARG = anycompatible, RIGHTARG = bloom, FUNCTION = bloom_contained_by, COMMUTATOR = @>
);
COMMENT ON OPERATOR <@ (anycompatible, bloom) IS 'whether the value may be in the filter';

CREATE OPERATOR & (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_intersect, COMMUTATOR = &);
COMMENT ON OPERATOR & (bloom, bloom) IS 'a filter of the values in both, which may hold more';

-- Equality: the bytes at rest are canonical, so the server's functions for bytes serve

CREATE FUNCTION bloom_eq(bloom, bloom) RETURNS boolean
    AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_ne(bloom, bloom) RETURNS boolean
    AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_hash(bloom) RETURNS integer
    AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_hash_extended(bloom, bigint) RETURNS bigint
    AS 'hashvarlenaextended' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
COMMENT ON OPERATOR = (bloom, bloom) IS 'the same filter';

CREATE OPERATOR <> (
    LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (bloom, bloom) IS 'not the same filter';

CREATE OPERATOR CLASS bloom_ops DEFAULT FOR TYPE bloom USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 bloom_hash(bloom),
    FUNCTION 2 bloom_hash_extended(bloom, bigint);

-- Aggregates; the state is a filter in its working form

CREATE FUNCTION bloom_agg_trans(bloom, anycompatible) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION bloom_agg_trans(bloom, anycompatible, bigint) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION bloom_agg_trans(bloom, anycompatible, bigint, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION bloom_agg_final(bloom) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE bloom_agg(value anycompatible) (
    SFUNC = bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible)
    IS 'a filter of the values, sized to their number, with error rate 0.01';

CREATE AGGREGATE bloom_agg(value anycompatible, capacity bigint) (
    SFUNC = bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible, bigint)
    IS 'a filter of the values, sized for the given number, with error rate 0.01';

CREATE AGGREGATE bloom_agg(value anycompatible, capacity bigint, error_rate double precision) (
    SFUNC = bloom_agg_trans, STYPE = bloom, SSPACE = 128, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(anycompatible, bigint, double precision)
    IS 'a filter of the values, sized for the given number, with the given error rate';

CREATE AGGREGATE bloom_merge_agg(filter bloom) (
    SFUNC = bloom_merge, STYPE = bloom, SSPACE = 4096, FINALFUNC = bloom_agg_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_merge_agg(bloom) IS 'the filter of the union';

-- Casts

CREATE FUNCTION bloom_from_bytea(bytea) RETURNS bloom
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION bloom_to_bytea(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE CAST (bytea AS bloom) WITH FUNCTION bloom_from_bytea(bytea);
CREATE CAST (bloom AS bytea) WITH FUNCTION bloom_to_bytea(bloom);
