//! What Citus needs of the extension, on one server: partial states that travel as sketches, and
//! the overloads of `pg_sketch_citus`. The values of every type are tested with them in
//! [`values`](crate::values).

use crate::db::Db;
use crate::kinds::{KINDS, Kind, for_every_type};

for_every_type! {
    partial_states_survive_their_output_and_input,
    overloads_count_as_the_aggregates_that_they_stand_for,
}

/// The two halves of each aggregate of values, as Citus has them: `partial` returns the state as it
/// is, whatever its form, and `final` combines what was read back.
const HALVES: &str = "
    CREATE SCHEMA partial;
    CREATE SCHEMA final;
    DO $$
    DECLARE
        part record;
    BEGIN
        FOR part IN
            SELECT proname, pg_get_function_identity_arguments(a.aggfnoid) AS args,
                aggtransfn::regproc AS trans, aggcombinefn::regproc AS combine,
                aggfinalfn::regproc AS final, aggtranstype::regtype AS state
            FROM pg_aggregate a JOIN pg_proc p ON p.oid = aggfnoid
            WHERE aggcombinefn <> 0 AND 'anycompatible'::regtype = ANY (proargtypes)
                AND pronamespace = 'public'::regnamespace
        LOOP
            EXECUTE format('CREATE AGGREGATE partial.%I(%s) (SFUNC = %s, STYPE = %s)',
                part.proname, part.args, part.trans, part.state);
            EXECUTE format(
                'CREATE OR REPLACE AGGREGATE final.%1$I(%2$s)
                    (SFUNC = %3$s, STYPE = %2$s, FINALFUNC = %4$s)',
                part.proname, part.state, part.combine, part.final);
        END LOOP;
    END $$;
    CREATE TABLE r AS SELECT i % 7 AS shard, i % 5000 AS v, 'user ' || i % 3000 AS t
        FROM generate_series(1, 20000) i;";

fn partial_states_survive_their_output_and_input(kind: &Kind) {
    let mut db = Db::with(HALVES);
    let whole = ["{T}_agg(v, {P})", "{T}_agg(t, {P})", "{T}_agg(v % 20, {LOW})"];
    for call in whole.map(|call| kind.sql(call)) {
        for travel in ["s::text::{T}", "s::bytea::{T}"].map(|travel| kind.sql(travel)) {
            let parts = kind.sql(&format!(
                "SELECT final.{{T}}_agg({travel}) AS s
                FROM (SELECT partial.{call} AS s FROM r GROUP BY shard) parts"
            ));
            let whole = format!("SELECT {call} AS s FROM r");
            // A union of cuckoo filters knows that it is one, so it equals only what is merged too.
            if kind.is_canonical {
                db.same_rows(&parts, &whole);
            }
            let count = kind.sql("SELECT {COUNT}(s) FROM");
            db.same_rows(&format!("{count} ({parts}) p"), &format!("{count} ({whole}) w"));
        }
    }
}

#[test]
fn a_shard_without_rows_adds_nothing() {
    let mut db = Db::with(HALVES);
    for kind in KINDS {
        db.holds(&kind.sql(
            "SELECT final.{T}_agg(s) = {T}_empty({P}) + 1::bigint
            FROM (VALUES ((SELECT partial.{T}_agg(v, {P}) FROM r WHERE false)),
                ((SELECT partial.{T}_agg(1::bigint, {P})))) parts (s)",
        ));
        db.holds(&kind.sql("SELECT final.{T}_agg(NULL::{T}) = {T}_empty()"));
    }
}

fn overloads_count_as_the_aggregates_that_they_stand_for(kind: &Kind) {
    const QUERIES: [&str; 6] = [
        "SELECT {T}_agg(v), {T}_agg(v, {P}), {T}_agg(v % 40, {LOW}) FROM r",
        "SELECT g, {T}_agg(v), {T}_agg(t) FROM r GROUP BY g",
        "SELECT {T}_agg('a'), {T}_agg(NULL), {T}_agg(1), {T}_agg(1.5), {T}_agg((1, 2))",
        "SELECT {T}_agg(v) OVER (ORDER BY v ROWS 3 PRECEDING) FROM r WHERE v < 50",
        "SELECT {T}_agg(a), {T}_agg(ARRAY[t]), {T}_agg(row(v, t)) FROM r",
        "SELECT {T}_agg(v, {P}) FROM r WHERE false",
    ];
    let mut db = Db::with(
        "CREATE TABLE r AS SELECT i % 2500 AS v, i % 5 AS g, 'user ' || i % 3000 AS t,
                '{1}'::int[] AS a
            FROM generate_series(1, 10000) i;
        ALTER TABLE r SET (parallel_workers = 4);
        ANALYZE r;",
    );
    let before: Vec<_> = QUERIES.iter().map(|query| kind.rows(&mut db, &kind.sql(query))).collect();
    db.run("CREATE EXTENSION pg_sketch_citus");
    for parallel in [false, true] {
        if parallel {
            db.parallel();
        }
        for (query, before) in QUERIES.iter().zip(&before) {
            let after = kind.rows(&mut db, &kind.sql(query));
            assert!(&after == before, "{query}");
        }
    }
    db.runs_in_parts(&kind.sql("SELECT {T}_agg(v) FROM r"));
}

