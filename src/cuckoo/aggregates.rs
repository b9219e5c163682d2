//! The transition and final functions of `cuckoo_agg` and `cuckoo_merge_agg`.

use sketch::cuckoo::{Cuckoo, Params};

use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(cuckoo_agg_trans, cuckoo_agg_final);

fn cuckoo_agg_trans(args: &Args) -> Returned {
    aggregate::transition::<Cuckoo>(args, |args| {
        let error_rate = args.f64(3).unwrap_or(Params::DEFAULT.error_rate_as_written());
        Ok(match args.i64(2) {
            Some(capacity) => Params::new(capacity, error_rate)?,
            None => Params::gather(error_rate)?,
        })
    })
}

fn cuckoo_agg_final(args: &Args) -> Returned {
    aggregate::finish::<Cuckoo>(args)
}
