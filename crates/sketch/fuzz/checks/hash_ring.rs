//! What must hold for any bytes that are offered as a `hash_ring`.

use sketch::hash::Value;
use sketch::hash_ring::{HashRing, HashRingRef, Router, Vnodes, Weight, moves, shares};
use sketch::{Owned, Sketch, accept, rest};

/// A ring of nodes 0 to `nodes`, the later ones with other weights if `weighted`.
pub fn working(nodes: usize, weighted: bool, vnodes: i64) -> Vec<u8> {
    let mut ring = Owned::<HashRing>::new(Vnodes::new(vnodes).unwrap());
    for node in 0..nodes {
        let weight = if weighted { 1.0 + (node / 3) as f64 / 4.0 } else { 1.0 };
        ring.add(format!("n{node}"), Weight::new(weight).unwrap()).unwrap();
    }
    ring.working().to_vec()
}

/// Rings of more points are not built from a few hostile bytes here: a test has no second to spare.
const MAX_POINTS: f64 = 20_000.0;

/// Whatever is not accepted does no harm; whatever is accepted is canonical, took memory in
/// proportion to its bytes, and works everywhere.
pub fn check(bytes: &[u8]) {
    let good = working(5, true, 3);
    // Stored bytes are not checked again by every reader, and disks have been known to fail.
    let _ = Owned::<HashRing>::from_bytes(&good).unwrap().merge(bytes);
    let Ok(ring) = HashRingRef::parse(bytes) else { return };
    let _ = ring.total_weight();
    let bound = HashRing::rest_bound(&ring).unwrap();
    assert!(bound <= bytes.len() + 128, "{bound} bytes for {}", bytes.len());
    let thawed_len = HashRing::thaw_len(&ring);
    assert!(thawed_len <= 40 * bytes.len() + 128, "{thawed_len} bytes for {}", bytes.len());
    let mut out = vec![0; bound];
    match accept::<HashRing>(bytes, &ring, &mut out) {
        Ok(len) => check_accepted(&out[..len], &good),
        // What is not canonical, or working, may still be read.
        Err(_) => {
            let _ = HashRing::rest(&ring, &mut out);
        }
    }
}

fn check_accepted(bytes: &[u8], good: &[u8]) {
    assert_eq!(rest::<HashRing>(bytes).unwrap(), bytes);
    let mut state = Owned::<HashRing>::from_bytes(bytes).unwrap();
    assert_eq!(state.rest().unwrap(), bytes);
    state.merge(bytes).unwrap();
    assert_eq!(state.rest().unwrap(), bytes);
    let ring = HashRingRef::parse(bytes).unwrap();
    let nodes = ring.nodes().unwrap();
    for node in &nodes {
        state.remove(node.name).unwrap();
    }
    assert_eq!(HashRingRef::parse(&state.rest().unwrap()).unwrap().count(), 0);
    for node in nodes.iter().rev() {
        state.add(node.name, node.weight).unwrap();
    }
    assert_eq!(state.rest().unwrap(), bytes);
    if ring.total_weight().unwrap() * f64::from(ring.vnodes().get()) > MAX_POINTS {
        return;
    }
    let all = shares(&nodes, ring.vnodes()).unwrap();
    assert!(nodes.is_empty() || (all.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let mut router = Router::new(&ring).unwrap();
    for key in (0..20).map(Value::number) {
        let owner = router.owner(key).unwrap().map(<[u8]>::to_vec);
        let line = router.owners(key, 3).unwrap();
        assert_eq!(line.first().copied(), owner.as_deref());
        assert_eq!(line.len(), nodes.len().min(3));
    }
    let good = HashRingRef::parse(good).unwrap();
    for (old, new, is_same) in [(&ring, &good, false), (&good, &ring, false), (&ring, &ring, true)]
    {
        let mut sum = 0.0;
        moves(old, new, |one| {
            assert!(one.share > 0.0 && one.from != one.to);
            sum += one.share;
            Ok::<_, sketch::Error>(())
        })
        .unwrap();
        assert!(sum <= 1.0 + 1e-9 && (!is_same || sum == 0.0), "{sum}");
    }
}
