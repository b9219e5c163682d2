//! What is asked of keys without a ring.

use pgrx::IntoDatum;

use crate::datum::args::export;
use crate::datum::{Args, Returned};
use crate::value;

export! {
    "consistent_hash" => consistent_hash,
    "sketch_hash" => sketch_hash,
}

fn consistent_hash(args: &Args, site: &mut value::Site) -> Returned {
    let (Some(key), Some(buckets)) = (site.read(args, 0)?, args.i32(1)) else { return Ok(None) };
    Ok(sketch::hash_ring::consistent_hash(key, buckets)?.into_datum())
}

fn sketch_hash(args: &Args, site: &mut value::Site) -> Returned {
    Ok(site.read(args, 0)?.and_then(|value| (value.hash() as i64).into_datum()))
}
