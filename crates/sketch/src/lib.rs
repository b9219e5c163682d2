//! Mergeable probabilistic sketches over byte slices.
//!
//! A sketch *is* its bytes: the functions here read and change slices that somebody else owns, a
//! database's stored value or a file, and never keep a second structure beside them. The bytes at
//! rest are canonical: the same set of values with the same parameters gives the same bytes,
//! whatever the order of arrival or the way the work was split. `docs/format.md` describes every
//! byte.
//!
//! * [`hash`] turns values into the 64-bit hashes that every sketch is built from;
//! * [`codec`] has the header and the bit-level codes that the types share;
//! * [`hash_list`] and [`key_list`] are the small-set forms at rest, [`token_set`] and [`hash_set`]
//!   those while building;
//! * one module for each type: [`hll`], [`bloom`], [`cuckoo`], [`cms`].
//!
//! ```
//! use sketch::Owned;
//! use sketch::hash::{self, ValueClass};
//! use sketch::hll::{Hll, HllRef, Precision};
//!
//! # fn main() -> sketch::Result<()> {
//! let mut visitors = Owned::<Hll>::new(Precision::DEFAULT);
//! for value in [42, 7, 42] {
//!     visitors.insert(ValueClass::Number, hash::number(value))?;
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
pub mod codec;
pub mod cuckoo;
mod error;
pub mod hash;
pub mod hash_list;
pub mod hash_set;
pub mod hll;
pub mod key_list;
pub mod key_set;
mod normal;
mod owned;
mod simd;
mod sketch;
mod source;
pub mod token_set;

pub use codec::header::{is_sparse, is_working};
pub use error::{Error, ErrorKind, Result};
pub use owned::{Owned, rest};
pub use sketch::{Fit, Sketch, accept};
pub use source::{Source, check_range};
