//! Building and merging.

use super::params::Vnodes;
use super::state::{self, RingFields, RingState};
use super::view::HashRingRef;
use super::{change, rest};
use crate::codec::SketchType;
use crate::error::{Error, Result};
use crate::sketch::{Fit, Growth, Sketch, View, private};

/// The type of hash rings: [`Owned<HashRing>`](crate::Owned) builds one, [`HashRingRef`] reads one,
/// [`Router`](super::Router) finds owners.
#[derive(Clone, Copy, Debug)]
pub enum HashRing {}

impl private::Sealed for HashRing {}

impl Sketch for HashRing {
    const TYPE: SketchType = SketchType::HashRing;

    type Params = Vnodes;
    type Fields = RingFields;
    type Ref<'a> = HashRingRef<'a>;

    const DEFAULT_PARAMS: Vnodes = Vnodes::RENDEZVOUS;

    fn parse(bytes: &[u8]) -> Result<HashRingRef<'_>> {
        HashRingRef::parse(bytes)
    }

    fn init(state: &mut RingState, vnodes: Vnodes) {
        state.make(vnodes);
    }

    fn params(state: &RingState) -> Vnodes {
        state.vnodes()
    }

    fn merge(state: &mut RingState, other: &HashRingRef<'_>) -> Result<Fit> {
        change::merge(state, other)
    }

    fn grow(state: &RingState, bigger: &mut RingState, _: Growth) {
        bigger.begin_as(state);
        bigger.push_all(state);
    }

    fn thaw_len(ring: &HashRingRef<'_>) -> usize {
        // A node at rest has at least a byte for the length of its name, in a state 16.
        state::len_for(ring.byte_len() + 15 * ring.count())
    }

    fn thaw(ring: &HashRingRef<'_>, state: &mut RingState) -> Result<()> {
        state.make(ring.vnodes);
        match change::merge(state, ring)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("the nodes of a hash ring take more than its bytes")),
        }
    }

    fn rest_bound(ring: &HashRingRef<'_>) -> Result<usize> {
        Ok(rest::bound(ring, ring.byte_len()))
    }

    fn rest(ring: &HashRingRef<'_>, out: &mut [u8]) -> Result<usize> {
        rest::write(ring.vnodes, &ring.nodes()?, out)
    }
}
