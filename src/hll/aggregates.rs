//! The functions of `hll_agg`, `approx_count_distinct` and `hll_merge_agg`.

use pgrx::IntoDatum;
use sketch::hll::{Hll, HllRef, Precision};

use super::functions::precision_or_default;
use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::surface::aggregate::{self, Site};
use crate::value;

export! {
    "_hll_agg_trans" => transition,
    "_hll_combine" => aggregate::combine::<Hll>,
    "_hll_agg_final" => aggregate::finish::<Hll>,
    "_approx_count_distinct_trans" => count_transition,
    "_approx_count_distinct_final" => count,
}

fn transition(args: &mut Args, site: &mut Site<Precision>) -> Returned {
    aggregate::transition::<Hll>(args, site, |args| precision_or_default(args, 2))
}

/// What `approx_count_distinct` keeps at its place in a query.
#[derive(Default)]
struct CountSite {
    site: Site<Precision>,
    /// Whether it counts what sketches hold.
    merges: Option<bool>,
}

/// Adds a value, or all that a sketch holds. One function for both, since beside one for sketches
/// alone a literal without a type would fit two.
fn count_transition(args: &mut Args, kept: &mut CountSite) -> Returned {
    if *kept.merges.get_or_insert_with(|| value::are_of_one_type(args, 0, 1)) {
        return aggregate::combine::<Hll>(args);
    }
    transition(args, &mut kept.site)
}

fn count(args: &Args) -> Returned {
    let count = match args.varlena(0) {
        Some(state) => HllRef::parse(&state)?.cardinality()?,
        None => 0,
    };
    Ok(count.into_datum())
}
