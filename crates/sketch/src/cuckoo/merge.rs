//! The union with another filter, and the sum.

use super::Cuckoo;
use super::set::miscounted;
use super::state::{CuckooState, TABLE};
use super::table::{Buckets, Table};
use super::view::{Body, CuckooRef, still_gathering};
use crate::error::Result;
use crate::interrupt::Pace;
use crate::owned::Owned;
use crate::sketch::{Fit, View};

impl Cuckoo {
    /// Adds every copy that another filter holds, so that what each filter was given can still be
    /// removed. Both must have the same parameters, unless one is empty. Where the copies find no
    /// room, and for a ninth copy of a fingerprint, this is an error of kind
    /// [`Limit`](crate::ErrorKind::Limit), with which the state may have taken in a part.
    pub fn sum(state: &mut CuckooState, other: &CuckooRef<'_>) -> Result<Fit> {
        if state.is_gathering() && state.count() > 0 || other.is_gathering() && !other.is_empty() {
            return Err(still_gathering());
        }
        take_in(state, other, true)
    }
}

impl Owned<Cuckoo> {
    /// Adds every copy that another filter, of any form, holds, so that what each filter was given
    /// can still be removed: unlike in a union, see [`Owned::merge`].
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let [mut week, mut today] = [0; 2].map(|_| Owned::<Cuckoo>::new(Params::DEFAULT));
    /// week.add(Value::text("alice"))?;
    /// today.add(Value::text("alice"))?;
    /// let today = today.rest()?;
    /// week.sum(&today)?;
    /// week.subtract(&today)?;
    /// assert!(week.contains(Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sum(&mut self, bytes: &[u8]) -> Result<()> {
        let other = CuckooRef::parse(bytes)?;
        self.apply(|state| Cuckoo::sum(state, &other))
    }
}

/// Takes in what another filter holds: all copies where it `adds`, else of each fingerprint as many
/// as in the filter that has more.
pub(super) fn take_in(state: &mut CuckooState, other: &CuckooRef<'_>, adds: bool) -> Result<Fit> {
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
    // There will be at least so many. So nothing is added before there is room for all of a sum, or
    // for all that an empty filter takes in.
    let least = if adds { held + other.count() } else { held.max(other.count()) };
    if let Fit::Needs(growth) = state.reserve(least)? {
        return Ok(Fit::Needs(growth));
    }
    if other.is_union() || held > 0 && !adds {
        state.set_flag();
    }
    if let (0, TABLE, Body::Table(table)) = (held, state.mode, &other.body) {
        copy_table(state, *table, other.count())?;
        return Ok(Fit::Done);
    }
    let mut fit = Fit::Done;
    other.visit(|mark, copies| {
        let own = if adds { 0 } else { state.copies(mark) };
        for _ in own..copies {
            fit = state.add_copy(mark)?;
            if fit != Fit::Done {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    if adds && fit != Fit::Done { Err(miscounted()) } else { Ok(fit) }
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
