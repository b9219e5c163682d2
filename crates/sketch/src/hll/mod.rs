//! `hll`: how many distinct values were there?
//!
//! An UltraLogLog sketch (Ertl 2024, "UltraLogLog: A Practical and More Space-Efficient
//! Alternative to HyperLogLog for Approximate Distinct Counting", PVLDB 17(7)): `m = 2^p`
//! registers of a byte, each holding the highest level that a hash of its share has reached and
//! whether the two levels below were reached as well. The relative standard error is
//! `0.761 / sqrt(m)`, against `1.04 / sqrt(m)` for HyperLogLog with the same number of registers.
//!
//! While a sketch holds at most `15 m / 64` distinct hashes it keeps them as [`token`]s of 26 bits
//! instead, from which the count is exact but for the rare pair that shares them.
//!
//! * [`params`]: the precision, and what follows from it;
//! * [`token`], [`register`]: the two ways to keep a hash;
//! * [`dense`]: registers at rest;
//! * [`view`]: a sketch of any form, read where it lies;
//! * [`working`]: the [`Sketch`](crate::Sketch) implementation, building and merging;
//! * [`mod@reduce`]: to a lower precision;
//! * [`estimate`]: the count and its bounds;
//! * [`mod@overlap`], [`joint`]: what two sketches have in common.

mod counts;
pub mod dense;
pub mod estimate;
pub mod joint;
pub mod overlap;
pub mod params;
pub mod reduce;
pub mod register;
pub mod token;
pub mod view;
pub mod working;

pub use estimate::{Bounds, Interval};
pub use overlap::{Overlap, overlap};
pub use params::Precision;
pub use reduce::{reduce, reduce_bound};
pub use view::HllRef;
pub use working::{Hll, full_len};

#[cfg(test)]
mod tests;
