//! Values of every type of the catalog: those of one class have one hash where SQL calls them
//! equal, and nowhere else.

use std::collections::BTreeSet;

use crate::db::Db;

/// Odd values of each type that sketches take, as literals.
const VALUES: &[(&str, &[&str])] = &[
    ("int2", &["0", "1", "-1", "32767", "-32768"]),
    ("int4", &["0", "1", "-1", "32767", "2147483647", "-2147483648"]),
    ("int8", &["0", "1", "-1", "4294967295", "9223372036854775807", "-9223372036854775808"]),
    ("oid", &["0", "1", "2147483648", "4294967295"]),
    (
        "numeric",
        &[
            "0",
            "-0.00",
            "1",
            "1.000",
            "-1",
            "0.1",
            "0.10",
            "1e-40",
            "4294967295",
            "9223372036854775807.0",
            "9223372036854775808",
            "18446744073709551615",
            "-9223372036854775808",
            "-9223372036854775809",
            "123456789012345678901234567890123456789012345678901234567890123456789012345.6",
            "123456789012345678901234567890123456789012345678901234567890123456789012345.60",
            "NaN",
            "Infinity",
            "-Infinity",
        ],
    ),
    ("xid", &["0", "1", "4294967295"]),
    ("cid", &["0", "1", "4294967295"]),
    ("xid8", &["0", "1", "4294967295", "9223372036854775808", "18446744073709551615"]),
    ("regproc", &["0", "1", "4294967295", "pg_backend_pid"]),
    ("regprocedure", &["0", "4294967295", "pg_backend_pid()"]),
    ("regoper", &["0", "4294967295", "|/"]),
    ("regoperator", &["0", "4294967295", "!~~*(text,text)"]),
    ("regclass", &["0", "1", "4294967295", "pg_class"]),
    ("regcollation", &["0", "4294967295", "\"C\""]),
    ("regtype", &["0", "1", "4294967295", "int4"]),
    ("regrole", &["0", "4294967295", "postgres"]),
    ("regnamespace", &["0", "4294967295", "pg_catalog"]),
    ("regconfig", &["0", "4294967295", "simple"]),
    ("regdictionary", &["0", "4294967295", "simple"]),
    ("float4", &["0", "-0", "1", "0.1", "NaN", "Infinity", "-Infinity", "1e-45"]),
    ("float8", &["0", "-0", "1", "0.1", "NaN", "Infinity", "-Infinity", "5e-324"]),
    ("text", &["", " ", "a", "A", "a ", "\u{e9}", "e\u{301}", "\\377", "\\", "0", "ab"]),
    ("varchar", &["", " ", "a", "A", "a ", "\u{e9}", "e\u{301}"]),
    ("bpchar", &["", " ", "a", "A", "a ", "\u{e9}", "e\u{301} "]),
    ("name", &["", " ", "a", "A", "a ", "\u{e9}", "e\u{301}"]),
    ("char", &["", " ", "a", "A", "0"]),
    ("bytea", &["", "\\x00", "\\x0000", "\\x61", "\\x6120"]),
    ("uuid", &["00000000-0000-0000-0000-000000000000", "{FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF}"]),
    ("bool", &["true", "false"]),
    ("bit", &["", "0", "00", "1", "10", "100000000", "10000000"]),
    ("varbit", &["", "0", "00", "1", "10", "100000000", "10000000"]),
    ("macaddr", &["08:00:2b:01:02:03", "00:00:00:00:00:00"]),
    ("macaddr8", &["08:00:2b:01:02:03", "08:00:2b:ff:fe:01:02:03", "08:00:2b:00:00:01:02:03"]),
    ("inet", &["10.0.0.0", "10.0.0.0/8", "10.0.0.1/8", "::", "::ffff:10.0.0.0", "::/0"]),
    ("cidr", &["10.0.0.0", "10.0.0.0/8", "10.0.0.0/32", "::/128", "::/0"]),
    ("money", &["0", "-1", "1", "92233720368547758.07"]),
    ("pg_lsn", &["0/0", "0/1", "FFFFFFFF/FFFFFFFF"]),
    ("date", &["2000-01-01", "1999-12-31", "infinity", "-infinity", "4714-11-24 BC"]),
    ("time", &["00:00", "24:00", "23:59:59.999999"]),
    ("timetz", &["00:00+00", "24:00+00", "12:00+00", "13:00+01", "12:00+15:59:59"]),
    ("timestamp", &["2000-01-01", "1999-12-31 23:59:59.999999", "infinity", "-infinity"]),
    ("timestamptz", &["2000-01-01 00:00+00", "2000-01-01 01:00+01", "infinity", "-infinity"]),
    ("interval", &["0", "1 month", "30 days", "720:00", "-1 month", "1 month -30 days", "1 year"]),
    (
        "jsonb",
        &[
            "null",
            "\"null\"",
            "1",
            "1.0",
            "\"1\"",
            "[]",
            "{}",
            "[1]",
            "[[1]]",
            "[[]]",
            "[{}]",
            "{\"a\": {}}",
            "{\"a\": 1, \"b\": 2}",
            "{\"b\": 2.00, \"a\": 1}",
            "{\"a\": 2, \"b\": 1}",
            "true",
            "\"a\"",
            "\"a \"",
            "1e-40",
            "0",
            "-0.0",
        ],
    ),
    ("int2vector", &["", "0", "1 2", "2 1", "-1"]),
    ("oidvector", &["", "0", "1 2", "2 1", "4294967295"]),
    ("tid", &["(0,0)", "(0,1)", "(1,0)", "(4294967295,65535)"]),
    (
        "aclitem",
        &["pg_monitor=r/postgres", "pg_monitor=r*/postgres", "=r/pg_monitor", "=/postgres"],
    ),
    ("int4range", &["empty", "[1,5)", "(0,4]", "[1,)", "(,1)", "(,)", "[1,1)"]),
    ("int8range", &["empty", "[1,5)", "(0,4]", "[1,)", "(,1)", "(,)"]),
    ("numrange", &["empty", "[1,5)", "[1.0,5.00)", "[1,5]", "(1,5)", "[1,)", "(,)", "[NaN,)"]),
    ("tsrange", &["empty", "[2000-01-01,)", "(2000-01-01,)", "[2000-01-01,infinity)", "(,)"]),
    ("tstzrange", &["empty", "[2000-01-01 00:00+00,)", "[2000-01-01 01:00+01,)", "(,)"]),
    ("daterange", &["empty", "[2000-01-01,)", "(1999-12-31,)", "[2000-01-01,infinity)", "(,)"]),
    ("int4multirange", &["{}", "{[1,3)}", "{[1,2),[2,3)}", "{[1,2),[3,4)}", "{(,)}"]),
    ("int8multirange", &["{}", "{[1,3)}", "{[1,2),[2,3)}", "{[1,2),[3,4)}", "{(,)}"]),
    ("nummultirange", &["{}", "{[1,3)}", "{[1.0,2),[2,3.0)}", "{[1,2),[3,4)}", "{(,)}"]),
    ("tsmultirange", &["{}", "{[2000-01-01,)}", "{(2000-01-01,)}", "{(,)}"]),
    ("tstzmultirange", &["{}", "{[2000-01-01 00:00+00,)}", "{[2000-01-01 01:00+01,)}", "{(,)}"]),
    ("datemultirange", &["{}", "{[2000-01-01,)}", "{(1999-12-31,)}", "{(,)}"]),
];

