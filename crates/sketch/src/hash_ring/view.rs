//! A ring of any form, read where it lies.

use super::params::{MAX_NODES, Vnodes, Weight};
use super::state::{ENTRY_HEAD, RingState};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::interrupt::Pace;
use crate::owned::zeroed;
use crate::sketch::View;

/// A node of a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<'a> {
    /// The name, in the encoding of the database: UTF-8 in nearly all.
    pub name: &'a [u8],
    /// The weight.
    pub weight: Weight,
}

impl Default for Node<'_> {
    fn default() -> Self {
        Node { name: &[], weight: Weight::ONE }
    }
}

/// A ring in any of its forms.
#[derive(Clone)]
pub struct HashRingRef<'a> {
    header: Header,
    pub(super) vnodes: Vnodes,
    count: usize,
    body: Body<'a>,
    len: usize,
}

/// Where the nodes are.
#[derive(Clone, Copy)]
enum Body<'a> {
    /// A list at rest, with or without weights.
    List { weighted: bool, nodes: &'a [u8] },
    /// The entries of a state.
    Entries(&'a [u8]),
}

impl<'a> HashRingRef<'a> {
    /// Reads the header, the vnodes and the number of nodes. The nodes are checked as they are
    /// read.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (header, rest) = Header::read(bytes, SketchType::HashRing)?;
        if header.class.is_some_and(|class| class != ValueClass::Text) {
            return Err(Error::bytes("the names of nodes are of class text, and of no other"));
        }
        let len = bytes.len();
        if header.form == Form::Working {
            let state = RingState::read(bytes, SketchType::HashRing)?;
            let (vnodes, entries) = state.read_entries()?;
            let body = Body::Entries(entries);
            return Ok(HashRingRef { header, vnodes, count: state.count(), body, len });
        }
        let (vnodes, rest) = params::read::<u32>(rest)?;
        let vnodes = Vnodes::of_stored(vnodes)?;
        let (count, weighted, nodes) = match header.form {
            Form::Empty => (0, false, rest),
            Form::Sparse => {
                let ((count, weighted), rest): ((u32, u8), _) = params::read(rest)?;
                if weighted > 1 {
                    return Err(Error::bytes(format!("{weighted} marks no weights: 0 or 1")));
                }
                (count as usize, weighted == 1, rest)
            }
            _ => return Err(Error::bytes("a hash ring has no dense form")),
        };
        if count == 0 && header.form != Form::Empty {
            return Err(Error::bytes("a hash ring of form sparse has no nodes"));
        }
        // Before anything is allocated for so many.
        let least = count * if weighted { 9 } else { 1 };
        if count > MAX_NODES || nodes.len() < least {
            return Err(Error::bytes(format!("{count} nodes cannot lie in {} bytes", nodes.len())));
        }
        Ok(HashRingRef { header, vnodes, count, body: Body::List { weighted, nodes }, len })
    }

    /// The points of a node of weight 1, 0 for rendezvous hashing.
    pub fn vnodes(&self) -> Vnodes {
        self.vnodes
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The nodes, checked, in the order of the bytes of their names.
    pub fn nodes(&self) -> Result<Vec<Node<'a>>> {
        let mut nodes = zeroed(self.count)?;
        let mut pace = Pace::default();
        let rest = match self.body {
            Body::List { weighted, nodes: mut rest } => {
                for node in &mut nodes {
                    (*node, rest) = read_node(rest, weighted)?;
                    pace.step(node.name.len() + 16);
                }
                rest
            }
            Body::Entries(mut rest) => {
                for node in &mut nodes {
                    (*node, rest) = read_entry(rest)?;
                    pace.step(node.name.len() + 16);
                }
                nodes.sort_unstable_by_key(|node| node.name);
                rest
            }
        };
        if !rest.is_empty() {
            return Err(Error::bytes(format!("{} bytes behind the last node", rest.len())));
        }
        if !nodes.is_sorted_by(|a, b| a.name < b.name) {
            return Err(Error::bytes("the nodes of a hash ring are not distinct and in order"));
        }
        let mut points = 0;
        for node in &nodes {
            points += self.vnodes.points(node.weight);
        }
        let size = super::state::Size { nodes: nodes.len(), points, bytes: 0 };
        size.check().map_err(|error| Error::bytes(error.message().to_owned()))?;
        Ok(nodes)
    }

    /// The sum of all weights.
    pub fn total_weight(&self) -> Result<f64> {
        // A sum of nothing would be -0.
        Ok(self.nodes()?.iter().fold(0.0, |sum, node| sum + node.weight.get()))
    }
}

impl View for HashRingRef<'_> {
    fn header(&self) -> Header {
        self.header
    }

    fn byte_len(&self) -> usize {
        self.len
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

fn read_node(bytes: &[u8], weighted: bool) -> Result<(Node<'_>, &[u8])> {
    let (len, rest) = params::read::<u32>(bytes)?;
    let (name, rest) = split(rest, len as usize)?;
    if !weighted {
        return Ok((Node { name, weight: Weight::ONE }, rest));
    }
    let (weight, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    Ok((Node { name, weight: Weight::of_stored(*weight)? }, rest))
}

fn read_entry(bytes: &[u8]) -> Result<(Node<'_>, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<ENTRY_HEAD>().ok_or_else(cut_short)?;
    let weight = Weight::of_stored(head[4..12].try_into().expect("eight bytes"))?;
    let len = u32::from_le_bytes(head[12..].try_into().expect("four bytes"));
    let (name, rest) = split(rest, len as usize)?;
    Ok((Node { name, weight }, rest))
}

fn split(bytes: &[u8], len: usize) -> Result<(&[u8], &[u8])> {
    bytes.split_at_checked(len).ok_or_else(cut_short)
}

#[cold]
fn cut_short() -> Error {
    Error::new(ErrorKind::InvalidBytes, "the last node of a hash ring is cut short")
}
