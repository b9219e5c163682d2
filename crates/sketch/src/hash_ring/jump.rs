//! Numbered buckets without a ring.

use crate::error::{Error, ErrorKind, Result};
use crate::hash::Value;

/// The bucket of a key, from 0 to `buckets - 1`: jump consistent hash (Lamping & Veach 2014, "A
/// Fast, Minimal Memory, Consistent Hash Algorithm", arXiv:1406.2294, figure 1) of the hash of the
/// value. With one bucket more, a share of `1 / buckets` of the keys moves, all of them to it.
///
/// ```
/// use sketch::hash::Value;
/// use sketch::hash_ring::consistent_hash;
/// let before = consistent_hash(Value::number(42), 10).unwrap();
/// let after = consistent_hash(Value::number(42), 11).unwrap();
/// assert!(before < 10 && (after == before || after == 10));
/// assert!(consistent_hash(Value::number(42), 0).is_err());
/// ```
pub fn consistent_hash(key: Value, buckets: i32) -> Result<i32> {
    if buckets < 1 {
        return Err(Error::new(
            ErrorKind::InvalidParameter,
            format!("the number of buckets {buckets} is out of range"),
        )
        .with_hint("There are 1 to 2147483647 buckets, with the numbers from 0 on."));
    }
    Ok(jump(key.hash(), buckets))
}

/// The quotient and the product are each rounded as IEEE 754 says; no sum follows that a compiler
/// could fuse.
fn jump(mut key: u64, buckets: i32) -> i32 {
    let (mut bucket, mut next) = (0, 0);
    while next < i64::from(buckets) {
        bucket = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        let draw = ((key >> 33) + 1) as f64;
        next = ((bucket + 1) as f64 * ((1u64 << 31) as f64 / draw)) as i64;
    }
    bucket as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of other implementations, and of the code in the paper.
    #[test]
    fn buckets_are_those_of_the_paper() {
        for (key, buckets, bucket) in [
            (1, 1, 0),
            (42, 57, 43),
            (0xdead_10cc, 1, 0),
            (0xdead_10cc, 666, 361),
            (256, 1024, 520),
        ] {
            assert_eq!(jump(key, buckets), bucket, "{key} {buckets}");
        }
        for key in 0..1000 {
            let bucket = jump(key << 54, i32::MAX);
            assert!((0..i32::MAX).contains(&bucket));
        }
    }

    #[test]
    fn a_new_bucket_takes_its_share_and_moves_no_other_key() {
        for key in 0..100_000 {
            let key = Value::number(key);
            let mut before = 0;
            for buckets in 2..12 {
                let after = consistent_hash(key, buckets).unwrap();
                assert!(after == before || after == buckets - 1);
                before = after;
            }
        }
        // The loads of 11 buckets: chi-square with 10 degrees of freedom is above 35.6 once in
        // 10,000 sets of keys.
        let mut loads = [0.0; 11];
        (0..110_000).for_each(|key| {
            loads[consistent_hash(Value::number(key), 11).unwrap() as usize] += 1.0;
        });
        let chi2: f64 = loads.iter().map(|load: &f64| (load - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 35.6, "{chi2}");
    }
}
