//! What is tried with the bytes of a `hash_ring`. Its values are nodes, always text, so that it has
//! no row among the other types; what is so of every type is tried all the same.

use super::Subject;
use super::corruption::{Random, digits, varint};
use crate::db::Db;
use crate::kinds::Kind;

static KIND: Kind = Kind {
    name: "hash_ring",
    params: "0",
    low: "0",
    bad_params: &["-1", "10001"],
    count: "hash_ring_count",
    holds: "NOT s - v = s",
    is_set: true,
    is_canonical: true,
    hostile: &SUBJECT,
};

static SUBJECT: Subject = Subject {
    // Weights and vnodes that do not fit; too many points; names that are no text.
    refusals: "'22000', '54000', '22021'",
    true_of_all: &TRUE_OF_ALL,
    may_mismatch: &MAY_MISMATCH,
    good: "SELECT hash_ring_agg('s' || i) FROM generate_series(1, 5) i
        UNION ALL SELECT hash_ring_agg('s' || i, i % 3 + 1, 20) FROM generate_series(1, 9) i",
    originals,
    lying_lengths,
    long_garbage: &[
        ("('\\x72110300fcffffff7f00' || repeat('00', 20000000))::hash_ring", "22P02"),
        ("('\\x72110300fbe80300' || repeat('ff', 20000000))::hash_ring", "22P02"),
        ("('\\x723103' || repeat('zz', 20000000))::hash_ring", "22P02"),
        ("decode('72110300fbe80301' || repeat('00', 20000000), 'hex')::hash_ring", "22P03"),
    ],
};

#[test]
fn damaged_bytes_are_refused_or_make_a_valid_ring() {
    super::damaged_bytes_are_refused_or_make_a_valid_sketch(&KIND);
}

#[test]
fn lengths_that_lie_allocate_nothing() {
    super::lengths_that_lie_allocate_nothing(&KIND);
}

#[test]
fn long_garbage_is_refused() {
    super::long_garbage_is_refused(&KIND);
}

/// What is true of every ring, beside what is so of every type.
const TRUE_OF_ALL: [&str; 6] = [
    "(hash_ring_info(s)).nodes = 0 OR s || hash_ring_empty(7) = s AND hash_ring_empty() || s = s",
    "s || hash_ring_empty((hash_ring_info(s)).vnodes) = s",
    "hash_ring_remove(s, NULL) = s AND hash_ring_remove(NULL, 'a') IS NULL AND s - NULL = s",
    "(SELECT i.bytes = length(s::bytea) AND (i.method = 'ring') = (i.vnodes > 0)
        AND (i.nodes = 0) = (i.total_weight = 0) AND i.vnodes BETWEEN 0 AND 10000
        FROM hash_ring_info(s) i)",
    "hash_ring_node(s, NULL::int) IS NULL AND hash_ring_nodes(s, 1, NULL) IS NULL",
    "(SELECT count(*) FROM hash_ring_moves(s, s)) = 0",
];

/// What works on every ring with names that are text, beside what is so of every type.
const MAY_MISMATCH: [&str; 9] = [
    "_hash_ring_agg_trans(s, 'new') = s + 'new' AND (s + 'new') - 'new' = s",
    "(s + 'new') -> 5 = 'new' OR (s + 'new') -> 5 = s -> 5",
    "(hash_ring_info(s)).nodes = 0 OR (SELECT sum(share) BETWEEN 0.999999 AND 1.000001
        AND count(*) = (hash_ring_info(s)).nodes FROM hash_ring_items(s))",
    "(hash_ring_info(s)).nodes = 0 OR
        (SELECT hash_ring_agg(node, weight, (hash_ring_info(s)).vnodes) FROM hash_ring_items(s)) = s",
    "(hash_ring_nodes(s, 'k'::text, 3))[1] IS NOT DISTINCT FROM s -> 'k'::text",
    "s -> 5 IS NOT DISTINCT FROM s::bytea::hash_ring -> 5",
    "(s -> 5 IS NULL) = ((hash_ring_info(s)).nodes = 0)",
    "(SELECT coalesce(sum(share), 0) <= 1.000001 FROM hash_ring_moves(s, good))",
    "cardinality(hash_ring_nodes(s, 1, 1000)) = least(1000, (hash_ring_info(s)).nodes)",
];

/// A ring at rest: the header, the vnodes, the number of nodes, whether there are weights, the rest.
fn at_rest(vnodes: u64, nodes: u64, weighted: u8, rest: &[u8]) -> Vec<u8> {
    [&[b'r', 0x11, 3][..], &varint(vnodes), &varint(nodes), &[weighted], rest].concat()
}

/// Rings of few and many nodes, with and without weights and points.
fn originals(db: &mut Db, _: &mut Random) -> Vec<Vec<u8>> {
    let mut originals = Vec::new();
    for vnodes in [0, 1, 6] {
        for (name, weight, n) in [
            ("'s' || i", "1", 0),
            ("'s' || i", "1", 1),
            ("'s' || i", "1", 5),
            ("md5(i::text)", "1", 30),
            ("'s' || i", "i", 4),
            ("chr(950 + i) || 'δ'", "0.25 * i", 20),
            ("repeat('n', i)", "1e-9", 40),
            ("'10.0.0.' || i", "1 + i % 3", 30),
        ] {
            originals.push(db.one(&format!(
                "SELECT hash_ring_agg({name}, {weight}, {vnodes})::bytea
                FROM generate_series(1, {n}) i"
            )));
        }
    }
    originals
}

/// Rings that say how many nodes or how long names they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut liars = Vec::new();
    for nodes in [2, 1000, 1 << 20, 1 << 22, u32::MAX.into()] {
        for weighted in [0, 1] {
            liars.push(at_rest(0, nodes, weighted, &[]));
            liars.push(at_rest(10_000, nodes, weighted, &[1; 12]));
        }
    }
    for len in [1, 300, 1 << 30, u32::MAX.into(), u64::MAX] {
        liars.push(at_rest(0, 1, 0, &varint(len)));
        liars.push(at_rest(0, 1, 1, &[&varint(len)[..], &[0x61; 9]].concat()));
    }
    // One node with points without end.
    for weight in [1e4f64, 1e30] {
        let rest = [&[1, b'a'][..], &weight.to_le_bytes()].concat();
        liars.push(at_rest(10_000, 1, 1, &rest));
    }
    liars.iter().map(|bytes| digits(bytes)).collect()
}
