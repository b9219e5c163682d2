//! The working form: entries one behind the other, and chains by which a name is found.
//!
//! The body begins with a 32nd part of its bytes in heads of chains, four bytes each; the entries
//! follow. An entry is where the next one of its chain begins, the weight, the length of the name
//! (four, eight and four bytes) and the name. A place is counted from the first entry and one more,
//! so that 0 is none. The head of the state counts the entries.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64_with_seed;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::params::{MAX_NODES, MAX_POINTS, Vnodes, Weight};
use super::rest;
use crate::codec::SketchType;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::ValueClass;
use crate::interrupt;
use crate::sketch::{Fit, Growth};
use crate::state::State;

/// What the chains of names depend on: nobody can choose names that all want one.
static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));

/// The bytes of an entry before its name.
pub(super) const ENTRY_HEAD: usize = 16;

const HEAD: usize = 4;

/// The fields of a state.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct RingFields {
    vnodes: U32,
    /// The points of all nodes.
    points: U32,
    /// The bytes of all entries.
    used: U32,
}

pub(super) type RingState = State<RingFields>;

/// How much nodes take.
#[derive(Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) nodes: usize,
    pub(super) points: usize,
    /// The bytes of the entries.
    pub(super) bytes: usize,
}

impl Size {
    pub(super) fn of_node(name: &[u8], weight: Weight, vnodes: Vnodes) -> Self {
        Size { nodes: 1, points: vnodes.points(weight), bytes: ENTRY_HEAD + name.len() }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Size {
            nodes: self.nodes + other.nodes,
            points: self.points + other.points,
            bytes: self.bytes + other.bytes,
        }
    }

    pub(super) fn check(self) -> Result<Self> {
        let (nodes, points) = (self.nodes, self.points);
        if nodes > MAX_NODES {
            return Err(limit(format!("a hash ring of {nodes} nodes, more than {MAX_NODES}")));
        }
        if points > MAX_POINTS {
            let message =
                format!("a hash ring of {nodes} nodes with more than {MAX_POINTS} points");
            return Err(limit(message).with_hint(
                "A node has as many points as its weight times vnodes. Use smaller weights, fewer \
                 vnodes, or vnodes 0, which needs no points.",
            ));
        }
        if self.bytes > crate::MAX_LEN - rest::MAX_HEAD_LEN {
            return Err(limit(format!(
                "the names of {nodes} nodes take more than half a gigabyte"
            )));
        }
        Ok(self)
    }
}

fn limit(message: String) -> Error {
    Error::new(ErrorKind::Limit, message)
}

/// Where the first entry begins in a body of so many bytes.
fn entries_at(body_len: usize) -> usize {
    (body_len / 32).max(HEAD) / HEAD * HEAD
}

/// The length of a state with room for entries of so many bytes.
pub(super) fn len_for(bytes: usize) -> usize {
    RingState::len_for(bytes + bytes / 31 + 2 * HEAD)
}

impl RingState {
    pub(super) fn make(&mut self, vnodes: Vnodes) {
        self.begin(SketchType::HashRing);
        self.set_vnodes(vnodes);
    }

    pub(super) fn vnodes(&self) -> Vnodes {
        Vnodes::of_state(self.fields.vnodes.get())
    }

    pub(super) fn set_vnodes(&mut self, vnodes: Vnodes) {
        self.fields.vnodes.set(vnodes.get());
    }

    /// What the nodes take.
    pub(super) fn size(&self) -> Size {
        Size {
            nodes: self.count(),
            points: self.fields.points.get() as usize,
            bytes: self.fields.used.get() as usize,
        }
    }

    fn set_size(&mut self, size: Size) {
        self.set_count(size.nodes);
        self.fields.points.set(size.points as u32);
        self.fields.used.set(size.bytes as u32);
    }

    /// Of a state that may have come from anywhere: the vnodes, and the bytes of the entries.
    pub(super) fn read_entries(&self) -> Result<(Vnodes, &[u8])> {
        let vnodes = Vnodes::of_stored(self.fields.vnodes.get())?;
        let used = self.fields.used.get() as usize;
        match self.body.get(entries_at(self.body.len())..).and_then(|all| all.get(..used)) {
            Some(entries) if self.mode == 0 && self.count() <= used / ENTRY_HEAD => {
                Ok((vnodes, entries))
            }
            _ => Err(Error::bytes(format!(
                "no working state of mode {} holds {} nodes in {used} of {} bytes",
                self.mode,
                self.count(),
                self.body.len()
            ))),
        }
    }

    /// What becomes of a state that needs room for more bytes of entries.
    pub(super) fn room_for(&self, more: usize) -> Fit {
        let needed = self.fields.used.get() as usize + more;
        if needed <= self.body.len() - entries_at(self.body.len()) {
            return Fit::Done;
        }
        Fit::Needs(Growth { len: len_for(needed), mode: 0 })
    }

