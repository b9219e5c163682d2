//! What stands before the body of a filter of any form.
//!
//! At rest: the header, the parameters, and where there are values the number of copies. In the
//! working form, 28 bytes of fixed places, so that with the four bytes that a server puts before
//! them the body begins at 32:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-2 | the header |
//! | 3 | the [`Mode`] |
//! | 4-7 | the number of copies, or of gathered hashes |
//! | 8-15 | the capacity |
//! | 16-19 | the number of buckets |
//! | 20-23 | the error rate |
//! | 24 | the bits of a fingerprint |
//! | 25-27 | zero |

use std::ops::RangeInclusive;

use super::Params;
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::source::check_range;
use crate::{key_list, key_set};

/// No head is longer.
pub(super) const MAX_LEN: usize = 32;

/// Where the body of the working form begins.
pub(super) const TABLE_AT: usize = 28;

const MODE_AT: usize = header::LEN;
const COUNT_AT: usize = 4;
const CAPACITY_AT: usize = 8;
const BUCKETS_AT: usize = 16;
const RATE_AT: usize = 20;
const BITS_AT: usize = 24;
const SPARE_AT: usize = 25;

/// What the body of a working state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A [`key_set`] of 64-bit hashes: what an aggregate has met.
    Gather = 0,
    /// The cells of all copies (u64) in ascending order, with room behind them.
    Cells = 1,
    /// The same, and the next [`grow`](crate::Sketch::grow) makes a table of it.
    Promote = 2,
    /// The same, of which no table can be made.
    Stuck = 3,
    /// Buckets of four fingerprints, each two or four bytes.
    Table = 4,
}

/// What the body of a filter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Empty,
    List,
    Packed,
    Working(Mode),
}

/// The head of a filter of any form, checked against the length of the whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub header: Header,
    pub params: Params,
    pub kind: Kind,
    /// Copies, or gathered hashes.
    pub count: usize,
    /// Where the body begins.
    pub body: usize,
}

impl Head {
    /// Reads the head of a filter of `total` bytes, of which `front` has the first [`MAX_LEN`].
    #[inline]
    pub fn read(front: &[u8], total: usize) -> Result<Self> {
        let (header, rest) = Header::read(front, SketchType::Cuckoo)?;
        if header.form == Form::Working {
            return Self::read_working(header, front, total);
        }
        let (params, rest): (Params, _) = params::read(rest)?;
        let params = params.check()?;
        if header.form == Form::Empty {
            expect_len(total, front.len() - rest.len())?;
            return Ok(Head { header, params, kind: Kind::Empty, count: 0, body: total });
        }
        let (count, rest): (u32, _) = params::read(rest)?;
        let (count, body) = (count as usize, front.len() - rest.len());
        check_range(body, 0, total)?;
        let geometry = params.geometry();
        let (kind, counts) = match header.form {
            Form::Sparse => (Kind::List, 1..=geometry.max_listed()),
            _ => (Kind::Packed, geometry.max_listed() + 1..=geometry.slots()),
        };
        if !counts.contains(&count) {
            return Err(wrong_count(count, counts));
        }
        match kind {
            Kind::List => key_list::check_len(count, geometry.key_bits(), total - body)?,
            _ => expect_len(total - body, geometry.packed_len())?,
        }
        Ok(Head { header, params, kind, count, body })
    }

    fn read_working(header: Header, front: &[u8], total: usize) -> Result<Self> {
        check_range(0, TABLE_AT, front.len())?;
        let mode = match front[MODE_AT] {
            0 => Mode::Gather,
            1 => Mode::Cells,
            2 => Mode::Promote,
            3 => Mode::Stuck,
            4 => Mode::Table,
            mode => return Err(Error::bytes(format!("unknown mode {mode} of a working state"))),
        };
        if front[SPARE_AT..TABLE_AT] != [0; TABLE_AT - SPARE_AT] {
            return Err(Error::bytes("the spare bytes of a working state are not zero"));
        }
        let count = count(front) as usize;
        let len = total - TABLE_AT;
        let params = match mode {
            Mode::Gather => params_of(front).check_gathering()?,
            _ => params_of(front).check()?,
        };
        let geometry = params.geometry();
        let most = match mode {
            Mode::Gather => key_set::room(len),
            Mode::Cells | Mode::Promote | Mode::Stuck => geometry.max_listed().min(len / 8),
            Mode::Table => geometry.slots(),
        };
        if count > most {
            return Err(wrong_count(count, 0..=most));
        }
        match mode {
            Mode::Table => expect_len(len, geometry.working_len())?,
            _ => expect_len(len % 8, 0)?,
        }
        Ok(Head { header, params, kind: Kind::Working(mode), count, body: TABLE_AT })
    }

