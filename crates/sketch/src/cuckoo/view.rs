//! A filter of any form, read where it lies.

use super::geometry::{Layout, MAX_COPIES, Mark};
use super::state::{CuckooState, SET, STUCK, TABLE};
use super::table::Buckets;
use super::{Params, set};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, ErrorKind, Result};
use crate::hash_set;
use crate::key_list::{self, KeyList};
use crate::key_set::{self, KeySet, LOG};
use crate::sketch::View;
use crate::source::check_range;

/// No head of a filter at rest is longer.
pub(super) const MAX_HEAD_LEN: usize = 32;

/// A filter in any of its forms.
#[derive(Clone)]
pub struct CuckooRef<'a> {
    pub(super) head: Head,
    pub(super) body: Body<'a>,
    pub(super) bytes: &'a [u8],
}

/// What stands before the copies.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub header: Header,
    pub params: Params,
    /// Whether a copy may stand for several values.
    pub is_union: bool,
    /// Copies, or gathered hashes.
    pub count: usize,
    /// Where the copies begin.
    pub at: usize,
}

/// What a filter holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// The signatures of all copies at rest, sorted.
    List(KeyList<'a>),
    /// A table.
    Table(Buckets<'a>),
    /// The set of copies of a state.
    Set(&'a [u8]),
    /// The hashes that an aggregate has met.
    Gathered(KeySet<'a>),
}

impl Head {
    /// Reads the head of a filter of `total` bytes, of which `front` has the first
    /// [`MAX_HEAD_LEN`]; `None` if it is a state.
    #[inline]
    pub fn read(front: &[u8], total: usize) -> Result<Option<Self>> {
        let (header, rest) = Header::read(front, SketchType::Cuckoo)?;
        if header.form == Form::Working {
            return Ok(None);
        }
        let (params, mut rest): (Params, _) = params::read(rest)?;
        let (params, is_union) = params.without_flag();
        let params = params.check()?;
        let layout = params.layout();
        let mut count = 0;
        if header.form != Form::Empty {
            let (copies, behind): (u32, _) = params::read(rest)?;
            (count, rest) = (copies as usize, behind);
        }
        let at = front.len() - rest.len();
        check_range(at, 0, total)?;
        let len = total - at;
        let (least, most) = match header.form {
            Form::Empty => (0, 0),
            Form::Sparse => (1, layout.max_listed()),
            _ => (layout.max_listed() + 1, layout.slots()),
        };
        if count < least || count > most {
            return Err(Error::bytes(format!(
                "a cuckoo filter of this form and size holds {least} to {most} copies, not {count}"
            )));
        }
        match header.form {
            // Before anything is allocated for so many.
            Form::Sparse => key_list::check_len(count, layout.key_bits(), len)?,
            Form::Dense => expect_len(len, layout.packed_len())?,
            _ => expect_len(len, 0)?,
        }
        Ok(Some(Head { header, params, is_union, count, at }))
    }
}

impl<'a> CuckooRef<'a> {
    /// Reads the header, the parameters and the number of copies, and checks the length. Copies are
    /// checked as they are read, and all of them when the sketch is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let front = &bytes[..bytes.len().min(MAX_HEAD_LEN)];
        let Some(head) = Head::read(front, bytes.len())? else {
            return Self::of_state(CuckooState::read(bytes, SketchType::Cuckoo)?);
        };
        let (layout, rest) = (head.params.layout(), &bytes[head.at..]);
        let body = match head.header.form {
            Form::Dense => Body::Table(Buckets { layout, bytes: rest, is_packed: true }),
            _ => Body::List(KeyList::new(rest, head.count, layout.key_bits())),
        };
        Ok(CuckooRef { head, body, bytes })
    }

    fn of_state(state: &'a CuckooState) -> Result<Self> {
        let (header, _) = Header::read(state.bytes(), SketchType::Cuckoo)?;
        let (params, count, body) = (state.checked_params()?, state.count(), &state.body);
        let layout = params.layout();
        let body = match state.mode {
            key_set::TABLE | LOG => Body::Gathered(KeySet::of_state(state)?),
            _ if params.is_unsized() => {
                return Err(Error::bytes("a cuckoo filter with copies needs a capacity"));
            }
            SET | STUCK if count <= hash_set::room::<8>(body.len()) => Body::Set(body),
            TABLE if count <= layout.slots() && body.len() >= layout.working_len() => {
                Body::Table(Buckets { layout, bytes: body, is_packed: false })
            }
            mode => {
                return Err(Error::bytes(format!(
                    "{count} copies do not fit {} bytes of mode {mode}",
                    body.len()
                )));
            }
        };
        let head = Head { header, params, is_union: state.is_union(), count, at: 0 };
        Ok(CuckooRef { head, body, bytes: state.bytes() })
    }

    /// The capacity, the error rate and the geometry.
    pub fn params(&self) -> Params {
        self.head.params
    }

    /// How many copies of values are stored; in an aggregate how many distinct values, but once
    /// there are many repeats count, until it is brought to rest.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut cart = Owned::<Cuckoo>::new(Params::new(1000, 0.002)?);
    /// cart.add(Value::text("apple"))?;
    /// cart.add(Value::text("apple"))?;
    /// assert_eq!(CuckooRef::parse(&cart.rest()?)?.count(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn count(&self) -> usize {
        self.head.count
    }

    /// Whether the filter is a union, or values were added to it that seemed present: one copy may
    /// then stand for several values, so that nothing can be removed.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let [mut a, mut b] = [0; 2].map(|_| Owned::<Cuckoo>::new(Params::DEFAULT));
    /// a.add(Value::text("alice"))?;
    /// b.add(Value::text("bob"))?;
    /// a.merge(&b.rest()?)?;
    /// assert!(CuckooRef::parse(a.working())?.is_union());
    /// assert!(a.remove(Value::text("alice")).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_union(&self) -> bool {
        self.head.is_union
    }

    /// Whether this is the state of an aggregate, which single values can be neither added to nor
    /// removed from before it is brought to rest.
    pub fn is_gathering(&self) -> bool {
        matches!(self.body, Body::Gathered(_))
    }

    /// Visits every signature that is held, with a mark of it and how many copies there are, until
    /// the visitor returns `false`; returns whether it never did.
    pub(super) fn visit(&self, visit: impl FnMut(Mark, usize) -> Result<bool>) -> Result<bool> {
        let layout = self.params().layout();
        match &self.body {
            Body::Table(table) => table.visit(visit),
            Body::Gathered(_) => Err(still_gathering()),
            Body::List(list) => {
                let of_key = |key: Result<u64>| layout.of_key(key?).ok_or_else(no_fingerprint);
                visit_runs(layout, list.clone().map(of_key), visit)
            }
            Body::Set(table) => {
                let signatures = set::signatures(table, layout, self.count())?;
                let signatures = signatures.iter().map(|&word| Ok(u64::from_le_bytes(word)));
                visit_runs(layout, signatures, visit)
            }
        }
    }
}

