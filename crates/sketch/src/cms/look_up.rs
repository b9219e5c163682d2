//! Asking for the frequency of a value.

use super::cells;
use super::entries::key_of;
use super::estimate::{Bounds, Estimate};
use super::packed::{self, Directory};
use super::params::{MAX_DEPTH, MAX_HEAD_LEN};
use super::state::CmsState;
use super::table::{Body, Table};
use super::unpack::BLOCK;
use super::view::{CmsRef, Head};
use super::working::Cms;
use crate::codec::Form;
use crate::error::Result;
use crate::hash::Value;
use crate::sketch::View;
use crate::source::Source;

impl CmsRef<'_> {
    /// How often a value was added: never below the truth, and above it by more than epsilon times
    /// the total for at most a share delta of values.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut hits = Owned::<Cms>::new(Params::DEFAULT);
    /// for page in ["/", "/docs", "/"] {
    ///     hits.insert(Value::text(page))?;
    /// }
    /// let stored = hits.rest()?;
    /// let hits = CmsRef::parse(&stored)?;
    /// assert_eq!(hits.frequency(Value::text("/"))?, 2);
    /// assert_eq!(hits.frequency(Value::text("/blog"))?, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn frequency(&self, value: Value) -> Result<u64> {
        Ok(self.estimate(value)?.frequency())
    }

    /// The frequency of a value, and its bounds.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut sketch = Owned::<Cms>::new(Params::new(0.01, 0.01)?);
    /// for i in 0..1000 {
    ///     sketch.add(Value::number(i), 1 + i % 100)?;
    /// }
    /// let bounds = CmsRef::parse(sketch.working())?.bounds(Value::number(99))?;
    /// assert!(bounds.lower <= 100 && 100 <= bounds.upper);
    /// # Ok(())
    /// # }
    /// ```
    pub fn bounds(&self, value: Value) -> Result<Bounds> {
        Ok(self.estimate(value)?.bounds())
    }

    /// The frequency of a value less what others add to it on average; no bound, see
    /// [`Estimate::unbiased_frequency`].
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut sketch = Owned::<Cms>::new(Params::new(0.01, 0.01)?);
    /// for i in 0..10_000 {
    ///     sketch.add(Value::number(i), 1)?;
    /// }
    /// let sketch = CmsRef::parse(sketch.working())?;
    /// // A cell has 37 values on average.
    /// assert!(sketch.frequency(Value::number(0))? > 20);
    /// assert!(sketch.unbiased_frequency(Value::number(0))? < 10.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unbiased_frequency(&self, value: Value) -> Result<f64> {
        Ok(self.estimate(value)?.unbiased_frequency())
    }

    /// Everything that the sketch says of a value.
    pub fn estimate(&self, value: Value) -> Result<Estimate> {
        value.class().expect_held(self.class())?;
        let (params, key) = (self.params, key_of(value));
        match &self.body {
            Body::Entries(entries) => Ok(Estimate::exact(params, self.total, entries.find(key)?)),
            &Body::Table(Table::Cells { size, table, .. }) => {
                let counts = cells::read_key(table, size, key, params);
                Ok(Estimate::of_cells(params, self.total, counts))
            }
            Body::Table(Table::Packed(_)) => Self::estimate_in(&mut &*self.bytes, value),
        }
    }

    /// Everything that a sketch, of which only the parts that it needs are read, says of a value:
    /// of a table at rest the head, the directory and a block for each row.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut hits = Owned::<Cms>::new(Params::DEFAULT);
    /// hits.add(Value::text("/docs"), 17)?;
    /// let stored = hits.rest()?;
    /// let mut source = &stored[..]; // or one that reads a file
    /// assert_eq!(CmsRef::estimate_in(&mut source, Value::text("/docs"))?.frequency(), 17);
    /// # Ok(())
    /// # }
    /// ```
    pub fn estimate_in(source: &mut (impl Source + ?Sized), value: Value) -> Result<Estimate> {
        let head = match Head::read(source.head(MAX_HEAD_LEN)?) {
            Ok(head) if head.header.form == Form::Dense => head,
            _ => {
                let all = source.read(0, source.byte_len())?;
                return CmsRef::parse(all)?.estimate(value);
            }
        };
        let Head { header, params, total, end } = head;
        value.class().expect_held(header.class)?;
        let directory_len = packed::directory_len(params.cells());
        let mut directory = Directory::new(source.read(end, directory_len)?, params.cells());
        let mut places = [None; MAX_DEPTH];
        for (place, cell) in places.iter_mut().zip(cells::positions(key_of(value), params)) {
            let (shape, at) = directory.find(cell)?;
            *place = Some((shape, at, cell % BLOCK));
        }
        let mut counts = [0; MAX_DEPTH];
        for (count, (shape, at, cell)) in counts.iter_mut().zip(places.into_iter().flatten()) {
            let block = source.read(end + directory_len + at, shape.byte_len())?;
            *count = shape.count(block, cell)?;
        }
        Ok(Estimate::of_cells(params, total, counts))
    }
}

impl Cms {
    /// Everything that a state says of a value, found at once.
    #[inline]
    pub fn estimate(state: &CmsState, value: Value) -> Result<Estimate> {
        state.expect(value)?;
        Ok(state.look_up(key_of(value)))
    }
}

impl CmsState {
    /// What the state says of a key.
    #[inline]
    pub(super) fn look_up(&self, key: u64) -> Estimate {
        let (params, total) = (self.params(), self.total());
        if self.is_list() {
            return Estimate::exact(params, total, self.find(key).unwrap_or(0));
        }
        let counts = cells::read_key(&self.body, self.mode.into(), key, params);
        Estimate::of_cells(params, total, counts)
    }
}
