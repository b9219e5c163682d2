//! Which keys move when a ring changes.

use std::collections::BTreeMap;

use super::params::Vnodes;
use super::share::{CIRCLE, shares, sorted_points};
use super::view::{HashRingRef, Node};
use crate::error::Result;
use crate::interrupt::Pace;

/// Keys that one node has to give to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move<'a> {
    /// The old owner, `None` if the old ring is empty.
    pub from: Option<&'a [u8]>,
    /// The new owner, `None` if the new ring is empty.
    pub to: Option<&'a [u8]>,
    /// The share of all keys.
    pub share: f64,
}

/// Smaller shares are rounding.
const LEAST: f64 = 1e-15;

/// Calls `each` with all moves from one ring to another, in the order of the old owners.
///
/// Shares of classic rings are exact; those of rendezvous hashing are the chances of a key. For
/// rings of the two methods these are taken as independent, which they are but for chance.
pub fn moves<'a, E: From<crate::Error>>(
    old: &HashRingRef<'a>,
    new: &HashRingRef<'a>,
    mut each: impl FnMut(Move<'a>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let (from, to) = (old.nodes()?, new.nodes()?);
    let methods = [old.vnodes(), new.vnodes()];
    let is_rendezvous = methods.map(|vnodes| vnodes == Vnodes::RENDEZVOUS);
    let mut each = |from: Option<&Node<'a>>, to: Option<&Node<'a>>, share| {
        let [from, to] = [from, to].map(|node| node.map(|node| node.name));
        if share < LEAST || from == to { Ok(()) } else { each(Move { from, to, share }) }
    };
    if from.is_empty() || to.is_empty() {
        for (node, share) in from.iter().zip(shares(&from, methods[0])?) {
            each(Some(node), None, share)?;
        }
        for (node, share) in to.iter().zip(shares(&to, methods[1])?) {
            each(None, Some(node), share)?;
        }
        return Ok(());
    }
    match is_rendezvous {
        [true, true] => of_rendezvous(&from, &to, each),
        [false, false] => {
            let arcs = of_points(&from, &to, methods)?;
            for ((old, new), arc) in arcs {
                let share = arc as f64 / CIRCLE;
                each(Some(&from[old as usize]), Some(&to[new as usize]), share)?;
            }
            Ok(())
        }
        _ => {
            let new = shares(&to, methods[1])?;
            for (old, share) in from.iter().zip(shares(&from, methods[0])?) {
                for (node, its) in to.iter().zip(&new) {
                    each(Some(old), Some(node), share * its)?;
                }
            }
            Ok(())
        }
    }
}

/// A node in both rings: its weights before and after, 0 where it is not there.
struct Change<'n, 'a> {
    node: &'n Node<'a>,
    before: f64,
    after: f64,
}

impl Change<'_, '_> {
    fn ratio(&self) -> f64 {
        self.before / self.after
    }
}

/// Moves of rendezvous hashing.
///
/// The surprises of the nodes are exponential variables `x`, the same in both rings. The least
/// `x / before` is that of `i` and the least `x / after` that of `j` with the chance `before_i *
/// after_j` times the integral of `1 / m(r)^2` from the ratio `before / after` of `j` to that of
/// `i`, where `m(r)` is the sum over all nodes of the greater of `before` and `after * r`: between
/// two ratios a straight line.
fn of_rendezvous<'a, E>(
    from: &[Node<'a>],
    to: &[Node<'a>],
    mut each: impl FnMut(Option<&Node<'a>>, Option<&Node<'a>>, f64) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let changes = paired(from, to);
    let mut by_ratio: Vec<&Change<'_, 'a>> = changes.iter().collect();
    by_ratio.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    // The sum of `before` over the nodes from each on.
    let mut flat = vec![0.0; by_ratio.len() + 1];
    for (i, change) in by_ratio.iter().enumerate().rev() {
        flat[i] = flat[i + 1] + change.before;
    }
    // The integral up to the ratio of each node.
    let mut integrals = Vec::with_capacity(by_ratio.len());
    let (mut ratio, mut integral, mut slope) = (0.0, 0.0, 0.0);
    for (change, flat) in by_ratio.iter().zip(&flat) {
        let next = change.ratio();
        if next == f64::INFINITY {
            integrals.push(integral + 1.0 / (slope * (flat + slope * ratio)));
            continue;
        }
        integral += (next - ratio) / ((flat + slope * ratio) * (flat + slope * next));
        integrals.push(integral);
        (ratio, slope) = (next, slope + change.after);
    }
    let mut pace = Pace::default();
    for change in changes.iter().filter(|change| change.before > 0.0) {
        let end = by_ratio.partition_point(|other| other.ratio() < change.ratio());
        let Some(until) = integrals.get(end) else { continue };
        for (other, since) in by_ratio[..end].iter().zip(&integrals) {
            let share = change.before * other.after * (until - since);
            each(Some(change.node), Some(other.node), share)?;
            pace.step(64);
        }
    }
    Ok(())
}

/// The nodes of two rings, those of one name together.
fn paired<'n, 'a>(from: &'n [Node<'a>], to: &'n [Node<'a>]) -> Vec<Change<'n, 'a>> {
    let mut changes = Vec::with_capacity(from.len().max(to.len()));
    let (mut old, mut new) = (from.iter().peekable(), to.iter().peekable());
    loop {
        let is_old = match (old.peek(), new.peek()) {
            (None, None) => return changes,
            (Some(a), Some(b)) => a.name <= b.name,
            (a, _) => a.is_some(),
        };
        if !is_old {
            changes.extend(new.next().map(|node| Change {
                node,
                before: 0.0,
                after: node.weight.get(),
            }));
        } else if let Some(node) = old.next() {
            let after = new.next_if(|new| new.name == node.name);
            changes.push(Change {
                node,
                before: node.weight.get(),
                after: after.map_or(0.0, |node| node.weight.get()),
            });
        }
    }
}

/// Moves of classic rings: for the numbers of an old and a new owner, the length of the arcs that go
/// from one to the other.
fn of_points(
    from: &[Node<'_>],
    to: &[Node<'_>],
    [old, new]: [Vnodes; 2],
) -> Result<BTreeMap<(u32, u32), u128>> {
    let (old, new) = (sorted_points(from, old)?, sorted_points(to, new)?);
    let (mut i, mut j) = (0, 0);
    let mut arcs = BTreeMap::new();
    let mut pace = Pace::default();
    let mut before = -1;
    let last = u64::MAX;
    loop {
        let ends = [old.get(i), new.get(j)].map(|point| point.map_or(last, |point| point.0));
        let end = ends[0].min(ends[1]);
        let [from_node, to_node] =
            [(&old, i), (&new, j)].map(|(points, at)| points.get(at).unwrap_or(&points[0]).1);
        let arc = (i128::from(end) - before) as u128;
        if from[from_node as usize].name != to[to_node as usize].name && arc > 0 {
            *arcs.entry((from_node, to_node)).or_default() += arc;
        }
        if end == last {
            return Ok(arcs);
        }
        before = end.into();
        i += old[i..].iter().take_while(|point| point.0 == end).count();
        j += new[j..].iter().take_while(|point| point.0 == end).count();
        pace.step(64);
    }
}
