//! The functions of `bloom_agg` and `bloom_merge_agg`.

use sketch::bloom::Bloom;

use crate::datum::args::export;
use crate::surface::{aggregate, filter};

export! {
    "_bloom_agg_trans" => filter::transition::<Bloom>,
    "_bloom_combine" => aggregate::combine::<Bloom>,
    "_bloom_agg_final" => aggregate::finish::<Bloom>,
}
