//! What is tried with the bytes of a `bloom`.

use rand::Rng;

use super::Subject;
use super::corruption::{Random, digits, varint};
use crate::db::Db;

pub static SUBJECT: Subject = Subject {
    refusals: "'22000'",
    true_of_all: &TRUE_OF_ALL,
    may_mismatch: &MAY_MISMATCH,
    good: "SELECT bloom_agg(i, 1000) FROM generate_series(1, 20) i
        UNION ALL SELECT bloom_agg(i, 4000) FROM generate_series(1, 3000) i",
    originals,
    lying_lengths,
    long_garbage: &[
        ("('\\x622101e80ad7233c0002' || repeat('00', 20000000))::bloom", "22P02"),
        ("('\\x622101fc40420f000ad7233c00fbaaa0' || repeat('00', 20000000))::bloom", "22P02"),
        ("('\\x622101fc40420f000ad7233c00fbaaa0' || repeat('00', 1316160))::bloom", "22P02"),
        ("('\\x623101' || repeat('zz', 20000000))::bloom", "22P02"),
        (
            "decode('621101fc40420f000ad7233c00fbaaa0fbe803' || repeat('ff', 20000000),
                'hex')::bloom",
            "22P03",
        ),
    ],
};

/// What is true of every sketch, beside what is so of every type.
const TRUE_OF_ALL: [&str; 8] = [
    "s || bloom_empty() = s",
    "s & s = s AND bloom_intersect(s, s) = s",
    "(bloom_info(s & bloom_empty())).form = 'empty'",
    "bloom_cardinality(s) >= 0",
    "bloom_error_rate(s) BETWEEN 0 AND 1",
    "(SELECT i.form IN ('empty', 'sparse', 'dense') AND i.fill BETWEEN 0 AND 1
        AND i.bytes = length(s::bytea) AND (i.form = 'empty') = (i.value_class IS NULL)
        AND i.error_rate BETWEEN 1e-9 AND 0.5 AND i.capacity >= 1
        AND i.layout IN ('split-block', 'classic') AND i.over_capacity IS NOT NULL
        AND i.present_error_rate = bloom_error_rate(s) FROM bloom_info(s) i)",
    "(bloom_info(s)).form <> 'empty' OR NOT s @> 5 AND NOT s @> 'x' AND bloom_cardinality(s) = 0",
    "bloom_contains(s, NULL::bigint) IS NULL AND (NULL::text <@ s) IS NULL",
];

/// What works on every sketch of the right class, beside what is so of every type.
const MAY_MISMATCH: [&str; 9] = [
    "_bloom_agg_trans(s, 5) = s + 5",
    "(s + 5::bigint) @> 5::bigint AND 5::bigint <@ (s + 5)",
    "bloom_add(s, 'x') @> 'x'",
    "(s @> 5) = (s::bytea::bloom @> 5) AND (s @> 5) = bloom_contains(s, 5::bigint)",
    "(SELECT bool_and((s @> v) = (v <@ s) AND (NOT s @> v OR s + v = s))
        FROM generate_series(1, 12) v)",
    "s & good = good & s AND (s & good) || good = good",
    // An empty filter has the parameters of what it meets, so these are not true of it.
    "(bloom_info(s)).form = 'empty' OR (s & good) || s = s",
    "(bloom_info(s)).form = 'empty' OR (s || good) & s = s
        OR (bloom_info(s || good)).form = 'dense'",
    "(SELECT bool_and((s || good) @> v) FROM generate_series(1, 20) v)",
];

/// Capacity, error rate, number of hashes (0 for split blocks), and of bits or blocks.
type Params = (u64, f32, u8, u64);

/// What the extension chooses: 13 bytes, 4 kB and 1.3 MB of bits.
const TEN: Params = (10, 0.01, 6, 98);
const SPLIT: Params = (3100, 0.01, 0, 129);
const MILLION: Params = (1_000_000, 0.01, 0, 41_130);

/// A filter at rest: the header, the parameters, the rest.
fn at_rest(form: u8, class: u8, params: Params, rest: &[u8]) -> Vec<u8> {
    let (capacity, rate, hashes, size) = params;
    let head = [b'b', 0x01 | form << 4, class];
    let rate = rate.to_le_bytes();
    [&head[..], &varint(capacity), &rate, &[hashes], &varint(size), rest].concat()
}

/// So many random bytes, which few or many bits are set in.
fn bits(len: usize, random: &mut Random) -> Vec<u8> {
    // How many random bytes each byte is the common bits of.
    let times = if random.random() { 1 } else { 3 };
    let mut byte = || (0..times).fold(u8::MAX, |byte, _| byte & random.random::<u8>());
    (0..len).map(|_| byte()).collect()
}

/// Valid filters of every form and layout, several capacities, rates and classes.
fn originals(db: &mut Db, random: &mut Random) -> Vec<Vec<u8>> {
    let mut originals = Vec::new();
    for params in
        ["1, 0.5", "10, 0.01", "300, 0.0001", "1000", "4000", "40000", "30000, 0.001", "NULL, 0.02"]
    {
        for (value, n) in [
            ("i", 0),
            ("i", 1),
            ("i", 4),
            ("'t' || i", 9),
            ("i", 100),
            ("md5(i::text)::uuid", 600),
            ("i", 3000),
            ("i", 5000),
        ] {
            originals.push(db.one(&format!(
                "SELECT bloom_agg({value}, {params})::bytea FROM generate_series(1, {n}) i"
            )));
        }
    }
    // The longest: bits of 52 kB.
    originals.push(db.one("SELECT bloom_agg(i, 40000)::bytea FROM generate_series(1, 7000) i"));
    for (params, len) in [(TEN, 13), (SPLIT, 129 * 32)] {
        for _ in 0..6 {
            originals.push(at_rest(2, 1, params, &bits(len, random)));
        }
    }
    // Geometry as nobody would choose it, with bits of its size, and without.
    let geometries: [Params; 8] = [
        (1, 0.01, 0, 1),
        (7, 0.5, 64, 1000),
        (u64::MAX >> 1, 0.01, 3, 99),
        (5, 0.01, 0, 0),
        (5, 0.01, 65, 1000),
        (5, f32::NAN, 3, 99),
        (5, 0.01, 0, 1 << 40),
        (0, 0.01, 3, 99),
    ];
    for params in geometries {
        let len = if params.2 == 0 { params.3.min(8) * 32 } else { params.3.div_ceil(8) };
        originals.push(at_rest(2, 1, params, &bits(len as usize, random)));
        originals.push(at_rest(0, 0, params, &[]));
    }
    // Keys at rest that are random bits, in one group and in sixteen, which have a directory.
    for (count, len) in [(1, 6), (20, 70), (4096, 12_000)] {
        let list = [varint(count), bits(len, random)].concat();
        originals.push(at_rest(1, 1, MILLION, &list));
    }
    originals
}

/// Filters that say how many keys, bits or blocks they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut liars = Vec::new();
    let huge: Params = (800_000_000, 0.01, 0, 33_000_000);
    for params in [MILLION, huge, (u64::MAX >> 1, 0.01, 20, 8 << 30), (5, 0.5, 1, 8 << 29)] {
        for count in [1, 1000, 160_000, 1 << 27, u32::MAX] {
            liars.push(at_rest(1, 1, params, &varint(count.into())));
            liars.push(at_rest(1, 1, params, &[&varint(count.into())[..], &[0xff; 4]].concat()));
        }
        liars.push(at_rest(2, 1, params, &[]));
        liars.push(at_rest(2, 1, params, &[0xff; 64]));
    }
    liars.iter().map(|bytes| digits(bytes)).collect()
}
