//! Types and values that are nested without end: an error, and not the end of the server.

use crate::db::Db;

/// Hashing a value works, or fails for want of stack; with little stack it must fail.
#[track_caller]
fn hashes_or_fails(db: &mut Db, value: &str) {
    let sql = format!("SELECT hll_empty() + {value}");
    if let Err(error) = db.client.batch_execute(&sql) {
        assert_eq!(error.code().map(|code| code.code()), Some("54001"), "{value}: {error}");
    }
    db.run("SET max_stack_depth = '100kB'");
    db.fails(&sql, "54001");
    db.run("RESET max_stack_depth");
    db.holds("hll_cardinality(hll_empty() + 1) = 1");
}

/// Makes types one upon the other. One transaction has no locks for all.
fn make_types(db: &mut Db, levels: usize, create: &str) {
    db.run(&format!(
        "DO $$ BEGIN
            FOR level IN 1..{levels} LOOP
                EXECUTE format('{create}', level, level - 1);
                IF level % 200 = 0 THEN COMMIT; END IF;
            END LOOP;
        END $$"
    ));
}

#[test]
fn arrays_of_arrays_by_way_of_domains() {
    let mut db = Db::with("CREATE DOMAIN d0 AS int");
    make_types(&mut db, 7000, "CREATE DOMAIN d%s AS d%s[]");
    hashes_or_fails(&mut db, "'{}'::d7000");
    hashes_or_fails(&mut db, "ROW(1, '{}'::d7000)");
    db.holds("hll_cardinality(hll_empty() + '{}'::d100) = 1");
}

#[test]
fn domains_over_domains() {
    let mut db = Db::with("CREATE DOMAIN d0 AS int");
    make_types(&mut db, 7000, "CREATE DOMAIN d%s AS d%s");
    db.holds("hll_empty() + 1::d7000 = hll_empty() + 1");
}

#[test]
fn ranges_over_ranges() {
    let mut db = Db::with("CREATE TYPE r0 AS RANGE (subtype = int)");
    make_types(
        &mut db,
        1000,
        "CREATE TYPE r%s AS RANGE (subtype = r%s, multirange_type_name = m%1$s)",
    );
    hashes_or_fails(&mut db, "'empty'::r1000");
    hashes_or_fails(&mut db, "'{}'::m1000");
    db.holds("hll_cardinality(hll_empty() + 'empty'::r50) = 1");
}

/// Here it is the value that is nested; its type says nothing.
#[test]
fn rows_in_rows() {
    let mut db = Db::with(
        "CREATE FUNCTION nested(levels int) RETURNS record LANGUAGE plpgsql AS $$
        DECLARE
            r record := ROW(1);
        BEGIN
            FOR level IN 1..levels LOOP
                r := ROW(r);
            END LOOP;
            RETURN r;
        END $$",
    );
    hashes_or_fails(&mut db, "nested(5000)");
    hashes_or_fails(&mut db, "ARRAY[nested(5000)]");
    db.holds("hll_cardinality(hll_empty() + nested(50)) = 1");
    db.holds("hll_empty() + nested(50) <> hll_empty() + nested(51)");
}

/// The server walks a document without recursion.
#[test]
fn documents_in_documents() {
    let mut db = Db::new();
    db.holds("hll_cardinality(hll_empty() + (repeat('[', 3000) || repeat(']', 3000))::jsonb) = 1");
}
