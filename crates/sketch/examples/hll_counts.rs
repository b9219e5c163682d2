//! Prints `src/hll/counts.rs`: how often each register value occurs, for each whole part of the
//! mean of the registers, as shares of 16,384.
//!
//! The counts are part of the stored format. This program shows where they come from; a change
//! of its output is no reason to change them.
//!
//! `cargo run -p sketch --example hll_counts > crates/sketch/src/hll/counts.rs`

/// How many register values have a code of their own.
const SYMBOLS: usize = 96;
/// What the counts of a table stand for together.
const TOTAL: usize = 1 << 14;

const TABLES: usize = 32;

fn main() {
    println!(
        "//! Counts of register values for the codes of the dense form, see [`super::dense`]."
    );
    println!("//!");
    println!("//! Made by `cargo run -p sketch --example hll_counts`; part of the stored format.");
    println!();
    println!("use crate::codec::huffman::Counts;");
    println!();
    println!(
        "/// For each whole part of the mean of the registers, how many of 16,384 have each value;"
    );
    println!("/// the last entry stands for all values that have none.");
    println!("#[rustfmt::skip]");
    println!("pub const COUNTS: [Counts; {TABLES}] = [");
    for table in 0..TABLES {
        let weights = register_weights(table as f64);
        let counts = counts(&weights);
        let numbers: Vec<String> = counts.iter().map(u16::to_string).collect();
        println!("    [{}],", numbers.join(","));
    }
    println!("];");
}

/// The probability of each register value when `x = n / m` (Ertl 2024, section 3.1).
fn distribution(x: f64) -> Vec<f64> {
    let seen =
        |level: i32| if level < 1 { 0.0 } else { -(-x * (-f64::from(level)).exp2()).exp_m1() };
    let mut weights = vec![0.0; 256];
    weights[0] = (-x).exp();
    for top in 1..=60 {
        let is_top = seen(top) * (-x * (-f64::from(top)).exp2()).exp();
        for flags in 0..4usize {
            let share = |level: i32, bit: usize| {
                if bit == 1 { seen(level) } else { 1.0 - seen(level) }
            };
            weights[4 * top as usize + flags] =
                is_top * share(top - 1, flags >> 1) * share(top - 2, flags & 1);
        }
    }
    weights
}

fn mean(x: f64) -> f64 {
    distribution(x).iter().enumerate().map(|(register, weight)| register as f64 * weight).sum()
}

/// Where the mean of the registers has a given value.
fn share_of_mean(wanted: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 12.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if mean(f64::exp2(middle)) < wanted { low = middle } else { high = middle }
    }
    low
}

/// The distribution averaged over all x whose mean has the given whole part.
fn register_weights(whole: f64) -> Vec<f64> {
    let (low, high) = (share_of_mean(whole.max(0.25)), share_of_mean(whole + 1.0));
    let steps = 32;
    let mut weights = vec![0.0; 256];
    for step in 0..steps {
        let x = f64::exp2(low + (high - low) * (f64::from(step) + 0.5) / f64::from(steps));
        for (sum, weight) in weights.iter_mut().zip(distribution(x)) {
            *sum += weight / f64::from(steps);
        }
    }
    weights
}

/// The share of each value as a whole number of 16,384, which leaves at least one for all others.
///
/// A value that is too rare for a count of its own would be escaped with every value beside it, so
/// all down to a 30,000th have one.
fn counts(weights: &[f64]) -> [u16; SYMBOLS] {
    let mut counts = [0u16; SYMBOLS];
    for (count, weight) in counts.iter_mut().zip(weights) {
        if *weight > 1.0 / 30_000.0 {
            *count = ((weight * TOTAL as f64).round() as u16).max(1);
        }
    }
    // Whole numbers rarely add up: each step moves the count that costs least to move.
    while counts.iter().map(|&c| usize::from(c)).sum::<usize>() >= TOTAL {
        let loss = |i: usize| {
            let count = f64::from(counts[i]);
            weights[i] * (count / (count - 1.0)).ln()
        };
        let best = (0..SYMBOLS)
            .filter(|&i| counts[i] > 1)
            .min_by(|&a, &b| loss(a).total_cmp(&loss(b)))
            .unwrap();
        counts[best] -= 1;
    }
    counts
}