/// Visits signatures in ascending order, each with the number of its copies.
fn visit_runs(
    layout: Layout,
    signatures: impl Iterator<Item = Result<u64>>,
    mut visit: impl FnMut(Mark, usize) -> Result<bool>,
) -> Result<bool> {
    let mut signatures = signatures.peekable();
    while let Some(signature) = signatures.next().transpose()? {
        let mut copies = 1;
        while signatures.next_if(|next| next.as_ref() == Ok(&signature)).is_some() {
            copies += 1;
        }
        if copies > MAX_COPIES {
            return Err(Error::bytes(format!(
                "a cuckoo filter lists {copies} copies of a fingerprint, not up to {MAX_COPIES}"
            )));
        }
        if !visit(layout.of_signature(signature), copies)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl View for CuckooRef<'_> {
    fn header(&self) -> Header {
        self.head.header
    }

    fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    fn is_empty(&self) -> bool {
        self.head.count == 0
    }
}

/// The error for what cannot be done to an aggregate's state.
#[cold]
pub(super) fn still_gathering() -> Error {
    Error::new(ErrorKind::Mismatch, "the cuckoo filter is still gathered by an aggregate")
        .with_hint("Bring it to its form for rest first.")
}

#[cold]
fn no_fingerprint() -> Error {
    Error::bytes("a cuckoo filter lists a fingerprint that does not exist")
}

fn expect_len(len: usize, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    Err(Error::bytes(format!("the body of the cuckoo filter has {len} bytes, not {expected}")))
}
