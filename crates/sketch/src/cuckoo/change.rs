//! Adding and removing single values, and subtracting a filter.

use super::Cuckoo;
use super::state::CuckooState;
use super::view::{CuckooRef, still_gathering};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::Value;
use crate::owned::Owned;
use crate::sketch::{Fit, View};

impl Cuckoo {
    /// Adds one copy of a value. Where no room is found for it, and for a ninth copy, this is an
    /// error of kind [`Limit`](crate::ErrorKind::Limit), and the state is what it was.
    pub fn add(state: &mut CuckooState, value: Value) -> Result<Fit> {
        state.expect_single_values()?;
        state.meet(value)?;
        state.add_copy(state.layout().mark(value.hash()))
    }

    /// Adds a value unless it seems present already. If it does, another value may have left the
    /// copy that is there, which then stands for both: as in a union, nothing can be removed any
    /// more.
    pub fn add_if_absent(state: &mut CuckooState, value: Value) -> Result<Fit> {
        state.expect_single_values()?;
        state.meet(value)?;
        let mark = state.layout().mark(value.hash());
        if state.copies(mark) == 0 {
            return state.add_copy(mark);
        }
        state.set_flag();
        Ok(Fit::Done)
    }

    /// Takes away one copy of a value; returns whether there was one. If none was, nothing
    /// changes. Remove only what was added: a value that merely seems present takes the copy of
    /// another. From a union nothing can be removed: an error of kind
    /// [`Mismatch`](crate::ErrorKind::Mismatch).
    pub fn remove(state: &mut CuckooState, value: Value) -> Result<bool> {
        state.expect_single_values()?;
        state.expect_no_union()?;
        state.expect(value)?;
        Ok(state.remove_copy(state.layout().mark(value.hash())))
    }

    /// Takes away everything that another filter holds: for each copy in it one copy, where there
    /// is one. Both must have the same parameters, unless one is empty. Nothing can be subtracted
    /// from a union: an error of kind [`Mismatch`](crate::ErrorKind::Mismatch).
    pub fn subtract(state: &mut CuckooState, other: &CuckooRef<'_>) -> Result<()> {
        state.expect_single_values()?;
        state.expect_no_union()?;
        if other.is_empty() || state.count() == 0 {
            return Ok(());
        }
        state.params().expect_same(other.params())?;
        state.meet_class(other.class())?;
        other.visit(|mark, copies| {
            let _ = (0..copies).take_while(|_| state.remove_copy(mark)).count();
            Ok(true)
        })?;
        Ok(())
    }
}

impl CuckooState {
    /// Checks that a state takes single values, as every empty one does.
    fn expect_single_values(&mut self) -> Result<()> {
        if !self.is_gathering() {
            Ok(())
        } else if self.count() == 0 {
            self.set_empty(self.params(), false)
        } else {
            Err(still_gathering())
        }
    }

    /// Checks that each copy stands for one value.
    fn expect_no_union(&self) -> Result<()> {
        if !self.is_union() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Mismatch,
            "cannot remove from a union of cuckoo filters",
        )
        .with_hint(
            "In a union, or where cuckoo_add_if_absent met a value that seemed present, one copy may \
             stand for several values. Add copies up with cuckoo_sum, cuckoo_sum_agg and cuckoo_add, \
             and remove from that.",
        ))
    }
}

impl Owned<Cuckoo> {
    /// Adds one copy of a value. Where no room is found for it, and for a ninth copy, this is an
    /// error of kind [`Limit`](crate::ErrorKind::Limit), and the filter is what it was.
    ///
    /// A filter that values were [inserted](Owned::insert) into takes copies only once it was at
    /// rest.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut present = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// present.add(Value::number(42))?;
    /// assert!(present.contains(Value::number(42))?);
    /// assert!(present.remove(Value::number(42))?);
    /// assert!(!present.remove(Value::number(42))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add(&mut self, value: Value) -> Result<()> {
        self.apply(|state| Cuckoo::add(state, value))
    }

    /// Adds a value unless it seems present already; returns whether it was added. If it was not,
    /// another value may have left the copy that is there, which then stands for both: as in a
    /// union, nothing can be removed any more.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut present = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// assert!(present.add_if_absent(Value::text("alice"))?);
    /// assert!(!present.add_if_absent(Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_if_absent(&mut self, value: Value) -> Result<bool> {
        let before = self.trusted().count();
        self.apply(|state| Cuckoo::add_if_absent(state, value))?;
        Ok(self.trusted().count() > before)
    }

    /// Takes away one copy of a value; returns whether there was one. If none was, nothing changes.
    /// Remove only what was added: a value that merely seems present takes the copy of another.
    /// From a [union](CuckooRef::is_union) nothing can be removed.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut present = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// present.add(Value::text("alice"))?;
    /// assert!(present.remove(Value::text("alice"))?);
    /// assert!(!present.contains(Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove(&mut self, value: Value) -> Result<bool> {
        Cuckoo::remove(self.state(), value)
    }

    /// Takes away everything that another filter, of any form, holds: for each copy in it one copy,
    /// where there is one. Both must have the same parameters, unless one is empty. Nothing can be
    /// subtracted from a [union](CuckooRef::is_union).
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let [mut all, mut gone] = [0; 2].map(|_| Owned::<Cuckoo>::new(Params::DEFAULT));
    /// all.add(Value::text("alice"))?;
    /// all.add(Value::text("bob"))?;
    /// gone.add(Value::text("bob"))?;
    /// all.subtract(&gone.rest()?)?;
    /// assert!(all.contains(Value::text("alice"))? && !all.contains(Value::text("bob"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn subtract(&mut self, bytes: &[u8]) -> Result<()> {
        let other = CuckooRef::parse(bytes)?;
        Cuckoo::subtract(self.state(), &other)
    }
}
