//! What is tried with the bytes of a `cuckoo`.

use rand::Rng;

use super::Subject;
use super::corruption::{Random, digits, varint};
use crate::db::Db;

pub static SUBJECT: Subject = Subject {
    // A full filter cannot grow, and takes nothing in.
    refusals: "'22000', '54000'",
    true_of_all: &TRUE_OF_ALL,
    may_mismatch: &MAY_MISMATCH,
    good: "SELECT cuckoo_agg(i, 1000) FROM generate_series(1, 20) i
        UNION ALL SELECT cuckoo_agg(i, 100, 0.01) FROM generate_series(1, 60) i",
    originals,
    lying_lengths,
    long_garbage: &[
        ("('\\x632101e86f12033b0c0a' || repeat('00', 20000000))::cuckoo", "22P02"),
        (
            "('\\x632101fc40420f006f12033b0cfc84250400fc40420f00' || repeat('00', 20000000))::cuckoo",
            "22P02",
        ),
        ("('\\x633101' || repeat('zz', 20000000))::cuckoo", "22P02"),
        (
            "decode('631101fc40420f006f12033b0cfc84250400fbe803' || repeat('ff', 20000000),
                'hex')::cuckoo",
            "22P03",
        ),
    ],
};

/// What is true of every sketch, beside what is so of every type.
const TRUE_OF_ALL: [&str; 13] = [
    "s || cuckoo_empty() = s AND cuckoo_sum(s, cuckoo_empty()) = s",
    "(cuckoo_info(s)).is_union OR cuckoo_count(s - s) = 0
        AND (cuckoo_info(s - s)).form = 'empty' AND s - (s - s) = s",
    // A union is known as one wherever it goes, and equal to what holds the same.
    "(cuckoo_info(s || s)).is_union = (cuckoo_count(s) > 0)",
    "_cuckoo_hash(s || s) = _cuckoo_hash(s)",
    "(cuckoo_info(s::bytea::cuckoo)).is_union = (cuckoo_info(s)).is_union",
    "(cuckoo_info(s::text::cuckoo)).is_union = (cuckoo_info(s)).is_union",
    "cuckoo_error_rate(s) BETWEEN 0 AND 1",
    "(SELECT i.form IN ('empty', 'sparse', 'dense') AND i.fill BETWEEN 0 AND 1
        AND i.bytes = length(s::bytea) AND (i.form = 'empty') = (i.value_class IS NULL)
        AND i.error_rate BETWEEN 1e-8 AND 0.5 AND i.capacity >= 1
        AND i.fingerprint_bits BETWEEN 4 AND 32
        AND i.over_capacity = (cuckoo_count(s) > i.capacity)
        AND i.present_error_rate = cuckoo_error_rate(s) FROM cuckoo_info(s) i)",
    "(cuckoo_info(s)).form <> 'empty' OR NOT s @> 5 AND NOT s @> 'x' AND cuckoo_count(s) = 0",
    "cuckoo_contains(s, NULL::bigint) IS NULL AND (NULL::text <@ s) IS NULL",
    "cuckoo_remove(s, NULL::bigint) = s AND cuckoo_add_if_absent(s, NULL::text) = s",
    "cuckoo_subtract(s, NULL) = s AND s - NULL = s AND cuckoo_subtract(NULL, s) IS NULL",
    "_cuckoo_hash_extended(s, 0) & 4294967295 = _cuckoo_hash(s)::bigint & 4294967295",
];

/// What works on every sketch of the right class, beside what is so of every type.
const MAY_MISMATCH: [&str; 10] = [
    "_cuckoo_agg_trans(s, 5) = cuckoo_add_if_absent(s, 5)",
    "(s + 5::bigint) @> 5::bigint AND 5::bigint <@ (s + 5)",
    "s + 5 - 5 = s AND cuckoo_remove(cuckoo_add(s, 5), 5::bigint) = s",
    "cuckoo_count(s + 7) = cuckoo_count(s) + 1",
    "cuckoo_add(s, 'x') @> 'x'",
    "(SELECT bool_and((s @> v) = (v <@ s) AND (s @> v) = (s::bytea::cuckoo @> v)
            AND (NOT s @> v OR cuckoo_add_if_absent(s, v) = s))
        FROM generate_series(1, 12) v)",
    "NOT EXISTS (SELECT FROM generate_series(1, 12) v WHERE s @> v AND s - v + v <> s)",
    "cuckoo_count(cuckoo_sum(s, good) - s - good) = 0",
    "cuckoo_count(cuckoo_sum(s, good)) = cuckoo_count(s) + cuckoo_count(good)",
    "(SELECT bool_and((s || good) @> v) FROM generate_series(1, 20) v)",
];

