//! The points of a ring, in order, and a directory of where they are.

use super::score;
use crate::error::Result;
use crate::interrupt::Pace;
use crate::owned::zeroed;

/// A point, and the number of its node.
pub(super) type Point = (u64, u32);

/// The points of nodes, each given by its hash and the number of its points: sorted, those of one
/// place by node.
pub(super) fn sorted(nodes: impl Iterator<Item = (u64, usize)> + Clone) -> Result<Vec<Point>> {
    let mut points: Vec<Point> = zeroed(nodes.clone().map(|(_, count)| count).sum())?;
    let mut free = &mut points[..];
    let mut pace = Pace::default();
    for ((hash, count), number) in nodes.zip(0..) {
        let (own, rest) = free.split_at_mut(count);
        for (point, place) in own.iter_mut().zip(score::points(hash, count)) {
            *point = (place, number);
            pace.step(16);
        }
        free = rest;
    }
    // In pieces by their first bits, between which the sorting can be ended.
    points = by_first_bits(&points)?;
    for piece in points.chunk_by_mut(|a, b| a.0 >> 56 == b.0 >> 56) {
        piece.sort_unstable();
        pace.step(16 * piece.len());
    }
    Ok(points)
}

/// The points in the order of the first eight bits of their places.
fn by_first_bits(points: &[Point]) -> Result<Vec<Point>> {
    let mut ends = [0; 257];
    points.iter().for_each(|(place, _)| ends[(place >> 56) as usize + 1] += 1);
    (1..257).for_each(|i| ends[i] += ends[i - 1]);
    let mut ordered: Vec<Point> = zeroed(points.len())?;
    for &point in points {
        let at = &mut ends[(point.0 >> 56) as usize];
        ordered[*at] = point;
        *at += 1;
    }
    Ok(ordered)
}

/// Points to be asked for the first one at or after a place.
pub(super) struct Directory {
    points: Vec<Point>,
    /// For each number that the first bits of places can be, how many points come before; then how
    /// many there are.
    starts: Vec<u32>,
    shift: u32,
}

impl Directory {
    /// Of sorted points; there is one.
    pub(super) fn new(points: Vec<Point>) -> Result<Self> {
        let bits = points.len().next_power_of_two().trailing_zeros().max(1);
        let shift = u64::BITS - bits;
        let mut starts: Vec<u32> = zeroed((1 << bits) + 1)?;
        points.iter().for_each(|(place, _)| starts[(place >> shift) as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        Ok(Directory { points, starts, shift })
    }

    /// The node of the first point at or after a place.
    #[inline]
    pub(super) fn node(&self, place: u64) -> u32 {
        let bucket = (place >> self.shift) as usize;
        let [start, end] = [bucket, bucket + 1].map(|at| self.starts[at] as usize);
        let first = start + self.points[start..end].partition_point(|point| point.0 < place);
        self.points.get(first).unwrap_or(&self.points[0]).1
    }
}