    /// Where a node is: the place of its weight in the body, which is overwritten to give it
    /// another.
    fn find(&self, name: &[u8]) -> Option<usize> {
        let first = entries_at(self.body.len());
        let mut next = u32_at(&self.body, self.chain(name));
        while next != 0 {
            interrupt::count_step();
            let at = first + next as usize - 1;
            if name_at(&self.body[at..]) == name {
                return Some(at + 4);
            }
            next = u32_at(&self.body, at);
        }
        None
    }

    /// The weight of a node.
    pub(super) fn weight(&self, name: &[u8]) -> Option<Weight> {
        self.find(name).map(|at| weight_at(&self.body[at..]))
    }

    /// Gives a node that is there another weight, for which there is room on the ring.
    pub(super) fn set_weight(&mut self, name: &[u8], weight: Weight) -> Result<()> {
        let Some(at) = self.find(name) else { return Ok(()) };
        let vnodes = self.vnodes();
        let mut size = self.size();
        size.points -= vnodes.points(weight_at(&self.body[at..]));
        size.points += vnodes.points(weight);
        size.check()?;
        self.set_size(size);
        self.body[at..at + 8].copy_from_slice(&weight.get().to_le_bytes());
        Ok(())
    }

    /// Adds a node that is not there; there must be room.
    pub(super) fn push(&mut self, name: &[u8], weight: Weight) {
        let size = self.size();
        let at = entries_at(self.body.len()) + size.bytes;
        let entry = &mut self.body[at..];
        entry[4..12].copy_from_slice(&weight.get().to_le_bytes());
        entry[12..16].copy_from_slice(&(name.len() as u32).to_le_bytes());
        entry[16..16 + name.len()].copy_from_slice(name);
        self.link(size.bytes);
        self.set_size(size.plus(Size::of_node(name, weight, self.vnodes())));
    }

    /// Puts the entry at a place into its chain.
    fn link(&mut self, place: usize) {
        let at = entries_at(self.body.len()) + place;
        let chain = self.chain(name_at(&self.body[at..]));
        self.body.copy_within(chain..chain + 4, at);
        self.body[chain..chain + 4].copy_from_slice(&(place as u32 + 1).to_le_bytes());
    }

    /// Takes a node out, if it is there.
    pub(super) fn cut(&mut self, name: &[u8]) {
        let Some(at) = self.find(name) else { return };
        let mut size = self.size();
        size.nodes -= 1;
        size.points -= self.vnodes().points(weight_at(&self.body[at..]));
        let first = entries_at(self.body.len());
        let (start, end) = (at - 4, at - 4 + ENTRY_HEAD + name.len());
        self.body.copy_within(end..first + size.bytes, start);
        self.body[first + size.bytes - (end - start)..first + size.bytes].fill(0);
        size.bytes -= end - start;
        self.set_size(size);
        if size.nodes == 0 {
            self.clear_class();
        }
        // Places behind it have changed.
        self.body[..first].fill(0);
        let mut place = 0;
        while place < size.bytes {
            let len = name_at(&self.body[first + place..]).len();
            self.link(place);
            place += ENTRY_HEAD + len;
        }
    }

    /// Adds all nodes of a smaller state.
    pub(super) fn push_all(&mut self, smaller: &Self) {
        let first = entries_at(smaller.body.len());
        let mut entries = &smaller.body[first..first + smaller.fields.used.get() as usize];
        self.set_size(Size::default());
        while !entries.is_empty() {
            let name = name_at(entries);
            self.push(name, weight_at(&entries[4..]));
            entries = &entries[ENTRY_HEAD + name.len()..];
        }
    }

    /// Takes the class of nodes.
    pub(super) fn take_class(&mut self) -> Result<()> {
        self.meet_class(Some(ValueClass::Text))
    }

    /// Where the head of a name's chain is in the body.
    fn chain(&self, name: &[u8]) -> usize {
        let chains = entries_at(self.body.len()) / HEAD;
        let hash = xxh3_64_with_seed(name, *SECRET);
        HEAD * ((u128::from(hash) * chains as u128) >> 64) as usize
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*bytes[at..].first_chunk().expect("four bytes"))
}

/// The weight at the front of bytes of our own.
fn weight_at(bytes: &[u8]) -> Weight {
    Weight::of_stored(*bytes.first_chunk().expect("eight bytes")).unwrap_or(Weight::ONE)
}

/// The name of the entry at the front of bytes of our own.
fn name_at(entry: &[u8]) -> &[u8] {
    &entry[ENTRY_HEAD..ENTRY_HEAD + u32_at(entry, 12) as usize]
}
