//! A filter of any form, read where it lies.

use super::Params;
use super::geometry::{Entry, Geometry, MAX_COPIES};
use super::head::{Head, Kind, MAX_LEN, Mode};
use super::table::Buckets;
use crate::codec::Form;
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::key_list::KeyList;

/// A filter in any of its forms.
#[derive(Clone)]
pub struct CuckooRef<'a> {
    pub(super) head: Head,
    pub(super) body: Body<'a>,
    len: usize,
}

/// What the filter holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// The cells of all copies, sorted.
    Cells(Cells<'a>),
    /// A table.
    Table(Buckets<'a>),
    /// The hashes that an aggregate has met: a [`key_set`](crate::key_set).
    Gathered(&'a [u8]),
}

impl<'a> CuckooRef<'a> {
    /// Reads the header, the parameters and the number of copies, and checks the length. Cells
    /// and fingerprints are checked as they are read, and all of them when the sketch is brought
    /// to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let head = Head::read(&bytes[..bytes.len().min(MAX_LEN)], bytes.len())?;
        let geometry = head.params.geometry();
        let rest = &bytes[head.body..];
        let stored = |words: &'a [u8]| Stored::Words(&words.as_chunks().0[..head.count]);
        let body = match head.kind {
            Kind::Empty => Body::Cells(Cells::new(Stored::Words(&[]), geometry)),
            Kind::List => {
                let list = KeyList::new(rest, head.count, geometry.key_bits())?;
                Body::Cells(Cells::new(Stored::List(list), geometry))
            }
            Kind::Packed => Body::Table(Buckets { geometry, bytes: rest, is_packed: true }),
            Kind::Working(Mode::Table) => {
                Body::Table(Buckets { geometry, bytes: rest, is_packed: false })
            }
            Kind::Working(Mode::Gather) => Body::Gathered(rest),
            Kind::Working(Mode::Cells | Mode::Promote | Mode::Stuck) => {
                Body::Cells(Cells::new(stored(rest), geometry))
            }
        };
        Ok(CuckooRef { head, body, len: bytes.len() })
    }

    /// The capacity, the error rate and the geometry; for an aggregate that has no capacity yet,
    /// what it would be given now.
    pub fn params(&self) -> Result<Params> {
        self.head.params.settled(self.head.count)
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.head.header.form
    }

    /// The class of the values, once there are any.
    pub fn class(&self) -> Option<ValueClass> {
        self.head.header.class
    }

    /// The length in bytes, without what a container adds.
    pub fn byte_len(&self) -> usize {
        self.len
    }

    /// How many copies of values are stored; in an aggregate how many distinct values, but once
    /// there are many repeats count, until it is brought to rest.
    pub fn count(&self) -> usize {
        self.head.count
    }

    /// Whether the filter holds nothing.
    pub fn is_empty(&self) -> bool {
        self.head.count == 0
    }

    /// Whether this is the state of an aggregate, which single values can be neither added to nor
    /// removed from before it is brought to rest.
    pub fn is_gathering(&self) -> bool {
        matches!(self.body, Body::Gathered(_))
    }

    /// Visits every cell that is held, with an entry of it and how many copies there are, until
    /// the visitor returns `false`; returns whether it never did.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(Entry, usize) -> Result<bool>,
    ) -> Result<bool> {
        match &self.body {
            Body::Table(table) => table.visit(visit),
            Body::Gathered(_) => Err(still_gathering()),
            Body::Cells(cells) => {
                let geometry = self.head.params.geometry();
                for run in cells.clone() {
                    let (cell, copies) = run?;
                    if !visit(geometry.of_cell(cell), copies)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// The error for what cannot be done to an aggregate's state.
#[cold]
pub(super) fn still_gathering() -> Error {
    Error::bytes("the cuckoo filter is still gathered by an aggregate")
        .with_hint("Bring it to its form for rest first.")
}

/// The cells that a list holds, in ascending order, each with the number of its copies.
#[derive(Clone)]
pub(super) struct Cells<'a> {
    stored: Stored<'a>,
    geometry: Geometry,
    /// The first cell that was not given out yet.
    next: Option<u64>,
    is_begun: bool,
}

#[derive(Clone)]
enum Stored<'a> {
    Words(&'a [[u8; 8]]),
    List(KeyList<'a>),
}

impl<'a> Cells<'a> {
    fn new(stored: Stored<'a>, geometry: Geometry) -> Self {
        Cells { stored, geometry, next: None, is_begun: false }
    }

    fn read(&mut self) -> Result<Option<u64>> {
        let cell = match &mut self.stored {
            Stored::Words(words) => match words.split_off_first() {
                None => return Ok(None),
                Some(&word) => {
                    Some(u64::from_le_bytes(word)).filter(|&cell| cell < self.geometry.cells())
                }
            },
            Stored::List(list) => match list.next() {
                None => return Ok(None),
                Some(key) => self.geometry.of_key(key?),
            },
        };
        match cell {
            Some(cell) if self.next.is_none_or(|last| last <= cell) => Ok(Some(cell)),
            Some(_) => Err(Error::bytes("the cells of a cuckoo filter are out of order")),
            None => Err(Error::bytes("a cuckoo filter lists a fingerprint that does not exist")),
        }
    }

    fn advance(&mut self) -> Result<Option<(u64, usize)>> {
        if !self.is_begun {
            self.is_begun = true;
            self.next = self.read()?;
        }
        let Some(cell) = self.next else { return Ok(None) };
        let mut copies = 1;
        loop {
            match self.read()? {
                Some(next) if next == cell => copies += 1,
                next => {
                    self.next = next;
                    break;
                }
            }
        }
        match copies <= MAX_COPIES {
            true => Ok(Some((cell, copies))),
            false => Err(Error::bytes(format!(
                "a cuckoo filter lists {copies} copies of a fingerprint, not up to {MAX_COPIES}"
            ))),
        }
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<(u64, usize)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let run = self.advance().transpose();
        if let Some(Err(_)) = run {
            self.stored = Stored::Words(&[]);
            self.next = None;
        }
        run
    }
}
