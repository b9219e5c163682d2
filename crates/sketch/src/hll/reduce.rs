//! To a lower precision: exactly the sketch that the same values would have made there.

use super::view::{Content, HllRef};
use super::working::{dense_bound, rest_content};
use super::{Hll, Precision, register, token};
use crate::error::{Error, ErrorKind, Result};
use crate::sketch::Sketch;

/// Enough bytes for what [`reduce`] writes: the tokens there are, or the registers that they
/// become.
pub fn reduce_bound(bytes: &[u8], precision: Precision) -> Result<usize> {
    Ok(Hll::rest_bound(bytes)?.max(dense_bound(precision)))
}

/// Writes the sketch of the same values at a precision not above its own, in its form for rest,
/// to `out`: at least [`reduce_bound`] zero bytes. Returns the length.
pub fn reduce(bytes: &[u8], precision: Precision, out: &mut [u8]) -> Result<usize> {
    let sketch = HllRef::parse(bytes)?;
    let own = sketch.precision;
    if precision > own {
        return Err(Error::new(
            ErrorKind::InvalidParameter,
            format!(
                "a sketch of precision {} cannot be reduced to precision {}",
                own.get(),
                precision.get()
            ),
        )
        .with_hint("A sketch can only lose precision; build it again from the values."));
    }
    rest_content(&reduced(&sketch, precision)?, sketch.class(), precision, out)
}

/// What a sketch holds, at a precision not above its own.
pub(super) fn reduced(sketch: &HllRef<'_>, precision: Precision) -> Result<Content> {
    Ok(match sketch.content()? {
        Content::Tokens(mut tokens) => {
            token::reduce_all(&mut tokens, precision);
            Content::Tokens(tokens)
        }
        Content::Registers(registers) => {
            Content::Registers(reduce_registers(&registers, sketch.precision, precision))
        }
    })
}

/// Each register of the lower precision takes in the `2^d` that share its index: in the first of
/// them the index itself brings `d` more zeros, in the others it decides the level.
fn reduce_registers(registers: &[u8], own: Precision, precision: Precision) -> Vec<u8> {
    let shift = own.get() - precision.get();
    let fold = |group: &[u8]| {
        let mut folded = 0;
        for (low, &register) in group.iter().enumerate() {
            for level in register::levels(register) {
                let level = match low {
                    0 => level + shift as u8,
                    _ => (low as u32).leading_zeros() as u8 - (32 - shift as u8) + 1,
                };
                register::update(&mut folded, level);
            }
        }
        folded
    };
    registers.chunks(1 << shift).map(fold).collect()
}
