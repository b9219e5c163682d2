//! `hash_ring`: which node owns this key, where few keys move when nodes come and go.
//!
//! A ring is a set of nodes, each a name and a weight. Every key belongs to one of them, and the
//! order in which they would own it is a function of the key and each node alone: so a node that
//! joins takes keys and moves no other, and the keys of one that leaves go to the next in line.
//!
//! Without points it is *weighted rendezvous hashing* (Thaler & Ravishankar 1998, "Using Name-Based
//! Mappings to Increase Hit Rates", IEEE/ACM Trans. Netw. 6(1); weights as in Schindelhauer &
//! Schomaker 2005, "Weighted Distributed Hash Tables", SPAA): the node with the least
//! `-log(u) / weight` owns the key, where `u` is a hash of both. Each node owns a share of all keys
//! in proportion to its weight. With `vnodes` above 0 it is the classic ring (Karger et al. 1997,
//! "Consistent Hashing and Random Trees", STOC) of so many points a node for each unit of weight:
//! the owner is the node of the first point at or after that of the key.
//!
//! All arithmetic is in integers, but for one division of two numbers of 64 bits that IEEE 754
//! rounds: an owner is the same on every machine. [`score`] has it; `docs/format.md` says how to
//! do the same in any language.
//!
//! ```
//! use sketch::Owned;
//! use sketch::hash::Value;
//! use sketch::hash_ring::{HashRing, Router, Vnodes, Weight};
//!
//! # fn main() -> sketch::Result<()> {
//! let mut ring = Owned::<HashRing>::new(Vnodes::RENDEZVOUS);
//! for node in ["alpha", "beta", "gamma"] {
//!     ring.add(node, Weight::ONE)?;
//! }
//! let stored = ring.rest()?;
//! let mut router = Router::of_bytes(&stored)?;
//! let owner = router.owner(Value::number(42))?.expect("the ring has nodes").to_vec();
//! assert_eq!(router.owners(Value::number(42), 2)?[0], owner);
//! # Ok(())
//! # }
//! ```

mod change;
mod jump;
mod moves;
mod params;
mod points;
mod rest;
mod router;
pub mod score;
mod share;
mod state;
mod view;
mod working;

pub use jump::consistent_hash;
pub use moves::{Move, moves};
pub use params::{MAX_NODES, MAX_POINTS, Vnodes, Weight};
pub use rest::full_len;
pub use router::Router;
pub use share::{expected_max_load, shares};
pub use view::{HashRingRef, Node};
pub use working::HashRing;

#[cfg(test)]
mod tests;