    /// Writes the head of a filter at rest; returns its length.
    pub fn write(
        out: &mut [u8],
        form: Form,
        class: Option<ValueClass>,
        own: Params,
        count: usize,
    ) -> Result<usize> {
        if class.is_none() && form != Form::Empty {
            return Err(Error::bytes("a cuckoo filter with values has no value class"));
        }
        out[..header::LEN].copy_from_slice(&Header { form, class }.to_bytes(SketchType::Cuckoo));
        let mut at = header::LEN + params::write(own, &mut out[header::LEN..]);
        if form != Form::Empty {
            at += params::write(count as u32, &mut out[at..]);
        }
        Ok(at)
    }
}

/// Makes a state of zero bytes an empty one.
pub(super) fn init(state: &mut [u8], params: Params, mode: Mode) {
    let head = Header { form: Form::Working, class: None }.to_bytes(SketchType::Cuckoo);
    state[..header::LEN].copy_from_slice(&head);
    set_params(state, params);
    set_mode(state, mode);
}

#[inline]
pub(super) fn mode(state: &[u8]) -> Mode {
    match state[MODE_AT] {
        0 => Mode::Gather,
        1 => Mode::Cells,
        2 => Mode::Promote,
        3 => Mode::Stuck,
        _ => Mode::Table,
    }
}

pub(super) fn set_mode(state: &mut [u8], mode: Mode) {
    state[MODE_AT] = mode as u8;
}

#[inline]
fn field<const N: usize>(state: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| state[at + i])
}

#[inline]
pub(super) fn count(state: &[u8]) -> u32 {
    u32::from_le_bytes(field(state, COUNT_AT))
}

/// Sets the number of copies; a filter without any has no class.
#[inline]
pub(super) fn set_count(state: &mut [u8], count: usize) {
    state[COUNT_AT..CAPACITY_AT].copy_from_slice(&(count as u32).to_le_bytes());
    if count == 0 {
        header::clear_class(state);
    }
}

#[inline]
pub(super) fn capacity(state: &[u8]) -> u64 {
    u64::from_le_bytes(field(state, CAPACITY_AT))
}

pub(super) fn params_of(state: &[u8]) -> Params {
    Params {
        capacity: capacity(state),
        buckets: u32::from_le_bytes(field(state, BUCKETS_AT)),
        error_rate: f32::from_le_bytes(field(state, RATE_AT)),
        fingerprint_bits: state[BITS_AT],
    }
}

pub(super) fn set_params(state: &mut [u8], params: Params) {
    state[CAPACITY_AT..BUCKETS_AT].copy_from_slice(&params.capacity.to_le_bytes());
    state[BUCKETS_AT..RATE_AT].copy_from_slice(&params.buckets.to_le_bytes());
    state[RATE_AT..BITS_AT].copy_from_slice(&params.error_rate.to_le_bytes());
    state[BITS_AT] = params.fingerprint_bits;
}

fn expect_len(len: usize, expected: usize) -> Result<()> {
    match len == expected {
        true => Ok(()),
        false => Err(Error::bytes(format!(
            "the sketch is {len} bytes long where it should be {expected}"
        ))),
    }
}

#[cold]
fn wrong_count(count: usize, counts: RangeInclusive<usize>) -> Error {
    Error::bytes(format!(
        "a cuckoo filter of this form and size holds {} to {} copies, not {count}",
        counts.start(),
        counts.end()
    ))
}
