//! `bloom`: may this value be in the set?
//!
//! A Bloom filter (Bloom 1970, "Space/Time Trade-offs in Hash Coding with Allowable Errors"): it
//! never denies a value that it holds, and takes a value that it does not hold for one that it
//! does with a probability, the error rate, that the filter's size decides. Filters of one
//! geometry merge bit by bit, and the filter of a union is exactly the union of the filters.
//!
//! There are two [`Layout`]s: *split-block*, where a value sets one bit in each of
//! the eight words of one block of 32 bytes, so that a look-up touches one place in memory or on
//! disk; and *classic*, where it sets bits anywhere, smaller at the same error. Low error rates and
//! small filters are classic.
//!
//! While a filter holds few values it keeps their hashes instead, cut to as many bits as the
//! filter needs, so that it takes bytes for what it holds and not for what it could hold.
//!
//! ```
//! use sketch::Owned;
//! use sketch::bloom::{Bloom, BloomRef, Params};
//! use sketch::hash::Value;
//!
//! # fn main() -> sketch::Result<()> {
//! // Without a capacity a filter is sized to what it is given.
//! let mut monday = Owned::<Bloom>::new(Params::gathering(0.01)?);
//! monday.insert(Value::text("alice"))?;
//! let stored = monday.rest()?;
//! let monday = BloomRef::parse(&stored)?;
//! assert_eq!(monday.params().capacity(), Some(1));
//! assert!(monday.contains(Value::text("alice"))?);
//! # Ok(())
//! # }
//! ```

mod bits;
mod classic;
mod estimate;
mod geometry;
mod intersect;
mod look_up;
mod params;
mod rest;
mod split_block;
mod state;
mod view;
mod working;

pub use geometry::Layout;
pub use params::Params;
pub use rest::full_len;
pub use view::BloomRef;
pub use working::Bloom;

#[cfg(test)]
mod tests;
