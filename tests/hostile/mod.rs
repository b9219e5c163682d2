//! Damaged and invented bytes through every door: refused with an error of the user's kind, or
//! taken as a valid sketch that everything works on. Nothing else.
//!
//! The bytes of each type are a [`Subject`]; what is so of every type stands here.

use std::io::Write;

use postgres::types::ToSql;

use rand::SeedableRng;
use rand::seq::IndexedRandom;

use self::corruption::{Random, corrupt, shown};
use crate::db::{Db, db_error};
use crate::kinds::{Kind, for_every_type};
use crate::memory::{self, MB};

pub mod bloom;
pub mod cms;
mod corruption;
pub mod cuckoo;
pub mod hll;

for_every_type! {
    damaged_bytes_are_refused_or_make_a_valid_sketch,
    lengths_that_lie_allocate_nothing,
    long_garbage_is_refused,
}

/// How many inputs are tried with each type; the variable SKETCH_CORRUPTIONS asks for more.
fn corruptions() -> usize {
    match std::env::var("SKETCH_CORRUPTIONS") {
        Ok(count) => count.parse().expect("SKETCH_CORRUPTIONS is a number"),
        Err(_) => 10_000,
    }
}

const BATCH: usize = 100;

/// What is tried with a type. In conditions `s` is any sketch that a door took, and `good` one that
/// the type's own aggregate made.
pub struct Subject {
    /// The SQLSTATEs by which a condition of [`Subject::may_mismatch`] may fail.
    refusals: &'static str,
    /// What is true of every sketch of the type, beside [`TRUE_OF_ALL`].
    true_of_all: &'static [&'static str],
    /// What works on every sketch of the right class and parameters, and else says that it does
    /// not, beside [`MAY_MISMATCH`].
    may_mismatch: &'static [&'static str],
    /// A query for the good sketches.
    good: &'static str,
    /// Sketches of every form to start from, and some that lie.
    originals: fn(&mut Db, &mut Random) -> Vec<Vec<u8>>,
    /// The digits of sketches of a few bytes that claim many.
    lying_lengths: fn() -> Vec<String>,
    /// Expressions that are millions of bytes of nothing, and their SQLSTATE.
    long_garbage: &'static [(&'static str, &'static str)],
}

/// What is true of every sketch of a type `{T}`.
const TRUE_OF_ALL: [&str; 10] = [
    "s = s AND NOT s <> s",
    "s::bytea::{T} = s",
    "s::text::{T} = s",
    "_{T}_send(s) = s::bytea",
    "{T}_merge(s, NULL) = s AND {T}_merge(NULL, s) = s",
    "{T}_add(s, NULL::bigint) = s",
    "_{T}_agg_final(s) = s",
    "_{T}_hash(s) = _{T}_hash(s::bytea::{T})",
    "(SELECT count(*) FROM (SELECT v FROM (VALUES (s), (s)) t (v) GROUP BY v) g) = 1",
    "(SELECT {T}_merge_agg(v) FROM (VALUES (NULL), (s)) t (v)) = s",
];

/// What is true of every sketch of a set.
const TRUE_OF_SETS: [&str; 3] = [
    "s || s = s",
    "(SELECT {T}_merge_agg(v) FROM (VALUES (NULL), (s), (s)) t (v)) = s",
    "(SELECT bool_and(m = s) FROM (SELECT {T}_merge_agg(v) OVER (ORDER BY n) AS m
        FROM (VALUES (1, s), (2, s)) t (n, v)) w)",
];

/// What works on every sketch of the right class and parameters, and else says that it does not.
const MAY_MISMATCH: [&str; 2] =
    ["(s || good) || good = good || (s || good)", "{T}_merge(good, s) = {T}_merge(s, good)"];

/// What works on every such sketch of a set.
const MAY_MISMATCH_OF_SETS: [&str; 2] = [
    "(s || good) || s = good || s",
    "(SELECT {T}_merge_agg(v) FROM (VALUES (s), (good), (s)) t (v)) = good || s",
];

