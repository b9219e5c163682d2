//! A sketch of any form, read where it lies.

use super::packed::Packed;
use super::state::{
    COUNT_AT, DEPTH_AT, HEAD_LEN, LIST, MODE_AT, MOVING, SPARE_AT, TOTAL_AT, WIDTH_AT,
};
use super::table::Table;
use super::{Params, entries};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::hash_set;

/// The most bytes before the count or the directory of a sketch at rest: the header, the width,
/// the depth, the total.
pub(super) const MAX_HEAD_LEN: usize = header::LEN + params::MAX_COUNT_LEN + 1 + 9;

/// A sketch in any of its forms.
#[derive(Clone)]
pub struct CmsRef<'a> {
    pub(super) header: Header,
    pub(super) params: Params,
    pub(super) total: u64,
    pub(super) body: Body<'a>,
    moving: bool,
    len: usize,
}

/// What the sketch holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// Keys with their counts.
    Entries(Entries<'a>),
    /// Cells.
    Table(Table<'a>),
}

/// Keys with their counts.
#[derive(Clone)]
pub(super) enum Entries<'a> {
    /// So many, at rest, in these bytes.
    Listed(usize, &'a [u8]),
    /// So many, in the slots of a working state.
    Slots(usize, &'a [u8]),
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
        let (params, rest): (Params, _) = params::read(rest)?;
        let (total, rest) = match header.form {
            Form::Empty => (0, rest),
            _ => params::read(rest)?,
        };
        check_total(total, header)?;
        Ok(Head { header, params, total, end: bytes.len() - rest.len() })
    }
}

/// A sketch has a total, below 2^63, exactly if it has a class.
fn check_total(total: u64, header: Header) -> Result<()> {
    match total <= i64::MAX as u64 && (total > 0) == header.class.is_some() {
        true => Ok(()),
        false => Err(Error::bytes(format!(
            "a total of {total} in a sketch of class {}",
            header.class.map_or("none", ValueClass::name)
        ))),
    }
}

impl<'a> CmsRef<'a> {
    /// Reads the header and the parameters, and checks the length. Entries and cells are checked
    /// as they are read, and all of them when the sketch is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (header, _) = Header::read(bytes, SketchType::Cms)?;
        if header.form == Form::Working {
            return Self::parse_working(bytes, header);
        }
        let Head { header, params, total, end } = Head::read(bytes)?;
        let rest = &bytes[end..];
        let body = match header.form {
            Form::Dense => Body::Table(Table::Packed(Packed::parse(rest, params.cells())?)),
            _ => Body::Entries(parse_list(rest, header.form, params)?),
        };
        Ok(CmsRef { header, params, total, body, moving: false, len: bytes.len() })
    }

    fn parse_working(bytes: &'a [u8], header: Header) -> Result<Self> {
        let Some((head, table)) = bytes.split_at_checked(HEAD_LEN) else {
            return Err(Error::bytes("a working state is cut short"));
        };
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let params = Params::from_dimensions(word(WIDTH_AT), head[DEPTH_AT])
            .map_err(|e| Error::bytes(e.message().to_owned()))?;
        let total = u64::from(word(TOTAL_AT + 4)) << 32 | u64::from(word(TOTAL_AT));
        check_total(total, header)?;
        let (mode, count) = (head[MODE_AT], word(COUNT_AT) as usize);
        let body = match mode {
            LIST | MOVING if count <= hash_set::room::<{ entries::SLOT }>(table.len()) => {
                Body::Entries(Entries::Slots(count, table))
            }
            1 | 2 | 4 | 8 if count == 0 && table.len() >= params.cells() * usize::from(mode) => {
                Body::Table(Table::Cells(params.cells(), usize::from(mode), table))
            }
            _ => {
                return Err(Error::bytes(format!(
                    "a working state of mode {mode} with {count} entries cannot have {} bytes",
                    bytes.len()
                )));
            }
        };
        if head[SPARE_AT..].iter().any(|&byte| byte != 0) {
            return Err(Error::bytes("the spare bytes of a working state are not zero"));
        }
        Ok(CmsRef { header, params, total, body, moving: mode == MOVING, len: bytes.len() })
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        self.params
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.header.form
    }

    /// The class of the values, while there are any.
    pub fn class(&self) -> Option<ValueClass> {
        self.header.class
    }

    /// The length in bytes, without what a container adds.
    pub fn byte_len(&self) -> usize {
        self.len
    }

    /// How many values the sketch holds, each as often as it was added; at most 2^63 - 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether the sketch holds nothing.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Whether frequencies are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.body, Body::Entries(_))
    }

    /// Whether this is a moving state.
    pub(super) fn is_moving(&self) -> bool {
        self.moving
    }

    /// The number of distinct hashes, while the sketch is exact.
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

fn parse_list(bytes: &[u8], form: Form, params: Params) -> Result<Entries<'_>> {
    if form == Form::Empty {
        return match bytes {
            [] => Ok(Entries::Listed(0, bytes)),
            _ => Err(Error::bytes("bytes behind the parameters of an empty sketch")),
        };
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
    // Before anything is allocated for so many.
    if list.len() < entries::min_len(count) {
        return Err(Error::bytes(format!("{count} entries cannot lie in {} bytes", list.len())));
    }
    Ok(Entries::Listed(count, list))
}

impl Entries<'_> {
    /// How many there are, as the sketch says.
    pub fn count(&self) -> usize {
        match *self {
            Entries::Listed(count, _) | Entries::Slots(count, _) => count,
        }
    }

    /// Calls `f` with each key and its count until it says false.
    #[inline]
    pub fn visit(&self, mut f: impl FnMut(u64, u64) -> bool) -> Result<()> {
        match *self {
            Entries::Listed(count, bytes) => {
                for entry in entries::List::new(bytes, count) {
                    let (key, count) = entry?;
                    if !f(key, count) {
                        break;
                    }
                }
            }
            Entries::Slots(_, table) => {
                let _ = entries::iter(table).all(|(key, count)| f(key, count));
            }
        }
        Ok(())
    }

    /// Calls `f` with the two counts, in either order, of each key that both have.
    pub fn join(&self, other: &Entries<'_>, mut f: impl FnMut(u64, u64)) -> Result<()> {
        match (self, other) {
            (_, Entries::Slots(_, table)) => self.visit(|key, count| {
                if let Some(other) = entries::find(table, key) {
                    f(count, other);
                }
                true
            }),
            (Entries::Slots(..), _) => other.join(self, f),
            (&Entries::Listed(len, bytes), &Entries::Listed(other_len, other_bytes)) => {
                let mut others = entries::List::new(other_bytes, other_len);
                let mut next = others.next().transpose()?;
                for entry in entries::List::new(bytes, len) {
                    let (key, count) = entry?;
                    while next.is_some_and(|(other, _)| other < key) {
                        next = others.next().transpose()?;
                    }
                    if let Some((_, theirs)) = next.filter(|&(other, _)| other == key) {
                        f(count, theirs);
                    }
                }
                Ok(())
            }
        }
    }

    /// The count of a key, 0 where it has none.
    pub fn find(&self, wanted: u64) -> Result<u64> {
        if let Entries::Slots(_, table) = *self {
            return Ok(entries::find(table, wanted).unwrap_or(0));
        }
        let mut found = 0;
        self.visit(|key, count| {
            if key == wanted {
                found = count;
            }
            key < wanted
        })?;
        Ok(found)
    }
}
