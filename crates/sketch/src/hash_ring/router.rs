//! Finding owners.

use super::params::Vnodes;
use super::points::{self, Directory};
use super::score;
use super::view::{HashRingRef, Node};
use crate::error::Result;
use crate::hash::Value;
use crate::interrupt::Pace;
use crate::owned::zeroed;

/// As many looks at the points of a ring one by one take as long as sorting them.
const LOOKS_BEFORE_SORTING: u32 = 16;

/// A ring made ready to be asked for the owners of many keys.
///
/// For rendezvous hashing a look computes one score for each node. The points of a classic ring are
/// sorted when it has been asked some times; then a look takes two steps.
pub struct Router {
    vnodes: Vnodes,
    names: Vec<u8>,
    nodes: Vec<Entry>,
    /// Of rendezvous hashing: the numbers of the nodes and their hashes, by weight.
    by_weight: Vec<Class>,
    looks: u32,
    points: Option<Directory>,
}

/// A node.
#[derive(Clone, Default)]
struct Entry {
    /// Where the name ends.
    end: usize,
    hash: u64,
    /// How many points it has.
    points: usize,
}

/// Nodes of one weight.
struct Class {
    weight: f64,
    hashes: Vec<u64>,
    numbers: Vec<u32>,
}

/// How far a node is from owning a key: the least of all owns it. Of equal ones the first node does.
type Rank = (u64, u64);

impl Router {
    /// Makes a ring ready.
    pub fn new(ring: &HashRingRef<'_>) -> Result<Self> {
        Self::of_nodes(&ring.nodes()?, ring.vnodes())
    }

    /// The same of a ring of any form.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self> {
        Self::new(&HashRingRef::parse(bytes)?)
    }

    fn of_nodes(nodes: &[Node<'_>], vnodes: Vnodes) -> Result<Self> {
        let mut names = Vec::with_capacity(nodes.iter().map(|node| node.name.len()).sum());
        let mut entries: Vec<Entry> = zeroed(nodes.len())?;
        let mut pace = Pace::default();
        for (entry, node) in entries.iter_mut().zip(nodes) {
            names.extend_from_slice(node.name);
            let (end, hash) = (names.len(), score::node_hash(node.name));
            *entry = Entry { end, hash, points: vnodes.points(node.weight) };
            pace.step(node.name.len() + 16);
        }
        let by_weight = match vnodes {
            Vnodes::RENDEZVOUS => classes(nodes, &entries),
            _ => Vec::new(),
        };
        Ok(Router { vnodes, names, nodes: entries, by_weight, looks: 0, points: None })
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The name of the node that owns a key; `None` if there are no nodes.
    #[inline]
    pub fn owner(&mut self, key: Value) -> Result<Option<&[u8]>> {
        if self.nodes.is_empty() {
            return Ok(None);
        }
        let number = match self.vnodes {
            Vnodes::RENDEZVOUS => self.rendezvous(key.hash()),
            _ => self.first_point(score::place(key.hash()))?,
        };
        Ok(Some(self.name(number as usize)))
    }

    /// The names of the first `n` nodes in line for a key, or of all if there are fewer: the owner,
    /// then who would own the key without it, and so on.
    pub fn owners(&mut self, key: Value, n: usize) -> Result<Vec<&[u8]>> {
        let n = n.min(self.nodes.len());
        let mut ranked = self.ranks(key.hash())?;
        if n < ranked.len() {
            ranked.select_nth_unstable(n);
            ranked.truncate(n);
        }
        ranked.sort_unstable();
        Ok(ranked.into_iter().map(|(_, number)| self.name(number as usize)).collect())
    }

    /// The owner by rendezvous hashing.
    ///
    /// Of nodes of one weight the greatest score wins, so that there is one logarithm for each
    /// weight, and none if all weights are equal.
    #[inline]
    fn rendezvous(&self, key: u64) -> u32 {
        let mut least: Option<(f64, u64, u32)> = None;
        for class in &self.by_weight {
            let (mut score, mut at) = (score::score(key, class.hashes[0]), 0);
            for (i, &hash) in class.hashes.iter().enumerate().skip(1) {
                let its = score::score(key, hash);
                if its > score {
                    (score, at) = (its, i);
                }
            }
            let number = class.numbers[at];
            if self.by_weight.len() == 1 {
                return number;
            }
            let new = (score::cost(score, class.weight), !score, number);
            if least.is_none_or(|least| new < least) {
                least = Some(new);
            }
        }
        least.map_or(0, |(_, _, number)| number)
    }

    /// The node of the first point at or after a place.
    fn first_point(&mut self, place: u64) -> Result<u32> {
        if let Some(points) = &self.points {
            return Ok(points.node(place));
        }
        if self.looks < LOOKS_BEFORE_SORTING {
            self.looks += 1;
            let numbers = 0..self.nodes.len() as u32;
            let first = numbers.map(|number| (self.distance(number as usize, place), number));
            return Ok(first.min().map_or(0, |(_, number)| number));
        }
        let nodes = self.nodes.iter().map(|node| (node.hash, node.points));
        let points = Directory::new(points::sorted(nodes)?)?;
        Ok(self.points.insert(points).node(place))
    }

    /// How far after a place the next point of a node is.
    fn distance(&self, number: usize, place: u64) -> u64 {
        let node = &self.nodes[number];
        let mut pace = Pace::default();
        let distances = score::points(node.hash, node.points).map(|point| {
            pace.step(1);
            point.wrapping_sub(place)
        });
        distances.min().unwrap_or(u64::MAX)
    }

    /// The ranks of all nodes for a key, in no order.
    fn ranks(&self, key: u64) -> Result<Vec<(Rank, u32)>> {
        let mut ranked = zeroed(self.nodes.len())?;
        if self.vnodes != Vnodes::RENDEZVOUS {
            let place = score::place(key);
            for (number, ranked) in ranked.iter_mut().enumerate() {
                *ranked = ((self.distance(number, place), 0), number as u32);
            }
            return Ok(ranked);
        }
        let mut free = ranked.iter_mut();
        for class in &self.by_weight {
            for (&hash, &number) in class.hashes.iter().zip(&class.numbers) {
                let score = score::score(key, hash);
                // The bits of numbers above zero are in the order of the numbers.
                let cost = score::cost(score, class.weight).to_bits();
                if let Some(ranked) = free.next() {
                    *ranked = ((cost, !score), number);
                }
            }
        }
        Ok(ranked)
    }

    fn name(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.nodes[number - 1].end };
        &self.names[start..self.nodes[number].end]
    }
}

/// Nodes by weight, in each class in their order.
fn classes(nodes: &[Node<'_>], entries: &[Entry]) -> Vec<Class> {
    let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let [a, b] = [a, b].map(|number| nodes[number as usize].weight.get());
        a.total_cmp(&b)
    });
    order
        .chunk_by(|&a, &b| nodes[a as usize].weight == nodes[b as usize].weight)
        .map(|numbers| Class {
            weight: nodes[numbers[0] as usize].weight.get(),
            hashes: numbers.iter().map(|&number| entries[number as usize].hash).collect(),
            numbers: numbers.to_vec(),
        })
        .collect()
}
