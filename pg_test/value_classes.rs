//! Values that reach the functions in unusual ways, and types whose equality is not that of their
//! bytes.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;
    use sketch::hash::Value;

    use super::super::one;
    use crate::datum::Args;
    use crate::value::Site;

    /// `encodings_agree(value)`: whether the encoding of a value, written out, has the value's hash.
    #[unsafe(no_mangle)]
    #[pg_guard]
    unsafe extern "C-unwind" fn encodings_agree(fcinfo: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
        // SAFETY: the server calls with a valid call.
        let args = unsafe { Args::new(fcinfo) };
        let (mut site, mut encoding) = (Site::default(), Vec::new());
        let value = site.read(&args, 0).unwrap().unwrap();
        site.input(&args, 0).unwrap().unwrap().encode(&mut encoding).unwrap();
        (Value::of_encoding(value.class(), &encoding) == value).into()
    }

    #[unsafe(no_mangle)]
    extern "C" fn pg_finfo_encodings_agree() -> *const pg_sys::Pg_finfo_record {
        static V1: pg_sys::Pg_finfo_record = pg_sys::Pg_finfo_record { api_version: 1 };
        &V1
    }

    /// The sketch of one value by a function that the server calls without an expression, as Citus
    /// calls the transition function of an aggregate.
    fn added_without_an_expression(function: &str, value: pg_sys::Datum) -> Vec<u8> {
        let oid =
            |function: &str| one::<pg_sys::Oid>(&format!("SELECT '{function}'::regprocedure::oid"));
        let (empty, add, send) = (oid("hll_empty(integer)"), oid(function), oid("_hll_send(hll)"));
        // Such a caller may not know it.
        let collation = pg_sys::Oid::INVALID;
        // SAFETY: the functions take these arguments, and the last one returns a bytea.
        unsafe {
            let sketch = pg_sys::OidFunctionCall1Coll(empty, collation, 12.into_datum().unwrap());
            let sketch = pg_sys::OidFunctionCall2Coll(add, collation, sketch, value);
            let bytes = pg_sys::OidFunctionCall1Coll(send, collation, sketch);
            Vec::from_datum(bytes, false).unwrap()
        }
    }

    #[pg_test]
    fn without_an_expression_the_type_is_what_the_function_declares() {
        Spi::run(
            "CREATE DOMAIN small AS integer;
             CREATE FUNCTION declared(hll, bigint) RETURNS hll
                 AS '$libdir/pg_sketch', 'hll_add' LANGUAGE C;
             CREATE FUNCTION declared(hll, small) RETURNS hll
                 AS '$libdir/pg_sketch', 'hll_add' LANGUAGE C;
             CREATE FUNCTION declared(hll, text) RETURNS hll
                 AS '$libdir/pg_sketch', 'hll_add' LANGUAGE C;
             CREATE FUNCTION declared(hll, integer[]) RETURNS hll
                 AS '$libdir/pg_sketch', 'hll_add' LANGUAGE C",
        )
        .unwrap();
        let of = |value: &str| one::<Vec<u8>>(&format!("SELECT (hll_empty() + {value})::bytea"));
        // One after the other, and the first again: what is kept of one is not taken for another's.
        for _ in 0..2 {
            let value = 7i64.into_datum().unwrap();
            assert_eq!(added_without_an_expression("declared(hll, bigint)", value), of("7"));
            let value = 7i32.into_datum().unwrap();
            assert_eq!(added_without_an_expression("declared(hll, small)", value), of("7"));
            let value = "7".into_datum().unwrap();
            assert_eq!(added_without_an_expression("declared(hll, text)", value), of("'7'::text"));
            let value = vec![7i32].into_datum().unwrap();
            let array = added_without_an_expression("declared(hll, integer[])", value);
            assert_eq!(array, of("ARRAY[7]"));
        }
    }

    #[pg_test(error = "could not determine the type of the value")]
    fn without_an_expression_a_polymorphic_function_does_not_know_the_type() {
        added_without_an_expression("hll_add(hll, anycompatible)", 7i64.into_datum().unwrap());
    }

    #[pg_test]
    fn an_encoding_written_out_has_the_hash_of_its_value() {
        Spi::run(
            "CREATE FUNCTION encodings_agree(anyelement) RETURNS boolean
                 AS '$libdir/pg_sketch' LANGUAGE C STRICT;
             CREATE TYPE mood AS ENUM ('glad')",
        )
        .unwrap();
        make_caseless_type();
        for value in [
            "1",
            "7::smallint",
            "'1.50'::numeric",
            "1e1000::numeric",
            "'NaN'::numeric",
            "'x'::text",
            "repeat('x', 100000)",
            "'x  '::char(5)",
            "'x'::name",
            "'x'::\"char\"",
            "'glad'::mood",
            "'\\x00'::bytea",
            "true",
            "B'101'",
            "'10.0.0.1'::inet",
            "'08:00:2b:01:02:03'::macaddr",
            "'12:00+01'::timetz",
            "'1 month'::interval",
            "'{\"a\": [1, null, \"b\", true]}'::jsonb",
            "ARRAY[[1, NULL], [3, 4]]",
            "ARRAY['a', NULL, repeat('b', 1000)]",
            "ROW(1, 'a'::text, NULL::int, ARRAY[1.5])",
            "'[1,5)'::int4range",
            "'empty'::numrange",
            "'{[1,2),[3,4)}'::int4multirange",
            "'a'::caseless",
            "'(0,1)'::tid",
        ] {
            assert!(one::<bool>(&format!("SELECT encodings_agree({value})")), "{value}");
        }
    }

    /// A type like citext: text without regard to case, that the server passes as text where a
    /// function takes text, without a word in the query.
    fn make_caseless_type() {
        Spi::run(
            "CREATE TYPE caseless;
             CREATE FUNCTION caseless_in(cstring) RETURNS caseless
                 AS 'textin' LANGUAGE internal IMMUTABLE STRICT;
             CREATE FUNCTION caseless_out(caseless) RETURNS cstring
                 AS 'textout' LANGUAGE internal IMMUTABLE STRICT;
             CREATE TYPE caseless (
                 INPUT = caseless_in, OUTPUT = caseless_out, LIKE = text, CATEGORY = 'S',
                 COLLATABLE = true
             );
             CREATE CAST (caseless AS text) WITHOUT FUNCTION AS IMPLICIT;
             CREATE FUNCTION caseless_eq(caseless, caseless) RETURNS boolean
                 LANGUAGE sql IMMUTABLE STRICT AS 'SELECT lower($1::text) = lower($2::text)';
             CREATE OPERATOR = (LEFTARG = caseless, RIGHTARG = caseless, FUNCTION = caseless_eq);
             CREATE FUNCTION caseless_hash(caseless) RETURNS integer
                 LANGUAGE sql IMMUTABLE STRICT AS 'SELECT hashtext(lower($1::text))';
             CREATE OPERATOR CLASS caseless_ops DEFAULT FOR TYPE caseless USING hash AS
                 OPERATOR 1 =, FUNCTION 1 caseless_hash(caseless);
             -- Without this the server would take the equality of text.
             CREATE FUNCTION caseless_cmp(caseless, caseless) RETURNS integer LANGUAGE sql
                 IMMUTABLE STRICT AS 'SELECT bttextcmp(lower($1::text), lower($2::text))';
             CREATE OPERATOR CLASS caseless_ops DEFAULT FOR TYPE caseless USING btree AS
                 OPERATOR 3 =, FUNCTION 1 caseless_cmp(caseless, caseless);
             CREATE TEMP TABLE words (word caseless);
             INSERT INTO words VALUES ('One'), ('one'), ('ONE'), ('two')",
        )
        .unwrap();
    }

    #[pg_test]
    fn a_type_of_an_extension_counts_by_its_own_equality() {
        make_caseless_type();
        assert_eq!(one::<i64>("SELECT approx_count_distinct(word) FROM words"), 2);
        assert_eq!(one::<i64>("SELECT approx_count_distinct(ARRAY[word]) FROM words"), 2);
        assert_eq!(one::<i64>("SELECT approx_count_distinct(words) FROM words"), 2);
        let class: String = one("SELECT (hll_info(hll_agg(word))).value_class FROM words");
        assert_eq!(class, "other");
    }

    #[pg_test]
    fn a_type_that_turns_into_text_unseen_is_still_itself() {
        make_caseless_type();
        for call in ["hll_add(hll_empty(), word)", "hll_empty() + word"] {
            let differ: i64 = one(&format!(
                "SELECT count(*) FROM (
                    SELECT {call} AS added, hll_agg(word) AS built FROM words GROUP BY ctid, word
                ) AS sketches WHERE added <> built"
            ));
            assert_eq!(differ, 0, "{call}");
        }
        // What a query casts in so many words is text.
        let class: String =
            one("SELECT (hll_info(hll_empty() + word::text)).value_class FROM words LIMIT 1");
        assert_eq!(class, "text");
    }

    /// Strings that a collation calls equal count once, in arrays and rows too.
    #[pg_test]
    fn a_collation_that_ignores_case() {
        // From PostgreSQL 16 on the collation "unicode" is there also in a server without ICU.
        if one::<bool>(
            "SELECT count(*) = 0 FROM pg_collation
             WHERE collprovider = 'i' AND collname <> 'unicode'",
        ) {
            return;
        }
        Spi::run(
            "CREATE COLLATION caseless (
                 provider = icu, locale = 'und-u-ks-level2', deterministic = false
             );
             CREATE TEMP TABLE words (word text COLLATE caseless, plain text);
             INSERT INTO words VALUES ('One', 'One'), ('one', 'one'), ('ONE', 'ONE'), ('two', 'two')",
        )
        .unwrap();
        for (value, count, class) in [
            ("word", 2, "collated text"),
            ("plain", 4, "text"),
            ("plain COLLATE caseless", 2, "collated text"),
            ("word COLLATE \"C\"", 4, "text"),
            ("ARRAY[word]", 2, "array"),
            ("ROW(word)", 2, "record"),
        ] {
            let query = format!("SELECT approx_count_distinct({value}) FROM words");
            assert_eq!(one::<i64>(&query), count, "{value}");
            let query = format!("SELECT (hll_info(hll_agg({value}))).value_class FROM words");
            assert_eq!(one::<String>(&query), class, "{value}");
        }
        let same: bool = one("SELECT hll_empty() + 'One'::text COLLATE caseless
            = hll_empty() + 'ONE'::text COLLATE caseless");
        assert!(same, "a constant has the collation of its call");
    }

    /// PL/pgSQL keeps arrays and rows in an expanded form, which no table holds.
    #[pg_test]
    fn expanded_arrays_and_rows() {
        Spi::run(
            "DO $$
             DECLARE
                 a int[];
                 r record;
                 c pg_class;
             BEGIN
                 FOR i IN 1..200 LOOP
                     a[i] := i;
                 END LOOP;
                 ASSERT hll_empty() + a = hll_empty() + a::text::int[], 'an array';
                 SELECT oid, relname, relacl INTO r FROM pg_class WHERE relname = 'pg_class';
                 ASSERT hll_empty() + r = (
                     SELECT hll_agg(x) FROM (
                         SELECT oid, relname, relacl FROM pg_class WHERE relname = 'pg_class') AS x
                 ), 'a record';
                 SELECT * INTO c FROM pg_class WHERE relname = 'pg_class';
                 c.relpages := 7;
                 ASSERT hll_empty() + c = hll_empty() + c::text::pg_class, 'a changed row';
             END $$",
        )
        .unwrap();
    }

    /// Columns of type anyarray hold arrays of any type, of which some are arrays of arrays.
    #[pg_test]
    fn arrays_of_every_type_in_one_column() {
        Spi::run("ANALYZE pg_proc; ANALYZE pg_class; ANALYZE pg_type").unwrap();
        let (about, exact) = Spi::get_two::<i64, i64>(
            "SELECT approx_count_distinct(histogram_bounds), count(DISTINCT histogram_bounds::text)
             FROM pg_stats WHERE histogram_bounds IS NOT NULL",
        )
        .unwrap();
        // Arrays of different types may have equal text.
        assert!(about.unwrap() > 10 && about >= exact, "{about:?} {exact:?}");
    }

    /// Rows of several types meet in a column of type record.
    #[pg_test]
    fn rows_of_many_types_in_one_column() {
        let rows: Vec<String> = (0..20)
            .map(|n| format!("SELECT ROW({})", vec!["n"; n + 1].join(", ")))
            .map(|select| format!("{select} FROM generate_series(1, 5) AS n"))
            .collect();
        let query = format!(
            "SELECT approx_count_distinct(r) FROM ({0} UNION ALL {0}) AS rows (r)",
            rows.join(" UNION ALL ")
        );
        assert_eq!(one::<i64>(&query), 100);
    }

    /// A value is hashed alike however it is stored.
    #[pg_test]
    fn compressed_and_out_of_line_values() {
        Spi::run(
            "CREATE TEMP TABLE long (how text, v text);
             ALTER TABLE long ALTER v SET STORAGE EXTENDED;
             INSERT INTO long SELECT 'compressed', repeat('abc', 10000);
             ALTER TABLE long ALTER v SET STORAGE EXTERNAL;
             INSERT INTO long SELECT 'out of line', repeat('abc', 10000)",
        )
        .unwrap();
        let sizes: i64 = one("SELECT count(DISTINCT pg_column_size(v)) FROM long");
        assert_eq!(sizes, 2, "one value is to be compressed");
        for value in ["v", "v::bytea", "ARRAY[v]", "ROW(v)", "to_jsonb(v)", "v::varchar"] {
            let same: bool = one(&format!(
                "SELECT approx_count_distinct({value}) = 1
                    AND hll_agg({value}) = (
                        SELECT hll_agg({value}) FROM (SELECT repeat('abc', 10000) AS v) AS plain)
                 FROM long"
            ));
            assert!(same, "{value}");
        }
    }
}
