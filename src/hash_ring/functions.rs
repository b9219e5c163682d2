//! Functions and operators of `hash_ring`.

use pgrx::{IntoDatum, PgSqlErrorCode};
use sketch::View;
use sketch::hash_ring::{self, HashRing, HashRingRef, Router, Vnodes, Weight};

use crate::datum::args::export;
use crate::datum::record::row;
use crate::datum::stored::Made;
use crate::datum::{Args, Returned, text, varlena};
use crate::error::{SqlError, SqlResult};
use crate::surface::change;
use crate::surface::rows::Rows;
use crate::value;

export! {
    "hash_ring_empty" => empty,
    "hash_ring_add" => add,
    "hash_ring_remove" => remove,
    "hash_ring_merge" => change::merge::<HashRing>,
    "hash_ring_node" => node,
    "hash_ring_nodes" => nodes,
    "hash_ring_items" => items,
    "hash_ring_moves" => moves,
    "hash_ring_info" => info,
    "hash_ring_size" => size,
}

/// What a function that finds owners keeps at its place in a query.
#[derive(Default)]
pub struct Site {
    key: value::Site,
    /// The ring that was asked last, made ready.
    router: Made<Router>,
}

/// The vnodes in an argument, the default where it is NULL or not there.
pub(super) fn vnodes_or_default(args: &Args, index: usize) -> SqlResult<Vnodes> {
    Ok(args.i32(index).map_or(Ok(Vnodes::RENDEZVOUS), |vnodes| Vnodes::new(vnodes.into()))?)
}

/// The weight in an argument, 1 where it is NULL or not there.
pub(super) fn weight_or_one(args: &Args, index: usize) -> SqlResult<Weight> {
    Ok(args.f64(index).map_or(Ok(Weight::ONE), Weight::new)?)
}

fn empty(args: &Args) -> Returned {
    change::empty::<HashRing>(vnodes_or_default(args, 0)?)
}

fn add(args: &Args) -> Returned {
    let weight = weight_or_one(args, 2)?;
    match args.varlena(1) {
        Some(name) => {
            change::changed::<HashRing>(args, |state| HashRing::add(state, &name, weight))
        }
        None => change::unchanged::<HashRing>(args, 0),
    }
}

fn remove(args: &Args) -> Returned {
    match args.varlena(1) {
        Some(name) => change::changed::<HashRing>(args, |state| HashRing::remove(state, &name)),
        None => change::unchanged::<HashRing>(args, 0),
    }
}

fn node(args: &Args, site: &mut Site) -> Returned {
    let (Some(ring), Some(key)) = (args.datum(0), site.key.read(args, 1)?) else { return Ok(None) };
    let router = site.router.of(ring, |bytes| Ok(Router::of_bytes(bytes)?))?;
    router.owner(key)?.map_or(Ok(None), text::text)
}

fn nodes(args: &Args, site: &mut Site) -> Returned {
    let (Some(ring), Some(key)) = (args.datum(0), site.key.read(args, 1)?) else { return Ok(None) };
    let Some(n) = args.i32(2) else { return Ok(None) };
    let n = usize::try_from(n).map_err(|_| {
        SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("the number of nodes {n} is negative"),
            "It is how many nodes are wanted, the owner first.",
        )
    })?;
    let router = site.router.of(ring, |bytes| Ok(Router::of_bytes(bytes)?))?;
    text::array(&router.owners(key, n)?)
}

fn items(args: &Args) -> Returned {
    let mut rows = Rows::new(args)?;
    if let Some(bytes) = args.varlena(0) {
        let ring = HashRingRef::parse(&bytes)?;
        let nodes = ring.nodes()?;
        let shares = hash_ring::shares(&nodes, ring.vnodes())?;
        for (node, share) in nodes.iter().zip(shares) {
            rows.push(|| {
                Ok([text::text(node.name)?, node.weight.get().into_datum(), share.into_datum()])
            })?;
        }
    }
    rows.finish()
}

fn moves(args: &Args) -> Returned {
    let mut rows = Rows::new(args)?;
    if let (Some(old), Some(new)) = (args.varlena(0), args.varlena(1)) {
        hash_ring::moves(&HashRingRef::parse(&old)?, &HashRingRef::parse(&new)?, |one| {
            let name = |name: Option<&[u8]>| name.map_or(Ok(None), text::text);
            rows.push(|| Ok([name(one.from)?, name(one.to)?, one.share.into_datum()]))
        })?;
    }
    rows.finish()
}

fn info(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    let ring = HashRingRef::parse(&bytes)?;
    row!(
        args,
        ring.vnodes().method(),
        ring.vnodes().get() as i32,
        ring.count() as i32,
        ring.byte_len() as i32,
        ring.total_weight()?,
    )
}

fn size(args: &Args) -> Returned {
    let (Some(nodes), Some(vnodes)) = (args.i32(0), args.i32(1)) else { return Ok(None) };
    let vnodes = Vnodes::new(vnodes.into())?;
    let load = hash_ring::expected_max_load(nodes.into(), vnodes)?;
    let bytes = hash_ring::full_len(nodes as usize, NAME_LEN, vnodes, false);
    row!(args, (varlena::HEADER_LEN + bytes) as i32, load)
}

/// The bytes of a name that `hash_ring_size` reckons with.
const NAME_LEN: usize = 8;
