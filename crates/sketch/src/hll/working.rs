//! Building and merging.
//!
//! The working form is the header, the precision, a count (u32) and a table: a token set of four
//! bytes a slot, or registers, which the count `u32::MAX` marks. Its length, with the four bytes
//! that a server puts before it, is a power of two while there are tokens, the size in which
//! memory comes.

use super::view::{Body, COUNT_AT, Content, HllRef, PARAMS_END, PRECISION_AT, REGISTERS, TABLE_AT};
use super::{Precision, dense, register, token};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::sketch::{Fit, Sketch};
use crate::token_set::{self, Place};

/// The distinct-count sketch; [`Sketch`] has what it does.
pub struct Hll;

/// With a length word of four bytes, 64.
const INITIAL_LEN: usize = 60;

impl Sketch for Hll {
    type Params = Precision;

    const DEFAULT_PARAMS: Precision = Precision::DEFAULT;

    fn initial_len(_: Precision) -> usize {
        INITIAL_LEN
    }

    fn init(state: &mut [u8], precision: Precision) {
        write_head(state, Form::Working, None, precision);
    }

    #[inline(always)]
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit> {
        header::meet_value(state, class)?;
        let precision = precision(state);
        if count(state) == REGISTERS {
            let (index, level) = register::place(hash, precision);
            register::update(&mut state[TABLE_AT..][index], level);
            return Ok(Fit::Done);
        }
        Ok(insert_token(state, token::of_hash(hash, precision), precision))
    }

    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit> {
        let other = HllRef::parse(bytes)?;
        let own = precision(state);
        let is_empty = count(state) == 0;
        if other.is_empty() {
            // Of two empty sketches the lower precision stays, in whatever order they meet.
            let low = if is_empty { own.min(other.precision) } else { own };
            state[PRECISION_AT] = low.into();
            return Ok(Fit::Done);
        }
        if own != other.precision {
            if !is_empty {
                return Err(own.mismatch(other.precision));
            }
            state[PRECISION_AT] = other.precision.into();
        }
        header::meet_class(state, other.class())?;
        match other.body {
            Body::Tokens(_, tokens) => merge_tokens(state, tokens),
            Body::TokenTable(_, table) => merge_tokens(state, token_set::iter(table).map(Ok)),
            Body::Registers(registers) if count(state) == REGISTERS => {
                let own = &mut state[TABLE_AT..];
                registers
                    .visit(|at, block| register::merge(&mut own[at..at + block.len()], block))?;
                Ok(Fit::Done)
            }
            Body::Registers(_) => Ok(Fit::Needs(registers_len(other.precision))),
        }
    }

    fn grow(state: &[u8], bigger: &mut [u8]) {
        bigger[..PARAMS_END].copy_from_slice(&state[..PARAMS_END]);
        let precision = precision(state);
        let tokens = token_set::iter(&state[TABLE_AT..]);
        // Registers need eight bytes and a power of two, tables of tokens four bytes less than
        // one, so that the length alone tells them apart.
        if bigger.len() == registers_len(precision) {
            set_count(bigger, REGISTERS);
            token::update_registers(&mut bigger[TABLE_AT..], tokens, precision);
        } else {
            for token in tokens {
                let fit = insert_token(bigger, token, precision);
                debug_assert_eq!(fit, Fit::Done);
            }
        }
    }

    fn thaw_len(bytes: &[u8]) -> Result<usize> {
        let sketch = HllRef::parse(bytes)?;
        Ok(match sketch.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => tokens_len(count),
            Body::Registers(_) => registers_len(sketch.precision),
        })
    }

    fn thaw(bytes: &[u8], state: &mut [u8]) -> Result<()> {
        let sketch = HllRef::parse(bytes)?;
        Self::init(state, sketch.precision);
        if let Body::Registers(_) = sketch.body {
            set_count(state, REGISTERS);
        }
        match Self::merge(state, bytes)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("a sketch holds more tokens than it says")),
        }
    }

    fn rest_bound(bytes: &[u8]) -> Result<usize> {
        let sketch = HllRef::parse(bytes)?;
        let registers = dense_bound(sketch.precision);
        Ok(match sketch.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => {
                let sparse = PARAMS_END + params::MAX_LEN + token::max_len(count);
                if count > sketch.precision.max_tokens() { registers } else { sparse }
            }
            Body::Registers(_) => registers,
        })
    }

    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
        let sketch = HllRef::parse(bytes)?;
        rest_content(&sketch.content()?, sketch.class(), sketch.precision, out)
    }
}

