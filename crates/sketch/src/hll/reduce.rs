//! To a lower precision: exactly the sketch that the same values would have made there.

use super::view::{Content, HllRef};
use super::{Precision, register, rest, token};
use crate::error::{Error, ErrorKind, Result};
use crate::sketch::View;

impl HllRef<'_> {
    /// The sketch of the same values at a precision not above its own, at rest.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::hash::Value;
    /// use sketch::hll::{Hll, HllRef, Precision};
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let mut visitors = Owned::<Hll>::new(Precision::new(14)?);
    /// visitors.insert(Value::number(42))?;
    /// let stored = HllRef::parse(visitors.working())?.reduce(Precision::new(11)?)?;
    /// assert_eq!(HllRef::parse(&stored)?.precision(), Precision::new(11)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reduce(&self, precision: Precision) -> Result<Vec<u8>> {
        let mut out = vec![0; self.reduce_bound(precision)];
        let len = self.reduce_into(precision, &mut out)?;
        out.truncate(len);
        Ok(out)
    }

    /// Enough bytes for what [`HllRef::reduce_into`] writes: the tokens there are, or the registers
    /// that they become.
    pub fn reduce_bound(&self, precision: Precision) -> usize {
        rest::bound(self).max(rest::dense_bound(precision))
    }

    /// [`HllRef::reduce`] to `out`, at least [`HllRef::reduce_bound`] zero bytes; returns the
    /// length.
    pub fn reduce_into(&self, precision: Precision, out: &mut [u8]) -> Result<usize> {
        let own = self.precision;
        // An empty sketch can have any precision.
        if precision > own && !self.is_empty() {
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
        rest::write(&reduced(self, precision.min(own))?, self.class(), precision, out)
    }
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
