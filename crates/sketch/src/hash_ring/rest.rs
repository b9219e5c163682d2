//! The form at rest: the nodes in the order of their names.

use super::params::{Vnodes, Weight};
use super::view::{HashRingRef, Node};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::Result;
use crate::hash::ValueClass;
use crate::interrupt::Pace;

/// The most bytes before the nodes: the header, the vnodes, the number of nodes, whether there are
/// weights.
pub(super) const MAX_HEAD_LEN: usize = header::LEN + 2 * params::MAX_COUNT_LEN + 1;

/// How many bytes a ring of so many nodes takes at rest, whose names have `name_len` bytes each.
pub fn full_len(nodes: usize, name_len: usize, vnodes: Vnodes, weighted: bool) -> usize {
    let count_len = |count: usize| params::write(count as u32, &mut [0; params::MAX_COUNT_LEN]);
    let head = header::LEN + count_len(vnodes.get() as usize);
    if nodes == 0 {
        return head;
    }
    let node = count_len(name_len) + name_len + if weighted { 8 } else { 0 };
    head + count_len(nodes) + 1 + nodes * node
}

/// Enough bytes for a ring that takes `len` bytes in whatever form.
pub(super) fn bound(ring: &HashRingRef<'_>, len: usize) -> usize {
    // An entry of a state has 16 bytes before the name, a node at rest at most 13.
    match ring.count() {
        0 => MAX_HEAD_LEN,
        _ => MAX_HEAD_LEN + len,
    }
}

/// Writes a ring at rest; returns its length.
pub(super) fn write(vnodes: Vnodes, nodes: &[Node<'_>], out: &mut [u8]) -> Result<usize> {
    let (form, class) = match nodes {
        [] => (Form::Empty, None),
        _ => (Form::Sparse, Some(ValueClass::Text)),
    };
    let mut at = Header { form, class }.write(SketchType::HashRing, out)?;
    at += params::write(vnodes.get(), &mut out[at..]);
    if nodes.is_empty() {
        return Ok(at);
    }
    let weighted = nodes.iter().any(|node| node.weight != Weight::ONE);
    at += params::write((nodes.len() as u32, u8::from(weighted)), &mut out[at..]);
    let mut pace = Pace::default();
    for &Node { name, weight } in nodes {
        at += params::write(name.len() as u32, &mut out[at..]);
        out[at..at + name.len()].copy_from_slice(name);
        at += name.len();
        if weighted {
            out[at..at + 8].copy_from_slice(&weight.get().to_le_bytes());
            at += 8;
        }
        pace.step(name.len() + 16);
    }
    Ok(at)
}
