//! The sketch types: one row each, from which every test of what is true of all types runs.
#![allow(non_upper_case_globals)]

use std::collections::BTreeSet;

use crate::db::Db;
use crate::hostile::{self, Subject};

/// A sketch type. All types have one grammar, so that a test is written once; see [`Kind::sql`].
pub struct Kind {
    /// The name.
    pub name: &'static str,
    /// Parameters with which sketches of parts of 20,000 values merge to the sketch of all. Thousands
    /// of values outgrow the sparse form.
    pub params: &'static str,
    /// Parameters with which a few dozen values outgrow the sparse form; they need not take more
    /// than 60 values.
    pub low: &'static str,
    /// Lists of parameters that are out of range.
    pub bad_params: &'static [&'static str],
    /// A function of a sketch: 0 where it is empty, and exact for a few values.
    pub count: &'static str,
    /// Whether a sketch `s` seems to hold a value `v`.
    pub holds: &'static str,
    /// Whether a sketch merged with itself is itself, as that of a set is.
    pub is_set: bool,
    /// Whether what is equal has equal bytes at rest, however it was made. If not, an aggregate
    /// over values still gives the same bytes in every plan, and all else equal sketches.
    pub is_canonical: bool,
    /// What is tried with its bytes.
    pub hostile: &'static Subject,
}

/// From one row for each type: a static of its name, [`KINDS`], and `for_every_type!`.
macro_rules! kinds {
    ($d:tt $($name:ident { $($row:tt)+ })+) => {
        $(
            #[doc = concat!("The type `", stringify!($name), "`.")]
            pub static $name: Kind = Kind { name: stringify!($name), $($row)+ };
        )+

        /// Every type.
        pub static KINDS: &[&Kind] = &[$(&$name),+];

        /// Makes tests of functions of a [`Kind`]: one for each type, under the function's name.
        macro_rules! for_every_type {
            ($d($d test:ident),+ $d(,)?) => {
                $d(mod $d test {
                    $(
                        #[test]
                        fn $name() {
                            super::$d test(&crate::kinds::$name);
                        }
                    )+
                })+
            };
        }
        pub(crate) use for_every_type;
    };
}

kinds! { $
    hll {
        params: "13",
        low: "5",
        bad_params: &["3", "19", "269", "-2147483648"],
        count: "hll_cardinality",
        holds: "s + v = s",
        is_set: true,
        is_canonical: true,
        hostile: &hostile::hll::SUBJECT,
    }
    bloom {
        params: "20000",
        low: "50, 0.02",
        bad_params: &["0", "-1", "10, 0", "10, 0.75", "10, -0.1", "10, 'NaN'", "10, 'Infinity'"],
        count: "bloom_cardinality",
        holds: "s @> v",
        is_set: true,
        is_canonical: true,
        hostile: &hostile::bloom::SUBJECT,
    }
    cuckoo {
        // Fingerprints so long that no two values of the tests share one: such a pair has two copies
        // where both were added and one where a union found it in both filters.
        params: "20000, 0.00001",
        low: "60, 0.00001",
        bad_params: &["0", "-1", "10, 0", "10, 0.75", "10, -0.1", "10, 'NaN'", "10, 'Infinity'"],
        count: "cuckoo_count",
        holds: "s @> v",
        is_set: true,
        // A table has many arrangements; merging and adding one by one do not choose one.
        is_canonical: false,
        hostile: &hostile::cuckoo::SUBJECT,
    }
    cms {
        params: "0.002",
        low: "0.05, 0.2",
        bad_params: &["0", "1", "-0.1", "'NaN'", "'Infinity'", "0.01, 0", "0.01, 1", "0.01, 'NaN'"],
        count: "cms_total",
        holds: "s -> v > 0",
        is_set: false,
        is_canonical: true,
        hostile: &hostile::cms::SUBJECT,
    }
}

/// Types that take no values of any type, so that most of the grammar is not theirs: they have tests
/// of their own.
const OTHERS: [&str; 1] = ["hash_ring"];

impl Kind {
    /// SQL for this type: `{T}` is its name, `{P}` and `{LOW}` its parameters, `{COUNT}` its
    /// function that counts, `{HOLDS}` whether `s` holds `v`.
    pub fn sql(&self, template: &str) -> String {
        template
            .replace("{T}", self.name)
            .replace("{P}", self.params)
            .replace("{LOW}", self.low)
            .replace("{COUNT}", self.count)
            .replace("{HOLDS}", self.holds)
    }

    /// Whether a function or operator answers whether a value is held.
    pub fn has_look_ups(&self) -> bool {
        self.holds != hll.holds
    }

    /// The rows of a query, sorted, as far as equal sketches of the type are alike: as text, which
    /// shows every byte, or by the hashes of their columns' types.
    #[track_caller]
    pub fn rows(&self, db: &mut Db, query: &str) -> Vec<String> {
        let hashes = format!("SELECT hash_record_extended(q, 0) FROM ({query}) q");
        db.rows(if self.is_canonical { query } else { &hashes })
    }

    /// Fails unless two queries return equal rows, and some.
    #[track_caller]
    pub fn same_rows(&self, db: &mut Db, a: &str, b: &str) {
        let (rows_a, rows_b) = (self.rows(db, a), self.rows(db, b));
        assert!(!rows_a.is_empty(), "{a}: no rows");
        assert!(rows_a == rows_b, "these differ:\n{a}\n{b}");
    }
}

#[test]
fn the_table_has_every_type_of_the_extension() {
    let mut db = Db::new();
    let types = "SELECT typname FROM pg_type t
        JOIN pg_depend ON classid = 'pg_type'::regclass AND objid = t.oid AND deptype = 'e'
        JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
        WHERE extname = 'pg_sketch' AND typtype = 'b' AND typelem = 0";
    let types: BTreeSet<String> = db.rows(types).into_iter().collect();
    let names = KINDS.iter().map(|kind| kind.name).chain(OTHERS);
    let table: BTreeSet<String> = names.map(|name| format!("({name})")).collect();
    assert_eq!(table, types);
}

#[test]
fn the_parameters_are_what_the_tests_take_them_for() {
    let mut db = Db::with("CREATE TABLE v AS SELECT i AS v FROM generate_series(1, 20000) i");
    for kind in KINDS {
        for (aggregate, form) in [
            ("{T}_agg(v, {P}) FILTER (WHERE v <= 20)", "sparse"),
            ("{T}_agg(v, {P}) FILTER (WHERE v <= 8000)", "dense"),
            ("{T}_agg(v, {P})", "dense"),
            ("{T}_agg(v, {LOW}) FILTER (WHERE v <= 2)", "sparse"),
            ("{T}_agg(v, {LOW}) FILTER (WHERE v <= 40)", "dense"),
        ] {
            let sql = kind.sql(&format!("SELECT ({{T}}_info({aggregate})).form FROM v"));
            assert_eq!(db.one::<String>(&sql), form, "{sql}");
        }
        for n in [0, 1, 5] {
            db.holds(&kind.sql(&format!(
                "SELECT {{COUNT}}({{T}}_agg(v)) = {n} AND {{COUNT}}({{T}}_agg(v, {{P}})) = {n}
                FROM v WHERE v <= {n}"
            )));
        }
        db.none(&kind.sql(
            "SELECT FROM (SELECT {T}_agg(v) AS s FROM v WHERE v <= 5) a, v
            WHERE v <= 20 AND ({HOLDS}) <> (v <= 5)",
        ));
    }
}
