//! To a lower precision: exactly the sketch that the same values would have made there.

use super::view::{Body, HllRef, checked};
use super::working::{dense_bound, rest_registers, rest_tokens};
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
    if let Some(mut tokens) = sketch.tokens()? {
        for token in &mut tokens {
            *token = token::reduce(*token, precision);
        }
        tokens.dedup();
        return rest_tokens(&tokens, sketch.class(), precision, out);
    }
    let Body::Registers(registers) = &sketch.body else {
        unreachable!("what holds no tokens holds registers")
    };
    let registers = checked(registers, own)?;
    let reduced = reduce_registers(&registers, own, precision);
    rest_registers(&reduced, sketch.class(), precision, out)
}

/// Each register of the lower precision takes in the `2^d` that share its index: in the first of
/// them the index itself brings `d` more zeros, in the others it decides the level.
pub(super) fn reduce_registers(registers: &[u8], own: Precision, precision: Precision) -> Vec<u8> {
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
