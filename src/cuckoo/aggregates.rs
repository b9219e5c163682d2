//! The functions of `cuckoo_agg`, `cuckoo_merge_agg` and `cuckoo_sum_agg`.

use sketch::cuckoo::Cuckoo;

use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::{aggregate, filter};

export! {
    "_cuckoo_agg_trans" => filter::transition::<Cuckoo>,
    "_cuckoo_combine" => aggregate::combine::<Cuckoo>,
    "_cuckoo_sum_combine" => sum,
    "_cuckoo_agg_final" => aggregate::finish::<Cuckoo>,
}

fn sum(args: &mut Args) -> Returned {
    aggregate::combine_by::<Cuckoo>(args, Cuckoo::sum)
}
