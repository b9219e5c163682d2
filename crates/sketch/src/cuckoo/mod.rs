//! `cuckoo`: was this value added, and not removed since?
//!
//! A cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo Filter: Practically Better
//! Than Bloom", CoNEXT): a table of short fingerprints, each in one of two buckets of four slots.
//! A value that was added is always found; another one seems present at most at the error rate
//! that the filter was made for. Unlike a Bloom filter it can delete, for each copy of a
//! fingerprint has a slot of its own.
//!
//! A filter is a multiset of *signatures*: what it keeps of a value, a fingerprint and its two
//! buckets. Adding a value stores one more copy and removing it takes one away, so whatever was
//! added and not removed is found, also where two values share a signature. An aggregate gathers
//! whole hashes, so that each distinct value gets a copy, and [`Owned::sum`](crate::Owned::sum) adds
//! the copies of two filters up. In all these, removing one value hides no other, as long as only
//! what was added is removed: a value that was never added, but seems present, takes the copy of
//! another one.
//!
//! Two operations work on sets instead: [`Owned::merge`](crate::Owned::merge) keeps of each signature
//! the larger number of copies, and [`Owned::add_if_absent`](crate::Owned::add_if_absent) adds nothing
//! where a copy is there. Neither can tell whether that is a copy of the same value or of another
//! one. The filter is then a *union*, which knows that it is one, and from which nothing can be
//! removed.
//!
//! At rest a filter of few copies is a sorted list of their signatures, which has one string of
//! bytes; more are a table, whose arrangement depends on its history unless an aggregate has built
//! it, so that [`CuckooRef::equals`] compares copies and not bytes. The number of copies alone
//! decides which.
//!
//! A filter cannot grow, since it does not keep its values. Adding, merging and building fail
//! where a value finds no slot, and say so; nothing is dropped. That is unlikely up to the
//! capacity: below 10^-7 for a filter of distinct values.
//!
//! ```
//! use sketch::Owned;
//! use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
//! use sketch::hash::Value;
//!
//! # fn main() -> sketch::Result<()> {
//! let mut present = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
//! present.add(Value::text("alice"))?;
//! present.add(Value::text("bob"))?;
//! present.remove(Value::text("alice"))?;
//! let stored = present.rest()?;
//! let present = CuckooRef::parse(&stored)?;
//! assert!(present.contains(Value::text("bob"))?);
//! assert!(!present.contains(Value::text("alice"))?);
//! # Ok(())
//! # }
//! ```

mod change;
mod compare;
mod estimate;
mod geometry;
mod look_up;
mod merge;
mod packed;
mod params;
mod rest;
mod set;
mod state;
mod table;
mod view;
mod working;

pub use estimate::full_len;
pub use params::Params;
pub use view::CuckooRef;
pub use working::Cuckoo;

#[cfg(test)]
mod tests;
