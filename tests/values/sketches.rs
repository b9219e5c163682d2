//! A sketch is no value of a sketch: whoever counts a column of sketches means what they hold.

use crate::db::Db;

/// The sketch types, and those of them to which values can be added.
fn types(db: &mut Db) -> (Vec<String>, Vec<String>) {
    let types: Vec<String> = db.one(
        "SELECT array_agg(typname::text) FROM pg_type t JOIN pg_depend d ON d.objid = t.oid
            JOIN pg_extension e ON d.refobjid = e.oid
        WHERE d.classid = 'pg_type'::regclass AND d.deptype = 'e' AND e.extname = 'pg_sketch'
            AND t.typelem = 0 AND t.typtype = 'b'",
    );
    let adding: Vec<String> = db.one(
        "SELECT array_agg(oprleft::regtype::text) FROM pg_operator
        WHERE oprname = '+' AND oprright = 'anycompatible'::regtype",
    );
    assert!(types.len() >= 4 && adding.len() >= 4, "{types:?} {adding:?}");
    (types, adding)
}

/// Fails unless a statement is refused with a hint at merging sketches of a type.
#[track_caller]
fn is_refused(db: &mut Db, sql: &str, ty: &str) {
    let error = db.fails(sql, "42804");
    let hint = error.hint().unwrap_or_default();
    assert!(error.message().contains(&format!("a sketch of type {ty} ")), "{}", error.message());
    assert!(hint.contains(&format!("{ty}_merge_agg")) && hint.contains("bytea"), "{hint}");
}

#[test]
fn sketches_are_refused_as_values() {
    let mut db = Db::new();
    let (types, adding) = types(&mut db);
    for ty in &types {
        db.run(&format!(
            "CREATE DOMAIN my_{ty} AS {ty};
            CREATE DOMAIN my_{ty}s AS my_{ty}[];
            CREATE TYPE {ty}_pair AS (a int, b {ty});
            CREATE DOMAIN my_{ty}_pair AS {ty}_pair;
            CREATE FUNCTION {ty}_order({ty}, {ty}) RETURNS int LANGUAGE sql IMMUTABLE
                AS 'SELECT byteacmp($1::bytea, $2::bytea)';
            CREATE OPERATOR CLASS {ty}_order FOR TYPE {ty} USING btree
                AS FUNCTION 1 {ty}_order({ty}, {ty});
            CREATE TYPE {ty}_range AS RANGE (subtype = {ty}, subtype_opclass = {ty}_order);
            CREATE TABLE {ty}_table AS SELECT 1 AS day, {ty}_empty() AS sketch;"
        ));
        for value in [
            "{T}_empty()",
            "{T}_empty()::my_{T}",
            "ARRAY[{T}_empty()]",
            "'{}'::{T}[]",
            "ARRAY[{T}_empty()]::my_{T}s",
            "'{}'::my_{T}s",
            "ROW({T}_empty())",
            "ROW(1, ROW('a'::text, ARRAY[{T}_empty()]))",
            "(1, {T}_empty())::{T}_pair",
            "(1, NULL)::{T}_pair",
            "(1, {T}_empty())::my_{T}_pair",
            "{T}_range({T}_empty(), NULL)",
            "'{}'::{T}_multirange",
            "(SELECT t FROM {T}_table t)",
            "(SELECT sketch FROM {T}_table)",
        ] {
            let value = value.replace("{T}", ty);
            for to in &adding {
                is_refused(&mut db, &format!("SELECT {to}_empty() + {value}"), ty);
                is_refused(&mut db, &format!("SELECT {to}_agg(v) FROM (SELECT {value}) t (v)"), ty);
            }
            for ask in ["cms_empty() -> ", "bloom_empty() @> ", "cuckoo_empty() @> "] {
                is_refused(&mut db, &format!("SELECT {ask} {value}"), ty);
            }
        }
        db.holds(&format!("hll_cardinality(hll_empty() + {ty}_empty()::bytea) = 1"));
    }
    // Taking out what another filter holds is no look-up of a value.
    db.holds("cuckoo_count(cuckoo_agg(1) - cuckoo_agg(1)) = 0");
    is_refused(&mut db, "SELECT cuckoo_empty() - hll_empty()", "hll");
}

#[test]
fn sketches_are_known_wherever_the_extension_is() {
    let mut db = Db::without_extension();
    db.run(
        "CREATE SCHEMA \"Here\"; CREATE SCHEMA there;
        CREATE EXTENSION pg_sketch SCHEMA \"Here\";
        SET search_path = \"Here\", there, public",
    );
    is_refused(&mut db, "SELECT hll_empty() + cms_empty()", "cms");
    db.run("ALTER EXTENSION pg_sketch SET SCHEMA there");
    is_refused(&mut db, "SELECT hll_empty() + cms_empty()", "cms");
    db.run("ALTER TYPE cms RENAME TO counts");
    is_refused(&mut db, "SELECT hll_empty() + cms_empty()", "counts");
}

/// A type that somebody makes of the functions of this library.
#[test]
fn sketches_are_known_by_any_name() {
    let mut db = Db::with("CREATE TYPE mine");
    db.run(
        "DO $$ BEGIN
            EXECUTE format('CREATE FUNCTION mine_in(cstring) RETURNS mine
                AS ''pg_sketch'', %L LANGUAGE C STRICT', prosrc)
            FROM pg_proc WHERE oid = (SELECT typinput FROM pg_type WHERE oid = 'hll'::regtype);
            EXECUTE format('CREATE FUNCTION mine_out(mine) RETURNS cstring
                AS ''$libdir/pg_sketch.so'', %L LANGUAGE C STRICT', prosrc)
            FROM pg_proc WHERE oid = (SELECT typoutput FROM pg_type WHERE oid = 'hll'::regtype);
        END $$;
        CREATE TYPE mine (INPUT = mine_in, OUTPUT = mine_out)",
    );
    is_refused(&mut db, "SELECT hll_empty() + hll_empty()::text::mine", "mine");
}

#[test]
fn types_of_others_are_not_taken_for_sketches() {
    let mut db = Db::with(
        "CREATE SCHEMA other;
        CREATE TYPE other.hll;
        CREATE FUNCTION other.hll_in(cstring) RETURNS other.hll
            AS 'textin' LANGUAGE internal STRICT IMMUTABLE;
        CREATE FUNCTION other.hll_out(other.hll) RETURNS cstring
            AS 'textout' LANGUAGE internal STRICT IMMUTABLE;
        CREATE TYPE other.hll (INPUT = other.hll_in, OUTPUT = other.hll_out, LIKE = text);
        CREATE DOMAIN other.cms AS bytea;
        CREATE TYPE other.bloom AS ENUM ('daisy')",
    );
    let error = db.fails("SELECT hll_empty() + 'a'::other.hll", "42883");
    assert!(error.message().contains("type other.hll"), "{}", error.message());
    db.holds("hll_empty() + '\\x01'::other.cms = hll_empty() + '\\x01'::bytea");
    db.holds("hll_empty() + 'daisy'::other.bloom = hll_empty() + 'daisy'");
    db.run("DROP SCHEMA other CASCADE; CREATE SCHEMA other");
    // The extension of that name has a type of that name, and a library with functions of the same
    // names.
    if db.one("SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'hll')") {
        db.run("CREATE EXTENSION hll SCHEMA other");
        db.fails("SELECT hll_empty() + other.hll_empty()", "42883");
        is_refused(&mut db, "SELECT hll_empty() + hll_empty()", "hll");
    } else {
        eprintln!("skipped: the server has no extension hll");
    }
}
