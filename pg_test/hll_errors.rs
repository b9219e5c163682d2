//! Errors: what the user reads, and that no bytes whatever give anything else.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::{one, outside};
    use sketch::hash::{self, ValueClass};

    #[pg_test(error = "hll precision 19 is out of range")]
    fn a_precision_out_of_range() {
        Spi::run("SELECT hll_agg(n, 19) FROM generate_series(1, 3) AS n").unwrap();
    }

    #[pg_test(error = "sketches of precision 13 and 11 cannot be merged")]
    fn precisions_that_differ() {
        Spi::run("SELECT hll_agg(1) || hll_agg(1, 11)").unwrap();
    }

    #[pg_test(error = "a value of class text cannot meet a sketch of class number")]
    fn a_value_of_another_class() {
        Spi::run("SELECT hll_agg(1) + 'one'").unwrap();
    }

    #[pg_test(error = "sketches of different value classes cannot be combined: uuid and text")]
    fn sketches_of_other_classes() {
        Spi::run("SELECT hll_agg(gen_random_uuid()) || hll_agg(gen_random_uuid()::text)").unwrap();
    }

    #[pg_test(error = "could not identify an equality operator for type point")]
    fn a_type_without_equality() {
        Spi::run("SELECT approx_count_distinct(point(n, n)) FROM generate_series(1, 3) AS n")
            .unwrap();
    }

    /// The SQLSTATE of a statement that fails.
    fn sqlstate(statement: &str) -> PgSqlErrorCode {
        PgTryBuilder::new(|| {
            Spi::run(statement).unwrap();
            PgSqlErrorCode::ERRCODE_SUCCESSFUL_COMPLETION
        })
        .catch_others(|error| match error {
            pgrx::pg_sys::panic::CaughtError::PostgresError(report)
            | pgrx::pg_sys::panic::CaughtError::ErrorReport(report)
            | pgrx::pg_sys::panic::CaughtError::RustPanic { ereport: report, .. } => {
                report.sql_error_code()
            }
        })
        .execute()
    }

    /// Errors inside an aggregate, where a state is half built.
    #[pg_test]
    fn aggregates_report_the_users_mistakes() {
        use PgSqlErrorCode::*;
        for (statement, expected) in [
            (
                "SELECT hll_agg(n, n) FROM generate_series(3, 9) AS n",
                ERRCODE_INVALID_PARAMETER_VALUE,
            ),
            ("SELECT hll_agg('{}'::json)", ERRCODE_UNDEFINED_FUNCTION),
            (
                "SELECT hll_merge_agg(hll_empty(n) + n) FROM generate_series(4, 9) AS n",
                ERRCODE_DATA_EXCEPTION,
            ),
            (
                "SELECT hll_merge_agg(hll_empty(n) + n) OVER () FROM generate_series(4, 9) AS n",
                ERRCODE_DATA_EXCEPTION,
            ),
            (
                "SELECT hll_bounds(hll_agg(n), n) FROM generate_series(4, 9) AS n GROUP BY n",
                ERRCODE_INVALID_PARAMETER_VALUE,
            ),
        ] {
            assert_eq!(sqlstate(statement), expected, "{statement}");
        }
    }

    /// A sequence of numbers that look random, the same in each run (SplitMix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ z >> 31) % limit as u64) as usize
        }
    }

    /// Sketches of every form at rest, and working states, some with damaged bytes.
    fn damaged(random: &mut Random) -> Vec<u8> {
        let count = [0, 1, 3, 20, 60, 200][random.below(6)];
        let precision = [4, 8, 13][random.below(3)];
        let hashes: Vec<u64> = (0..count).map(hash::number).collect();
        let mut bytes = match random.below(2) {
            0 => outside::build(ValueClass::Number, precision, hashes),
            _ => outside::working(ValueClass::Number, precision, hashes),
        };
        for _ in 0..random.below(4) {
            // The first bytes decide the most.
            let limit = [bytes.len(), bytes.len().min(10)][random.below(2)];
            let at = random.below(limit);
            bytes[at] =
                [random.below(256) as u8, bytes[at] ^ 1 << random.below(8)][random.below(2)];
        }
        match random.below(8) {
            0 => bytes.truncate(random.below(bytes.len() + 1)),
            1 => bytes.push(random.below(3) as u8),
            _ => {}
        }
        bytes
    }

    /// Through every door: a valid sketch that every function takes, or an error of class 22.
    #[pg_test]
    fn no_bytes_break_a_door() {
        Spi::run(
            "CREATE FUNCTION pg_temp.attempt(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
             DECLARE
                 s hll;
             BEGIN
                 BEGIN
                     s := bytes::hll;
                 EXCEPTION WHEN OTHERS THEN
                     IF SQLSTATE <> '22P03' THEN
                         RETURN 'bytea: ' || SQLSTATE || ' ' || SQLERRM;
                     END IF;
                     BEGIN
                         s := bytes::text::hll;
                         RETURN 'text takes what bytea refuses';
                     EXCEPTION WHEN OTHERS THEN
                         IF SQLSTATE <> '22P02' THEN
                             RETURN 'text: ' || SQLSTATE || ' ' || SQLERRM;
                         END IF;
                     END;
                     RETURN 'refused';
                 END;
                 IF s::bytea::hll <> s OR s::text::hll <> s OR s || s <> s OR hll_cardinality(s) < 0
                     OR (hll_info(s)).form = 'working'
                     OR (hll_bounds(s)).lower > hll_cardinality(s) OR (hll_bounds(s)).upper < hll_cardinality(s)
                     OR hll_cardinality(hll_reduce(s, 4)) < 0 OR bytes::text::hll <> s
                     OR octet_length(s::bytea) > 5 + (1 << (hll_info(s)).precision)
                 THEN
                     RETURN 'taken, but not a valid sketch';
                 END IF;
                 RETURN 'taken';
             END $$",
        )
        .unwrap();
        let mut random = Random(1);
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..3000 {
            let bytes = damaged(&mut random);
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            match &*one::<String>(&format!("SELECT pg_temp.attempt('\\x{hex}')")) {
                "taken" => taken += 1,
                "refused" => refused += 1,
                failure => panic!("{failure}: {hex}"),
            }
        }
        assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
    }
}
