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
//! * [`params`]: epsilon and delta, and the table that follows from them;
//! * [`entries`], [`cells`]: the two ways to keep counts;
//! * [`packed`], [`block`]: cells at rest, and `table`, those of any form;
//! * [`view`]: a sketch of any form, read where it lies;
//! * [`working`]: the [`Sketch`](crate::Sketch) implementation, building, and `merge`;
//! * [`change`]: weights of either sign, and taking a part out again;
//! * [`estimate`]: frequencies, their bounds, and inner products.

pub mod block;
pub mod cells;
pub mod change;
pub mod entries;
pub mod estimate;
mod merge;
pub mod packed;
pub mod params;
mod rest;
mod state;
mod table;
mod unpack;
pub mod view;
pub mod working;

pub use estimate::{Bounds, InnerProduct, Lookup, frequency, inner_product, lookup, lookup_state};
pub use params::Params;
pub use rest::{full_len, max_len};
pub use view::CmsRef;
pub use working::{Cms, MAX_MOVING};

#[cfg(test)]
mod tests;
