-- The type hash_ring: which node owns this key?
-- Functions, operators, aggregates and casts stand in the order of docs/hash_ring.md.

CREATE TYPE hash_ring;

-- Input and output

CREATE FUNCTION _hash_ring_in(cstring) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_out(hash_ring) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_recv(internal) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_send(hash_ring) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE hash_ring (
    INPUT = _hash_ring_in,
    OUTPUT = _hash_ring_out,
    RECEIVE = _hash_ring_recv,
    SEND = _hash_ring_send,
    INTERNALLENGTH = variable,
    ALIGNMENT = int4,
    STORAGE = extended
);

COMMENT ON TYPE hash_ring IS 'a set of nodes with weights, each of which owns a share of all keys';

-- Functions. A key is of type anycompatible, not anyelement: so an untyped literal or parameter is
-- taken as text, and every other value, citext say, comes with its own type

CREATE FUNCTION hash_ring_empty(vnodes integer DEFAULT 0) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_empty(integer)
    IS 'a ring without nodes, for rendezvous hashing, or of so many points a node';

CREATE FUNCTION hash_ring_add(ring hash_ring, node text) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_add(hash_ring, text)
    IS 'the ring with a node of weight 1';

CREATE FUNCTION hash_ring_add(ring hash_ring, node text, weight double precision) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_add(hash_ring, text, double precision)
    IS 'the ring with a node of the given weight, also where it had another';

CREATE FUNCTION hash_ring_remove(ring hash_ring, node text) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_remove(hash_ring, text)
    IS 'the ring without a node';

CREATE FUNCTION hash_ring_merge(a hash_ring, b hash_ring) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_merge(hash_ring, hash_ring)
    IS 'the ring of the nodes of both';

CREATE FUNCTION hash_ring_node(ring hash_ring, key anycompatible) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_node(hash_ring, anycompatible)
    IS 'the node that owns the key; NULL if there are no nodes';

CREATE FUNCTION hash_ring_nodes(ring hash_ring, key anycompatible, n integer) RETURNS text[]
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_nodes(hash_ring, anycompatible, integer)
    IS 'the first n nodes in line for the key, the owner first; all if there are fewer';