/// The functions that try one value by two doors and then use what came in.
fn functions(kind: &Kind) -> String {
    let subject = kind.hostile;
    let mut body = String::new();
    let refused = format!("SQLSTATE IN ({})", subject.refusals);
    let of_sets: [&[&str]; 2] =
        if kind.is_set { [&TRUE_OF_SETS, &MAY_MISMATCH_OF_SETS] } else { [&[], &[]] };
    for (all, of_sets, own, allowed) in [
        (&TRUE_OF_ALL[..], of_sets[0], subject.true_of_all, "false"),
        (&MAY_MISMATCH, of_sets[1], subject.may_mismatch, &refused),
    ] {
        for condition in all.iter().chain(of_sets).chain(own) {
            let quoted = condition.replace('\'', "''");
            body += &format!(
                "BEGIN
                    IF ({condition}) IS NOT TRUE THEN bad := bad || '{quoted}'::text; END IF;
                EXCEPTION WHEN OTHERS THEN
                    IF NOT ({allowed}) THEN
                        bad := bad || (SQLSTATE || ' ' || SQLERRM || ': {quoted}');
                    END IF;
                END;\n"
            );
        }
    }
    let functions = format!(
        "CREATE FUNCTION use_sketch(s {{T}}, good {{T}}) RETURNS text[] LANGUAGE plpgsql AS $body$
        DECLARE bad text[] := '{{}}';
        BEGIN {body} RETURN bad; END $body$;

        CREATE FUNCTION enter(b bytea, OUT taken {{T}}, OUT bad text[]) LANGUAGE plpgsql AS $body$
        DECLARE by_text {{T}};
        BEGIN
            BEGIN taken := b::{{T}};
            EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE <> '22P03' THEN
                    bad := bad || (SQLSTATE || ' ' || SQLERRM || ': bytea');
                END IF;
            END;
            BEGIN by_text := ('\\x' || encode(b, 'hex'))::{{T}};
            EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE <> '22P02' THEN
                    bad := bad || (SQLSTATE || ' ' || SQLERRM || ': text');
                END IF;
            END;
            IF taken IS DISTINCT FROM by_text THEN bad := bad || 'the doors differ'::text; END IF;
        END $body$;"
    );
    kind.sql(&functions)
}

/// Sends bytes as the one field of a row in a binary copy; whether they were taken.
fn copy(db: &mut Db, n: usize, bytes: &[u8]) -> Result<bool, String> {
    let sql = "COPY taken (n, s) FROM STDIN BINARY";
    let mut message = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x04".to_vec();
    message.extend((n as i32).to_be_bytes());
    message.extend((bytes.len() as i32).to_be_bytes());
    message.extend(bytes);
    message.extend((-1i16).to_be_bytes());
    let mut writer = db.client.copy_in(sql).expect(sql);
    writer.write_all(&message).expect(sql);
    let Err(error) = writer.finish() else { return Ok(true) };
    let error = db_error(&error, sql);
    match error.code().code() {
        "22P03" => Ok(false),
        code => Err(format!("{code} {}: binary copy", error.message())),
    }
}

