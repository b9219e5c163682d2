-- The type cuckoo: was this value added, and not removed since?
-- Functions, operators, aggregates and casts stand in the order of docs/cuckoo.md.

CREATE TYPE cuckoo;

-- Input and output

CREATE FUNCTION _cuckoo_in(cstring) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_out(cuckoo) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_recv(internal) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_send(cuckoo) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Storage external: parts of a filter can be read only where it is not compressed, and its
-- fingerprints would not compress.
CREATE TYPE cuckoo (
    INPUT = _cuckoo_in,
    OUTPUT = _cuckoo_out,
    RECEIVE = _cuckoo_recv,
    SEND = _cuckoo_send,
    INTERNALLENGTH = variable,
    ALIGNMENT = int4,
    STORAGE = external
);

COMMENT ON TYPE cuckoo
    IS 'a filter that tells whether a value may be in a set, from which values can be removed';

-- Functions. A value is of type anycompatible, not anyelement: so an untyped literal or parameter
-- is taken as text, and every other value, citext say, comes with its own type

CREATE FUNCTION cuckoo_empty(
    capacity bigint DEFAULT 1000000,
    error_rate double precision DEFAULT 0.002
) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_empty(bigint, double precision)
    IS 'an empty filter for so many values, with the given error rate once it holds them';

CREATE FUNCTION cuckoo_add(filter cuckoo, value anycompatible) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_add(cuckoo, anycompatible) IS 'the filter with one more copy of a value';

CREATE FUNCTION cuckoo_add_if_absent(filter cuckoo, value anycompatible) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_add_if_absent(cuckoo, anycompatible)
    IS 'the filter with a value, of which there is one copy if there was none';

CREATE FUNCTION cuckoo_remove(filter cuckoo, value anycompatible) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_remove(cuckoo, anycompatible)
    IS 'the filter with one copy of a value less; remove only what was added';

