//! A sketch of any form, read where it lies.

use super::dense::Registers;
use super::state::{HllState, REGISTERS, SLOT, TOKENS};
use super::token::{self, Tokens};
use super::{Precision, register};
use crate::codec::{Form, Header, SketchType, params};
use crate::error::{Error, Result};
use crate::hash_set;
use crate::sketch::View;

/// A sketch in any of its forms.
#[derive(Clone)]
pub struct HllRef<'a> {
    pub(super) header: Header,
    pub(super) precision: Precision,
    pub(super) body: Body<'a>,
    len: usize,
}

/// What the sketch holds.
#[derive(Clone)]
pub(super) enum Body<'a> {
    /// Tokens at rest: how many, and the reader.
    Tokens(usize, Tokens<'a>),
    /// The table of tokens of a working state, and how many it holds.
    TokenTable(usize, &'a [u8]),
    /// Registers.
    Registers(Registers<'a>),
}

/// What a sketch of any form holds, read and checked.
pub(super) enum Content {
    /// Tokens, sorted and distinct.
    Tokens(Vec<u32>),
    /// Registers, not all of them 0.
    Registers(Vec<u8>),
}

impl<'a> HllRef<'a> {
    /// Reads the header and the parameters, and checks the length. Tokens and registers are
    /// checked as they are read, and all of them when the sketch is brought to rest.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (header, rest) = Header::read(bytes, SketchType::Hll)?;
        let len = bytes.len();
        if header.form == Form::Working {
            let state = HllState::read(bytes, SketchType::Hll)?;
            let precision = stored_precision(state.parameter)?;
            return Ok(HllRef { header, precision, body: Body::of_state(state, precision)?, len });
        }
        let (precision, rest): (u8, _) = params::read(rest)?;
        let precision = stored_precision(precision)?;
        let body = match header.form {
            Form::Empty => Body::Tokens(0, Tokens::new(expect_len(rest, 0)?, 0, precision)),
            Form::Sparse => {
                let (count, rest): (u32, _) = params::read(rest)?;
                let count = count as usize;
                if count == 0 || count > precision.max_tokens() {
                    return Err(Error::bytes(format!(
                        "{count} tokens in a sparse sketch of precision {}, not 1 to {}",
                        precision.get(),
                        precision.max_tokens()
                    )));
                }
                // Before anything is allocated for so many.
                if rest.len() < token::min_len(count) {
                    return Err(Error::bytes(format!(
                        "{count} tokens cannot lie in {} bytes",
                        rest.len()
                    )));
                }
                Body::Tokens(count, Tokens::new(rest, count, precision))
            }
            _ => Body::Registers(Registers::parse(rest, precision.registers())?),
        };
        Ok(HllRef { header, precision, body, len })
    }

    /// The precision.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The share of registers, or of the tokens that the sparse form can hold, that are in use.
    pub fn fill(&self) -> Result<f64> {
        Ok(match &self.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => {
                *count as f64 / self.precision.max_tokens() as f64
            }
            Body::Registers(registers) => {
                let mut used = 0;
                registers.visit(|_, block| used += block.iter().filter(|&&r| r != 0).count())?;
                used as f64 / self.precision.registers() as f64
            }
        })
    }

    /// The relative standard error of the estimate: that of the dense form, or that of counting
    /// 26-bit tokens, in which two values share a token once in 2^26 pairs.
    pub fn standard_error(&self) -> f64 {
        match &self.body {
            Body::Tokens(..) | Body::TokenTable(..) => {
                if self.is_empty() {
                    0.0
                } else {
                    token::STANDARD_ERROR
                }
            }
            Body::Registers(_) => self.precision.standard_error(),
        }
    }

    /// All that the sketch holds, each token or register checked.
    pub(super) fn content(&self) -> Result<Content> {
        match &self.body {
            Body::Tokens(_, tokens) => tokens.clone().collect::<Result<_>>().map(Content::Tokens),
            Body::TokenTable(count, table) => {
                let mut tokens: Vec<u32> = HllState::tokens(table).collect();
                tokens.sort_unstable();
                tokens.dedup();
                if tokens.len() != *count {
                    return Err(Error::bytes(format!(
                        "a working state holds {} tokens but says {count}",
                        tokens.len()
                    )));
                }
                match tokens.iter().find(|&&t| !token::is_valid(t, self.precision)) {
                    None => Ok(Content::Tokens(tokens)),
                    Some(token) => Err(Error::bytes(format!("{token:#010x} is not a token"))),
                }
            }
            Body::Registers(registers) => {
                checked(registers, self.precision).map(Content::Registers)
            }
        }
    }
}

impl View for HllRef<'_> {
    fn header(&self) -> Header {
        self.header
    }

    fn byte_len(&self) -> usize {
        self.len
    }

    fn is_empty(&self) -> bool {
        matches!(self.body, Body::Tokens(0, _) | Body::TokenTable(0, _))
    }
}

impl<'a> Body<'a> {
    /// What a state holds that may have come from anywhere.
    fn of_state(state: &'a HllState, precision: Precision) -> Result<Self> {
        let (count, table) = (state.count(), &state.body);
        match state.mode {
            REGISTERS => {
                Ok(Body::Registers(Registers::Raw(expect_len(table, precision.registers())?)))
            }
            TOKENS if count <= hash_set::room::<SLOT>(table.len()) && table.len() % 4 == 0 => {
                Ok(Body::TokenTable(count, table))
            }
            mode => Err(Error::bytes(format!(
                "no working state of mode {mode} holds {count} tokens in {} bytes",
                table.len()
            ))),
        }
    }
}

fn stored_precision(precision: u8) -> Result<Precision> {
    Precision::new(precision.into()).map_err(|error| Error::bytes(error.message().to_owned()))
}

/// All registers of a sketch, each checked.
fn checked(registers: &Registers<'_>, precision: Precision) -> Result<Vec<u8>> {
    let registers = registers.to_vec()?;
    if let Some(bad) = registers.iter().find(|&&r| !register::is_valid(r, precision)) {
        return Err(Error::bytes(format!("{bad:#04x} is not a register")));
    }
    if registers.iter().all(|&r| r == 0) {
        return Err(Error::bytes("a dense sketch without values"));
    }
    Ok(registers)
}

fn expect_len(bytes: &[u8], expected: usize) -> Result<&[u8]> {
    match bytes.len() == expected {
        true => Ok(bytes),
        false => Err(Error::bytes(format!(
            "the body of the sketch has {} bytes, not {expected}",
            bytes.len()
        ))),
    }
}
