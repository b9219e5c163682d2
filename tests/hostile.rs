//! Damaged and invented bytes through every door: refused with an error of the user's kind, or
//! taken as a valid sketch that everything works on. Nothing else.

use std::io::Write;

use postgres::types::ToSql;

use crate::corruption::{Random, corrupt, registers, tokens, working};
use crate::db::{Db, db_error};
use crate::memory;

const CORRUPTIONS: usize = 10_000;
const BATCH: usize = 100;

/// What is true of every sketch.
const TRUE_OF_ALL: [&str; 24] = [
    "s = s AND NOT s <> s",
    "s::bytea::hll = s",
    "s::text::hll = s",
    "hll_send(s) = s::bytea",
    "s || s = s",
    "hll_merge(s, NULL) = s AND hll_merge(NULL, s) = s",
    "s || hll_empty((hll_info(s)).precision) = s",
    "hll_add(s, NULL::bigint) = s",
    "hll_cardinality(s) >= 0",
    "# s = hll_cardinality(s)",
    "approx_count_distinct_final(s) = hll_cardinality(s)",
    "hll_agg_final(s) = s",
    "(SELECT 0 <= b.lower AND b.lower <= b.estimate AND b.estimate <= b.upper
        AND b.estimate = # s FROM hll_bounds(s) b)",
    "(SELECT b.lower <= b.upper FROM hll_bounds(s, 0.999999) b)",
    "(SELECT i.form IN ('empty', 'sparse', 'dense') AND i.fill BETWEEN 0 AND 1
        AND i.bytes = length(s::bytea) AND (i.form = 'empty') = (i.value_class IS NULL)
        AND i.standard_error >= 0 AND i.precision BETWEEN 4 AND 18 FROM hll_info(s) i)",
    "hll_reduce(s, (hll_info(s)).precision) = s",
    "hll_reduce(s, 4) || hll_reduce(s || s, 4) = hll_reduce(s, 4)",
    "s::hll(4) = hll_reduce(s, 4)",
    "hll_hash(s) = hll_hash(s::bytea::hll)",
    "(SELECT count(*) FROM (SELECT v FROM (VALUES (s), (s)) t (v) GROUP BY v) g) = 1",
    "(SELECT hll_merge_agg(v) FROM (VALUES (NULL), (s), (s)) t (v)) = s",
    "(SELECT bool_and(m = s) FROM (SELECT hll_merge_agg(v) OVER (ORDER BY n) AS m
        FROM (VALUES (1, s), (2, s)) t (n, v)) w)",
    "(SELECT approx_count_distinct(v) FROM (VALUES (s), (s)) t (v)) = 1",
    "# hll_agg(ARRAY[s, NULL]) = 1",
];

/// What works on every sketch of the right class and precision, and else says that it does not.
const MAY_MISMATCH: [&str; 6] = [
    "(s || good) || s = good || s",
    "hll_merge(good, s) = hll_merge(s, good)",
    "# (s + 1::bigint) >= 1",
    "# hll_add(s, 'x') >= 1",
    "hll_agg_trans(s, 5) = s + 5",
    "(SELECT hll_merge_agg(v) FROM (VALUES (s), (good), (s)) t (v)) = good || s",
];

