//! A filter of any form, read where it lies.

use super::Params;
use super::state::{self, HEAD_LEN};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::key_list::{self, KeyList};
use crate::key_set;

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
    /// The set of keys of a working state, and how many it holds, repeats among them.
    KeySet(usize, &'a [u8]),
    /// The bits, and the hashes that wait for theirs.
    Bits(&'a [u8], &'a [[u8; 8]]),
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
    /// A set of so many keys.
    KeySet(usize),
    /// The bits, with what follows them in a working state.
    Bits,
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
            Form::Dense => Holds::Bits,
            _ => Holds::Nothing,
        };
        let at = head.len() - rest.len();
        let prefix = Prefix { header, params, holds, at };
        prefix.check_len(total - at)?;
        Ok(prefix)
    }

    fn read_working(header: Header, head: &[u8], total: usize) -> Result<Self> {
        let params = state::check(head)?;
        let (holds, at) = match state::count(head) {
            Some(count) => (Holds::KeySet(count), HEAD_LEN),
            None if params.is_gathering() => {
                return Err(Error::bytes("a filter with bits needs a capacity"));
            }
            None => (Holds::Bits, state::bits_at(head, total)),
        };
        let prefix = Prefix { header, params, holds, at };
        prefix.check_len(total - at)?;
        Ok(prefix)
    }

    /// Checks the number of bytes that follow.
    fn check_len(&self, len: usize) -> Result<()> {
        let expected = match self.holds {
            // Before anything is allocated for so many.
            Holds::Keys(count) => return key_list::check_len(count, self.params.key_bits(), len),
            Holds::KeySet(count) => {
                return key_set::check(len, count);
            }
            Holds::Nothing => 0,
            // The length does not depend on where in it the bits are.
            Holds::Bits if self.header.form == Form::Working => {
                state::bits_len(self.params) - self.at
            }
            Holds::Bits => self.params.byte_len(),
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
            Holds::KeySet(count) => Body::KeySet(count, rest),
            Holds::Bits if header.form == Form::Working => {
                Body::Bits(&rest[..params.byte_len()], state::waiting(bytes))
            }
            Holds::Bits => Body::Bits(rest, &[]),
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

    /// How many keys there are, unless there are bits instead; repeats in a large working state
    /// count.
    pub(super) fn key_count(&self) -> Option<usize> {
        match &self.body {
            Body::Empty => Some(0),
            Body::Keys(keys) => Some(keys.total()),
            Body::KeySet(count, _) => Some(*count),
            Body::Bits(..) => None,
        }
    }
}
