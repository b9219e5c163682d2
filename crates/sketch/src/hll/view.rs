//! A sketch of any form, read where it lies.

use super::dense::Registers;
use super::token::{self, Tokens};
use super::{Precision, estimate, register};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::token_set;

/// The offset of the precision, which fills one byte.
pub(super) const PRECISION_AT: usize = header::LEN;
/// Where the parameters end.
pub(super) const PARAMS_END: usize = PRECISION_AT + 1;
/// The offset of the number of tokens in the working form (u32).
pub(super) const COUNT_AT: usize = PARAMS_END;
/// The offset of the tokens or registers in the working form.
pub(super) const TABLE_AT: usize = COUNT_AT + 4;
/// In the place of the number of tokens: the table holds registers.
pub(super) const REGISTERS: u32 = u32::MAX;

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
        let (precision, rest): (u8, _) = params::read(rest)?;
        let precision = Precision::new(i64::from(precision))
            .map_err(|e| Error::bytes(e.message().to_owned()))?;
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
            Form::Dense => Body::Registers(Registers::parse(rest, precision.registers())?),
            Form::Working => Self::parse_working(rest, precision)?,
        };
        Ok(HllRef { header, precision, body, len: bytes.len() })
    }

    fn parse_working(rest: &'a [u8], precision: Precision) -> Result<Body<'a>> {
        let Some((&count, table)) = rest.split_first_chunk() else {
            return Err(Error::bytes("a working state is cut short"));
        };
        match u32::from_le_bytes(count) {
            REGISTERS => {
                let registers = expect_len(table, precision.registers())?;
                Ok(Body::Registers(Registers::Raw(registers)))
            }
            count if count as usize <= token_set::room(table.len()) && table.len() % 4 == 0 => {
                Ok(Body::TokenTable(count as usize, table))
            }
            count => Err(Error::bytes(format!(
                "{count} tokens do not fit a working state of {} bytes",
                table.len()
            ))),
        }
    }

    /// The precision.
    pub fn precision(&self) -> Precision {
        self.precision
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

    /// Whether the sketch holds nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self.body, Body::Tokens(0, _) | Body::TokenTable(0, _))
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
                    estimate::TOKEN_ERROR
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
                let mut tokens: Vec<u32> = token_set::iter(table).collect();
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
