//! Values of every class are hashed outside the database, by the `sketch` crate alone, as inside.

use sketch::hash::{Encoder, Value, ValueClass, scalar};

/// Writes a whole number as a part of another value.
fn number(to: &mut Encoder, value: i64) {
    to.scalar(ValueClass::Number, &value.to_le_bytes());
}

/// The value of what `write` writes.
fn nested(class: ValueClass, write: impl FnOnce(&mut Encoder)) -> Value {
    let mut encoder = Encoder::new();
    write(&mut encoder);
    Value::of_encoder(class, &encoder)
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
    use sketch::hash::{Value, ValueClass, scalar};
    use sketch::hll::{Hll, Precision};

    use super::super::one;
    use super::super::outside::build;
    use super::{nested, number, ten_thousandths};

    /// Compares `hll_agg` of an expression over `n`, 1 to `count`, with what is built outside.
    #[track_caller]
    fn check(count: i64, expression: &str, value: impl Fn(i64) -> Value) {
        let query =
            format!("SELECT hll_agg({expression})::bytea FROM generate_series(1, {count}) AS n");
        let inside: Vec<u8> = one(&query);
        assert!(
            inside == build::<Hll>(Precision::DEFAULT, (1..=count).map(value)),
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
        let outside = build::<Hll>(Precision::DEFAULT, numbers.iter().copied().map(Value::number));
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
        check(3000, "n * -1234567.8901 + 5", |n| {
            Value::of_encoding(
                ValueClass::Number,
                ten_thousandths(n * -12_345_678_901 + 50_000).as_ref(),
            )
        });
    }

    #[pg_test]
    fn floats() {
        check(1000, "(n - 500) / 8::float8", |n| Value::float((n - 500) as f64 / 8.0));
        check(1000, "(n - 500) / 8::real", |n| Value::float((n - 500) as f64 / 8.0));
    }

    /// Lengths on either side of each change of method in XXH3.
    #[pg_test]
    fn strings() {
        let string = |n: i64| "0123456789abcdef\u{e9}".repeat(n as usize / 16 + 1);
        let sql = "repeat('0123456789abcdef' || chr(233), n / 16 + 1)";
        check(2000, sql, |n| Value::text(string(n)));
        check(300, "left(repeat('xyz', 100), n)", |n| {
            Value::text(&"xyz".repeat(100)[..n as usize])
        });
        check(1000, "convert_to(repeat('x', n), 'UTF8')", |n| Value::bytea("x".repeat(n as usize)));
    }

    #[pg_test]
    fn uuids() {
        let sql = "(lpad(to_hex(n), 8, '0') || '-0000-4000-8000-00000000abcd')::uuid";
        check(3000, sql, |n| {
            let uuid = (n as u128) << 96 | 0x4000_8000_0000_0000_abcd;
            Value::uuid(uuid.to_be_bytes())
        });
    }

    #[pg_test]
    fn days_and_times() {
        const DAY: i64 = 86_400_000_000;
        check(1000, "'1999-01-01'::date + n::int", |n| Value::date((n - 365) as i32));
        check(1000, "'00:00'::time + n * interval '1 us'", |n| {
            Value::of_encoding(ValueClass::Time, &n.to_le_bytes())
        });
        let sql = "'2000-01-01'::timestamp + n * interval '1 day 1 us'";
        check(1000, sql, |n| Value::timestamp(n * (DAY + 1)));
        let sql = "'2000-01-01 00:00+00'::timestamptz - n * interval '1 s'";
        check(1000, sql, |n| Value::timestamptz(n * -1_000_000));
        let sql = "make_interval(months => n::int % 7 - 3, days => n::int % 50, secs => n)";
        check(1000, sql, |n| {
            let (months, days) = ((n % 7 - 3) as i32, (n % 50) as i32);
            Value::of_encoding(ValueClass::Interval, &scalar::interval(months, days, n * 1_000_000))
        });
    }

    #[pg_test]
    fn arrays() {
        let sql = "ARRAY[n, NULL, n + 1]";
        check(1000, sql, |n| {
            nested(ValueClass::Array, |to| {
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
        check(1000, sql, |n| {
            nested(ValueClass::Array, |to| {
                to.count(2);
                [2, 1, 2, 1].into_iter().for_each(|shape| to.i32(shape));
                to.scalar(ValueClass::Text, "a".repeat(n as usize % 9).as_bytes());
                to.scalar(ValueClass::Text, b"b");
                to.scalar(ValueClass::Text, "c".repeat(n as usize).as_bytes());
                to.scalar(ValueClass::Text, b"");
            })
        });
        let sql = "ARRAY[n % 2 = 0, NULL, n % 3 = 0, true]";
        check(6, sql, |n| {
            nested(ValueClass::Array, |to| {
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
        check(1000, sql, |n| {
            nested(ValueClass::Record, |to| {
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
        check(1000, "int8range(n, 2 * n, '(]')", |n| {
            nested(ValueClass::Range, |to| {
                // Ranges of whole numbers are kept as [ ); those of one number less are empty.
                to.byte(2);
                number(to, n + 1);
                number(to, 2 * n + 1);
            })
        });
        check(1000, "numrange(NULL, n / 10000.0, '[]')", |n| {
            nested(ValueClass::Range, |to| {
                to.byte(4 | 8);
                to.scalar(ValueClass::Number, ten_thousandths(n).as_ref());
            })
        });
        let sql = "int8multirange(int8range(n, n + 2), int8range(n + 3, NULL))";
        check(1000, sql, |n| {
            nested(ValueClass::Multirange, |to| {
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
        check(1000, sql, |n| {
            nested(ValueClass::Jsonb, |to| {
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
