//! The transition and final functions of `bloom_agg` and `bloom_merge_agg`.

use sketch::bloom::{Bloom, Params};

use super::functions::error_rate_or_default;
use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned};

export!(bloom_agg_trans, bloom_agg_final);

fn bloom_agg_trans(args: &Args) -> Returned {
    aggregate::transition::<Bloom>(args, |args| {
        let error_rate = error_rate_or_default(args, 3);
        Ok(match args.i64(2) {
            Some(capacity) => Params::new(capacity, error_rate)?,
            None => Params::gathering(error_rate)?,
        })
    })
}

fn bloom_agg_final(args: &Args) -> Returned {
    aggregate::finish::<Bloom>(args)
}
