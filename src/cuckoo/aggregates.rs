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
    aggregate::transition::<Cuckoo>(args, site, |args| {
        let error_rate = args.f64(3).unwrap_or(Params::DEFAULT.error_rate_as_written());
        Ok(match args.i64(2) {
            Some(capacity) => Params::new(capacity, error_rate)?,
            None => Params::gathering(error_rate)?,
        })
    })
}

fn sum(args: &mut Args) -> Returned {
    aggregate::combine_by::<Cuckoo>(args, Cuckoo::sum)
}
