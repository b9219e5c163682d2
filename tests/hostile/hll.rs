//! What is tried with the bytes of an `hll`.

use super::Subject;
use super::corruption::Random;
use crate::db::Db;

pub static SUBJECT: Subject = Subject {
    refusals: "'22000'",
    true_of_all: &TRUE_OF_ALL,
    may_mismatch: &MAY_MISMATCH,
    good: "SELECT hll_agg(i) FROM generate_series(1, 20) i
        UNION ALL SELECT hll_agg(i, 9) FROM generate_series(1, 5000) i",
    originals,
    lying_lengths,
    long_garbage: &[
        ("('\\x6821010d00' || repeat('00', 20000000))::hll", "22P02"),
        ("('\\x6831010d00000000' || repeat('zz', 20000000))::hll", "22P02"),
        ("decode('6811010d01' || repeat('ff', 20000000), 'hex')::hll", "22P03"),
    ],
};

/// What is true of every sketch, beside what is so of every type.
const TRUE_OF_ALL: [&str; 9] = [
    "s || hll_empty((hll_info(s)).precision) = s",
    "hll_cardinality(s) >= 0",
    "_approx_count_distinct_final(s) = hll_cardinality(s)",
    "(SELECT 0 <= b.lower AND b.lower <= b.estimate AND b.estimate <= b.upper
        AND b.estimate = hll_cardinality(s) FROM hll_bounds(s) b)",
    "(SELECT b.lower <= b.upper FROM hll_bounds(s, 0.999999) b)",
    "(SELECT i.form IN ('empty', 'sparse', 'dense') AND i.fill BETWEEN 0 AND 1
        AND i.bytes = length(s::bytea) AND (i.form = 'empty') = (i.value_class IS NULL)
        AND i.standard_error >= 0 AND i.precision BETWEEN 4 AND 18 FROM hll_info(s) i)",
    "hll_reduce(s, (hll_info(s)).precision) = s",
    "hll_reduce(s, 4) || hll_reduce(s || s, 4) = hll_reduce(s, 4)",
    "s::hll(4) = hll_reduce(s, 4)",
];

/// What works on every sketch of the right class, beside what is so of every type.
const MAY_MISMATCH: [&str; 3] = [
    "_hll_agg_trans(s, 5) = s + 5",
    "hll_cardinality(s + 1::bigint) >= 1",
    "hll_cardinality(hll_add(s, 'x')) >= 1",
];

/// Valid sketches of every form, several precisions and classes.
fn originals(db: &mut Db, _: &mut Random) -> Vec<Vec<u8>> {
    let mut originals = Vec::new();
    for precision in [4, 5, 9, 13, 16, 18] {
        for (value, n) in [
            ("i", 0),
            ("i", 1),
            ("i", 4),
            ("'t' || i", 9),
            ("i", 100),
            ("i / 4.0::float8", 2000),
            ("md5(i::text)::uuid", 2100),
            ("i", 40_000),
        ] {
            // The biggest would take all the time; their smaller kin have the same code.
            if precision < 16 || n < 40_000 {
                originals.push(db.one(&format!(
                    "SELECT hll_agg({value}, {precision})::bytea FROM generate_series(1, {n}) i"
                )));
            }
        }
    }
    originals
}

/// Sparse and dense sketches that say how much they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut digits = Vec::new();
    for precision in ["04", "0d", "12"] {
        for body in ["fcffffffff", "fcffffff7f", "fc00000100", "fb00ff", "fdffffffffffffffff"] {
            digits.extend(["1101", "2101"].map(|form| format!("68{form}{precision}{body}")));
        }
    }
    digits
}
