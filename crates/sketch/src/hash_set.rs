//! A set of 64-bit keys in a slice: open addressing with linear probing.
//!
//! The slice holds only the slots, `N` bytes each: the key, little endian and 0 where the slot is
//! free, then whatever belongs to it. Whoever owns the slice keeps the count. A key's place is its
//! share of the range, so that keys lie nearly in their order, and a bigger table is filled from
//! front to back.

/// How many keys a table of so many bytes takes: three quarters of its slots, so that probes stay
/// short.
#[inline]
pub fn room<const N: usize>(table_len: usize) -> usize {
    table_len / N / 4 * 3 + table_len / N % 4 * 3 / 4
}

/// The fewest bytes of a table that takes so many keys.
pub fn table_len<const N: usize>(count: usize) -> usize {
    N * (count * 4).div_ceil(3)
}

/// Where a key is, or where it would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The slot that holds the key.
    Held(usize),
    /// The set does not hold it; this slot is free for it.
    Free(usize),
}

/// Looks for a key that is not 0. There must be a free slot.
///
/// Many keys put into a table one after the other in their order would pile up at its front:
/// whoever does that makes the table big enough for all of them first.
#[inline]
pub fn find<const N: usize>(table: &[u8], key: u64) -> Place {
    let slots = table.as_chunks::<N>().0;
    let mut at = ((u128::from(key) * slots.len() as u128) >> 64) as usize;
    loop {
        match key_of(&slots[at]) {
            0 => return Place::Free(at),
            held if held == key => return Place::Held(at),
            _ => {}
        }
        at += 1;
        if at == slots.len() {
            at = 0;
        }
    }
}

/// Adds a key that is not 0, where the table may hold it already. There must be a free slot.
#[inline]
pub fn insert<const N: usize>(table: &mut [u8], key: u64) -> Place {
    let place = find::<N>(table, key);
    if let Place::Free(slot) = place {
        table.as_chunks_mut::<N>().0[slot][..8].copy_from_slice(&key.to_le_bytes());
    }
    place
}

/// The keys of a table, nearly in their order.
pub fn iter<const N: usize>(table: &[u8]) -> impl Iterator<Item = u64> + Clone {
    table.as_chunks::<N>().0.iter().map(key_of).filter(|&key| key != 0)
}

#[inline]
fn key_of<const N: usize>(slot: &[u8; N]) -> u64 {
    slot.first_chunk().map_or(0, |&key| u64::from_le_bytes(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_table_has_room_for_what_it_was_made_for() {
        for count in 0..2000 {
            let len = table_len::<8>(count);
            assert!(room::<8>(len) >= count);
            assert!(count == 0 || room::<8>(len - 8) < count);
        }
    }

    proptest! {
        #[test]
        fn behaves_as_a_set(
            keys in proptest::collection::vec((1u64..400, 0u32..64), 0..500)
        ) {
            let mut table = vec![0; table_len::<16>(keys.len()) + 16];
            let mut model = BTreeSet::new();
            for (key, shift) in keys {
                let key = key.rotate_right(shift);
                let place = insert::<16>(&mut table, key);
                prop_assert_eq!(matches!(place, Place::Free(_)), model.insert(key));
                prop_assert!(matches!(find::<16>(&table, key), Place::Held(_)));
            }
            prop_assert_eq!(iter::<16>(&table).collect::<BTreeSet<_>>(), model);
        }
    }
}
