//! Tokens: what is kept of a hash while there are few.
//!
//! A token is the top 26 bits of the hash and, only where the bits of the prefix behind the
//! register's index are all zero, one more than the number of zeros that follow the prefix (1 to
//! 39; else 0). From it the register and level of every precision up to the sketch's own follow,
//! so that a sketch of tokens becomes exactly the registers that the hashes would have made.
//! HyperLogLog++ does the same (Heule, Nunkesser & Hall 2013, section 5.3.3).
//!
//! In memory a token is `prefix << 6 | zeros`, never 0.

use super::{Precision, register};
use crate::error::{Error, Result};
use crate::hash_list::{HashListReader, HashListWriter};

/// The number of bits of a hash that a token keeps.
pub const PREFIX_BITS: u32 = 26;

/// The number of bits that hold the zeros behind the prefix.
const ZEROS_BITS: u32 = 6;

const MAX_ZEROS: u32 = 64 - PREFIX_BITS + 1;

/// The relative standard error of counting tokens: `2^-(26 + 1) / 2`, since among `n` values
/// about `n^2 / 2^27` pairs share a token.
pub const STANDARD_ERROR: f64 = 8.63e-5;

/// Whether the prefix alone does not tell the level.
#[inline]
fn needs_zeros(prefix: u32, precision: Precision) -> bool {
    prefix.trailing_zeros() >= PREFIX_BITS - precision.get()
}

/// The token of a hash.
#[inline]
pub fn of_hash(hash: u64, precision: Precision) -> u32 {
    let prefix = (hash >> (64 - PREFIX_BITS)) as u32;
    let zeros = if needs_zeros(prefix, precision) {
        (hash << PREFIX_BITS | 1 << (PREFIX_BITS - 1)).leading_zeros() + 1
    } else {
        0
    };
    prefix << ZEROS_BITS | zeros
}

/// The register's index and the level of a token's hash, at a precision not above the one that
/// the token was made with.
#[inline]
pub fn place(token: u32, precision: Precision) -> (usize, u8) {
    let p = precision.get();
    let prefix = token >> ZEROS_BITS;
    let index = prefix >> (PREFIX_BITS - p);
    let rest = prefix << (32 - PREFIX_BITS + p);
    let level = match rest {
        0 => PREFIX_BITS - p + token % (1 << ZEROS_BITS),
        _ => rest.leading_zeros() + 1,
    };
    (index as usize, level as u8)
}

/// The token that the same hash has at a lower precision.
#[inline]
pub fn reduce(token: u32, precision: Precision) -> u32 {
    match needs_zeros(token >> ZEROS_BITS, precision) {
        true => token,
        false => token >> ZEROS_BITS << ZEROS_BITS,
    }
}

/// Brings sorted distinct tokens to a lower precision, where they stay so.
pub fn reduce_all(tokens: &mut Vec<u32>, precision: Precision) {
    tokens.iter_mut().for_each(|token| *token = reduce(*token, precision));
    tokens.dedup();
}

/// Adds the hashes of tokens to registers.
#[inline]
pub fn update_registers(
    registers: &mut [u8],
    tokens: impl IntoIterator<Item = u32>,
    precision: Precision,
) {
    for token in tokens {
        let (index, level) = place(token, precision);
        register::update(&mut registers[index], level);
    }
}

/// Whether a number is the token of some hash.
#[inline]
pub fn is_valid(token: u32, precision: Precision) -> bool {
    let zeros = token % (1 << ZEROS_BITS);
    match needs_zeros(token >> ZEROS_BITS, precision) {
        true => (1..=MAX_ZEROS).contains(&zeros),
        false => zeros == 0,
    }
}

/// The most bytes that `count` tokens take at rest.
pub fn max_len(count: usize) -> usize {
    crate::hash_list::max_len(count, PREFIX_BITS, count * ZEROS_BITS as usize)
}

/// The fewest bytes that `count` tokens take at rest.
pub fn min_len(count: usize) -> usize {
    crate::hash_list::min_len(count, PREFIX_BITS)
}

/// Writes sorted distinct tokens to `out`, at least [`max_len`] zero bytes; returns the length.
pub fn write(tokens: &[u32], precision: Precision, out: &mut [u8]) -> usize {
    let mut list = HashListWriter::new(out, tokens.len(), PREFIX_BITS);
    for &token in tokens {
        list.push(u64::from(token >> ZEROS_BITS));
        if needs_zeros(token >> ZEROS_BITS, precision) {
            list.push_bits(u64::from(token % (1 << ZEROS_BITS)), ZEROS_BITS);
        }
    }
    list.byte_len()
}

/// The tokens of a sketch at rest, read one by one; each may turn out malformed.
#[derive(Clone)]
pub struct Tokens<'a> {
    list: HashListReader<'a>,
    precision: Precision,
    left: usize,
    last: u32,
}

impl<'a> Tokens<'a> {
    /// Reads `count` tokens from exactly `bytes`.
    pub fn new(bytes: &'a [u8], count: usize, precision: Precision) -> Self {
        let list = HashListReader::new(bytes, count, PREFIX_BITS);
        Tokens { list, precision, left: count, last: 0 }
    }

    fn read(&mut self) -> Result<u32> {
        let prefix = self.list.next_hash()? as u32;
        let zeros = match needs_zeros(prefix, self.precision) {
            true => self.list.next_bits(ZEROS_BITS) as u32,
            false => 0,
        };
        let token = prefix << ZEROS_BITS | zeros;
        if token <= self.last || !is_valid(token, self.precision) {
            return Err(Error::bytes("the tokens of the sketch are malformed or out of order"));
        }
        if self.left == 1 {
            self.list.finish()?;
        }
        self.last = token;
        Ok(token)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Result<u32>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let token = self.read();
        self.left = if token.is_ok() { self.left - 1 } else { 0 };
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hashes with any number of zeros behind any prefix, which random ones hardly ever have.
    fn hashes() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0u32..=64, 0u32..=64).prop_map(|(hash, keep, low)| {
            let high = hash & u64::MAX.checked_shl(64 - keep).unwrap_or(0);
            high | hash.checked_shr(low).unwrap_or(0)
        })
    }

    fn precisions() -> impl Strategy<Value = Precision> {
        (4i64..=18).prop_map(|p| Precision::new(p).unwrap())
    }

    proptest! {
        #[test]
        fn tokens_keep_the_place(hash in hashes(), a in precisions(), b in precisions()) {
            let (low, high) = (a.min(b), a.max(b));
            let token = of_hash(hash, high);
            prop_assert!(token != 0 && is_valid(token, high));
            prop_assert_eq!(place(token, high), register::place(hash, high));
            prop_assert_eq!(place(token, low), register::place(hash, low));
            prop_assert_eq!(reduce(token, low), of_hash(hash, low));
        }

        #[test]
        fn lists_round_trip(hashes in proptest::collection::btree_set(hashes(), 0..200), p in precisions()) {
            let mut tokens: Vec<_> = hashes.into_iter().map(|hash| of_hash(hash, p)).collect();
            tokens.sort_unstable();
            tokens.dedup();
            let mut out = vec![0; max_len(tokens.len())];
            let len = write(&tokens, p, &mut out);
            let read: Result<Vec<_>> = Tokens::new(&out[..len], tokens.len(), p).collect();
            prop_assert_eq!(read, Ok(tokens));
        }
    }
}