CREATE FUNCTION cuckoo_subtract(a cuckoo, b cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_subtract(cuckoo, cuckoo)
    IS 'the first filter without what the second holds, copy by copy';

CREATE FUNCTION _cuckoo_minus(filter cuckoo, value anycompatible) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cuckoo_minus(cuckoo, anycompatible)
    IS 'cuckoo_subtract where the value is a filter, else cuckoo_remove: the operator -';

CREATE FUNCTION cuckoo_merge(a cuckoo, b cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_merge(cuckoo, cuckoo)
    IS 'the filter of the union, from which nothing can be removed';

CREATE FUNCTION cuckoo_sum(a cuckoo, b cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_sum(cuckoo, cuckoo)
    IS 'the copies of both filters, so that what was added to either can be removed';

CREATE FUNCTION cuckoo_contains(filter cuckoo, value anycompatible) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_contains(cuckoo, anycompatible)
    IS 'whether the filter may hold the value; false is certain';

CREATE FUNCTION _cuckoo_contained_by(value anycompatible, filter cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION cuckoo_count(filter cuckoo) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_count(cuckoo) IS 'the number of copies stored';

CREATE FUNCTION cuckoo_error_rate(filter cuckoo) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_error_rate(cuckoo)
    IS 'the chance that a value which is not in the filter seems to be, at its present fill';

CREATE FUNCTION cuckoo_info(
    filter cuckoo,
    OUT capacity bigint,
    OUT error_rate double precision,
    OUT fingerprint_bits integer,
    OUT form text,
    OUT bytes integer,
    OUT fill double precision,
    OUT present_error_rate double precision,
    OUT over_capacity boolean,
    OUT is_union boolean,
    OUT value_class text
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_info(cuckoo)
    IS 'parameters, form, bytes, fill, present error rate, whether it is over-full, whether it is a union, and value class';

CREATE FUNCTION cuckoo_size(
    capacity bigint DEFAULT 1000000,
    error_rate double precision DEFAULT 0.002,
    OUT bytes integer,
    OUT bits_per_value double precision,
    OUT expected_error_rate double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_size(bigint, double precision)
    IS 'the bytes that a full filter takes, in all and in bits a value, and its expected error rate';

-- Operators. There is no selectivity estimate for @> and <@: a filter that is full of what is
-- asked for and one that is not look alike to the planner, so it takes its default, one half

CREATE OPERATOR + (LEFTARG = cuckoo, RIGHTARG = anycompatible, FUNCTION = cuckoo_add);
COMMENT ON OPERATOR + (cuckoo, anycompatible) IS 'the filter with one more copy of a value';

-- One operator for values and filters: beside one of two filters, an untyped literal or parameter
-- would be taken as a filter
CREATE OPERATOR - (LEFTARG = cuckoo, RIGHTARG = anycompatible, FUNCTION = _cuckoo_minus);
COMMENT ON OPERATOR - (cuckoo, anycompatible)
    IS 'the filter with one copy of a value less, or without what another filter holds';

CREATE OPERATOR || (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cuckoo, cuckoo)
    IS 'the filter of the union, from which nothing can be removed';

CREATE OPERATOR @> (
    LEFTARG = cuckoo, RIGHTARG = anycompatible, FUNCTION = cuckoo_contains, COMMUTATOR = <@
);
COMMENT ON OPERATOR @> (cuckoo, anycompatible) IS 'whether the filter may hold the value';

CREATE OPERATOR <@ (
    LEFTARG = anycompatible, RIGHTARG = cuckoo, FUNCTION = _cuckoo_contained_by, COMMUTATOR = @>
);
COMMENT ON OPERATOR <@ (anycompatible, cuckoo) IS 'whether the value may be in the filter';

-- Equality, and an order that means nothing but lets filters be sorted, grouped and deduplicated.
-- What two filters hold is compared, since one set has many arrangements in a table

CREATE FUNCTION _cuckoo_eq(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_ne(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_lt(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_le(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_gt(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_ge(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_cmp(cuckoo, cuckoo) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_hash(cuckoo) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_hash_extended(cuckoo, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (cuckoo, cuckoo) IS 'the same copies of the same values';

CREATE OPERATOR <> (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (cuckoo, cuckoo) IS 'not the same copies of the same values';

CREATE OPERATOR < (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (cuckoo, cuckoo) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR <= (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (cuckoo, cuckoo) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR > (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (cuckoo, cuckoo) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR >= (
    LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = _cuckoo_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (cuckoo, cuckoo) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR CLASS cuckoo_ops DEFAULT FOR TYPE cuckoo USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _cuckoo_hash(cuckoo),
    FUNCTION 2 _cuckoo_hash_extended(cuckoo, bigint);

CREATE OPERATOR CLASS cuckoo_ops DEFAULT FOR TYPE cuckoo USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _cuckoo_cmp(cuckoo, cuckoo);

-- Aggregates; the state is a filter in its working form

CREATE FUNCTION _cuckoo_agg_trans(cuckoo, anycompatible) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cuckoo_agg_trans(cuckoo, anycompatible, bigint) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cuckoo_agg_trans(cuckoo, anycompatible, bigint, double precision) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cuckoo_combine(cuckoo, cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cuckoo_sum_combine(cuckoo, cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _cuckoo_agg_final(cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE cuckoo_agg(value anycompatible) (
    SFUNC = _cuckoo_agg_trans, STYPE = cuckoo, SSPACE = 128, FINALFUNC = _cuckoo_agg_final,
    COMBINEFUNC = _cuckoo_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cuckoo_agg(anycompatible)
    IS 'a filter of the distinct values, sized to their number, with error rate 0.002';

CREATE AGGREGATE cuckoo_agg(value anycompatible, capacity bigint) (
    SFUNC = _cuckoo_agg_trans, STYPE = cuckoo, SSPACE = 128, FINALFUNC = _cuckoo_agg_final,
    COMBINEFUNC = _cuckoo_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cuckoo_agg(anycompatible, bigint)
    IS 'a filter of the distinct values, sized for the given number, with error rate 0.002';

CREATE AGGREGATE cuckoo_agg(value anycompatible, capacity bigint, error_rate double precision) (
    SFUNC = _cuckoo_agg_trans, STYPE = cuckoo, SSPACE = 128, FINALFUNC = _cuckoo_agg_final,
    COMBINEFUNC = _cuckoo_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cuckoo_agg(anycompatible, bigint, double precision)
    IS 'a filter of the distinct values, sized for the given number, with the given error rate';

CREATE AGGREGATE cuckoo_merge_agg(filter cuckoo) (
    SFUNC = _cuckoo_combine, STYPE = cuckoo, SSPACE = 4096, FINALFUNC = _cuckoo_agg_final,
    COMBINEFUNC = _cuckoo_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cuckoo_merge_agg(cuckoo)
    IS 'the filter of the union, from which nothing can be removed';

CREATE AGGREGATE cuckoo_sum_agg(filter cuckoo) (
    SFUNC = _cuckoo_sum_combine, STYPE = cuckoo, SSPACE = 4096, FINALFUNC = _cuckoo_agg_final,
    COMBINEFUNC = _cuckoo_sum_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cuckoo_sum_agg(cuckoo)
    IS 'the copies of all filters, so that what was added to any can be removed';

-- Casts

CREATE FUNCTION _cuckoo_from_bytea(bytea) RETURNS cuckoo
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _cuckoo_to_bytea(cuckoo) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- In an assignment, since drivers send sketches as bytes
CREATE CAST (bytea AS cuckoo) WITH FUNCTION _cuckoo_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (cuckoo AS bytea) WITH FUNCTION _cuckoo_to_bytea(cuckoo);
