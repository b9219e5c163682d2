//! The functions of `cuckoo_agg`, `cuckoo_merge_agg` and `cuckoo_sum_agg`.

use sketch::cuckoo::{Cuckoo, Params};

use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_cuckoo_agg_trans" => transition,
    "_cuckoo_combine" => aggregate::combine::<Cuckoo>,
    "_cuckoo_sum_combine" => sum,
    "_cuckoo_agg_final" => aggregate::finish::<Cuckoo>,
}

fn transition(args: &mut Args, site: &mut Site<Params>) -> Returned {
    let params = |args: &Args| Ok(Params::for_aggregate(args.i64(2), args.f64(3))?);
    aggregate::transition::<Cuckoo>(args, site, params)
}

fn sum(args: &mut Args) -> Returned {
    aggregate::combine_by::<Cuckoo>(args, Cuckoo::sum)
}
