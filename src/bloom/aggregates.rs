//! The functions of `bloom_agg` and `bloom_merge_agg`.

use sketch::bloom::{Bloom, Params};

use super::functions::error_rate_or_default;
use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};

export! {
    "_bloom_agg_trans" => transition,
    "_bloom_combine" => aggregate::combine::<Bloom>,
    "_bloom_agg_final" => aggregate::finish::<Bloom>,
}

fn transition(args: &mut Args, site: &mut Site<Params>) -> Returned {
    aggregate::transition::<Bloom>(args, site, |args| {
        let error_rate = error_rate_or_default(args, 3);
        Ok(match args.i64(2) {
            Some(capacity) => Params::new(capacity, error_rate)?,
            None => Params::gathering(error_rate)?,
        })
    })
}