CREATE FUNCTION hash_ring_items(
    ring hash_ring,
    OUT node text,
    OUT weight double precision,
    OUT share double precision
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION hash_ring_items(hash_ring)
    IS 'the nodes, their weights, and the share of all keys that each owns';

CREATE FUNCTION hash_ring_moves(
    old hash_ring,
    new hash_ring,
    OUT from_node text,
    OUT to_node text,
    OUT share double precision
) RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION hash_ring_moves(hash_ring, hash_ring)
    IS 'which share of all keys moves from each node to each other one when the ring changes';

CREATE FUNCTION hash_ring_info(
    ring hash_ring,
    OUT method text,
    OUT vnodes integer,
    OUT nodes integer,
    OUT bytes integer,
    OUT total_weight double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_info(hash_ring)
    IS 'the method, points of a node of weight 1, number of nodes, bytes, and sum of the weights';

CREATE FUNCTION hash_ring_size(
    nodes integer,
    vnodes integer DEFAULT 0,
    OUT bytes integer,
    OUT expected_max_load double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hash_ring_size(integer, integer)
    IS 'the bytes of a ring of so many nodes with names of eight bytes, and the largest share to expect, as a multiple of the mean';

-- Keys without a ring

CREATE FUNCTION consistent_hash(key anycompatible, buckets integer) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION consistent_hash(anycompatible, integer)
    IS 'the bucket of the key, from 0 to buckets - 1, by jump consistent hash';

CREATE FUNCTION sketch_hash(value anycompatible) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sketch_hash(anycompatible)
    IS 'the hash by which all sketches know the value';

-- Operators

CREATE OPERATOR + (LEFTARG = hash_ring, RIGHTARG = text, FUNCTION = hash_ring_add);
COMMENT ON OPERATOR + (hash_ring, text) IS 'the ring with a node of weight 1';

CREATE OPERATOR - (LEFTARG = hash_ring, RIGHTARG = text, FUNCTION = hash_ring_remove);
COMMENT ON OPERATOR - (hash_ring, text) IS 'the ring without a node';

CREATE OPERATOR || (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = hash_ring_merge, COMMUTATOR = ||
);
COMMENT ON OPERATOR || (hash_ring, hash_ring) IS 'the ring of the nodes of both';

CREATE OPERATOR -> (LEFTARG = hash_ring, RIGHTARG = anycompatible, FUNCTION = hash_ring_node);
COMMENT ON OPERATOR -> (hash_ring, anycompatible) IS 'the node that owns the key';

-- Equality, and an order that means nothing but lets rings be sorted, grouped and deduplicated

CREATE FUNCTION _hash_ring_eq(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_ne(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_lt(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_le(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_gt(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_ge(hash_ring, hash_ring) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_cmp(hash_ring, hash_ring) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_hash(hash_ring) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_hash_extended(hash_ring, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (hash_ring, hash_ring) IS 'the same nodes, weights and vnodes';

CREATE OPERATOR <> (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (hash_ring, hash_ring) IS 'other nodes, weights or vnodes';

CREATE OPERATOR < (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (hash_ring, hash_ring) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR <= (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (hash_ring, hash_ring) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR > (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (hash_ring, hash_ring) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR >= (
    LEFTARG = hash_ring, RIGHTARG = hash_ring, FUNCTION = _hash_ring_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (hash_ring, hash_ring) IS 'an order for sorting and grouping, which means nothing';

CREATE OPERATOR CLASS hash_ring_ops DEFAULT FOR TYPE hash_ring USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 _hash_ring_hash(hash_ring),
    FUNCTION 2 _hash_ring_hash_extended(hash_ring, bigint);

CREATE OPERATOR CLASS hash_ring_ops DEFAULT FOR TYPE hash_ring USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 _hash_ring_cmp(hash_ring, hash_ring);

-- Aggregates; the state is a ring in its working form

CREATE FUNCTION _hash_ring_agg_trans(hash_ring, text) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hash_ring_agg_trans(hash_ring, text, double precision) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hash_ring_agg_trans(hash_ring, text, double precision, integer) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hash_ring_combine(hash_ring, hash_ring) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION _hash_ring_agg_final(hash_ring) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE hash_ring_agg(node text) (
    SFUNC = _hash_ring_agg_trans, STYPE = hash_ring, SSPACE = 1024, FINALFUNC = _hash_ring_agg_final,
    COMBINEFUNC = _hash_ring_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hash_ring_agg(text)
    IS 'a ring of the nodes, each of weight 1';

CREATE AGGREGATE hash_ring_agg(node text, weight double precision) (
    SFUNC = _hash_ring_agg_trans, STYPE = hash_ring, SSPACE = 1024, FINALFUNC = _hash_ring_agg_final,
    COMBINEFUNC = _hash_ring_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hash_ring_agg(text, double precision)
    IS 'a ring of the nodes with the given weights';

CREATE AGGREGATE hash_ring_agg(node text, weight double precision, vnodes integer) (
    SFUNC = _hash_ring_agg_trans, STYPE = hash_ring, SSPACE = 1024, FINALFUNC = _hash_ring_agg_final,
    COMBINEFUNC = _hash_ring_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hash_ring_agg(text, double precision, integer)
    IS 'a ring of the nodes with the given weights, and so many points a node of weight 1';

CREATE AGGREGATE hash_ring_merge_agg(ring hash_ring) (
    SFUNC = _hash_ring_combine, STYPE = hash_ring, SSPACE = 1024, FINALFUNC = _hash_ring_agg_final,
    COMBINEFUNC = _hash_ring_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hash_ring_merge_agg(hash_ring)
    IS 'the ring of the nodes of all';

-- Casts

CREATE FUNCTION _hash_ring_from_bytea(bytea) RETURNS hash_ring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION _hash_ring_to_bytea(hash_ring) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- In an assignment, since drivers send rings as bytes
CREATE CAST (bytea AS hash_ring) WITH FUNCTION _hash_ring_from_bytea(bytea) AS ASSIGNMENT;
CREATE CAST (hash_ring AS bytea) WITH FUNCTION _hash_ring_to_bytea(hash_ring);
