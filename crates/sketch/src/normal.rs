//! Quantiles of the normal and Poisson distributions, for bounds.

use crate::error::{Error, ErrorKind, Result};

/// Checks a confidence level: strictly between 0 and 1.
pub(crate) fn check_confidence(confidence: f64) -> Result<f64> {
    match confidence > 0.0 && confidence < 1.0 {
        true => Ok(confidence),
        false => Err(Error::new(
            ErrorKind::InvalidParameter,
            format!("confidence {confidence} is out of range"),
        )
        .with_hint("The confidence lies between 0 and 1, say 0.95.")),
    }
}

/// The number of standard deviations on either side of the mean that hold the given share of a
/// normal distribution.
pub(crate) fn two_sided(confidence: f64) -> f64 {
    // The tail is erfc(z / sqrt 2), which falls without a bend that could trap a bisection.
    bisect(0.0, 40.0, |z| libm::erfc(z / std::f64::consts::SQRT_2) > 1.0 - confidence)
}

/// The smallest k with P(X <= k) >= share, for X Poisson with a small mean.
pub(crate) fn poisson(mean: f64, share: f64) -> f64 {
    let mut k = 0.0;
    let mut term = (-mean).exp();
    let mut sum = term;
    while sum < share && term > 0.0 {
        k += 1.0;
        term *= mean / k;
        sum += term;
    }
    k
}

/// Where `below` turns from true to false between `low` and `high`.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if below(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_tabled_ones() {
        for (confidence, z) in [(0.6827, 1.0), (0.95, 1.959_964), (0.99, 2.575_829)] {
            assert!((two_sided(confidence) - z).abs() < 1e-4, "{confidence}");
        }
        assert_eq!(poisson(0.0, 0.99), 0.0);
        assert_eq!(poisson(1.0, 0.5), 1.0);
        assert_eq!(poisson(1.0, 0.975), 3.0);
        assert_eq!(poisson(10.0, 0.025), 4.0);
    }

    #[test]
    fn confidence_is_a_share() {
        for bad in [0.0, 1.0, -1.0, 2.0, f64::NAN, f64::INFINITY] {
            assert!(check_confidence(bad).is_err(), "{bad}");
        }
    }
}
