//! What is tried with the bytes of a `cms`.

use super::Subject;
use super::corruption::{Random, digits, varint};
use crate::db::Db;

pub static SUBJECT: Subject = Subject {
    // Totals have a limit, and damage may bring one near it.
    refusals: "'22000', '54000'",
    true_of_all: &TRUE_OF_ALL,
    may_mismatch: &MAY_MISMATCH,
    good: "SELECT cms_agg(i, 0.05, 0.1) FROM generate_series(1, 5) i
        UNION ALL SELECT cms_agg(i % 100, 0.01, 0.1) FROM generate_series(1, 3000) i",
    originals,
    lying_lengths,
    long_garbage: &[
        ("('\\x6d2101180215' || repeat('00', 20000000))::cms", "22P02"),
        ("('\\x6d210118021502' || repeat('ff', 20000000))::cms", "22P02"),
        ("('\\x6d3101' || repeat('zz', 20000000))::cms", "22P02"),
        ("decode('6d11011802fbe803' || repeat('ff', 20000000), 'hex')::cms", "22P03"),
    ],
};

/// What is true of every sketch, beside what is so of every type.
const TRUE_OF_ALL: [&str; 10] = [
    "s || cms_empty() = s AND s - cms_empty() = s",
    "s - s = cms_empty((cms_info(s)).epsilon, (cms_info(s)).delta)",
    "s - NULL = s AND cms_subtract(NULL, s) IS NULL",
    "cms_total(s) > 2 ^ 61 OR (s || s) - s = s",
    "cms_total(s) > 2 ^ 61 OR cms_total(s || s) = 2 * cms_total(s)",
    "cms_total(s) > 2 ^ 61 OR
        (SELECT cms_merge_agg(v) FROM (VALUES (s), (NULL), (s)) t (v)) = s || s",
    "(SELECT i.form IN ('empty', 'sparse', 'dense') AND i.fill BETWEEN 0 AND 1
        AND i.bytes = length(s::bytea) AND (i.form = 'empty') = (i.value_class IS NULL)
        AND (i.form = 'dense') = (i.distinct_values IS NULL) AND i.total = cms_total(s)
        AND (i.form = 'empty') = (i.total = 0) AND i.epsilon > 0 AND i.epsilon < 1
        AND i.delta > 0 AND i.delta < 1 AND i.width >= 3 AND i.depth BETWEEN 1 AND 32
        FROM cms_info(s) i)",
    "(SELECT p.estimate >= cms_total(s) AND p.error >= 0 FROM cms_inner_product(s, s) p)",
    "(cms_info(s)).form <> 'empty' OR s -> 5 = 0 AND s -> 'x'::text = 0 AND cms_total(s) = 0",
    "cms_frequency(s, NULL::bigint) IS NULL AND cms_bounds(s, NULL::text) IS NULL",
];

/// What works on every sketch of the right class, beside what is so of every type.
const MAY_MISMATCH: [&str; 10] = [
    "_cms_agg_trans(s, 5) = s + 5",
    "(s + 5) -> 5 > s -> 5 AND cms_total(s + 5) = cms_total(s) + 1",
    "cms_add(s, 'x', 3) = s + 'x' + 'x' + 'x' AND cms_add(s, 'x', 3) -> 'x' >= 3",
    // A list that has become a table stays one.
    "(cms_info(s + 5)).form <> (cms_info(s)).form OR cms_add(s + 5, 5, -1) = s",
    "(SELECT b.lower <= b.estimate AND b.estimate = b.upper AND b.estimate = s -> 5
        AND cms_unbiased_frequency(s, 5) BETWEEN 0 AND b.estimate AND b.estimate <= cms_total(s)
        FROM cms_bounds(s, 5) b)",
    "s -> 5 = s::bytea::cms -> 5",
    "(SELECT bool_and((s || good) -> v >= good -> v) FROM generate_series(1, 20) v)",
    "cms_total(s || good) = cms_total(s) + cms_total(good)",
    "(cms_info(s)).form = 'empty' OR (cms_info(s || good)).form <> (cms_info(s)).form
        OR (s || good) - good = s",
    "(SELECT p.estimate >= 0 AND p = cms_inner_product(good, s) FROM cms_inner_product(s, good) p)",
];

/// A sketch at rest: the header, the dimensions, the rest.
fn at_rest(form: u8, width: u64, depth: u8, rest: &[u8]) -> Vec<u8> {
    let class = u8::from(form > 0);
    [&[b'm', 0x01 | form << 4, class][..], &varint(width), &[depth], rest].concat()
}

/// Valid sketches of every form, several parameters and classes.
fn originals(db: &mut Db, _: &mut Random) -> Vec<Vec<u8>> {
    let mut originals = Vec::new();
    for params in ["0.05, 0.1", "0.01, 0.1", "0.9, 0.4", "0.5, 0.001", "0.001, 0.01"] {
        for (value, n, weight) in [
            ("i", 0, 1),
            ("i", 1, 1),
            ("i % 4", 9, 3),
            ("'t' || i", 5, 1),
            ("i % 50", 100, 1),
            ("md5(i::text)::uuid", 200, 1),
            ("i % 700", 2000, 1),
            ("i % 3", 12, 1_i64 << 50),
            ("i % 200", 400, 1 << 33),
        ] {
            originals.push(db.one(&format!(
                "SELECT cms_weighted_agg({value}, {weight}, {params})::bytea
                FROM generate_series(1, {n}) i"
            )));
        }
    }
    originals.push(at_rest(0, 2719, 5, &[]));
    originals.push(at_rest(0, 3, 32, &[]));
    originals
}

/// Sketches that say how many entries or cells they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut liars = Vec::new();
    for (width, depth) in [(2719, 5), (134_217_719, 1), (4_194_303, 32), (u32::MAX, 32), (2, 1)] {
        for count in [1, 1000, 1 << 22, u32::MAX] {
            let list = [varint(u64::from(count)), varint(count.into())].concat();
            liars.push(at_rest(1, width.into(), depth, &list));
            liars.push(at_rest(1, width.into(), depth, &[&list[..], &[0xff; 4]].concat()));
        }
        liars.push(at_rest(2, width.into(), depth, &[9]));
        liars.push(at_rest(2, width.into(), depth, &[&[9][..], &[0xff; 64]].concat()));
    }
    liars.push(at_rest(0, 1 << 40, 1, &[]));
    liars.iter().map(|bytes| digits(bytes)).collect()
}
