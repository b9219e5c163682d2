//! The transition and final functions of `hll_agg`, `approx_count_distinct` and `hll_merge_agg`.

use pgrx::pg_sys::Datum;
use sketch::hll::{Hll, HllRef};

use super::functions::precision_or_default;
use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(hll_agg_trans, hll_agg_final, approx_count_distinct_final);

fn hll_agg_trans(args: &Args) -> Returned {
    aggregate::transition::<Hll>(args, |args| precision_or_default(args, 2))
}

fn hll_agg_final(args: &Args) -> Returned {
    aggregate::finish::<Hll>(args)
}

fn approx_count_distinct_final(args: &Args) -> Returned {
    let count = match args.varlena(0) {
        Some(state) => HllRef::parse(&state)?.cardinality()?,
        None => 0,
    };
    Ok(Some(Datum::from(count)))
}
