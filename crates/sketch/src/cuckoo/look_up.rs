//! One value looked up in a filter of any form, of which only a few bytes are read.

use super::state::CuckooState;
use super::view::{Body, CuckooRef, Head, MAX_HEAD_LEN};
use super::{Cuckoo, packed, set};
use crate::codec::Form;
use crate::error::Result;
use crate::filter::Membership;
use crate::hash::Value;
use crate::hash_set;
use crate::key_list::{self, cut};
use crate::sketch::View;
use crate::source::Source;

impl CuckooRef<'_> {
    /// Whether a value seems present: always if it was added and not removed since, else with a
    /// probability that [`CuckooRef::error_rate`] gives. The state of an aggregate answers exactly.
    ///
    /// An empty filter holds no value of any class; any other refuses a value of another class.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut seen = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// seen.insert(Value::text("alice"))?;
    /// let stored = seen.rest()?;
    /// let seen = CuckooRef::parse(&stored)?;
    /// assert!(seen.contains(Value::text("alice"))?);
    /// assert!(!seen.contains(Value::text("bob"))?);
    /// assert!(seen.contains(Value::number(1)).is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn contains(&self, value: Value) -> Result<bool> {
        if self.form() != Form::Working {
            return self.head.look_up(&mut &*self.bytes, value);
        }
        if self.is_empty() {
            return Ok(false);
        }
        value.class().expect_held(self.class())?;
        let layout = self.params().layout();
        let mark = layout.mark(value.hash());
        // The slots of an untrusted state may be wrong, so scan all.
        Ok(match &self.body {
            Body::Gathered(set) => set.iter().any(|held| held == cut(value.hash(), 64)),
            Body::Set(table) => {
                let key = set::key(layout.signature(mark), 0);
                hash_set::iter::<8>(table).any(|held| held == key)
            }
            Body::Table(table) => table.copies(mark)? > 0,
            Body::List(_) => false,
        })
    }

    /// [`CuckooRef::contains`] without the whole filter: of the source are read its first bytes and
    /// then at most two buckets, or one group of a list and its place in the directory.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut seen = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// seen.insert(Value::text("alice"))?;
    /// let stored = seen.rest()?;
    /// // A slice is a source; so may be a file.
    /// assert!(CuckooRef::contains_in(&mut &stored[..], Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn contains_in(source: &mut (impl Source + ?Sized), value: Value) -> Result<bool> {
        let total = source.byte_len();
        match Head::read(source.head(MAX_HEAD_LEN)?, total)? {
            Some(head) => head.look_up(source, value),
            None => CuckooRef::parse(source.read(0, total)?)?.contains(value),
        }
    }
}

impl Head {
    /// Looks a value up in a filter at rest.
    #[inline]
    fn look_up(&self, source: &mut (impl Source + ?Sized), value: Value) -> Result<bool> {
        let Head { header, params, count, at, .. } = *self;
        if count == 0 {
            return Ok(false);
        }
        value.class().expect_held(header.class)?;
        let layout = params.layout();
        let mark = layout.mark(value.hash());
        if header.form == Form::Sparse {
            let key = layout.key(layout.signature(mark));
            return key_list::contains(source, at, count, layout.key_bits(), key);
        }
        for bucket in [mark.bucket, layout.partner(mark).bucket] {
            let (first, len, shift) = packed::place(layout, bucket);
            let bucket = packed::read(source.read(at + first, len)?, shift, layout)?;
            if bucket.contains(&mark.fingerprint) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Membership for Cuckoo {
    #[inline]
    fn holds(state: &CuckooState, value: Value) -> Result<bool> {
        if state.count() == 0 {
            return Ok(false);
        }
        state.expect(value)?;
        if state.is_gathering() {
            return Ok(state.holds_key(cut(value.hash(), 64)));
        }
        Ok(state.copies(state.layout().mark(value.hash())) > 0)
    }

    fn contains_in(source: &mut dyn Source, value: Value) -> Result<bool> {
        CuckooRef::contains_in(source, value)
    }
}
