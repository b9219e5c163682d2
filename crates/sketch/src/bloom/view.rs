//! A filter of any form, read where it lies.

use super::Params;
use super::working::{HEAD_LEN, Head};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::hash_set;
use crate::key_list::{self, KeyList};

/// More bytes than stand before the keys or the bits of a filter of any form.
pub(super) const MAX_HEAD_LEN: usize = 40;

/// A filter in any of its forms.
#[derive(Clone)]
pub struct BloomRef<'a> {
    pub(super) header: Header,
    pub(super) params: Params,
    pub(super) body: Body<'a>,
    len: usize,
}

/// What the filter holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// Nothing.
    Empty,
    /// Keys at rest.
    Keys(KeyList<'a>),
    /// The table of keys of a working state, and how many it holds.
    KeyTable(usize, &'a [u8]),
    /// The bits.
    Bits(&'a [u8]),
}

/// What stands before the keys or the bits.
#[derive(Clone, Copy)]
pub(super) struct Prefix {
    pub header: Header,
    pub params: Params,
    pub holds: Holds,
    /// Where the keys or the bits begin.
    pub at: usize,
}

/// What follows a [`Prefix`].
#[derive(Clone, Copy)]
pub(super) enum Holds {
    Nothing,
    /// So many keys at rest.
    Keys(usize),
    /// A table with so many keys.
    KeyTable(usize),
    /// The bits, and so many bytes of a working state that are unused.
    Bits(usize),
}

impl Prefix {
    /// Reads what stands before the keys or the bits of a filter of `total` bytes, of which `head`
    /// is the front.
    pub fn read(head: &[u8], total: usize) -> Result<Self> {
        let (header, rest) = Header::read(head, SketchType::Bloom)?;
        if header.form == Form::Working {
            return Prefix::read_working(header, head, total);
        }
        let (params, mut rest): (Params, _) = params::read(rest)?;
        params.check()?;
        if params.is_gathering() {
            return Err(Error::bytes("a filter at rest needs a capacity"));
        }
        let holds = match header.form {
            Form::Sparse => {
                let (count, behind): (u32, _) = params::read(rest)?;
                rest = behind;
                let count = count as usize;
                if count == 0 || count > params.max_keys() {
                    return Err(Error::bytes(format!(
                        "{count} keys in a sparse filter, not 1 to {}",
                        params.max_keys()
                    )));
                }
                Holds::Keys(count)
            }
            Form::Dense => Holds::Bits(0),
            _ => Holds::Nothing,
        };
        let at = head.len() - rest.len();
        let prefix = Prefix { header, params, holds, at };
        prefix.check_len(total - at)?;
        Ok(prefix)
    }

    fn read_working(header: Header, head: &[u8], total: usize) -> Result<Self> {
        let Head { params, count } = Head::read(head)?;
        let holds = match count {
            None => Holds::Bits(Head::padding(params)),
            Some(count) => Holds::KeyTable(count),
        };
        if count.is_some_and(|count| count > params.max_keys()) {
            return Err(Error::bytes("a working state holds too many keys"));
        }
        if params.is_gathering() && count.is_none() {
            return Err(Error::bytes("a filter with bits needs a capacity"));
        }
        let prefix = Prefix { header, params, holds, at: HEAD_LEN };
        prefix.check_len(total - HEAD_LEN)?;
        Ok(prefix)
    }

    /// Checks the number of bytes that follow.
    fn check_len(&self, len: usize) -> Result<()> {
        let expected = match self.holds {
            // Before anything is allocated for so many.
            Holds::Keys(count) => return key_list::check_len(count, self.params.key_bits(), len),
            Holds::KeyTable(count)
                if count > hash_set::room::<8>(len) || !len.is_multiple_of(8) =>
            {
                return Err(Error::bytes(format!(
                    "{count} keys do not fit a table of {len} bytes"
                )));
            }
            Holds::KeyTable(_) => len,
            Holds::Nothing => 0,
            Holds::Bits(padding) => self.params.byte_len() + padding,
        };
        match len == expected {
            true => Ok(()),
            false => {
                Err(Error::bytes(format!("the body of the filter has {len} bytes, not {expected}")))
            }
        }
    }
}

impl<'a> BloomRef<'a> {
    /// Reads the header and the parameters, and checks the length. Keys are checked as they are
    /// read, and all of them when the filter is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let Prefix { header, params, holds, at } = Prefix::read(bytes, bytes.len())?;
        let rest = &bytes[at..];
        let body = match holds {
            Holds::Nothing => Body::Empty,
            Holds::Keys(count) => Body::Keys(KeyList::new(rest, count, params.key_bits())?),
            Holds::KeyTable(count) => Body::KeyTable(count, rest),
            Holds::Bits(padding) => Body::Bits(&rest[..rest.len() - padding]),
        };
        Ok(BloomRef { header, params, body, len: bytes.len() })
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        self.params
    }

    /// The form.
    pub fn form(&self) -> Form {
        self.header.form
    }

    /// The class of the values, once there are any.
    pub fn class(&self) -> Option<ValueClass> {
        self.header.class
    }

    /// The length in bytes, without what a container adds.
    pub fn byte_len(&self) -> usize {
        self.len
    }

    /// Whether the filter holds nothing.
    pub fn is_empty(&self) -> bool {
        self.key_count() == Some(0)
    }

    /// How many keys there are, unless there are bits instead.
    pub(super) fn key_count(&self) -> Option<usize> {
        match &self.body {
            Body::Empty => Some(0),
            Body::Keys(keys) => Some(keys.total()),
            Body::KeyTable(count, _) => Some(*count),
            Body::Bits(_) => None,
        }
    }
}
