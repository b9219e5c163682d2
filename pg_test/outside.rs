//! Sketches built outside the database, by the `sketch` crate alone, are those that SQL builds from
//! the same values, byte for byte.

use sketch::bloom::{self, Bloom, BloomRef};
use sketch::cms::{self, Cms, CmsRef};
use sketch::cuckoo::{self, Cuckoo, CuckooRef};
use sketch::hash::Value;
use sketch::hll::{Hll, HllRef, Precision};
use sketch::{HashSketch, Owned};

/// The sketch of values, as a program outside would build it.
pub fn build<S: HashSketch>(params: S::Params, values: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let mut sketch = Owned::<S>::new(params);
    values.into_iter().for_each(|value| sketch.insert(value).unwrap());
    sketch.rest().unwrap()
}

/// The sketch of the numbers up to `count`.
fn numbers<S: HashSketch>(params: S::Params, count: i64) -> Vec<u8> {
    build::<S>(params, (1..=count).map(Value::number))
}

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::one;
    use super::*;

    /// Empty, a few, on both sides of a change of form, many.
    const COUNTS: [i64; 7] = [0, 1, 100, 960, 961, 5000, 20_000];

    /// The bytes of the sketch of the numbers up to `count` that SQL builds.
    fn inside(aggregate: &str, empty: &str, count: i64) -> Vec<u8> {
        let of = if count == 0 { empty } else { aggregate };
        one(&format!(
            "SELECT ({of})::bytea FROM generate_series(1, greatest({count}, 1)) AS n LIMIT 1"
        ))
    }

    #[pg_test]
    fn hll_is_the_same_outside() {
        for precision in 4..=18 {
            for count in COUNTS {
                let (aggregate, empty) =
                    (format!("hll_agg(n, {precision})"), format!("hll_empty({precision})"));
                let bytes = inside(&aggregate, &empty, count);
                let precision = Precision::new(precision).unwrap();
                assert!(bytes == numbers::<Hll>(precision, count), "{aggregate} of {count}");
                let read = HllRef::parse(&bytes).unwrap();
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let cardinality: i64 = one(&format!("SELECT hll_cardinality('\\x{hex}')"));
                assert_eq!(read.cardinality().unwrap(), cardinality);
                let upper: i64 = one(&format!("SELECT (hll_bounds('\\x{hex}', 0.9)).upper"));
                assert_eq!(read.bounds(0.9).unwrap().upper, upper);
            }
        }
    }

    #[pg_test]
    fn bloom_is_the_same_outside() {
        for (capacity, rate) in [(10, 0.01), (3000, 0.001), (100_000, 0.01)] {
            for count in COUNTS {
                let aggregate = format!("bloom_agg(n, {capacity}, {rate})");
                let bytes = inside(&aggregate, &format!("bloom_empty({capacity}, {rate})"), count);
                let params = bloom::Params::new(capacity, rate).unwrap();
                assert!(bytes == numbers::<Bloom>(params, count), "{aggregate} of {count}");
                for n in 1..=count.min(300) {
                    assert!(BloomRef::contains_in(&mut &bytes[..], Value::number(n)).unwrap());
                }
            }
        }
        let gathered = numbers::<Bloom>(bloom::Params::gathering(0.01).unwrap(), 777);
        assert!(gathered == inside("bloom_agg(n)", "", 777));
    }

    #[pg_test]
    fn cuckoo_is_the_same_outside() {
        for (capacity, rate) in [(20_000, 0.002), (20_000, 0.000_001), (500_000, 0.01)] {
            for count in COUNTS {
                let aggregate = format!("cuckoo_agg(n, {capacity}, {rate})");
                let bytes = inside(&aggregate, &format!("cuckoo_empty({capacity}, {rate})"), count);
                let params = cuckoo::Params::new(capacity, rate).unwrap();
                assert!(bytes == numbers::<Cuckoo>(params, count), "{aggregate} of {count}");
                for n in 1..=count.min(300) {
                    assert!(CuckooRef::contains_in(&mut &bytes[..], Value::number(n)).unwrap());
                }
            }
        }
        let gathered = numbers::<Cuckoo>(cuckoo::Params::gathering(0.002).unwrap(), 777);
        assert!(gathered == inside("cuckoo_agg(n)", "", 777));
    }

    #[pg_test]
    fn cms_is_the_same_outside() {
        for (epsilon, delta) in [(0.001, 0.01), (0.05, 0.2), (0.5, 0.45)] {
            for count in COUNTS {
                let aggregate = format!("cms_agg(n, {epsilon}, {delta})");
                let bytes = inside(&aggregate, &format!("cms_empty({epsilon}, {delta})"), count);
                let params = cms::Params::new(epsilon, delta).unwrap();
                assert!(bytes == numbers::<Cms>(params, count), "{aggregate} of {count}");
                assert_eq!(CmsRef::parse(&bytes).unwrap().total(), count as u64);
            }
        }
    }

    #[pg_test]
    fn an_outside_sketch_merges_with_an_inside_one() {
        for (count, step) in [(100, 1), (5000, 3)] {
            let outside =
                build::<Hll>(Precision::DEFAULT, (1..=count).map(|n| Value::number(n * step)));
            let merged: Option<bool> = Spi::get_one_with_args(
                "SELECT $1::hll || (SELECT hll_agg(n) FROM generate_series(1, 1000) AS n)
                    = (SELECT hll_agg(n) FROM (
                        SELECT n * $2 FROM generate_series(1, $3) AS n
                        UNION ALL SELECT n FROM generate_series(1, 1000) AS n) AS numbers (n))",
                &[outside.into(), step.into(), count.into()],
            )
            .unwrap();
            assert_eq!(merged, Some(true), "{count} numbers");
        }
    }
}
