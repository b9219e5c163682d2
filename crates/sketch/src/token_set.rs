//! A small set of non-zero 32-bit tokens in a slice: open addressing with linear probing.
//!
//! The slice holds only the slots, four little-endian bytes each, zero where free; whoever owns it
//! keeps the count.

/// How many tokens a table of so many bytes takes: three quarters of its slots, so that probes
/// stay short.
#[inline]
pub fn room(table_len: usize) -> usize {
    table_len / 4 * 3 / 4
}

/// Where a token is, or where it would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The set holds the token.
    Held,
    /// The set does not; this slot is free for it.
    Free(usize),
}

/// Looks for a token. There must be a free slot.
#[inline]
pub fn find(table: &[u8], token: u32) -> Place {
    let slots = table.as_chunks::<4>().0;
    // Tokens that arrive in order would pile up in one place, so the product's top bits choose.
    let mixed = token.wrapping_mul(0x9e37_79b1);
    let mut at = ((u64::from(mixed) * slots.len() as u64) >> 32) as usize;
    loop {
        match u32::from_le_bytes(slots[at]) {
            0 => return Place::Free(at),
            held if held == token => return Place::Held,
            _ => {}
        }
        at += 1;
        if at == slots.len() {
            at = 0;
        }
    }
}

/// Fills a free slot that [`find`] named.
#[inline]
pub fn fill(table: &mut [u8], slot: usize, token: u32) {
    table.as_chunks_mut::<4>().0[slot] = token.to_le_bytes();
}

/// The tokens of a table, in no order.
pub fn iter(table: &[u8]) -> impl Iterator<Item = u32> + Clone {
    table
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&slot| u32::from_le_bytes(slot))
        .filter(|&token| token != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_as_a_set(tokens in proptest::collection::vec(1u32..2000, 0..400)) {
            let mut table = vec![0; 4 * 560];
            let mut model = BTreeSet::new();
            for &token in &tokens {
                match find(&table, token) {
                    Place::Held => prop_assert!(model.contains(&token)),
                    Place::Free(slot) => {
                        prop_assert!(model.insert(token));
                        fill(&mut table, slot, token);
                    }
                }
            }
            prop_assert!(model.len() <= room(table.len()));
            prop_assert_eq!(iter(&table).collect::<BTreeSet<_>>(), model);
        }
    }
}
