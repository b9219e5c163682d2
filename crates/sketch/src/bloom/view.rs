//! A filter of any form, read where it lies.

use super::Params;
use super::state::{BITS, BloomState};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::key_list::{self, KeyList};
use crate::key_set::KeySet;
use crate::sketch::View;

/// No head of a filter at rest is longer.
pub(super) const MAX_HEAD_LEN: usize = 32;

/// A filter in any of its forms.
#[derive(Clone)]
pub struct BloomRef<'a> {
    pub(super) head: Head,
    pub(super) body: Body<'a>,
    pub(super) bytes: &'a [u8],
}

/// What stands before the keys or the bits.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub header: Header,
    pub params: Params,
    /// The number of keys, unless there are bits.
    pub count: Option<usize>,
    /// Where the keys or the bits begin.
    pub at: usize,
}

/// What a filter holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// Keys at rest, or nothing.
    Keys(KeyList<'a>),
    /// The set of a state: keys, or whole hashes while there is no capacity.
    Set(KeySet<'a>),
    /// Bits, and the hashes that wait for theirs.
    Bits(&'a [u8], &'a [[u8; 8]]),
}

impl Head {
    /// Reads the head of a filter of `total` bytes, of which `front` has the first
    /// [`MAX_HEAD_LEN`]; `None` if it is a state.
    pub fn read(front: &[u8], total: usize) -> Result<Option<Self>> {
        let (header, rest) = Header::read(front, SketchType::Bloom)?;
        if header.form == Form::Working {
            return Ok(None);
        }
        let (params, mut rest): (Params, _) = params::read(rest)?;
        let params = params.check()?;
        let mut count = (header.form == Form::Empty).then_some(0);
        if header.form == Form::Sparse {
            let (keys, behind): (u32, _) = params::read(rest)?;
            let (keys, most) = (keys as usize, params.max_keys());
            if keys == 0 || keys > most {
                return Err(Error::bytes(format!(
                    "{keys} keys in a sparse filter, not 1 to {most}"
                )));
            }
            (count, rest) = (Some(keys), behind);
        }
        let at = front.len() - rest.len();
        let len = total - at;
        match count {
            // Before anything is allocated for so many.
            Some(1..) => key_list::check_len(count.unwrap_or(0), params.key_bits(), len)?,
            Some(0) => expect_len(len, 0)?,
            None => expect_len(len, params.byte_len())?,
        }
        Ok(Some(Head { header, params, count, at }))
    }
}

impl<'a> BloomRef<'a> {
    /// Reads the header and the parameters, and checks the length. Keys are checked as they are
    /// read, and all of them when the filter is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let front = &bytes[..bytes.len().min(MAX_HEAD_LEN)];
        if let Some(head) = Head::read(front, bytes.len())? {
            let body = match head.count {
                Some(count) => {
                    Body::Keys(KeyList::new(&bytes[head.at..], count, head.params.key_bits()))
                }
                None => Body::Bits(&bytes[head.at..], &[]),
            };
            return Ok(BloomRef { head, body, bytes });
        }
        Self::of_state(BloomState::read(bytes, SketchType::Bloom)?)
    }

    fn of_state(state: &'a BloomState) -> Result<Self> {
        let (header, _) = Header::read(state.bytes(), SketchType::Bloom)?;
        let params = state.checked_params()?;
        if params.is_unsized() != state.is_gathering() {
            return Err(Error::bytes("a filter has a capacity exactly when it is sized"));
        }
        let (count, body) = if state.mode < BITS {
            let set = KeySet::of_state(state)?;
            (Some(set.count), Body::Set(set))
        } else {
            let growth = BloomState::bits_growth(params);
            expect_len(state.bytes().len(), growth.len)?;
            if state.mode != growth.mode {
                return Err(Error::bytes(format!("{} is not the mode of such bits", state.mode)));
            }
            let (waiting, bits) = state.waiting_and_bits(params);
            (None, Body::Bits(bits, waiting))
        };
        Ok(BloomRef { head: Head { header, params, count, at: 0 }, body, bytes: state.bytes() })
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        self.head.params
    }

    /// How many keys there are, unless there are bits instead; repeats in a large working state
    /// count.
    pub(super) fn key_count(&self) -> Option<usize> {
        self.head.count
    }
}

impl View for BloomRef<'_> {
    fn header(&self) -> Header {
        self.head.header
    }

    fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    fn is_empty(&self) -> bool {
        self.key_count() == Some(0)
    }
}

fn expect_len(len: usize, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    Err(Error::bytes(format!("the body of the filter has {len} bytes, not {expected}")))
}
