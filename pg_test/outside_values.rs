//! Values of every class are hashed outside the database, by the `sketch` crate alone, as inside.

use sketch::hash::{Encoder, ValueClass, scalar};

/// Writes a whole number as a part of another value.
fn number(to: &mut Encoder, value: i64) {
    to.scalar(ValueClass::Number, &value.to_le_bytes());
}

/// The hash of what `write` writes.
fn nested(write: impl FnOnce(&mut Encoder)) -> u64 {
    let mut encoder = Encoder::new();
    write(&mut encoder);
    encoder.finish()
}

/// The digits of a number of ten-thousandths, each of four decimal places.
fn ten_thousandths(value: i64) -> scalar::Numeric {
    let mut digits = Vec::new();
    let mut rest = value.unsigned_abs();
    while rest > 0 {
        digits.push((rest % 10_000) as u16);
        rest /= 10_000;
    }
    digits.reverse();
    scalar::numeric(scalar::Decimal {
        negative: value < 0,
        weight: digits.len() as i32 - 2,
        digits: digits.into_iter(),
    })
}

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;
    use sketch::hash::{self, ValueClass, scalar};
    use sketch::hll::{Hll, Precision};

    use super::super::one;
    use super::super::outside::build;
    use super::{nested, number, ten_thousandths};

    /// Compares `hll_agg` of an expression over `n`, 1 to `count`, with what is built outside.
    #[track_caller]
    fn check(class: ValueClass, count: i64, expression: &str, hash: impl Fn(i64) -> u64) {
        let query =
            format!("SELECT hll_agg({expression})::bytea FROM generate_series(1, {count}) AS n");
        let inside: Vec<u8> = one(&query);
        assert!(
            inside == build::<Hll>(Precision::DEFAULT, class, (1..=count).map(hash)),
            "{expression} differs"
        );
    }

    #[pg_test]
    fn numbers_of_every_width() {
        let numbers: Vec<i64> = (0..64)
            .flat_map(|bit| {
                [1 << bit, (1i64 << bit).wrapping_sub(1), (1i64 << bit).wrapping_neg(), !(1 << bit)]
            })
            .chain([0, i64::MIN, i64::MAX])
            .collect();
        let hashes = numbers.iter().map(|&n| hash::number(n));
        let outside = build::<Hll>(Precision::DEFAULT, ValueClass::Number, hashes);
        for expression in ["n", "n::numeric", "n::numeric * 1.000"] {
            let inside: Option<Vec<u8>> = Spi::get_one_with_args(
                &format!("SELECT hll_agg({expression})::bytea FROM unnest($1) AS n"),
                &[numbers.clone().into()],
            )
            .unwrap();
            assert!(inside.as_ref() == Some(&outside), "{expression}");
        }
    }

    #[pg_test]
    fn numerics() {
        check(ValueClass::Number, 3000, "n * -1234567.8901 + 5", |n| {
            hash::bytes(ten_thousandths(n * -12_345_678_901 + 50_000).as_ref())
        });
    }

    #[pg_test]
    fn floats() {
        check(ValueClass::Float, 1000, "(n - 500) / 8::float8", |n| {
            hash::bytes(&scalar::float((n - 500) as f64 / 8.0))
        });
        check(ValueClass::Float, 1000, "(n - 500) / 8::real", |n| {
            hash::bytes(&scalar::float((n - 500) as f64 / 8.0))
        });
    }

    /// Lengths on either side of each change of method in XXH3.
    #[pg_test]
    fn strings() {
        let string = |n: i64| "0123456789abcdef\u{e9}".repeat(n as usize / 16 + 1);
        let sql = "repeat('0123456789abcdef' || chr(233), n / 16 + 1)";
        check(ValueClass::Text, 2000, sql, |n| hash::bytes(string(n).as_bytes()));
        check(ValueClass::Text, 300, "left(repeat('xyz', 100), n)", |n| {
            hash::bytes(&"xyz".repeat(100).as_bytes()[..n as usize])
        });
        check(ValueClass::Bytea, 1000, "convert_to(repeat('x', n), 'UTF8')", |n| {
            hash::bytes("x".repeat(n as usize).as_bytes())
        });
    }

    #[pg_test]
    fn uuids() {
        let sql = "(lpad(to_hex(n), 8, '0') || '-0000-4000-8000-00000000abcd')::uuid";
        check(ValueClass::Uuid, 3000, sql, |n| {
            let uuid = (n as u128) << 96 | 0x4000_8000_0000_0000_abcd;
            hash::bytes(&uuid.to_be_bytes())
        });
    }

    #[pg_test]
    fn days_and_times() {
        const DAY: i64 = 86_400_000_000;
        let word = |n: i64| hash::bytes(&n.to_le_bytes());
        check(ValueClass::Date, 1000, "'1999-01-01'::date + n::int", |n| word(n - 365));
        check(ValueClass::Time, 1000, "'00:00'::time + n * interval '1 us'", word);
        let sql = "'2000-01-01'::timestamp + n * interval '1 day 1 us'";
        check(ValueClass::Timestamp, 1000, sql, |n| word(n * (DAY + 1)));
        let sql = "'2000-01-01 00:00+00'::timestamptz - n * interval '1 s'";
        check(ValueClass::Timestamptz, 1000, sql, |n| word(n * -1_000_000));
        let sql = "make_interval(months => n::int % 7 - 3, days => n::int % 50, secs => n)";
        check(ValueClass::Interval, 1000, sql, |n| {
            let (months, days) = ((n % 7 - 3) as i32, (n % 50) as i32);
            hash::bytes(&scalar::interval(months, days, n * 1_000_000))
        });
    }

    #[pg_test]
    fn arrays() {
        let sql = "ARRAY[n, NULL, n + 1]";
        check(ValueClass::Array, 1000, sql, |n| {
            nested(|to| {
                to.count(1);
                to.i32(3);
                to.i32(1);
                number(to, n);
                to.null();
                number(to, n + 1);
            })
        });
        // Elements of every length, so that they lie at every distance from an aligned place.
        let sql = "ARRAY[[repeat('a', n::int % 9), 'b'], [repeat('c', n::int), '']]";
        check(ValueClass::Array, 1000, sql, |n| {
            nested(|to| {
                to.count(2);
                [2, 1, 2, 1].into_iter().for_each(|shape| to.i32(shape));
                to.scalar(ValueClass::Text, "a".repeat(n as usize % 9).as_bytes());
                to.scalar(ValueClass::Text, b"b");
                to.scalar(ValueClass::Text, "c".repeat(n as usize).as_bytes());
                to.scalar(ValueClass::Text, b"");
            })
        });
        let sql = "ARRAY[n % 2 = 0, NULL, n % 3 = 0, true]";
        check(ValueClass::Array, 6, sql, |n| {
            nested(|to| {
                to.count(1);
                to.i32(4);
                to.i32(1);
                to.scalar(ValueClass::Bool, &[u8::from(n % 2 == 0)]);
                to.null();
                to.scalar(ValueClass::Bool, &[u8::from(n % 3 == 0)]);
                to.scalar(ValueClass::Bool, &[1]);
            })
        });
    }

    #[pg_test]
    fn rows() {
        let sql = "ROW(n, 'x'::char(3), NULL::int, ARRAY[1.5], ROW(n::float8))";
        check(ValueClass::Record, 1000, sql, |n| {
            nested(|to| {
                to.count(5);
                number(to, n);
                to.scalar(ValueClass::Text, b"x");
                to.null();
                to.class(ValueClass::Array);
                to.count(1);
                to.i32(1);
                to.i32(1);
                to.scalar(ValueClass::Number, ten_thousandths(15_000).as_ref());
                to.class(ValueClass::Record);
                to.count(1);
                to.scalar(ValueClass::Float, &scalar::float(n as f64));
            })
        });
    }

    #[pg_test]
    fn ranges() {
        check(ValueClass::Range, 1000, "int8range(n, 2 * n, '(]')", |n| {
            nested(|to| {
                // Ranges of whole numbers are kept as [ ); those of one number less are empty.
                to.byte(2);
                number(to, n + 1);
                number(to, 2 * n + 1);
            })
        });
        check(ValueClass::Range, 1000, "numrange(NULL, n / 10000.0, '[]')", |n| {
            nested(|to| {
                to.byte(4 | 8);
                to.scalar(ValueClass::Number, ten_thousandths(n).as_ref());
            })
        });
        let sql = "int8multirange(int8range(n, n + 2), int8range(n + 3, NULL))";
        check(ValueClass::Multirange, 1000, sql, |n| {
            nested(|to| {
                to.count(2);
                to.byte(2);
                number(to, n);
                number(to, n + 2);
                to.byte(2 | 16);
                number(to, n + 3);
            })
        });
    }

    /// Keys come in the order of the stored document: by length, then by bytes.
    #[pg_test]
    fn documents() {
        let sql =
            "jsonb_build_object('bb', jsonb_build_array(n, NULL, 'x', true), 'c', n / 10000.0,
            'aa', '{}'::jsonb)";
        check(ValueClass::Jsonb, 1000, sql, |n| {
            nested(|to| {
                to.byte(b'{');
                to.count(3);
                to.scalar(ValueClass::Text, b"c");
                to.scalar(ValueClass::Number, ten_thousandths(n).as_ref());
                to.scalar(ValueClass::Text, b"aa");
                to.byte(b'{');
                to.count(0);
                to.scalar(ValueClass::Text, b"bb");
                to.byte(b'[');
                to.count(4);
                number(to, n);
                to.null();
                to.scalar(ValueClass::Text, b"x");
                to.scalar(ValueClass::Bool, &[1]);
            })
        });
    }
}