#[test]
fn the_type_that_is_counted_is_that_of_the_overload() {
    let mut db = Db::with("CREATE EXTENSION pg_sketch_citus");
    for ty in [
        "boolean",
        "smallint",
        "integer",
        "bigint",
        "numeric",
        "double precision",
        "text",
        "character varying",
        "bytea",
        "uuid",
        "inet",
        "date",
        "timestamp without time zone",
        "timestamp with time zone",
    ] {
        for aggregate in ["hll_agg", "approx_count_distinct", "bloom_agg", "cuckoo_agg", "cms_agg"]
        {
            db.holds(&format!("'{aggregate}({ty})'::regprocedure IS NOT NULL"));
        }
        // The plan shows which is called.
        db.run(&format!("CREATE TEMP VIEW v AS SELECT hll_agg(NULL::{ty}) AS s"));
        db.holds(&format!(
            "SELECT refobjid = 'hll_agg({ty})'::regprocedure FROM pg_depend
            WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_proc'::regclass
                AND objid = (SELECT oid FROM pg_rewrite WHERE ev_class = 'v'::regclass)"
        ));
        db.run("DROP VIEW v");
    }
}

#[test]
fn every_aggregate_of_values_has_its_overloads() {
    let mut db = Db::with("CREATE EXTENSION pg_sketch_citus");
    db.none(
        "SELECT a.oid::regprocedure, type
        FROM pg_proc a, unnest(ARRAY['bigint', 'text', 'uuid', 'real']::regtype[]) type
        WHERE a.prokind = 'a' AND 'anycompatible'::regtype = ANY (a.proargtypes) AND NOT EXISTS (
            SELECT FROM pg_proc o WHERE o.proname = a.proname AND o.prokind = 'a'
                AND obj_description(o.oid, 'pg_proc') = obj_description(a.oid, 'pg_proc')
                AND array_replace(a.proargtypes::oid[], 'anycompatible'::regtype::oid, type::oid)
                    = o.proargtypes::oid[])",
    );
    // A sketch is counted too.
    db.holds("approx_count_distinct(hll_empty() + 1) = 1");
    db.fails("SELECT hll_agg(hll_empty() + 1)", "42804");
    db.run("DROP EXTENSION pg_sketch_citus");
    db.holds(
        "SELECT count(*) = 0 FROM pg_proc
        WHERE proname = 'hll_agg' AND proargtypes[0] = 'text'::regtype",
    );
}

#[test]
fn an_implicit_cast_changes_no_value() {
    let mut db = Db::with(
        "CREATE TYPE point_name AS (x integer);
        CREATE FUNCTION name_of(point_name) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT ''all''';
        CREATE CAST (point_name AS text) WITH FUNCTION name_of(point_name) AS IMPLICIT;
        CREATE DOMAIN word AS text;
        CREATE TYPE mood AS ENUM ('sad', 'glad');
        CREATE TABLE t AS SELECT row(i)::point_name AS p, ('w' || i)::word AS w,
            (ARRAY['sad', 'glad'])[i]::mood AS m, i::real / 3 AS r,
                i::text::char(5) AS c, i::oid AS o
        FROM generate_series(1, 2) i",
    );
    let has_citext = db.has_extension("citext");
    db.run("CREATE EXTENSION pg_sketch_citus");
    db.holds("SELECT approx_count_distinct(p) = 2 FROM t");
    for column in ["p", "w", "m", "r", "c", "o"] {
        db.holds(&format!(
            "SELECT hll_agg({column}) = hll_merge_agg(hll_empty() + {column}) FROM t"
        ));
    }
    if has_citext {
        db.holds("SELECT approx_count_distinct(v) = 1 FROM (VALUES ('x'::citext), ('X')) t (v)");
    }
}

#[test]
fn a_parameter_without_a_type_is_text() {
    let mut db = Db::with("CREATE EXTENSION pg_sketch_citus");
    let row = db.client.query_one("SELECT hll_agg($1) = hll_empty() + 'x'::text", &[&"x"]);
    assert!(row.expect("a row").get::<_, bool>(0));
}

#[test]
fn whoever_may_create_pg_sketch_may_create_the_overloads() {
    let mut db = Db::without_extension();
    let name = db.name.clone();
    db.run(&format!(
        "CREATE ROLE {name}_owner; GRANT CREATE ON DATABASE {name} TO {name}_owner;
        CREATE SCHEMA AUTHORIZATION {name}_owner; SET ROLE {name}_owner;
        SET search_path = {name}_owner;
        CREATE EXTENSION pg_sketch; CREATE SCHEMA other;
        CREATE EXTENSION pg_sketch_citus SCHEMA other"
    ));
    db.holds(&format!(
        "SELECT {name}_owner.approx_count_distinct(i) = 9 FROM generate_series(1, 9) i"
    ));
    db.holds("SELECT other.approx_count_distinct(i) = 9 FROM generate_series(1, 9) i");
    db.run(&format!(
        "DROP EXTENSION pg_sketch CASCADE; RESET ROLE;
        DROP OWNED BY {name}_owner; DROP ROLE {name}_owner"
    ));
}
