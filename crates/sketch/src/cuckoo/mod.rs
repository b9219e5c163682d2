//! `cuckoo`: was this value added, and not removed since?
//!
//! A cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo Filter: Practically Better
//! Than Bloom", CoNEXT): a table of short fingerprints, each in one of two buckets of four slots.
//! A value that was added is always found; another one seems present at most at the error rate
//! that the filter was made for. Unlike a Bloom filter it can delete, for each copy of a
//! fingerprint has a slot of its own.
//!
//! A filter is a multiset of *cells*, see [`params`] for how likely two values share one. Adding a
//! value stores one more copy and removing it takes one away, so whatever was added and not
//! removed is found, also where two values share a cell. Three operations work on sets instead:
//! gathering in an aggregate, which drops repeated values, adding a value if it seems absent, and
//! merging, which keeps of each cell the larger number of copies. The latter two cannot tell two
//! values of one cell apart, and store one copy for both: removing one of them would then hide
//! the other. A given other value in a filter of `c` copies is in the same cell with a
//! probability of `2 / (m (2^f - 1))`, so removing one value hides `2 c / (m (2^f - 1))` others in
//! the mean: the present false positive rate, at most the error rate asked for.
//!
//! Removing a value that was never added, but seems present, takes the copy of another one: remove
//! only what was added.
//!
//! At rest a filter of few copies is a sorted list of its cells, which has one string of bytes; more
//! are a table, whose arrangement depends on its history unless an aggregate has built it, so that
//! [`equal`] compares cells and not bytes. The number of copies alone decides which.
//!
//! A filter cannot grow, since it does not keep its values. Adding, merging and building fail
//! where a value finds no slot, and say so; nothing is dropped. How unlikely that is up to the
//! capacity, [`params`] says.
//!
//! * [`params`]: the capacity and the error rate, and what follows from them;
//! * [`mod@contains`]: one value looked up in a stored filter, of which two buckets are read;
//! * [`view`]: a filter of any form, read where it lies;
//! * [`working`]: the [`Sketch`](crate::Sketch) implementation, gathering, merging and rest;
//! * [`change`]: adding and removing single values, subtracting a filter;
//! * [`estimate`]: how full it is and what error to expect;
//! * [`compare`]: whether two filters hold the same.

pub mod change;
pub mod compare;
pub mod contains;
pub mod estimate;
mod gather;
mod geometry;
mod head;
mod limits;
mod list;
mod merge;
mod packed;
pub mod params;
mod rest;
mod table;
pub mod view;
pub mod working;

pub use compare::{content_hash, equal};
pub use contains::{Lookup, contains, holds};
pub use estimate::full_len;
pub use params::Params;
pub use view::CuckooRef;
pub use working::Cuckoo;

#[cfg(test)]
mod tests;
