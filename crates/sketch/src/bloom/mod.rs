//! `bloom`: may this value be in the set?
//!
//! A Bloom filter (Bloom 1970, "Space/Time Trade-offs in Hash Coding with Allowable Errors"): it
//! never denies a value that it holds, and takes a value that it does not hold for one that it
//! does with a probability, the error rate, that the filter's size decides. Filters of one
//! geometry merge bit by bit, and the filter of a union is exactly the union of the filters.
//!
//! There are two [`layouts`](params::Layout): *split-block*, where a value sets one bit in each of
//! the eight words of one block of 32 bytes, so that a look-up touches one place in memory or on
//! disk; and *classic*, where it sets bits anywhere, smaller at the same error. Low error rates and
//! small filters are classic.
//!
//! While a filter holds few values it keeps their hashes instead, cut to as many bits as the
//! filter needs, so that it takes bytes for what it holds and not for what it could hold.
//!
//! * [`params`]: capacity and error rate; [`geometry`]: the size that they need;
//! * [`split_block`], [`classic`]: the two layouts of the bits; [`bits`]: either;
//! * [`view`]: a filter of any form, read where it lies;
//! * [`working`]: the [`Sketch`](crate::Sketch) implementation, building and merging;
//! * [`mod@contains`]: membership, of which only the bytes that matter are read;
//! * [`mod@intersect`]: what two filters have in common;
//! * [`estimate`]: how many values there are, and the error rate at the present fill.

pub mod bits;
pub mod classic;
pub mod contains;
pub mod estimate;
pub mod geometry;
pub mod intersect;
pub mod params;
pub mod split_block;
mod state;
pub mod view;
pub mod working;

pub use contains::{contains, holds};
pub use intersect::{intersect, intersect_bound};
pub use params::{Layout, MAX_GATHERED, Params};
pub use view::BloomRef;
pub use working::{Bloom, full_len};

#[cfg(test)]
mod tests;