fn damaged_bytes_are_refused_or_make_a_valid_sketch(kind: &Kind) {
    let mut db = Db::with(&functions(kind));
    let (name, subject, good) = (kind.name, kind.hostile, kind.hostile.good);
    db.run(&format!("CREATE TABLE taken (n int, s {name})"));
    let started: String = db.one("SELECT pg_postmaster_start_time()::text");
    // A crash of any backend would end every session.
    let mut witness = db.another_session();

    let mut random = Random::seed_from_u64(0x5ca1_ab1e_0ddb_a115);
    let mut originals = (subject.originals)(&mut db, &mut random);
    originals.push(state_of(&originals[0]));
    let mut inputs = originals.clone();
    let corruptions = corruptions();
    while inputs.len() < corruptions {
        let original = originals.choose(&mut random).expect("originals");
        inputs.push(corrupt(original, &mut random));
    }

    let warm =
        format!("SELECT use_sketch({name}_agg(i), {name}_agg(i)) FROM generate_series(1, 9000) i");
    assert_eq!(db.one::<Vec<String>>(&warm), Vec::<String>::new());
    let before = memory::peak(&mut db);
    let mut wrong = Vec::new();
    let mut taken = 0;
    let enter = "SELECT b, (e).taken IS NOT NULL, (e).bad
        FROM (SELECT b, enter(b) AS e FROM unnest($1::bytea[]) WITH ORDINALITY u (b, o)
            ORDER BY o OFFSET 0) t";
    for (batch, chunk) in inputs.chunks(BATCH).enumerate() {
        let rows = db.client.query(enter, &[&chunk as &(dyn ToSql + Sync)]).expect(enter);
        for (at, (row, bytes)) in rows.iter().zip(chunk).enumerate() {
            assert_eq!(row.get::<_, Vec<u8>>(0), *bytes);
            let (by_cast, bad): (bool, Option<Vec<String>>) = (row.get(1), row.get(2));
            let mut bad = bad.unwrap_or_default();
            match copy(&mut db, batch * BATCH + at, bytes) {
                Ok(by_copy) if by_copy == by_cast => {}
                Ok(by_copy) => bad.push(format!("taken by cast {by_cast}, by copy {by_copy}")),
                Err(message) => bad.push(message),
            }
            taken += usize::from(by_cast);
            wrong.extend(bad.into_iter().map(|bad| format!("{bad}: {}", shown(bytes))));
        }
    }
    let stored: i64 = db.one("SELECT count(*) FROM taken");
    assert_eq!(stored, taken as i64);
    let used = db.rows(&format!(
        "SELECT bad, s::text FROM taken,
            LATERAL (SELECT use_sketch(s, good) AS bad FROM ({good}) g (good)) u
        WHERE bad <> '{{}}'"
    ));
    wrong.extend(used.iter().map(|row| row.chars().take(300).collect()));
    let count = wrong.len();
    // One of each kind.
    wrong.sort();
    wrong.dedup_by_key(|message| message.chars().take(24).collect::<String>());
    assert!(wrong.is_empty(), "{count} wrong, such as {wrong:#?}");
    // Both outcomes must be common, or the test tests little.
    assert!((corruptions / 20..corruptions * 9 / 10).contains(&taken), "{taken} taken");

    db.run("SET work_mem = '64kB'");
    db.holds("(SELECT count(*) FROM (SELECT s FROM taken GROUP BY s) g) > 100");
    db.run("CREATE INDEX ON taken USING hash (s)");

    let grown = memory::peak(&mut db) - before;
    assert!(grown < 100 * MB, "{} MB", grown / MB);
    witness.holds("true");
    assert_eq!(db.one::<String>("SELECT pg_postmaster_start_time()::text"), started);
}

/// An empty state as an aggregate of the type may have it, which is no sketch at rest.
fn state_of(sketch: &[u8]) -> Vec<u8> {
    let mut state = [&sketch[..1], &[0x31, 0]].concat();
    state.resize(60, 0);
    state
}

fn lengths_that_lie_allocate_nothing(kind: &Kind) {
    let mut db = Db::new();
    let name = kind.name;
    db.fails(&format!("SELECT '\\x00'::{name}"), "22P02");
    let before = memory::peak(&mut db);
    for digits in (kind.hostile.lying_lengths)() {
        db.fails(&format!("SELECT '\\x{digits}'::{name}"), "22P02");
        db.fails(&format!("SELECT '\\x{digits}'::bytea::{name}"), "22P03");
    }
    assert!(memory::peak(&mut db) - before < 5 * MB);
}

fn long_garbage_is_refused(kind: &Kind) {
    let mut db = Db::new();
    for (garbage, state) in kind.hostile.long_garbage {
        db.fails(&format!("SELECT {garbage}"), state);
    }
}