/// Writes what a sketch holds in its form for rest, where many tokens become registers.
pub(super) fn rest_content(
    content: &Content,
    class: Option<ValueClass>,
    precision: Precision,
    out: &mut [u8],
) -> Result<usize> {
    match content {
        Content::Tokens(tokens) => rest_tokens(tokens, class, precision, out),
        Content::Registers(registers) => rest_registers(registers, class, precision, out),
    }
}

fn rest_tokens(
    tokens: &[u32],
    class: Option<ValueClass>,
    precision: Precision,
    out: &mut [u8],
) -> Result<usize> {
    if tokens.is_empty() {
        write_head(out, Form::Empty, None, precision);
        return Ok(PARAMS_END);
    }
    if tokens.len() > precision.max_tokens() {
        let mut registers = vec![0; precision.registers()];
        token::update_registers(&mut registers, tokens.iter().copied(), precision);
        return rest_registers(&registers, class, precision, out);
    }
    require_class(class)?;
    write_head(out, Form::Sparse, class, precision);
    let at = PARAMS_END + params::write(tokens.len() as u32, &mut out[PARAMS_END..]);
    Ok(at + token::write(tokens, precision, &mut out[at..]))
}

/// Enough bytes for [`rest_registers`].
pub(super) fn dense_bound(precision: Precision) -> usize {
    PARAMS_END + dense::write_bound(precision.registers())
}

/// How many bytes a full sketch of a precision takes at rest, give or take a few.
pub fn full_len(precision: Precision) -> usize {
    PARAMS_END + dense::full_len(precision.registers())
}

/// Writes registers in their form for rest.
fn rest_registers(
    registers: &[u8],
    class: Option<ValueClass>,
    precision: Precision,
    out: &mut [u8],
) -> Result<usize> {
    require_class(class)?;
    write_head(out, Form::Dense, class, precision);
    Ok(PARAMS_END + dense::write(registers, &mut out[PARAMS_END..]))
}

fn require_class(class: Option<ValueClass>) -> Result<()> {
    match class {
        Some(_) => Ok(()),
        None => Err(Error::bytes("a sketch with values has no value class")),
    }
}

fn write_head(out: &mut [u8], form: Form, class: Option<ValueClass>, precision: Precision) {
    let head = Header { form, class }.to_bytes(SketchType::Hll);
    out[..head.len()].copy_from_slice(&head);
    params::write(precision, &mut out[PRECISION_AT..]);
}

#[inline]
fn precision(state: &[u8]) -> Precision {
    Precision::of_state(state[PRECISION_AT])
}

#[inline]
fn count(state: &[u8]) -> u32 {
    u32::from_le_bytes([
        state[COUNT_AT],
        state[COUNT_AT + 1],
        state[COUNT_AT + 2],
        state[COUNT_AT + 3],
    ])
}

#[inline]
fn set_count(state: &mut [u8], count: u32) {
    state[COUNT_AT..TABLE_AT].copy_from_slice(&count.to_le_bytes());
}

fn registers_len(precision: Precision) -> usize {
    TABLE_AT + precision.registers()
}

/// The length of a state with room for so many tokens.
fn tokens_len(count: usize) -> usize {
    let mut len = INITIAL_LEN;
    while token_set::room(len - TABLE_AT) < count {
        len = (len + 4) * 2 - 4;
    }
    len
}

fn insert_token(state: &mut [u8], token: u32, precision: Precision) -> Fit {
    let count = count(state);
    let table = &mut state[TABLE_AT..];
    let Place::Free(slot) = token_set::find(table, token) else { return Fit::Done };
    if count as usize >= precision.max_tokens() {
        return Fit::Needs(registers_len(precision));
    }
    if count as usize >= token_set::room(table.len()) {
        return Fit::Needs(tokens_len(count as usize + 1));
    }
    token_set::fill(table, slot, token);
    set_count(state, count + 1);
    Fit::Done
}

fn merge_tokens(state: &mut [u8], tokens: impl Iterator<Item = Result<u32>>) -> Result<Fit> {
    let precision = precision(state);
    let registers = count(state) == REGISTERS;
    for token in tokens {
        if registers {
            token::update_registers(&mut state[TABLE_AT..], [token?], precision);
        } else if let Fit::Needs(len) = insert_token(state, token?, precision) {
            return Ok(Fit::Needs(len));
        }
    }
    Ok(Fit::Done)
}
