//! Which share of all keys a node owns.

use std::f64::consts::{PI, SQRT_2};

use super::params::Vnodes;
use super::view::Node;
use super::{points, score};
use crate::error::{Error, ErrorKind, Result};
use crate::interrupt::Pace;
use crate::owned::zeroed;

/// All hashes of 64 bits.
pub(super) const CIRCLE: f64 = 18_446_744_073_709_551_616.0;

/// The share of all keys that each node of a ring owns.
///
/// Of rendezvous hashing it is the weight by the sum of all, which is the chance of a key (the least
/// of independent exponential variables); of a classic ring it is the part of the circle that lies
/// before the points of the node, which is exact.
pub fn shares(nodes: &[Node<'_>], vnodes: Vnodes) -> Result<Vec<f64>> {
    if vnodes == Vnodes::RENDEZVOUS {
        let total: f64 = nodes.iter().map(|node| node.weight.get()).sum();
        return Ok(nodes.iter().map(|node| node.weight.get() / total).collect());
    }
    let mut arcs: Vec<u128> = zeroed(nodes.len())?;
    let points = sorted_points(nodes, vnodes)?;
    let mut pace = Pace::default();
    // The arc of the first point begins behind the last one.
    let mut before = points.last().map_or(0, |last| i128::from(last.0) - (1 << 64));
    for (place, number) in points {
        arcs[number as usize] += (i128::from(place) - before) as u128;
        before = place.into();
        pace.step(16);
    }
    Ok(arcs.into_iter().map(|arc| arc as f64 / CIRCLE).collect())
}

/// The points of nodes, sorted.
pub(super) fn sorted_points(nodes: &[Node<'_>], vnodes: Vnodes) -> Result<Vec<points::Point>> {
    let hashed = nodes.iter().map(|node| (score::node_hash(node.name), vnodes.points(node.weight)));
    points::sorted(hashed)
}

/// The largest share that one of so many nodes of equal weight is to expect, as a multiple of the
/// mean; with few keys chance adds to it.
///
/// On a classic ring the shares follow a Dirichlet distribution, so it is the mean of the greatest
/// of `nodes` gamma variables of shape `vnodes`, here by the cube of normal ones (Wilson & Hilferty
/// 1931, "The Distribution of Chi-Square"), within 1 %.
pub fn expected_max_load(nodes: i64, vnodes: Vnodes) -> Result<f64> {
    if nodes < 1 || nodes > super::MAX_NODES as i64 {
        return Err(Error::new(
            ErrorKind::InvalidParameter,
            format!("a hash ring of {nodes} nodes is out of range"),
        )
        .with_hint("A ring that is of use has from 1 to 1048576 nodes."));
    }
    if nodes == 1 || vnodes == Vnodes::RENDEZVOUS {
        return Ok(1.0);
    }
    let (nodes, shape) = (nodes as f64, f64::from(vnodes.get()));
    let load = |z: f64| {
        let root = 1.0 - 1.0 / (9.0 * shape) + z / (3.0 * shape.sqrt());
        root.max(0.0).powi(3)
    };
    // The chance that the greatest of so many normal variables lies in a step, at its middle.
    const STEP: f64 = 1.0 / 64.0;
    let below = |z: f64| libm::pow(1.0 - 0.5 * libm::erfc(z / SQRT_2), nodes - 1.0);
    let density = |z: f64| libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt();
    let steps = (-8 * 64..10 * 64).map(|i| (f64::from(i) + 0.5) * STEP);
    Ok(steps.map(|z| load(z) * nodes * below(z) * density(z) * STEP).sum())
}