/// Values that no literal gives.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("char", "127::\"char\""),
    ("char", "(-1)::\"char\""),
    ("char", "(-128)::\"char\""),
    // The server's own hash of these is a sum, which is the same for all.
    ("aclitem", "makeaclitem(100, 200, 'SELECT', false)"),
    ("aclitem", "makeaclitem(200, 100, 'SELECT', false)"),
    ("aclitem", "makeaclitem(101, 199, 'SELECT', false)"),
    ("aclitem", "makeaclitem(100, 198, 'UPDATE', false)"),
    ("pg_node_tree", "(SELECT ev_action FROM pg_rewrite WHERE ev_class = 'pg_views'::regclass)"),
    ("pg_node_tree", "(SELECT ev_action FROM pg_rewrite WHERE ev_class = 'pg_rules'::regclass)"),
    ("pg_ndistinct", "(SELECT stxdndistinct FROM pg_statistic_ext_data)"),
    ("pg_dependencies", "(SELECT stxddependencies FROM pg_statistic_ext_data)"),
    ("pg_mcv_list", "(SELECT stxdmcv FROM pg_statistic_ext_data)"),
    ("mood", "'glad'::mood"),
    ("mood", "'sad'::mood"),
    ("mood", "'glad'::mood::text::mood"),
];

