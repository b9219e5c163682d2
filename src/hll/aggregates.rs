//! The functions of `hll_agg`, `approx_count_distinct` and `hll_merge_agg`.

use pgrx::IntoDatum;
use sketch::hll::{Hll, HllRef, Precision};

use super::functions::precision_or_default;
use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_hll_agg_trans" => transition,
    "_hll_combine" => aggregate::combine::<Hll>,
    "_hll_agg_final" => aggregate::finish::<Hll>,
    "_approx_count_distinct_final" => count,
}

fn transition(args: &mut Args, site: &mut Site<Precision>) -> Returned {
    aggregate::transition::<Hll>(args, site, |args| precision_or_default(args, 2))
}

fn count(args: &Args) -> Returned {
    let count = match args.varlena(0) {
        Some(state) => HllRef::parse(&state)?.cardinality()?,
        None => 0,
    };
    Ok(count.into_datum())
}