/// Capacity, error rate, bits of a fingerprint, buckets.
type Params = (u64, f32, u8, u32);

/// What the extension chooses.
const TEN: Params = (10, 0.002, 10, 12);
const HUNDRED: Params = (100, 0.01, 8, 36);
const MILLION: Params = (1_000_000, 0.002, 12, 271_748);

/// A filter at rest: the header, the parameters, the rest.
fn at_rest(form: u8, class: u8, params: Params, rest: &[u8]) -> Vec<u8> {
    let (capacity, rate, bits, buckets) = params;
    let head = [b'c', 0x01 | form << 4, class];
    let rate = rate.to_le_bytes();
    [&head[..], &varint(capacity), &rate, &[bits], &varint(buckets.into()), rest].concat()
}

/// Valid filters of every form, several capacities, rates and classes.
fn originals(db: &mut Db, random: &mut Random) -> Vec<Vec<u8>> {
    let mut originals = Vec::new();
    for params in [
        "10",
        "10, 0.5",
        "100, 0.01",
        "100, 0.4",
        "300, 0.000001",
        "1000",
        "5000, 0.03",
        "100000",
        "NULL, 0.02",
    ] {
        for (value, n) in [
            ("i", 0),
            ("i", 1),
            ("i", 4),
            ("'t' || i", 9),
            ("i", 60),
            ("md5(i::text)::uuid", 100),
            ("i", 900),
            ("i", 5000),
        ] {
            // Repeats, so that no filter gets more values than it is made for.
            originals.push(db.one(&format!(
                "SELECT cuckoo_agg({value}, {params})::bytea FROM generate_series(1, {n}) n,
                LATERAL (SELECT (n - 1) % (regexp_replace('0{params}', '\\D.*', '')::int
                    + CASE WHEN '{params}' LIKE 'NULL%' THEN 1000000 ELSE 0 END) + 1 AS i) t"
            )));
        }
    }
    // Unions, in lists and tables.
    for (params, n) in [("10", 6), ("100, 0.01", 3), ("100, 0.01", 60), ("1000", 900)] {
        originals.push(db.one(&format!(
            "SELECT (cuckoo_agg(i, {params}) || (cuckoo_empty({params}) + 1))::bytea
            FROM generate_series(1, {n}) i"
        )));
    }
    // Values that are there twice, and values that are there no more.
    for params in ["10", "100, 0.01", "1000"] {
        originals.push(db.one(&format!(
            "SELECT (cuckoo_agg(i, {params}) + 1 + 1 + 1 + 2 - 3)::bytea FROM generate_series(1, 9) i"
        )));
        originals.push(db.one(&format!(
            "SELECT (s - cuckoo_agg(i, {params}) FILTER (WHERE i > 5) + 2 + 2)::bytea
            FROM generate_series(1, 10) i,
                (SELECT cuckoo_agg(i, {params}) AS s FROM generate_series(1, 10) i) f GROUP BY s"
        )));
    }
    for (params, counts) in [(TEN, [0, 3, 20, 48]), (HUNDRED, [10, 30, 100, 144])] {
        for count in counts {
            // Fingerprints at random, of which most buckets are malformed.
            let packed = params.3 as usize * (params.2 as usize - 1) / 2;
            let body: Vec<u8> = (0..packed).map(|_| random.random::<u8>() & 0x77).collect();
            originals.push(at_rest(2, 1, params, &[varint(count), body].concat()));
        }
    }
    // Geometry as nobody would choose it.
    let geometries: [Params; 8] = [
        (1, 0.01, 4, 2),
        (7, 0.5, 32, 4),
        (u64::MAX >> 1, 0.01, 20, 6),
        (5, 0.01, 12, 0),
        (5, 0.01, 33, 10),
        (5, f32::NAN, 12, 10),
        (5, 0.01, 12, 11),
        (0, 0.01, 12, 10),
    ];
    for params in geometries {
        originals.push(at_rest(0, 0, params, &[]));
        originals.push(at_rest(1, 1, params, &[1, 1, 7]));
    }
    originals
}

/// Filters that say how many copies or buckets they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut liars = Vec::new();
    let huge: Params = (400_000_000, 0.002, 12, 108_000_000);
    for params in [MILLION, huge, (u64::MAX >> 1, 0.01, 32, u32::MAX - 1), (5, 0.5, 4, 1 << 27)] {
        for count in [1, 1000, 160_000, 1 << 27, u32::MAX] {
            for form in [1, 2] {
                liars.push(at_rest(form, 1, params, &varint(count.into())));
                let body = [&varint(count.into())[..], &[0xff; 4]].concat();
                liars.push(at_rest(form, 1, params, &body));
            }
        }
    }
    liars.iter().map(|bytes| digits(bytes)).collect()
}
