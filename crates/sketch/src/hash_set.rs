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
    let mut at = home(key, slots.len());
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

/// The slot that holds a key that is not 0, in a table that need not have a free slot: one that
/// came from outside.
#[inline]
pub fn held<const N: usize>(table: &[u8], key: u64) -> Option<usize> {
    let slots = table.as_chunks::<N>().0;
    let mut at = home(key, slots.len());
    for _ in 0..slots.len() {
        match key_of(&slots[at]) {
            0 => return None,
            held if held == key => return Some(at),
            _ => {}
        }
        at += 1;
        if at == slots.len() {
            at = 0;
        }
    }
    None
}

/// Frees a slot. There must be another free one.
///
/// Keys behind it that would no longer be found move up (Knuth, TAOCP 6.4, algorithm R), so that
/// removing leaves no marks which slow later probes.
pub fn remove<const N: usize>(table: &mut [u8], slot: usize) {
    let slots = table.as_chunks_mut::<N>().0;
    let count = slots.len();
    let distance = |from: usize, to: usize| if to < from { to + count - from } else { to - from };
    let (mut hole, mut at) = (slot, slot);
    loop {
        at = if at + 1 == count { 0 } else { at + 1 };
        let key = key_of(&slots[at]);
        if key == 0 {
            break;
        }
        if distance(home(key, count), at) >= distance(hole, at) {
            slots[hole] = slots[at];
            hole = at;
        }
    }
    slots[hole] = [0; N];
}

/// The keys of a table, nearly in their order.
pub fn iter<const N: usize>(table: &[u8]) -> impl Iterator<Item = u64> + Clone {
    table.as_chunks::<N>().0.iter().map(key_of).filter(|&key| key != 0)
}

/// Where the search for a key starts.
#[inline]
fn home(key: u64, slots: usize) -> usize {
    ((u128::from(key) * slots as u128) >> 64) as usize
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

    #[test]
    fn a_full_table_is_searched_once() {
        let mut table = [0; 32];
        table[..8].copy_from_slice(&1u64.to_le_bytes());
        table[16..24].copy_from_slice(&2u64.to_le_bytes());
        assert_eq!(held::<16>(&table, 2), Some(1));
        assert_eq!(held::<16>(&table, 3), None);
        assert_eq!(held::<16>(&[], 3), None);
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

        /// Keys at both ends of the range, so that runs go over the end of the table.
        #[test]
        fn removed_keys_leave_the_others_in_their_places(
            changes in proptest::collection::vec((1u64..30, 0u32..64, any::<bool>()), 0..500)
        ) {
            let mut table = vec![0; table_len::<16>(60)];
            let mut model = BTreeSet::new();
            for (key, shift, add) in changes {
                let key = if shift % 2 == 0 { !key } else { key.rotate_right(shift) };
                match held::<16>(&table, key) {
                    Some(slot) if !add => {
                        remove::<16>(&mut table, slot);
                        prop_assert!(model.remove(&key));
                    }
                    None if add && model.len() < room::<16>(table.len()) => {
                        insert::<16>(&mut table, key);
                        model.insert(key);
                    }
                    slot => prop_assert_eq!(slot.is_some(), model.contains(&key)),
                }
                prop_assert!(model.iter().all(|&key| held::<16>(&table, key).is_some()));
                prop_assert_eq!(iter::<16>(&table).count(), model.len());
            }
        }
    }
}
