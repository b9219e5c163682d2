//! A sketch of any form, read where it lies.

use super::entries;
use super::packed::Packed;
use super::params::Params;
use super::state::{CmsState, LIST, MOVING};
use super::table::{Body, Entries, Table};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::hash_set;
use crate::sketch::View;

/// A sketch in any of its forms.
///
/// ```
/// use sketch::cms::{Cms, CmsRef, Params};
/// use sketch::{Owned, View};
///
/// # fn main() -> sketch::Result<()> {
/// let stored = Owned::<Cms>::new(Params::new(0.01, 0.01)?).rest()?;
/// let sketch = CmsRef::parse(&stored)?;
/// assert!(sketch.is_empty() && sketch.is_exact());
/// assert_eq!((sketch.params().width(), sketch.total()), (272, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CmsRef<'a> {
    pub(super) header: Header,
    pub(super) params: Params,
    pub(super) total: u64,
    /// The mode of a state that holds the same.
    pub(super) mode: u8,
    pub(super) body: Body<'a>,
    pub(super) bytes: &'a [u8],
}

/// What stands at the front of a sketch at rest.
pub(super) struct Head {
    pub header: Header,
    pub params: Params,
    pub total: u64,
    /// The offset of what follows.
    pub end: usize,
}

impl Head {
    /// Reads the head of a sketch that is not in the working form from its first bytes.
    pub fn read(bytes: &[u8]) -> Result<Head> {
        let (header, rest) = Header::read(bytes, SketchType::Cms)?;
        let (params, rest) = Params::read(rest)?;
        let (total, rest) =
            if header.form == Form::Empty { (0, rest) } else { params::read(rest)? };
        check_total(total, header)?;
        Ok(Head { header, params, total, end: bytes.len() - rest.len() })
    }
}

/// A sketch has a total, below 2^63, exactly if it has a class.
fn check_total(total: u64, header: Header) -> Result<()> {
    if total <= i64::MAX as u64 && (total > 0) == header.class.is_some() {
        return Ok(());
    }
    Err(Error::bytes(format!(
        "a total of {total} in a sketch of class {}",
        header.class.map_or("none", ValueClass::name)
    )))
}

impl<'a> CmsRef<'a> {
    /// Reads the header and the parameters, and checks the length. Entries and cells are checked
    /// as they are read, and all of them when the sketch is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (header, _) = Header::read(bytes, SketchType::Cms)?;
        if header.form == Form::Working {
            return Self::parse_state(bytes, header);
        }
        let Head { header, params, total, end } = Head::read(bytes)?;
        let (body, mode) = if header.form == Form::Dense {
            let (packed, size) = Packed::parse(&bytes[end..], params.cells())?;
            (Body::Table(Table::Packed(packed)), size as u8)
        } else {
            (Body::Entries(parse_list(&bytes[end..], header.form, params)?), LIST)
        };
        Ok(CmsRef { header, params, total, mode, body, bytes })
    }

    fn parse_state(bytes: &'a [u8], header: Header) -> Result<Self> {
        let state = CmsState::read(bytes, SketchType::Cms)?;
        let params = Params::of_stored(state.fields.width.get(), state.parameter)?;
        let (mode, count, total) = (state.mode, state.count(), state.total());
        check_total(total, header)?;
        let len = state.body.len();
        let is_possible = match mode {
            LIST | MOVING => {
                count <= hash_set::room::<{ entries::SLOT }>(len)
                    && (mode == MOVING || count <= params.max_entries())
            }
            1 | 2 | 4 | 8 => count == 0 && len >= params.cells() * usize::from(mode),
            _ => false,
        };
        if !is_possible || state.fields.spare != [0; 4] {
            return Err(Error::bytes(format!(
                "no working state of mode {mode} has {count} entries in {len} bytes"
            )));
        }
        Ok(CmsRef { header, params, total, mode, body: Body::of_state(state), bytes })
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        self.params
    }

    /// How many values the sketch holds, each as often as it was added; at most 2^63 - 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether frequencies are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.body, Body::Entries(_))
    }

    /// The number of distinct hashes, while the sketch is exact.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cms::{Cms, CmsRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut words = Owned::<Cms>::new(Params::DEFAULT);
    /// words.add(Value::text("a"), 70)?;
    /// words.add(Value::text("b"), 1)?;
    /// assert_eq!(CmsRef::parse(words.working())?.distinct(), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn distinct(&self) -> Option<usize> {
        match &self.body {
            Body::Entries(entries) => Some(entries.count()),
            Body::Table(_) => None,
        }
    }

    /// The share of cells, or of the entries that the list can hold, that are in use.
    pub fn fill(&self) -> Result<f64> {
        Ok(match &self.body {
            Body::Entries(entries) => {
                entries.count() as f64 / self.params.max_entries().max(1) as f64
            }
            Body::Table(table) => {
                let mut used = 0;
                table.visit(|_, block| {
                    used += block.iter().filter(|&&count| count != 0).count();
                    true
                })?;
                used as f64 / self.params.cells() as f64
            }
        })
    }
}

impl View for CmsRef<'_> {
    fn header(&self) -> Header {
        self.header
    }

    fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    fn is_empty(&self) -> bool {
        self.total == 0
    }
}

fn parse_list(bytes: &[u8], form: Form, params: Params) -> Result<Entries<'_>> {
    if form == Form::Empty {
        if bytes.is_empty() {
            return Ok(Entries::Listed(0, bytes));
        }
        return Err(Error::bytes("bytes behind the parameters of an empty sketch"));
    }
    let (count, list): (u32, _) = params::read(bytes)?;
    let count = count as usize;
    if count == 0 || count > params.max_entries() {
        return Err(Error::bytes(format!(
            "{count} entries in a sparse sketch of {} cells, not 1 to {}",
            params.cells(),
            params.max_entries()
        )));
    }
    // Before anything is allocated for as many.
    if list.len() < entries::min_len(count) {
        return Err(Error::bytes(format!("{count} entries cannot lie in {} bytes", list.len())));
    }
    Ok(Entries::Listed(count, list))
}
