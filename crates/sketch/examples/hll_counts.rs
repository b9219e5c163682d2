//! Prints `src/hll/counts.rs`: how often each register value occurs, for each whole part of the
//! mean of the registers, as shares of 2048.
//!
//! The counts are part of the stored format. This program shows where they come from; a change
//! of its output is no reason to change them.
//!
//! `cargo run -p sketch --example hll_counts > crates/sketch/src/hll/counts.rs`

use sketch::codec::ans::{SIZE, SYMBOLS};

const TABLES: usize = 32;
const ESCAPE: usize = SYMBOLS - 1;

fn main() {
    println!(
        "//! Counts of register values for the codes of the dense form, see [`super::dense`]."
    );
    println!("//!");
    println!("//! Made by `cargo run -p sketch --example hll_counts`; part of the stored format.");
    println!();
    println!("use crate::codec::ans::Counts;");
    println!();
    println!(
        "/// For each whole part of the mean of the registers, how many of 2048 have each value;"
    );
    println!("/// the last entry stands for all values that have none.");
    println!("#[rustfmt::skip]");
    println!("pub const COUNTS: [Counts; {TABLES}] = [");
    for table in 0..TABLES {
        let weights = register_weights(table as f64);
        let counts = best_counts(&weights);
        let numbers: Vec<String> = counts.iter().map(u16::to_string).collect();
        println!("    [{}],", numbers.join(","));
        let (bits, entropy) = cost(&weights, &counts);
        eprintln!("{table:2}: {bits:.4} bits a register, entropy {entropy:.4}");
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

/// The counts with the least expected bits, the escape's last: rare values share it and follow it
/// raw.
fn best_counts(weights: &[f64]) -> [u16; SYMBOLS] {
    (8..=15)
        .map(|bits| counts_above(weights, f64::exp2(-f64::from(bits))))
        .min_by(|a, b| cost(weights, a).0.total_cmp(&cost(weights, b).0))
        .unwrap()
}

fn counts_above(weights: &[f64], least: f64) -> [u16; SYMBOLS] {
    let mut shares = [0.0; SYMBOLS];
    for (symbol, share) in shares.iter_mut().enumerate().take(ESCAPE) {
        if weights[symbol] > least {
            *share = weights[symbol];
        }
    }
    shares[ESCAPE] = (1.0 - shares.iter().sum::<f64>()).max(1e-9);
    let mut counts = shares.map(|share| match share {
        0.0 => 0,
        share => ((share * SIZE as f64).round() as u16).max(1),
    });
    // Whole numbers rarely add up: each step moves the count that costs least to move.
    loop {
        let sum = counts.iter().map(|&c| usize::from(c)).sum::<usize>();
        let step: i32 = match sum.cmp(&SIZE) {
            std::cmp::Ordering::Equal => return counts,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => -1,
        };
        let loss = |i: usize| {
            let (count, moved) = (f64::from(counts[i]), f64::from(counts[i]) + f64::from(step));
            shares[i] * (count / moved).ln()
        };
        let best = (0..SYMBOLS)
            .filter(|&i| i32::from(counts[i]) + step > 0 && counts[i] > 0)
            .min_by(|&a, &b| loss(a).total_cmp(&loss(b)))
            .unwrap();
        counts[best] = (i32::from(counts[best]) + step) as u16;
    }
}

/// The expected bits of a register under the counts, and the entropy.
fn cost(weights: &[f64], counts: &[u16; SYMBOLS]) -> (f64, f64) {
    let bits = |count: u16| (SIZE as f64 / f64::from(count)).log2();
    let escape = bits(counts[ESCAPE]) + 8.0;
    let length = |symbol: usize| match counts.get(symbol) {
        Some(&count) if symbol < ESCAPE && count > 0 => bits(count),
        _ => escape,
    };
    let expected = weights.iter().enumerate().map(|(symbol, weight)| weight * length(symbol));
    let entropy = weights.iter().filter(|&&w| w > 0.0).map(|w| -w * w.log2());
    (expected.sum(), entropy.sum())
}
