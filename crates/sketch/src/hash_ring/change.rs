//! Adding and removing nodes, and merging.

use super::HashRing;
use super::params::{Vnodes, Weight};
use super::state::{RingState, Size};
use super::view::{HashRingRef, Node};
use crate::error::{Error, ErrorKind, Result};
use crate::interrupt::Pace;
use crate::owned::Owned;
use crate::sketch::{Fit, View};

impl HashRing {
    /// Adds a node; one that is there gets the weight.
    pub fn add(state: &mut RingState, name: &[u8], weight: Weight) -> Result<Fit> {
        match state.weight(name) {
            Some(_) => state.set_weight(name, weight).map(|()| Fit::Done),
            None => push(state, name, weight),
        }
    }

    /// Adds a node; an error, with nothing changed, if it is there with another weight.
    pub fn unite(state: &mut RingState, name: &[u8], weight: Weight) -> Result<Fit> {
        match state.weight(name) {
            Some(held) => expect_weight(name, weight, held).map(|()| Fit::Done),
            None => push(state, name, weight),
        }
    }

    /// Removes a node. One that is not there changes nothing.
    pub fn remove(state: &mut RingState, name: &[u8]) -> Result<Fit> {
        state.cut(name);
        Ok(Fit::Done)
    }
}

fn push(state: &mut RingState, name: &[u8], weight: Weight) -> Result<Fit> {
    let more = Size::of_node(name, weight, state.vnodes());
    state.size().plus(more).check()?;
    if let Fit::Needs(growth) = state.room_for(more.bytes) {
        return Ok(Fit::Needs(growth));
    }
    state.take_class()?;
    state.push(name, weight);
    Ok(Fit::Done)
}

/// Adds all nodes of another ring. A node with two weights is an error, with nothing changed.
pub(super) fn merge(state: &mut RingState, other: &HashRingRef<'_>) -> Result<Fit> {
    let vnodes = common_vnodes(state, other)?;
    let nodes = other.nodes()?;
    let mut pace = Pace::default();
    let mut more = Size::default();
    for &Node { name, weight } in &nodes {
        match state.weight(name) {
            Some(held) => expect_weight(name, weight, held)?,
            None => more = more.plus(Size::of_node(name, weight, vnodes)),
        }
        pace.step(name.len() + 64);
    }
    state.size().plus(more).check()?;
    if let Fit::Needs(growth) = state.room_for(more.bytes) {
        return Ok(Fit::Needs(growth));
    }
    state.set_vnodes(vnodes);
    if more.nodes > 0 {
        state.take_class()?;
    }
    for &Node { name, weight } in &nodes {
        if state.weight(name).is_none() {
            state.push(name, weight);
        }
        pace.step(name.len() + 64);
    }
    Ok(Fit::Done)
}

/// The vnodes that two rings have in common: an empty one takes those of the other.
fn common_vnodes(state: &RingState, other: &HashRingRef<'_>) -> Result<Vnodes> {
    let (own, its) = (state.vnodes(), other.vnodes());
    match (state.size().nodes == 0, other.is_empty()) {
        (true, true) => Ok(own.of_empty(its)),
        (true, false) => Ok(its),
        (false, false) if own != its => Err(own.mismatch(its)),
        (false, _) => Ok(own),
    }
}

fn expect_weight(name: &[u8], weight: Weight, held: Weight) -> Result<()> {
    if weight == held {
        return Ok(());
    }
    let name = String::from_utf8_lossy(name);
    Err(Error::new(
        ErrorKind::Mismatch,
        format!("node \"{name}\" has the weights {held} and {weight}"),
    )
    .with_hint(
        "A node has one weight. To give it another, call hash_ring_add(ring, node, weight).",
    ))
}

impl Owned<HashRing> {
    /// Adds a node; one that is there gets the weight.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::hash_ring::{HashRing, HashRingRef, Vnodes, Weight};
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut ring = Owned::<HashRing>::new(Vnodes::RENDEZVOUS);
    /// ring.add("alpha", Weight::ONE)?;
    /// ring.add("alpha", Weight::new(2.0)?)?;
    /// assert_eq!(HashRingRef::parse(&ring.rest()?)?.total_weight()?, 2.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add(&mut self, name: impl AsRef<[u8]>, weight: Weight) -> Result<()> {
        self.apply(|state| HashRing::add(state, name.as_ref(), weight))
    }

    /// Removes a node. One that is not there changes nothing.
    pub fn remove(&mut self, name: impl AsRef<[u8]>) -> Result<()> {
        self.apply(|state| HashRing::remove(state, name.as_ref()))
    }
}
