//! `hll`: how many distinct values were there?
//!
//! An UltraLogLog sketch (Ertl 2024, "UltraLogLog: A Practical and More Space-Efficient
//! Alternative to HyperLogLog for Approximate Distinct Counting", PVLDB 17(7)): `m = 2^p`
//! registers of a byte, each holding the highest level that a hash of its share has reached and
//! whether the two levels below were reached as well. The relative standard error is
//! `0.761 / sqrt(m)`, against `1.04 / sqrt(m)` for HyperLogLog with the same number of registers.
//!
//! While a sketch holds at most `15 m / 64` distinct hashes it keeps them as *tokens* of 26 bits
//! instead, from which the count is exact but for the rare pair that shares them.
//!
//! ```
//! use sketch::Owned;
//! use sketch::hash::Value;
//! use sketch::hll::{Hll, HllRef, Precision};
//!
//! # fn main() -> sketch::Result<()> {
//! let mut visitors = Owned::<Hll>::new(Precision::DEFAULT);
//! for visitor in ["alice", "bob", "alice"] {
//!     visitors.insert(Value::text(visitor))?;
//! }
//! let stored = visitors.rest()?;
//! assert_eq!(HllRef::parse(&stored)?.cardinality()?, 2);
//! # Ok(())
//! # }
//! ```

mod counts;
mod dense;
mod estimate;
mod joint;
mod overlap;
mod params;
mod reduce;
#[doc(hidden)]
pub mod register;
mod rest;
mod state;
mod token;
mod view;
mod working;

pub use estimate::{Bounds, Interval};
pub use overlap::{Overlap, overlap};
pub use params::Precision;
pub use rest::full_len;
pub use view::HllRef;
pub use working::Hll;

#[cfg(test)]
mod tests;
