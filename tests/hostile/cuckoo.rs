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
const TRUE_OF_ALL: [&str; 9] = [
    "s || cuckoo_empty() = s",
    "cuckoo_count(s - s) = 0 AND (cuckoo_info(s - s)).form = 'empty' AND s - (s - s) = s",
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
const MAY_MISMATCH: [&str; 8] = [
    "_cuckoo_agg_trans(s, 5) = cuckoo_add_if_absent(s, 5)",
    "(s + 5::bigint) @> 5::bigint AND 5::bigint <@ (s + 5)",
    "s + 5 - 5 = s AND cuckoo_remove(cuckoo_add(s, 5), 5::bigint) = s",
    "cuckoo_count(s + 7) = cuckoo_count(s) + 1",
    "cuckoo_add(s, 'x') @> 'x'",
    "(SELECT bool_and((s @> v) = (v <@ s) AND (s @> v) = (s::bytea::cuckoo @> v)
            AND (NOT s @> v OR cuckoo_add_if_absent(s, v) = s AND s - v + v = s))
        FROM generate_series(1, 12) v)",
    "cuckoo_count((s || good) - s - good) = 0",
    "(SELECT bool_and((s || good) @> v) FROM generate_series(1, 20) v)",
];

/// Capacity, error rate, bits of a fingerprint, buckets.
type Params = (u64, f32, u8, u32);

/// What the extension chooses.
const TEN: Params = (10, 0.002, 10, 12);
const HUNDRED: Params = (100, 0.01, 8, 36);
const MILLION: Params = (1_000_000, 0.002, 12, 271_748);
/// A state without a capacity.
const GATHERING: Params = (0, 0.002, 0, 0);

/// What the body of a working state is.
const HASHES: u8 = 0;
const CELLS: u8 = 1;
const TABLE: u8 = 4;

/// A filter at rest: the header, the parameters, the rest.
fn at_rest(form: u8, class: u8, params: Params, rest: &[u8]) -> Vec<u8> {
    let (capacity, rate, bits, buckets) = params;
    let head = [b'c', 0x01 | form << 4, class];
    let rate = rate.to_le_bytes();
    [&head[..], &varint(capacity), &rate, &[bits], &varint(buckets.into()), rest].concat()
}

/// A working state: the fields of fixed width, the body.
fn working(class: u8, mode: u8, params: Params, count: u32, body: &[u8]) -> Vec<u8> {
    let (capacity, rate, bits, buckets) = params;
    let head = [&[b'c', 0x31, class, mode][..], &count.to_le_bytes()].concat();
    let sizes = [&capacity.to_le_bytes()[..], &buckets.to_le_bytes(), &rate.to_le_bytes()].concat();
    [&head[..], &sizes, &[bits, 0, 0, 0], body].concat()
}

/// So many words of ascending numbers below a limit, and room for more.
fn words(count: usize, room: usize, limit: u64, random: &mut Random) -> Vec<u8> {
    let step = (limit / (count as u64 + 1)).max(1);
    let word = |i: u64| (1 + i * step + random.random_range(0..step)).to_le_bytes();
    let words = (0..count as u64).flat_map(word);
    words.chain(vec![0; 8 * room]).collect()
}

/// A table with so many fingerprints.
fn table(params: Params, count: usize, random: &mut Random) -> Vec<u8> {
    let (_, _, bits, buckets) = params;
    let width = if bits > 16 { 4 } else { 2 };
    let mut table = vec![0; width * 4 * buckets as usize];
    let most = (1u64 << bits) - 1;
    for slot in table.chunks_exact_mut(width).take(count) {
        let fingerprint = random.random_range(1..=most);
        slot.copy_from_slice(&fingerprint.to_le_bytes()[..width]);
    }
    table
}

/// Valid filters of every form, several capacities, rates and classes; states.
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
    for (params, slots, count) in [
        (TEN, 4, 1),
        (HUNDRED, 8, 5),
        (MILLION, 200, 140),
        (GATHERING, 4, 1),
        (GATHERING, 600, 450),
    ] {
        // A few hashes, none of them where it would be looked for, and counts that lie.
        let hashes = words(count, slots - count, u64::MAX >> 1, random);
        for count in [count, count + 1, count - 1] {
            originals.push(working(1, HASHES, params, count as u32, &hashes));
        }
        originals.push(working(1, HASHES, params, 2 * count as u32, &hashes.repeat(2)));
    }
    for (params, cells) in [(TEN, 6), (HUNDRED, 15), (MILLION, 300)] {
        let limit = u64::from(params.3 / 2) * ((1 << params.2) - 1);
        for mode in [CELLS, CELLS + 1, CELLS + 2] {
            let body = words(cells, 2, limit, random);
            originals.push(working(1, mode, params, cells as u32, &body));
            originals.push(working(1, mode, params, cells as u32 + 1, &body));
        }
        // One cell again and again.
        let body = words(1, 0, limit, random).repeat(cells);
        originals.push(working(1, CELLS, params, cells as u32, &body));
    }
    for (params, counts) in [(TEN, [0, 3, 20, 48]), (HUNDRED, [10, 30, 100, 144])] {
        for count in counts {
            let body = table(params, count, random);
            originals.push(working(1, TABLE, params, count as u32, &body));
            // Fingerprints at random, of which most buckets are malformed.
            let packed = params.3 as usize * (params.2 as usize - 1) / 2;
            let body: Vec<u8> = (0..packed).map(|_| random.random::<u8>() & 0x77).collect();
            originals.push(at_rest(2, 1, params, &[varint(count as u64), body].concat()));
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
        originals.push(working(1, CELLS, params, 1, &words(1, 3, 8, random)));
        originals.push(working(1, TABLE, params, 2, &vec![1; 16 * params.3 as usize]));
    }
    originals.push(working(3, HASHES, MILLION, 0, &[0; 32]));
    originals.push(working(0, HASHES, GATHERING, 0, &[]));
    originals.push(working(0, CELLS, MILLION, 0, &[0; 32]));
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
            for mode in [HASHES, CELLS, TABLE] {
                liars.push(working(1, mode, params, count, &[]));
                liars.push(working(1, mode, params, count, &[0; 4]));
            }
        }
    }
    for count in [1, 1 << 20, 1 << 25, u32::MAX - 1, u32::MAX] {
        liars.push(working(1, HASHES, GATHERING, count, &[]));
        liars.push(working(1, HASHES, GATHERING, count, &[0; 64]));
    }
    liars.iter().map(|bytes| digits(bytes)).collect()
}
