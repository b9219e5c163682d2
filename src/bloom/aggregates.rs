//! The functions of `bloom_agg` and `bloom_merge_agg`.

use sketch::bloom::{Bloom, Params};

use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_bloom_agg_trans" => transition,
    "_bloom_combine" => aggregate::combine::<Bloom>,
    "_bloom_agg_final" => aggregate::finish::<Bloom>,
}

fn transition(args: &mut Args, site: &mut Site<Params>) -> Returned {
    let params = |args: &Args| Ok(Params::for_aggregate(args.i64(2), args.f64(3))?);
    aggregate::transition::<Bloom>(args, site, params)
}