/// The functions that try one value by two doors and then use what came in.
fn functions() -> String {
    let mut body = String::new();
    for (conditions, allowed) in
        [(&TRUE_OF_ALL[..], "false"), (&MAY_MISMATCH, "SQLSTATE = '22000'")]
    {
        for condition in conditions {
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
    format!(
        "CREATE FUNCTION use_sketch(s hll, good hll) RETURNS text[] LANGUAGE plpgsql AS $body$
        DECLARE bad text[] := '{{}}';
        BEGIN {body} RETURN bad; END $body$;

        CREATE FUNCTION enter(b bytea, OUT taken hll, OUT bad text[]) LANGUAGE plpgsql AS $body$
        DECLARE by_text hll;
        BEGIN
            BEGIN taken := b::hll;
            EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE <> '22P03' THEN
                    bad := bad || (SQLSTATE || ' ' || SQLERRM || ': bytea');
                END IF;
            END;
            BEGIN by_text := ('\\x' || encode(b, 'hex'))::hll;
            EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE <> '22P02' THEN
                    bad := bad || (SQLSTATE || ' ' || SQLERRM || ': text');
                END IF;
            END;
            IF taken IS DISTINCT FROM by_text THEN bad := bad || 'the doors differ'::text; END IF;
        END $body$;"
    )
}

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

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().take(80).map(|byte| format!("{byte:02x}")).collect();
    format!("{digits} ({} bytes)", bytes.len())
}

#[test]
fn damaged_bytes_are_refused_or_make_a_valid_sketch() {
    let mut db = Db::with(&functions());
    db.run("CREATE TABLE taken (n int, s hll)");
    let started: String = db.one("SELECT pg_postmaster_start_time()::text");
    // A crash of any backend would end every session.
    let mut witness = db.another_session();

    let mut random = Random::new(0x5ca1_ab1e_0ddb_a115);
    let originals = originals(&mut db, &mut random);
    let mut inputs = originals.clone();
    while inputs.len() < CORRUPTIONS {
        let original = &originals[random.below(originals.len())];
        inputs.push(corrupt(original, &mut random));
    }

    let warm = "SELECT use_sketch(hll_agg(i), hll_agg(i)) FROM generate_series(1, 9000) i";
    assert_eq!(db.one::<Vec<String>>(warm), Vec::<String>::new());
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
            wrong.extend(bad.into_iter().map(|bad| format!("{bad}: {}", hex(bytes))));
        }
    }
    let stored: i64 = db.one("SELECT count(*) FROM taken");
    assert_eq!(stored, taken as i64);
    let used = db.rows(
        "SELECT bad, s::text FROM taken, LATERAL (SELECT use_sketch(s, good) AS bad
            FROM (SELECT hll_agg(i) FROM generate_series(1, 20) i
                UNION ALL SELECT hll_agg(i, 9) FROM generate_series(1, 5000) i) g (good)) u
        WHERE bad <> '{}'",
    );
    wrong.extend(used.iter().map(|row| row.chars().take(300).collect()));
    let count = wrong.len();
    // One of each kind.
    wrong.sort();
    wrong.dedup_by_key(|message| message.chars().take(24).collect::<String>());
    assert!(wrong.is_empty(), "{count} wrong, such as {wrong:#?}");
    // Both outcomes must be common, or the test tests little.
    assert!((CORRUPTIONS / 20..CORRUPTIONS * 9 / 10).contains(&taken), "{taken} taken");

    db.run("SET work_mem = '64kB'");
    db.holds("(SELECT count(*) FROM (SELECT s FROM taken GROUP BY s) g) > 100");
    db.run("CREATE INDEX ON taken USING hash (s)");

    let grown = memory::peak(&mut db) - before;
    assert!(grown < 100 << 20, "{} MB", grown >> 20);
    witness.holds("true");
    assert_eq!(db.one::<String>("SELECT pg_postmaster_start_time()::text"), started);
}

#[test]
fn lengths_that_lie_allocate_nothing() {
    let mut db = Db::new();
    db.holds("true");
    let before = memory::peak(&mut db);
    for precision in ["04", "0d", "12"] {
        for body in ["fcffffffff", "fcffffff7f", "fc00000100", "fb00ff", "fdffffffffffffffff"] {
            for form in ["1101", "2101", "3101"] {
                let digits = format!("68{form}{precision}{body}");
                db.fails(&format!("SELECT '\\x{digits}'::hll"), "22P02");
                db.fails(&format!("SELECT '\\x{digits}'::bytea::hll"), "22P03");
            }
        }
    }
    assert!(memory::peak(&mut db) - before < 5 << 20);
}

#[test]
fn long_garbage_is_refused() {
    let mut db = Db::new();
    db.fails("SELECT ('\\x6821010d00' || repeat('00', 20000000))::hll", "22P02");
    db.fails("SELECT ('\\x6831010d00000000' || repeat('zz', 20000000))::hll", "22P02");
    db.fails("SELECT decode('6811010d01' || repeat('ff', 20000000), 'hex')::hll", "22P03");
}