/// The types that sketches do not take, with a value where one can be had.
const REFUSED: &[(&str, &str)] = &[
    ("json", "'{}'"),
    // A server without libxml has no value of it.
    ("xml", ""),
    ("point", "'(1,2)'"),
    ("lseg", "'(1,2),(3,4)'"),
    ("path", "'(1,2),(3,4)'"),
    ("box", "'(1,2),(3,4)'"),
    ("polygon", "'(1,2),(3,4)'"),
    ("line", "'{1,2,3}'"),
    ("circle", "'<(1,2),3>'"),
    ("refcursor", "'a'"),
    ("tsvector", "'a'"),
    ("tsquery", "'a'"),
    ("jsonpath", "'$.a'"),
    ("pg_snapshot", "'1:2:'"),
    ("txid_snapshot", "'1:2:'"),
    ("gtsvector", ""),
    ("pg_brin_bloom_summary", ""),
    ("pg_brin_minmax_multi_summary", ""),
];

/// Types whose numbers have 32 bits and no sign.
const UNSIGNED: [&str; 15] = [
    "oid",
    "xid",
    "cid",
    "regproc",
    "regprocedure",
    "regoper",
    "regoperator",
    "regclass",
    "regcollation",
    "regtype",
    "regrole",
    "regnamespace",
    "regconfig",
    "regdictionary",
    "xid8",
];

const SETUP: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'glad');
    CREATE TABLE measured AS SELECT n / 10 AS a, n / 10 AS b FROM generate_series(1, 100) n;
    CREATE STATISTICS measured_together ON a, b FROM measured;
    ANALYZE measured;
    CREATE FUNCTION try(question text) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        answer boolean;
    BEGIN
        EXECUTE question INTO answer;
        RETURN answer;
    -- No such operator, several, or a value that the other type cannot have.
    EXCEPTION WHEN undefined_function OR ambiguous_function OR datatype_mismatch
        OR numeric_value_out_of_range
    THEN
        RETURN NULL;
    END $$;";

/// A value to compare with others.
struct Value {
    ty: &'static str,
    sql: String,
    /// A sketch of it, which shows its class and whole hash.
    sketch: Vec<u8>,
}

impl Value {
    fn new(db: &mut Db, ty: &'static str, sql: String) -> Self {
        let sketch = db.one(&format!("SELECT (cms_empty() + {sql})::bytea"));
        Value { ty, sql, sketch }
    }

    fn class(&self) -> u8 {
        self.sketch[2]
    }

    fn is_padded(&self) -> bool {
        ["bpchar", "char(1)", "char(2)", "loose_char"].contains(&self.ty)
    }
}

/// The values above, each as `wrap` puts it, which is told the type and the value.
fn values(db: &mut Db, wrap: impl Fn(&str) -> String) -> Vec<Value> {
    let literals = VALUES.iter().flat_map(|(ty, literals)| {
        literals.iter().map(move |literal| (*ty, format!("'{literal}'::\"{ty}\"")))
    });
    let expressions = EXPRESSIONS.iter().map(|&(ty, sql)| (ty, sql.to_owned()));
    literals.chain(expressions).map(|(ty, sql)| Value::new(db, ty, wrap(&sql))).collect()
}

