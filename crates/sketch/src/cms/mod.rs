//! `cms`: how often did this value occur?
//!
//! A count-min sketch (Cormode & Muthukrishnan 2005, "An Improved Data Stream Summary: The
//! Count-Min Sketch and its Applications", J. Algorithms 55(1)): `depth` rows of `width` counters,
//! of which a value raises one in each row. The least of a value's counters is never below how
//! often it occurred, and with probability `1 - delta` at most `epsilon` times the total above it,
//! where `epsilon = e / width` and `delta = exp(-depth)`. Counters are plain sums, so that sketches
//! add and subtract exactly; conservative update, which errs less, would make the result depend on
//! how the rows were split.
//!
//! While a sketch holds few distinct hashes it keeps each with its count instead, and is exact.
//!
//! ```
//! use sketch::Owned;
//! use sketch::cms::{Cms, CmsRef, Params};
//! use sketch::hash::Value;
//!
//! # fn main() -> sketch::Result<()> {
//! let mut hits = Owned::<Cms>::new(Params::DEFAULT);
//! for page in ["/", "/docs", "/"] {
//!     hits.insert(Value::text(page))?;
//! }
//! let stored = hits.rest()?;
//! assert_eq!(CmsRef::parse(&stored)?.frequency(Value::text("/"))?, 2);
//! # Ok(())
//! # }
//! ```

mod block;
mod cells;
mod change;
mod entries;
mod estimate;
mod look_up;
mod merge;
mod packed;
mod params;
mod rest;
mod state;
mod table;
mod unpack;
mod view;
mod working;

pub use estimate::{Bounds, Estimate, InnerProduct, inner_product};
pub use params::Params;
pub use rest::{full_len, max_len};
pub use state::MAX_MOVING;
pub use view::CmsRef;
pub use working::Cms;

#[cfg(test)]
mod tests;
