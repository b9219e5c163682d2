//! Mistakes of a user: each has its SQLSTATE and, where there is a way out, a hint that names it.

use crate::db::Db;
use crate::kinds::{Kind, for_every_type};

for_every_type! {
    parameters_out_of_range_are_refused,
    malformed_sketches_are_refused,
    operands_that_do_not_match_are_refused,
    a_mismatch_names_both_sides,
    types_without_equality_are_refused,
    null_adds_nothing_and_everything_else_of_null_is_null,
    functions_behind_aggregates_and_types_may_be_called_by_anybody,
}

/// A statement, its SQLSTATE, and a part of the hint.
pub type Case = (&'static str, &'static str, &'static str);

/// Fails unless each statement fails with its SQLSTATE and a hint that has the part, both written
/// in lower case.
pub fn check(kind: Option<&Kind>, cases: &[Case]) {
    let mut db = Db::with(
        "CREATE TABLE two_collations (c text COLLATE \"C\", p text COLLATE \"POSIX\");
        INSERT INTO two_collations VALUES ('a', 'b')",
    );
    let mut wrong = Vec::new();
    for (sql, state, part_of_hint) in cases {
        let sql = kind.map_or(sql.to_string(), |kind| kind.sql(sql));
        let error = db.error(&sql);
        let (code, hint) = (error.code().code(), error.hint().unwrap_or_default());
        if code != *state || !hint.contains(part_of_hint) {
            wrong.push(format!("{sql}: {code} {}; hint: {hint}", error.message()));
        }
        let message = error.message();
        if message.starts_with(|c: char| c.is_uppercase()) {
            wrong.push(format!("{sql}: the message starts with a capital: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn parameters_out_of_range_are_refused(kind: &Kind) {
    let mut db = Db::new();
    for params in kind.bad_params {
        for call in ["{T}_empty({BAD})", "{T}_agg(1, {BAD})", "{T}_size({BAD})"] {
            let sql = kind.sql(&format!("SELECT {call}").replace("{BAD}", params));
            let error = db.fails(&sql, "22023");
            let message = error.message();
            assert!(message.contains("out of range") && message.contains(kind.name), "{message}");
            assert!(error.hint().is_some(), "{sql}: {message}");
        }
        // Before any value comes.
        db.fails(&kind.sql(&format!("SELECT {{T}}_agg(NULL::int, {params})")), "22023");
    }
}

fn malformed_sketches_are_refused(kind: &Kind) {
    check(
        Some(kind),
        &[
            ("SELECT ''::{T}", "22P02", "hexadecimal"),
            ("SELECT 'x'::{T}", "22P02", "hexadecimal"),
            ("SELECT '\\x'::{T}", "22P02", ""),
            ("SELECT '\\x6'::{T}", "22P02", "hexadecimal"),
            ("SELECT '\\x68 01000d'::{T}", "22P02", "hexadecimal"),
            ("SELECT '\\xzz'::{T}", "22P02", "hexadecimal"),
            ("SELECT '\\x6801000'::{T}", "22P02", "hexadecimal"),
            ("SELECT '\\x6801000dä'::{T}", "22P02", "hexadecimal"),
            ("SELECT ''::bytea::{T}", "22P03", ""),
            ("SELECT '\\x00'::bytea::{T}", "22P03", ""),
        ],
    );
    let mut db = Db::new();
    for sketch in ["{T}_empty()", "{T}_agg(i, {P})", "{T}_agg(i, {LOW})"] {
        let sql = format!("SELECT ({sketch})::bytea FROM generate_series(1, 45) i LIMIT 1");
        let good: Vec<u8> = db.one(&kind.sql(&sql));
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        for (damaged, part_of_hint) in [
            (good[..good.len() - 1].to_vec(), ""),
            ([&good[..], &[0]].concat(), ""),
            // The letter of no type; a version, a flag and a class to come.
            (with(0, 255), ""),
            (with(1, good[1] + 1), "upgrade"),
            (with(1, good[1] | 64), "upgrade"),
            (with(2, 200), ""),
            // A class without values, or values without a class.
            (with(2, u8::from(good[2] == 0)), ""),
        ] {
            let digits: String = damaged.iter().map(|byte| format!("{byte:02x}")).collect();
            for (door, state) in [("", "22P02"), ("::bytea", "22P03")] {
                let sql = format!("SELECT '\\x{digits}'{door}::{}", kind.name);
                let error = db.fails(&sql, state);
                let hint = error.hint().unwrap_or_default();
                assert!(hint.contains(part_of_hint), "{sql}: {}; {hint}", error.message());
            }
        }
    }
}

fn operands_that_do_not_match_are_refused(kind: &Kind) {
    let classes = [
        ("SELECT {T}_empty() + 1 + 'a'::text", "22000", "$1::bigint"),
        ("SELECT {T}_empty() + 'a'::text + 1", "22000", "Cast the value to text"),
        ("SELECT {T}_empty() + 1 + 1::float8", "22000", "say bigint"),
        ("SELECT {T}_agg(v, {P}) + 'a' FROM generate_series(1, 9000) v", "22000", "$1::bigint"),
        ("SELECT ({T}_empty() + 1) || ({T}_empty() + 'a'::text)", "22000", "one type"),
        (
            "SELECT {T}_merge_agg(s) FROM (VALUES ({T}_empty() + 1), ({T}_empty() + 'a')) t (s)",
            "22000",
            "one type",
        ),
        (
            "SELECT {T}_merge_agg(s) OVER (ORDER BY {COUNT}(s))
            FROM (VALUES ({T}_empty() + 1), ({T}_empty() + true)) t (s)",
            "22000",
            "one type",
        ),
    ];
    check(Some(kind), &classes);
    let mut db = Db::new();
    for sql in [
        "SELECT {T}_agg(1, {P}) || {T}_agg(1, {LOW})",
        "SELECT {T}_merge({T}_agg(1, {LOW}), {T}_agg(1, {P}))",
        "SELECT {T}_agg(i, {P}) || {T}_agg(i % 45, {LOW}) FROM generate_series(1, 9999) i",
        "SELECT {T}_merge_agg(s) FROM (VALUES ({T}_empty({P}) + 1), ({T}_empty({LOW}) + 1)) t (s)",
        "SELECT {T}_merge_agg(s) OVER () FROM
            (VALUES ({T}_empty({P}) + 1), ({T}_empty({LOW}) + 1)) t (s)",
    ] {
        let sql = kind.sql(sql);
        let error = db.fails(&sql, "22000");
        let message = error.message();
        // The first parameter of each, to so many digits.
        for params in ["{P}", "{LOW}"] {
            let info = kind.sql(&format!("SELECT ({{T}}_info({{T}}_empty({params})))::text"));
            let info: String = db.one(&info);
            let number = info.trim_start_matches('(').split(',').next().expect("a number");
            let number = &number[..number.len().min(6)];
            assert!(message.contains(number), "{sql}: {message} does not name {number}");
        }
        assert!(error.hint().is_some(), "{sql}: {message}");
    }
}

fn a_mismatch_names_both_sides(kind: &Kind) {
    let mut db = Db::new();
    for (sql, both) in [
        ("SELECT ({T}_empty() + 1) || ({T}_empty() + true)", ["number", "bool"]),
        ("SELECT {T}_empty() + 1 + now()", ["number", "timestamptz"]),
        ("SELECT {T}_add({T}_empty() + 'a', 1)", ["text", "number"]),
    ] {
        let error = db.fails(&kind.sql(sql), "22000");
        let message = error.message();
        assert!(both.iter().all(|side| message.contains(side)), "{sql}: {message}");
    }
    // So does a look-up, where there is one.
    if kind.has_look_ups() {
        let sql =
            kind.sql("SELECT {HOLDS} FROM (SELECT {T}_agg(1) AS s) s, (SELECT 'a'::text AS v) v");
        let error = db.fails(&sql, "22000");
        let message = error.message();
        assert!(message.contains("number") && message.contains("text"), "{sql}: {message}");
    }
}

fn types_without_equality_are_refused(kind: &Kind) {
    check(
        Some(kind),
        &[
            ("SELECT {T}_agg('{}'::json)", "42883", "jsonb"),
            ("SELECT {T}_empty() + '{}'::json", "42883", "jsonb"),
            ("SELECT {T}_add({T}_empty(), '{}'::json)", "42883", "jsonb"),
            ("SELECT {T}_agg('(1,2)'::point, {P})", "42883", "Cast"),
            ("SELECT {T}_agg('a b'::tsvector)", "42883", "Cast"),
            ("SELECT {T}_agg(ARRAY['{}'::json])", "42883", "jsonb"),
            ("SELECT {T}_agg(ROW(1, '(1,2)'::point))", "42883", "Cast"),
            ("SELECT {T}_agg(ROW(1, ARRAY[ROW('{}'::json)]))", "42883", "jsonb"),
            ("SELECT {T}_agg(c || p) FROM two_collations", "42P22", "COLLATE"),
            ("SELECT {T}_empty() + (c || p) FROM two_collations", "42P22", "COLLATE"),
            ("SELECT {T}_agg(1, 2, 3, 4)", "42883", ""),
        ],
    );
}

fn null_adds_nothing_and_everything_else_of_null_is_null(kind: &Kind) {
    let mut db = Db::new();
    for condition in [
        "{T}_add({T}_agg(1), NULL::int) = {T}_agg(1)",
        "{T}_agg(1) + NULL::text = {T}_agg(1)",
        "{T}_add(NULL, 1) IS NULL AND (NULL::{T} + 1) IS NULL",
        "{T}_merge({T}_agg(1), NULL) = {T}_agg(1) AND NULL || {T}_agg(1) = {T}_agg(1)",
        "{T}_merge(NULL, NULL) IS NULL",
        "{COUNT}(NULL) IS NULL AND {COUNT}(NULL::{T}) IS NULL",
        "{T}_info(NULL) IS NULL AND {T}_size(NULL) IS NULL AND {T}_empty(NULL) IS NULL",
        "(NULL::{T} = {T}_empty()) IS NULL AND (NULL::{T} <> {T}_empty()) IS NULL",
        "NULL::bytea::{T} IS NULL AND NULL::{T}::bytea IS NULL AND NULL::{T}::text IS NULL",
        "_{T}_hash(NULL) IS NULL AND _{T}_hash_extended(NULL, 1) IS NULL",
        "_{T}_hash_extended({T}_empty(), NULL) IS NULL",
    ] {
        db.holds(&kind.sql(condition));
    }
    for (s, v) in [("NULL::{T}", "1"), ("{T}_agg(1)", "NULL::int")] {
        let sql = format!("(SELECT {{HOLDS}} FROM (SELECT {s} AS s) s, (SELECT {v} AS v) v)");
        let holds: Option<bool> = db.one(&kind.sql(&format!("SELECT {sql}")));
        // Adding nothing leaves the sketch as it is; nothing else can be said of nothing.
        assert_eq!(holds, (!kind.has_look_ups() && v == "NULL::int").then_some(true));
    }
}

fn functions_behind_aggregates_and_types_may_be_called_by_anybody(kind: &Kind) {
    let mut db = Db::new();
    for condition in [
        "_{T}_agg_trans(NULL::{T}, 1) = {T}_agg(1)",
        "_{T}_agg_trans(NULL::{T}, NULL::int) = {T}_empty()",
        "_{T}_agg_trans(NULL::{T}, 1, {P}) = {T}_agg(1, {P})",
        "_{T}_agg_trans({T}_agg(1, {P}), 2) = {T}_empty({P}) + 1 + 2",
        "_{T}_agg_trans({T}_agg(1, {P}), NULL::int, {P}) = {T}_agg(1, {P})",
        "_{T}_agg_final(NULL) = {T}_empty() AND _{T}_agg_final({T}_agg(1)) = {T}_agg(1)",
        "_{T}_send({T}_agg(1)) = {T}_agg(1)::bytea",
        "_{T}_out({T}_agg(1))::text = {T}_agg(1)::text",
        "_{T}_hash({T}_empty()) IS NOT NULL AND _{T}_hash_extended({T}_empty(), 1) IS NOT NULL",
    ] {
        db.holds(&kind.sql(condition));
    }
    // A type with modifiers takes an element type, which is none, and a modifier.
    let is_modified: bool =
        db.one(&kind.sql("SELECT pronargs = 3 FROM pg_proc WHERE proname = '_{T}_in'"));
    let reads = if is_modified { ", 0, -1" } else { "" };
    db.holds(&kind.sql(&format!("_{{T}}_in(_{{T}}_out({{T}}_agg(1)){reads}) = {{T}}_agg(1)")));
    db.holds(&kind.sql(&format!("_{{T}}_in(NULL{reads}) IS NULL")));
    let bad = kind.bad_params[0];
    for sql in [
        &format!("SELECT _{{T}}_agg_trans(NULL::{{T}}, 1, {bad})"),
        "SELECT _{T}_agg_trans({T}_agg(1), 'a'::text)",
        "SELECT _{T}_agg_trans({T}_agg(1, {P}), NULL::int, {LOW})",
        &format!("SELECT _{{T}}_recv(NULL{reads}), _{{T}}_recv(''{reads})"),
        "SELECT {T}_merge({T}_agg(1), {T}_agg('a'::text))",
    ] {
        let sql = kind.sql(sql);
        let error = db.error(&sql);
        let (code, message) = (error.code().code(), error.message());
        assert!(code != "XX000" && code.len() == 5, "{sql}: {code} {message}");
    }
    db.holds("true");
}
