//! What is tried with the bytes of an `hll`.

use std::ops::Range;

use rand::Rng;

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
    "approx_count_distinct_final(s) = hll_cardinality(s)",
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
fn originals(db: &mut Db, random: &mut Random) -> Vec<Vec<u8>> {
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
    for (precision, slots, count) in
        [(13, 13, 5), (13, 29, 20), (18, 125, 90), (9, 61, 45), (4, 13, 3)]
    {
        let table = tokens(slots, count, random);
        originals.push(working(1, precision, count as u32, &table));
    }
    // Counts that lie: about tokens that are there, and about tokens that are not.
    for (precision, count) in [(13, 0), (13, 2), (13, 150), (4, 0), (4, 3), (18, 1)] {
        originals.push(working(1, precision, count, &tokens(255, 190, random)));
    }
    // Registers as no set of values would fill them, too.
    for (precision, levels) in [
        (4, 3..6),
        (4, 3..61),
        (7, 3..12),
        (9, 3..10),
        (9, 55..56),
        (9, 3..4),
        (12, 8..14),
        (13, 3..52),
    ] {
        for _ in 0..3 {
            originals.push(working(1, precision, u32::MAX, &registers(precision, &levels, random)));
        }
    }
    originals.push(working(3, 13, 0, &[0; 52]));
    originals.push(working(0, 13, 0, &[]));
    originals
}

/// Sparse, dense and working sketches that say how much they hold, and do not.
fn lying_lengths() -> Vec<String> {
    let mut digits = Vec::new();
    for precision in ["04", "0d", "12"] {
        for body in ["fcffffffff", "fcffffff7f", "fc00000100", "fb00ff", "fdffffffffffffffff"] {
            digits
                .extend(["1101", "2101", "3101"].map(|form| format!("68{form}{precision}{body}")));
        }
    }
    digits
}

/// A working state: the header, the count, the table.
fn working(class: u8, precision: u8, count: u32, table: &[u8]) -> Vec<u8> {
    [&[b'h', 0x31, class, precision][..], &count.to_le_bytes(), table].concat()
}

/// A table of so many slots with so many tokens: any prefix whose end is not all zeros, shifted
/// by six.
fn tokens(slots: usize, count: usize, random: &mut Random) -> Vec<u8> {
    let mut table = vec![0; 4 * slots];
    for slot in table.chunks_exact_mut(4).take(count) {
        slot.copy_from_slice(&((random.random::<u32>() | 1) << 6).to_le_bytes());
    }
    table
}

/// Registers that have levels of a range: four times the highest level seen, and a bit for each of
/// the two below it.
fn registers(precision: u8, levels: &Range<u8>, random: &mut Random) -> Vec<u8> {
    let mut register = || {
        let level = random.random_range(levels.clone());
        level << 2 | random.random_range(0..4)
    };
    (0..1 << precision).map(|_| register()).collect()
}
