//! Mergeable probabilistic sketches over byte slices.
//!
//! A sketch *is* its bytes: the functions here read and change slices that somebody else owns, a
//! database's stored value or a file, and never keep a second structure beside them. It has four
//! forms: *empty*, *sparse* and *dense* are forms for rest, the *working* form is one to add values
//! to. The bytes at rest are canonical: the same set of values with the same parameters gives the
//! same bytes, whatever the order of arrival or the way the work was split. `docs/format.md`
//! describes every byte.
//!
//! * [`hash::Value`] is a value, by its class and the hash of its canonical encoding;
//! * [`Owned`] builds a sketch, changes it and brings it to rest;
//! * one module for each type has its parameters, and the view that is asked: [`hll`], [`bloom`],
//!   [`cuckoo`], [`cms`], [`hash_ring`].
//!
//! ```
//! use sketch::Owned;
//! use sketch::hash::Value;
//! use sketch::hll::{Hll, HllRef, Precision};
//!
//! # fn main() -> sketch::Result<()> {
//! let mut visitors = Owned::<Hll>::new(Precision::DEFAULT);
//! for value in [42, 7, 42] {
//!     visitors.insert(Value::number(value))?;
//! }
//! let stored = visitors.rest()?;
//! assert_eq!(HllRef::parse(&stored)?.cardinality()?, 2);
//! assert!(stored.len() < 15);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod bloom;
pub mod cms;
mod codec;
pub mod cuckoo;
mod error;
mod filter;
pub mod hash;
mod hash_list;
pub mod hash_ring;
mod hash_set;
pub mod hll;
mod interrupt;
mod key_list;
mod key_set;
mod mix;
mod normal;
mod owned;
mod simd;
mod sketch;
mod sort;
mod source;
mod state;
#[cfg(test)]
mod testing;
mod text;

pub use codec::Form;
pub use codec::header::{is_sparse, is_working};
pub use error::{Error, ErrorKind, Result};
pub use filter::{Filter, Membership, Params as FilterParams};
pub use interrupt::set_interrupt_check;
pub use owned::{Owned, rest};
pub use sketch::{Fit, Growth, HashSketch, Sketch, View, accept, parse_at_rest};
pub use source::{Source, check_range};
pub use state::{Fields, State};
pub use text::{from_text, to_text};

/// The longest sketch in bytes: half a gigabyte. The text of a longer one, two digits a byte, would
/// not fit a value of a PostgreSQL server, so that it could not be dumped.
pub const MAX_LEN: usize = 500_000_000;
