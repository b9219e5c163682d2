//! The forms at rest.

use super::view::{Body, Content, HllRef};
use super::{Precision, dense, token};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::Result;
use crate::hash::ValueClass;

/// The header and the precision, a byte.
const HEAD_LEN: usize = header::LEN + 1;

/// Enough bytes for [`write`].
pub(super) fn bound(sketch: &HllRef<'_>) -> usize {
    match sketch.body {
        Body::Tokens(count, _) | Body::TokenTable(count, _)
            if count <= sketch.precision.max_tokens() =>
        {
            HEAD_LEN + params::MAX_LEN + token::max_len(count)
        }
        _ => dense_bound(sketch.precision),
    }
}

/// Enough bytes for registers.
pub(super) fn dense_bound(precision: Precision) -> usize {
    HEAD_LEN + dense::write_bound(precision.registers())
}

/// How many bytes a full sketch of a precision takes at rest, give or take a few.
pub fn full_len(precision: Precision) -> usize {
    HEAD_LEN + dense::full_len(precision.registers())
}

/// Writes what a sketch holds in its form for rest, where many tokens become registers.
pub(super) fn write(
    content: &Content,
    class: Option<ValueClass>,
    precision: Precision,
    out: &mut [u8],
) -> Result<usize> {
    match content {
        Content::Tokens(tokens) if tokens.is_empty() => {
            write_head(out, Form::Empty, None, precision)
        }
        Content::Tokens(tokens) if tokens.len() > precision.max_tokens() => {
            let mut registers = vec![0; precision.registers()];
            token::update_registers(&mut registers, tokens.iter().copied(), precision);
            write(&Content::Registers(registers), class, precision, out)
        }
        Content::Tokens(tokens) => {
            let mut at = write_head(out, Form::Sparse, class, precision)?;
            at += params::write(tokens.len() as u32, &mut out[at..]);
            Ok(at + token::write(tokens, precision, &mut out[at..]))
        }
        Content::Registers(registers) => {
            let at = write_head(out, Form::Dense, class, precision)?;
            Ok(at + dense::write(registers, &mut out[at..]))
        }
    }
}

/// Writes the header and the precision; returns how many bytes they take.
fn write_head(
    out: &mut [u8],
    form: Form,
    class: Option<ValueClass>,
    precision: Precision,
) -> Result<usize> {
    let at = Header { form, class }.write(SketchType::Hll, out)?;
    Ok(at + params::write(precision, &mut out[at..]))
}
