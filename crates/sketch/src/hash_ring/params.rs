//! The points of a ring, and the weight of a node.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};

/// The most nodes of a ring.
pub const MAX_NODES: usize = 1 << 20;

/// The most points of all nodes together: a ring of so many is built in half a second and takes
/// 80 MB.
pub const MAX_POINTS: usize = 1 << 22;

/// How many points a node of weight 1 has on the ring; 0 for rendezvous hashing, which spreads keys
/// as if there were infinitely many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vnodes(u32);

impl Vnodes {
    /// No points: rendezvous hashing, the default.
    pub const RENDEZVOUS: Vnodes = Vnodes(0);
    /// The most points of a node of weight 1.
    pub const MAX: Vnodes = Vnodes(10_000);

    /// Checks the range.
    ///
    /// ```
    /// use sketch::hash_ring::Vnodes;
    /// assert_eq!(Vnodes::new(100).unwrap().get(), 100);
    /// assert!(Vnodes::new(-1).is_err() && Vnodes::new(10_001).is_err());
    /// ```
    pub fn new(vnodes: i64) -> Result<Self> {
        match u32::try_from(vnodes) {
            Ok(count) if count <= Self::MAX.0 => Ok(Vnodes(count)),
            _ => Err(Error::new(
                ErrorKind::InvalidParameter,
                format!("hash_ring vnodes {vnodes} is out of range"),
            )
            .with_hint(
                "Vnodes is the number of points of a node, from 1 to 10000, or 0, the default, for \
                 rendezvous hashing, which needs none.",
            )),
        }
    }

    /// Those of a ring that may have come from anywhere.
    pub(super) fn of_stored(vnodes: u32) -> Result<Self> {
        Self::new(vnodes.into()).map_err(|error| Error::bytes(error.message().to_owned()))
    }

    /// Those of a state, which nothing but valid ones was written to.
    pub(super) fn of_state(vnodes: u32) -> Self {
        Vnodes(vnodes)
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// The name that `hash_ring_info` uses.
    pub fn method(self) -> &'static str {
        if self == Self::RENDEZVOUS { "rendezvous" } else { "ring" }
    }

    /// How many points a node has: `vnodes` times the weight, rounded, but at least one; none
    /// without vnodes. More than [`MAX_POINTS`] count as one more than those.
    pub(super) fn points(self, weight: Weight) -> usize {
        if self == Self::RENDEZVOUS {
            return 0;
        }
        let points = (f64::from(self.0) * weight.get() + 0.5).floor();
        points.clamp(1.0, (MAX_POINTS + 1) as f64) as usize
    }

    /// Which parameter two empty rings have in common, in whatever order they meet: one that
    /// somebody chose, else the smaller.
    pub(super) fn of_empty(self, other: Self) -> Self {
        match (self, other) {
            (Self::RENDEZVOUS, chosen) | (chosen, Self::RENDEZVOUS) => chosen,
            _ => self.min(other),
        }
    }

    /// The error for an operation on rings of other vnodes.
    pub(super) fn mismatch(self, other: Self) -> Error {
        Error::new(
            ErrorKind::Mismatch,
            format!("hash rings of {self} and of {other} cannot be merged"),
        )
        .with_hint(
            "Their keys have other owners. Build all rings with one number of vnodes, as in \
             hash_ring_agg(node, weight, vnodes).",
        )
    }
}

impl fmt::Display for Vnodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vnodes {}", self.0)
    }
}

/// The weight of a node: its share of all keys is in proportion to it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Weight(f64);

impl Weight {
    /// The weight where the user gives none.
    pub const ONE: Weight = Weight(1.0);

    /// Whatever unit weights have, bytes or machines, they lie between this and its inverse; no sum
    /// of them overflows.
    const LARGEST: f64 = 1e30;

    /// Checks the range.
    ///
    /// ```
    /// use sketch::hash_ring::Weight;
    /// assert_eq!(Weight::new(2.5).unwrap().get(), 2.5);
    /// for bad in [0.0, -1.0, f64::INFINITY, f64::NAN] {
    ///     assert!(Weight::new(bad).is_err());
    /// }
    /// ```
    pub fn new(weight: f64) -> Result<Self> {
        if Self::is_valid(weight) {
            return Ok(Weight(weight));
        }
        let error = Error::new(
            ErrorKind::InvalidParameter,
            format!("hash_ring weight {weight:?} is out of range"),
        );
        Err(error.with_hint(if weight == 0.0 {
            "To take a node out, leave it out, or call hash_ring_remove."
        } else {
            "A weight is a number above 0, from 1e-30 to 1e30; the default is 1."
        }))
    }

    /// That of a ring that may have come from anywhere.
    pub(super) fn of_stored(bytes: [u8; 8]) -> Result<Self> {
        let weight = f64::from_le_bytes(bytes);
        if Self::is_valid(weight) {
            return Ok(Weight(weight));
        }
        Err(Error::bytes(format!("{weight:?} is not the weight of a node")))
    }

    fn is_valid(weight: f64) -> bool {
        (1.0 / Self::LARGEST..=Self::LARGEST).contains(&weight)
    }

    /// The weight as a number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
