//! Types that change while a call site remembers them.

use crate::db::Db;

/// Adds a value of a type to a sketch before and after each change, all in one call site, which
/// PL/pgSQL keeps for the transaction. Fails where a call site made anew gives another sketch.
#[track_caller]
fn follows(setup: &str, ty: &str, value: &str, changes: &[&str]) {
    let mut db = Db::with(setup);
    let changes: String = changes
        .iter()
        .map(|sql| format!("EXECUTE $c${sql}$c$; CONTINUE; END IF;"))
        .enumerate()
        .fold(String::new(), |all, (step, sql)| format!("{all} IF step = {step} THEN {sql}"));
    let body = format!(
        "DO $$
        DECLARE
            v {ty} := {value};
            kept bytea;
            anew bytea;
            sketch bloom;
        BEGIN
            FOR step IN 0..100 LOOP
                kept := (cms_empty() + v)::bytea;
                EXECUTE 'SELECT (cms_empty() + $1)::bytea' INTO anew USING v;
                IF kept <> anew THEN
                    RAISE 'after % changes: % is not %', step, kept, anew;
                END IF;
                sketch := bloom_empty() + v;
                EXECUTE 'SELECT bloom_empty() + $1' INTO sketch USING v;
                IF NOT sketch @> v THEN
                    RAISE 'after % changes: a wrong no', step;
                END IF;
                {changes}
                EXIT;
            END LOOP;
        END $$"
    );
    db.run(&body);
}

const TABLE: &str = "
    CREATE TABLE t (a int, b text, c numeric);
    INSERT INTO t VALUES (1, 'b', 1.5);
    CREATE DOMAIN d AS t;
    CREATE TYPE r AS RANGE (subtype = t);
    CREATE TYPE outer_row AS (x int, t t, ts t[]);";

/// Each changes what a row of the table is; the values before keep their form.
const CHANGES: [&str; 5] = [
    "ALTER TABLE t DROP COLUMN b",
    "ALTER TABLE t ADD COLUMN e int",
    "ALTER TABLE t ADD COLUMN f int DEFAULT 7",
    "ALTER TABLE t DROP COLUMN a",
    "ALTER TABLE t RENAME c TO g",
];

#[test]
fn columns_come_and_go() {
    follows(TABLE, "t", "(1, 'b', 1.5)", &CHANGES);
    follows(TABLE, "record", "(SELECT t FROM t)", &CHANGES);
    follows(TABLE, "d", "(1, 'b', 1.5)::t", &CHANGES);
}

#[test]
fn columns_come_and_go_inside_other_values() {
    follows(TABLE, "t[]", "ARRAY[(1, 'b', 1.5)::t]", &CHANGES);
    follows(TABLE, "d[]", "ARRAY[(1, 'b', 1.5)::t]", &CHANGES);
    follows(TABLE, "record", "ROW(1, (1, 'b', 1.5)::t)", &CHANGES);
    follows(TABLE, "r", "r((1, 'b', 1.5)::t, NULL)", &CHANGES);
    follows(TABLE, "r[]", "ARRAY[r((1, 'b', 1.5)::t, NULL)]", &CHANGES);
    let row = "(1, (1, 'b', 1.5)::t, ARRAY[(2, 'c', 2.5)::t])";
    follows(TABLE, "outer_row", row, &CHANGES);
}

#[test]
fn attributes_come_and_go() {
    let setup = "CREATE TYPE pair AS (a int, b text);
        CREATE TYPE outer_row AS (x int, p pair);";
    let changes = [
        "ALTER TYPE pair ADD ATTRIBUTE c int",
        "ALTER TYPE pair DROP ATTRIBUTE b",
        "ALTER TYPE outer_row ADD ATTRIBUTE y int",
    ];
    follows(setup, "pair", "(1, 'b')", &changes);
    follows(setup, "outer_row", "(1, (1, 'b')::pair)", &changes);
    follows(setup, "outer_row[]", "ARRAY[(1, (1, 'b')::pair)::outer_row]", &changes);
}