/// Fails where two of the values are equal and do not meet, or meet and are not equal. Returns how
/// many pairs the server can compare.
#[track_caller]
fn compare_all(db: &mut Db, values: &[Value], may_meet: impl Fn(&Value, &Value) -> bool) -> usize {
    let (mut compared, mut faults) = (0, Vec::new());
    for (at, a) in values.iter().enumerate() {
        for b in values[at..].iter().filter(|b| may_meet(a, b)) {
            let question = format!("SELECT try($q$SELECT {} = {}$q$)", a.sql, b.sql);
            let Some(equal) = db.one::<Option<bool>>(&question) else { continue };
            compared += 1;
            let meet = a.sketch == b.sketch;
            if meet != equal && !(equal && is_no_equality(a, b)) {
                let (are, do_they) =
                    if equal { ("equal", "do not meet") } else { ("not equal", "meet") };
                faults.push(format!("{} and {} are {are} and {do_they}", a.sql, b.sql));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    compared
}

/// Whether the server's `=` of two types is a part of no equality, so that what it says cannot be
/// kept: `values_meet_where_sql_calls_them_equal` shows it.
///
/// The bits of a negative integer are compared with those of a type without a sign; here each
/// number is what it says. Spaces at the end of a varchar do not count beside a char(n), but do
/// beside a text; here they count.
fn is_no_equality(a: &Value, b: &Value) -> bool {
    let is = |a: &Value, b: &Value| {
        UNSIGNED.contains(&a.ty) && b.sql.starts_with("'-")
            || a.is_padded() && b.ty.starts_with("varchar") && b.sql.contains(" '")
    };
    is(a, b) || is(b, a)
}

#[test]
fn the_catalog_has_no_other_types() {
    let mut db = Db::new();
    let known: BTreeSet<&str> = (VALUES.iter().map(|(ty, _)| *ty))
        .chain(EXPRESSIONS.iter().map(|(ty, _)| *ty))
        .chain(REFUSED.iter().map(|(ty, _)| *ty))
        .collect();
    let types: Vec<String> = db.one(
        "SELECT array_agg(typname::text) FROM pg_type
        WHERE typnamespace = 'pg_catalog'::regnamespace
            AND typtype NOT IN ('c', 'p') AND typname NOT LIKE '\\_%'",
    );
    let unknown: Vec<_> = types.iter().filter(|ty| !known.contains(ty.as_str())).collect();
    assert!(unknown.is_empty(), "neither taken nor refused: {unknown:?}");
}

#[test]
fn types_without_a_fixed_equality_are_refused() {
    let mut db = Db::new();
    for (ty, literal) in REFUSED {
        if !literal.is_empty() {
            db.fails(&format!("SELECT hll_empty() + {literal}::{ty}"), "42883");
            db.fails(&format!("SELECT hll_agg(ROW(1, {literal}::{ty}))"), "42883");
        }
        // Arrays are refused by their type.
        if db.one(&format!("SELECT typarray <> 0 FROM pg_type WHERE oid = '{ty}'::regtype")) {
            db.fails(&format!("SELECT bloom_empty() @> '{{}}'::{ty}[]"), "42883");
        }
    }
    db.fails("SELECT hll_empty() + textout('a')", "42883");
    db.fails("SELECT hll_empty() + pg_sleep(0)", "42883");
}

#[test]
fn values_meet_where_sql_calls_them_equal() {
    let mut db = Db::with(SETUP);
    let values = values(&mut db, |sql| sql.to_owned());
    let compared = compare_all(&mut db, &values, |a, b| a.class() == b.class());
    assert!(compared > 2000, "{compared}");
    // Why some are let off.
    db.holds("-1 = 4294967295::oid AND 4294967295::oid = 4294967295 AND -1 <> 4294967295");
    db.holds(
        "'a '::varchar = 'a'::char(1) AND 'a '::varchar = 'a '::text AND 'a'::char(1) <> 'a '::text",
    );
}

/// Beside the overloads a value is what it is to a function without any.
#[test]
fn overloads_take_values_as_they_are() {
    let mut db = Db::with(SETUP);
    db.run("CREATE EXTENSION pg_sketch_citus");
    for Value { sql, .. } in values(&mut db, |sql| sql.to_owned()) {
        db.holds(&format!(
            "SELECT cms_agg({sql}) = cms_empty() + {sql} AND hll_agg({sql}) = hll_empty() + {sql}
                AND bloom_agg({sql}, 9) = bloom_empty(9) + {sql}
                AND cuckoo_agg({sql}, 9) = cuckoo_empty(9) + {sql}
                AND cms_weighted_agg({sql}, 1) = cms_empty() + {sql}"
        ));
    }
}

#[test]
fn rows_and_arrays_meet_where_sql_calls_them_equal() {
    let mut db = Db::with(SETUP);
    // A row of two columns written out would be compared column by column.
    let rows =
        values(&mut db, |sql| format!("(SELECT r FROM (SELECT {sql} AS v, NULL OFFSET 0) r)"));
    let compared = compare_all(&mut db, &rows, |a, b| a.ty == b.ty);
    assert!(compared > 800, "{compared}");
    // Some types of the catalog have no arrays.
    db.run(
        "CREATE FUNCTION array_of(anyelement) RETURNS anyarray LANGUAGE sql AS 'SELECT ARRAY[$1]'",
    );
    let arrays = values(&mut db, |sql| match sql {
        _ if sql.contains("FROM pg_") => "ARRAY[]::int[]".to_owned(),
        _ => format!("ARRAY[{sql}, NULL]"),
    });
    let compared = compare_all(&mut db, &arrays, |a, b| a.ty == b.ty);
    assert!(compared > 800, "{compared}");
}

/// Strings of every type, under a collation that ignores case and accents.
#[test]
fn strings_meet_where_their_collation_calls_them_equal() {
    let mut db = Db::with(SETUP);
    if !db.has_icu() {
        return;
    }
    db.run(
        "CREATE COLLATION loose
            (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
        CREATE TYPE text_range AS RANGE (subtype = text, collation = loose);
        CREATE TYPE bpchar_range AS RANGE (subtype = bpchar, collation = loose);
        CREATE TYPE name_range AS RANGE (subtype = name, collation = loose);
        CREATE DOMAIN loose_char AS char(9) COLLATE loose;",
    );
    let types =
        ["text", "varchar", "varchar(9)", "char(1)", "char(2)", "bpchar", "name", "loose_char"];
    let strings = ["", " ", "a", "A", "\u{e9}", "e\u{301}", "E", "b"];
    type Wrap = fn(&str, &str) -> String;
    let wraps: [(&str, Wrap); 4] = [
        ("itself", |s, ty| format!("'{s}'::{ty} COLLATE loose")),
        ("array", |s, ty| format!("ARRAY['{s}'::{ty} COLLATE loose]")),
        ("row", |s, ty| {
            format!("(SELECT r FROM (SELECT '{s}'::{ty} COLLATE loose AS v OFFSET 0) r)")
        }),
        ("range", |s, ty| match ty {
            "name" => format!("name_range('{s}'::name, NULL)"),
            "bpchar" | "char(1)" | "char(2)" => format!("bpchar_range('{s}'::{ty}, NULL)"),
            _ => format!("text_range('{s}'::{ty}, NULL)"),
        }),
    ];
    for (what, wrap) in wraps {
        let values: Vec<_> = types
            .iter()
            .flat_map(|ty| strings.iter().map(move |s| (*ty, wrap(s, ty))))
            .map(|(ty, sql)| Value::new(&mut db, ty, sql))
            .collect();
        let compared = compare_all(&mut db, &values, |_, _| true);
        assert!(compared > 250, "{what}: {compared}");
    }
}
