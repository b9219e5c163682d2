//! The union with another filter.

use super::set::miscounted;
use super::state::{CuckooState, TABLE};
use super::table::{Buckets, Table};
use super::view::{Body, CuckooRef, still_gathering};
use crate::error::Result;
use crate::interrupt::Pace;
use crate::sketch::{Fit, View};

/// Takes in what another filter holds: of each fingerprint as many copies as in the filter that has
/// more.
pub(super) fn unite(state: &mut CuckooState, other: &CuckooRef<'_>) -> Result<Fit> {
    let held = state.count();
    if other.is_empty() {
        if held == 0 {
            state.set_empty(state.params().preferred(other.params()), state.is_gathering())?;
        }
        return Ok(Fit::Done);
    }
    if held == 0 {
        state.set_empty(other.params(), other.is_gathering())?;
    } else {
        state.params().expect_same(other.params())?;
    }
    if state.is_gathering() != other.is_gathering() {
        return Err(still_gathering());
    }
    state.meet_class(other.class())?;
    if let Body::Gathered(set) = &other.body {
        let params = state.params();
        let added = state.merge_keys(set.count, set.iter().map(Ok), params.most_gathered())?;
        return added.fit(|| Err(params.too_many_gathered()));
    }
    if let Fit::Needs(growth) = state.reserve(held.max(other.count()))? {
        return Ok(Fit::Needs(growth));
    }
    if let (0, TABLE, Body::Table(table)) = (held, state.mode, &other.body) {
        copy_table(state, *table, other.count())?;
        return Ok(Fit::Done);
    }
    let mut fit = Fit::Done;
    other.visit(|mark, copies| {
        for _ in state.copies(mark)..copies {
            fit = state.add_copy(mark)?;
            if fit != Fit::Done {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(fit)
}

/// Takes over the arrangement of a table, which serves an empty one as it is.
fn copy_table(state: &mut CuckooState, other: Buckets<'_>, said: usize) -> Result<()> {
    let mut pace = Pace::default();
    let mut table = Table { layout: other.layout, bytes: &mut state.body };
    let mut count = 0;
    for at in 0..other.layout.buckets {
        pace.step(64);
        let bucket = other.get(at)?;
        count += bucket.iter().filter(|&&fingerprint| fingerprint != 0).count();
        table.set_bucket(at, bucket);
    }
    if count != said {
        return Err(miscounted());
    }
    state.set_count(count);
    Ok(())
}
