//! Reading `numeric`: its stored layout, which the server keeps for the sake of `pg_upgrade`.
//!
//! The first two bytes (native order) are a short header (top bits 10: sign, scale and weight in
//! one), a special value (top bits 11), or else sign and scale with the weight in the next two.
//! Base-10,000 digits of two bytes follow. The scale is only for display.

use sketch::hash::scalar::{
    Decimal, NUMERIC_INFINITY, NUMERIC_NAN, NUMERIC_NEGATIVE_INFINITY, Numeric, numeric,
};

/// The canonical encoding of a stored `numeric`.
#[inline]
pub fn encode(stored: &[u8]) -> Numeric {
    let word = |at: usize| u16::from_ne_bytes([stored[at], stored[at + 1]]);
    let header = word(0);
    let (negative, weight, digits) = match header >> 14 {
        0b11 => {
            let special = match header & 0xf000 {
                0xc000 => NUMERIC_NAN,
                0xd000 => NUMERIC_INFINITY,
                _ => NUMERIC_NEGATIVE_INFINITY,
            };
            return Numeric::of(special);
        }
        0b10 => {
            // Seven bits, the highest of which is the sign.
            let weight = i32::from((header << 1) as i8 >> 1);
            (header & 0x2000 != 0, weight, &stored[2..])
        }
        sign => (sign == 0b01, i32::from(word(2) as i16), &stored[4..]),
    };
    let digits = digits.as_chunks::<2>().0.iter().map(|&digit| u16::from_ne_bytes(digit));
    numeric(Decimal { negative, weight, digits })
}
