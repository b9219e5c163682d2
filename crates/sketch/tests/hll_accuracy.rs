//! The accuracy of estimates, bounds and overlaps, on random sets with fixed seeds.
//!
//! Bounds are as wide as chance needs: each comparison is at six standard deviations of what the
//! theory says, on top of what is promised. With other seeds, one of all of them would fail in
//! fewer than one run of a million. `docs/accuracy.md` has the same with more trials.

#[path = "../examples/hll_accuracy/sets.rs"]
#[expect(dead_code, reason = "the tests merge nothing")]
mod sets;
#[path = "../examples/hll_accuracy/theory.rs"]
mod theory;

use sets::{Growing, Hashes};
use sketch::hll::{HllRef, Precision, overlap};
use theory::{Overlapping, count_error};

/// How far chance may take a mean from what is expected, in standard deviations. A mean of squares
/// is less symmetric than a normal one, so five would fail more often than once in a million.
const DEVIATIONS: f64 = 6.0;

/// As many trials as take a few seconds.
const TRIALS: u64 = if cfg!(debug_assertions) { 300 } else { 2_000 };
const OVERLAPS: u64 = if cfg!(debug_assertions) { 100 } else { 1_000 };

/// Sizes around the change of form, the first of them of tokens, and up to where the error stays.
fn sizes(precision: Precision) -> Vec<u64> {
    let (limit, m) = (precision.max_tokens() as u64, precision.registers() as u64);
    vec![limit, limit + 1, limit + 2, limit + 8, m / 2, m, 3 * m, 10 * m]
}

/// Grows many sets and calls `look` with the index of each size and the sketch.
fn grow(p: i64, look: impl FnMut(usize, u64, &HllRef<'_>)) {
    let (precision, mut look) = (Precision::new(p).unwrap(), look);
    for trial in 0..TRIALS {
        let mut hashes = Hashes::new(0x5eed << 8 | p as u64, trial);
        let mut sketch = Growing::new(precision);
        let mut held = 0;
        for (index, n) in sizes(precision).into_iter().enumerate() {
            sketch.fill(&mut hashes, held, n);
            held = n;
            look(index, n, &sketch.sketch());
        }
    }
}

/// The mean of the squares of so many errors, in units of the expected one: how far from 1.
fn slack(trials: u64) -> f64 {
    DEVIATIONS * (2.0 / trials as f64).sqrt()
}

#[test]
fn errors_are_those_of_the_theory_on_both_sides_of_the_change() {
    for p in [8, 11] {
        let precision = Precision::new(p).unwrap();
        let sigma = precision.standard_error();
        let (mut sums, mut off) = ([[0.0; 2]; 8], 0);
        grow(p, |index, n, sketch| {
            let error = sketch.estimate().unwrap() / n as f64 - 1.0;
            sums[index][0] += error;
            sums[index][1] += error * error;
            off += u64::from(index == 0 && (error * n as f64).abs() > 0.01);
        });
        // Two of n values share a token once in 2^27 / n^2 sets, and at most 12 more times by
        // chance, which a Poisson variable with a mean of up to 7 exceeds once in 10^8 runs.
        let tokens = precision.max_tokens() as f64;
        let expected = TRIALS as f64 * tokens.powi(2) / f64::from(1 << 27);
        assert!((off as f64) < expected + 6.0 * expected.sqrt() + 4.0, "p {p}: {off} {expected}");
        for (&[sum, squares], n) in sums.iter().zip(sizes(precision)).skip(1) {
            let expected = count_error(n as f64, precision.registers() as f64);
            assert!(expected < 1.01 * sigma);
            let ratio = squares / TRIALS as f64 / (expected * expected);
            // Of a few registers the error is a few percent more than of many.
            assert!((ratio - 1.0).abs() < slack(TRIALS) + 0.05, "p {p}, n {n}: {ratio}");
            let bias = sum / TRIALS as f64;
            let chance = DEVIATIONS * expected / (TRIALS as f64).sqrt();
            assert!(bias.abs() < 0.1 * sigma + chance, "p {p}, n {n}: {bias}");
        }
    }
}

#[test]
fn bounds_hold_as_often_as_asked() {
    const CONFIDENCES: [f64; 2] = [0.68, 0.95];
    for p in [8, 11] {
        let mut held = [[0u64; 8]; 2];
        grow(p, |index, n, sketch| {
            for (held, confidence) in held.iter_mut().zip(CONFIDENCES) {
                let bounds = sketch.interval(confidence).unwrap();
                held[index] += u64::from((bounds.lower..=bounds.upper).contains(&(n as f64)));
            }
        });
        for (held, confidence) in held.iter().zip(CONFIDENCES) {
            // Tokens are counted exactly but for once in 600 sets; registers hold within 1.5
            // points.
            assert!(held[0] as f64 > 0.98 * TRIALS as f64, "p {p}: {held:?}");
            let chance = DEVIATIONS * (confidence * (1.0 - confidence) / TRIALS as f64).sqrt();
            for held in &held[1..] {
                let share = *held as f64 / TRIALS as f64;
                assert!((share - confidence).abs() < 0.015 + chance, "p {p}: {share}");
            }
        }
    }
}

#[test]
fn overlaps_are_as_precise_as_the_registers_allow() {
    let precision = Precision::new(10).unwrap();
    let (n, both) = (20_000, 4_000);
    let only = (n - both) as f64;
    let theory = Overlapping::new(only, only, both as f64, precision.registers() as f64);
    let (mut squares, mut sum, mut held) = (0.0, 0.0, 0);
    for trial in 0..OVERLAPS {
        let mut hashes = Hashes::new(0x5eed << 16, trial);
        let mut a = Growing::new(precision);
        a.fill(&mut hashes, 0, both);
        let mut b = a.clone();
        a.fill(&mut hashes, both, n);
        b.fill(&mut hashes, both, n);
        let found = overlap(&a.sketch(), &b.sketch(), 0.95).unwrap().both;
        let error = found.estimate - both as f64;
        sum += error;
        squares += error * error;
        held += u64::from((found.lower..=found.upper).contains(&(both as f64)));
    }
    let trials = OVERLAPS as f64;
    let ratio = squares / trials / theory.joint().powi(2);
    // The bound of the theory is for many registers.
    assert!((ratio - 1.0).abs() < slack(OVERLAPS) + 0.1, "{ratio}");
    assert!((sum / trials).abs() < theory.joint() * (0.1 + DEVIATIONS / trials.sqrt()));
    let share = held as f64 / trials;
    let chance = DEVIATIONS * (0.05 * 0.95 / trials).sqrt();
    assert!((share - 0.95).abs() < 0.03 + chance, "{share}");
    // Adding and subtracting three counts does worse by more than half.
    assert!(theory.joint() * 1.5 < theory.inclusion_exclusion());
}
