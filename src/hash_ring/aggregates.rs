//! The functions of `hash_ring_agg` and `hash_ring_merge_agg`.

use sketch::Sketch;
use sketch::hash_ring::{HashRing, Vnodes};

use super::functions::{vnodes_or_default, weight_or_one};
use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_hash_ring_agg_trans" => transition,
    "_hash_ring_combine" => aggregate::combine::<HashRing>,
    "_hash_ring_agg_final" => aggregate::finish::<HashRing>,
}

fn transition(args: &mut Args, site: &mut Site<Vnodes>) -> Returned {
    let weight = weight_or_one(args, 2)?;
    let node = args.varlena(1);
    let change =
        node.as_deref().map(|name| move |state: &mut _| HashRing::unite(state, name, weight));
    let vnodes = |args: &Args| vnodes_or_default(args, 3);
    aggregate::transition_anew::<HashRing>(args, site, 3, vnodes, HashRing::init, change)
}