/// An enum counts as its label.
#[test]
fn labels_change() {
    let setup = "CREATE TYPE mood AS ENUM ('sad', 'glad');
        CREATE DOMAIN temper AS mood;
        CREATE TYPE moods AS RANGE (subtype = mood);";
    let changes = [
        "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'",
        "ALTER TYPE mood RENAME VALUE 'glad' TO 'sad'",
        "ALTER TYPE mood ADD VALUE 'none'",
        "ALTER TYPE mood RENAME VALUE 'blue' TO 'glad'",
    ];
    follows(setup, "mood", "'sad'", &changes);
    follows(setup, "temper", "'sad'", &changes);
    follows(setup, "mood[]", "'{sad,glad}'", &changes);
    follows(setup, "record", "ROW('sad'::mood)", &changes);
    follows(setup, "moods", "'[sad,glad]'", &changes);
}

/// Labels that another session renames between two statements.
#[test]
fn labels_change_elsewhere() {
    let mut db = Db::with(
        "CREATE TYPE mood AS ENUM ('sad');
        CREATE FUNCTION label_hash(v mood) RETURNS bytea LANGUAGE plpgsql
            AS 'BEGIN RETURN (cms_empty() + v)::bytea; END'",
    );
    db.run("BEGIN");
    let before: Vec<u8> = db.one("SELECT label_hash('sad')");
    let mut other = db.another_session();
    other.run("ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'");
    let after: Vec<u8> = db.one("SELECT label_hash('blue')");
    let blue: Vec<u8> = db.one("SELECT (cms_empty() + 'blue'::text)::bytea");
    assert!(before != after && after == blue);
}

/// A type with equality of its own, whose operator class and name change.
#[test]
fn operator_classes_change() {
    let setup = "
        CREATE TYPE word;
        CREATE FUNCTION word_in(cstring) RETURNS word
            AS 'textin' LANGUAGE internal IMMUTABLE STRICT;
        CREATE FUNCTION word_out(word) RETURNS cstring
            AS 'textout' LANGUAGE internal IMMUTABLE STRICT;
        CREATE TYPE word (INPUT = word_in, OUTPUT = word_out, LIKE = text);
        CREATE CAST (word AS text) WITHOUT FUNCTION;
        CREATE FUNCTION word_eq(word, word) RETURNS boolean
            LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower($1::text) = lower($2::text)';
        CREATE OPERATOR = (LEFTARG = word, RIGHTARG = word, FUNCTION = word_eq);
        CREATE FUNCTION word_hash(word) RETURNS integer
            LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtext(lower($1::text))';
        CREATE FUNCTION word_hash_too(word) RETURNS integer
            LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtext(upper($1::text))';
        CREATE OPERATOR CLASS word_ops DEFAULT FOR TYPE word USING hash
            AS OPERATOR 1 =, FUNCTION 1 word_hash(word);";
    let changes = [
        "DROP OPERATOR CLASS word_ops USING hash;
        CREATE OPERATOR CLASS word_ops DEFAULT FOR TYPE word USING hash
            AS OPERATOR 1 =, FUNCTION 1 word_hash_too(word)",
        "ALTER TYPE word RENAME TO term",
        "CREATE OR REPLACE FUNCTION word_hash_too(term) RETURNS integer
            LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 7'",
    ];
    follows(setup, "word", "'One'", &changes);
    follows(setup, "word[]", "'{One}'", &changes);
}

/// A call site that sees rows of a type, then of another of the same name.
#[test]
fn types_are_made_anew() {
    let mut db = Db::with(
        "CREATE FUNCTION added(sql text) RETURNS bytea LANGUAGE plpgsql AS $$
        DECLARE
            r record;
        BEGIN
            EXECUTE sql INTO r;
            RETURN (cms_empty() + r)::bytea;
        END $$;
        CREATE TYPE pair AS (a int, b text);
        BEGIN",
    );
    db.holds("added('SELECT (1, ''b'')::pair AS p') = (cms_empty() + ROW((1, 'b')::pair))::bytea");
    db.run("DROP TYPE pair; CREATE TYPE pair AS (b text, a int)");
    db.holds("added('SELECT (''b'', 1)::pair AS p') = (cms_empty() + ROW(('b', 1)::pair))::bytea");
    db.run("DROP TYPE pair; CREATE TYPE pair AS ENUM ('b')");
    db.holds("added('SELECT ''b''::pair AS p') = (cms_empty() + ROW('b'::text))::bytea");
}
