//! A set of keys in a slice: open addressing with linear probing.
//!
//! The slice holds only the slots, `N` bytes each: the key (8 bytes, or 4 in slots of 4), little
//! endian and 0 where the slot is free, then whatever belongs to it. Whoever owns the slice keeps
//! the count. A key's place depends on numbers that this process has drawn: nobody can choose
//! keys that all want one slot, so that each would be looked for behind all the others.

use std::hash::BuildHasher;
use std::hash::RandomState;
use std::sync::LazyLock;

use crate::interrupt;
use crate::mix::{STEP, fold};

/// What the places of keys depend on.
static SECRET: LazyLock<[u64; 2]> = LazyLock::new(|| {
    let random = RandomState::new();
    [random.hash_one(0), random.hash_one(1) | 1]
});

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

/// Looks for a key that is not 0, in a table that this process has filled. There must be a free
/// slot.
#[inline]
pub fn find<const N: usize>(table: &[u8], key: u64) -> Place {
    let slots = table.as_chunks::<N>().0;
    let mut at = home(key, slots.len());
    loop {
        interrupt::count_step();
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
        fill::<N>(table, slot, key);
    }
    place
}

/// Puts a key into a free slot that [`find`] named.
#[inline]
pub fn fill<const N: usize>(table: &mut [u8], slot: usize, key: u64) {
    let len = key_len::<N>();
    table.as_chunks_mut::<N>().0[slot][..len].copy_from_slice(&key.to_le_bytes()[..len]);
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

/// The keys of a table, in no order.
pub fn iter<const N: usize>(table: &[u8]) -> impl Iterator<Item = u64> + Clone {
    table.as_chunks::<N>().0.iter().map(key_of).filter(|&key| key != 0)
}

/// Where the search for a key starts.
///
/// One product leaves keys at equal distances at equal distances, and once in some hundred secrets
/// these pile up; folding two products leaves nothing of it.
#[inline]
fn home(key: u64, slots: usize) -> usize {
    let [mask, factor] = *SECRET;
    let mixed = fold(fold(key ^ mask, factor), STEP);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}

const fn key_len<const N: usize>() -> usize {
    if N < 8 { N } else { 8 }
}

#[inline]
fn key_of<const N: usize>(slot: &[u8; N]) -> u64 {
    match slot.first_chunk() {
        Some(&key) => u64::from_le_bytes(key),
        None => slot.first_chunk().map_or(0, |&key| u32::from_le_bytes(key).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::steps_of;
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

    /// Random keys take 2.5 probes to fill three quarters of a table. With 300 other secrets than
    /// those that the process draws, no family of 20 took more than 2.9.
    #[test]
    fn no_keys_share_all_their_slots() {
        let count = 20_000;
        // Keys that differ in few bits, high or low, or that are multiples of a large number.
        let steps = [1u64, 64, 1001, (1 << 32) + 1, 0x9e37_79b9_7f4a_7c15, u64::MAX / 5000];
        let shifts = [8, 16, 24, 28, 32, 40, 48].map(|shift| 1 << shift);
        for step in steps.into_iter().chain(shifts) {
            let mut table = vec![0; table_len::<8>(count as usize)];
            let keys = (1..=count).map(|i: u64| i.wrapping_mul(step)).filter(|&key| key != 0);
            let probes = steps_of(|| keys.for_each(|key| _ = insert::<8>(&mut table, key)));
            assert!(probes < 4 * count, "{step}: {probes}");
        }
    }

    #[test]
    fn slots_of_four_bytes_hold_keys_of_four() {
        let mut table = vec![0; table_len::<4>(3)];
        for key in [1, u64::from(u32::MAX), 7] {
            assert!(matches!(insert::<4>(&mut table, key), Place::Free(_)));
        }
        let mut keys: Vec<_> = iter::<4>(&table).collect();
        keys.sort_unstable();
        assert_eq!(keys, [1, 7, u64::from(u32::MAX)]);
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
            let mut table = vec![0; table_len::<16>(30)];
            let mut model = BTreeSet::new();
            for (key, shift, add) in changes {
                let key = if shift % 2 == 0 { !key } else { key.rotate_right(shift) };
                match find::<16>(&table, key) {
                    Place::Held(slot) if !add => {
                        remove::<16>(&mut table, slot);
                        prop_assert!(model.remove(&key));
                    }
                    Place::Free(_) if add && model.len() < room::<16>(table.len()) => {
                        insert::<16>(&mut table, key);
                        model.insert(key);
                    }
                    place => {
                        prop_assert_eq!(matches!(place, Place::Held(_)), model.contains(&key));
                    }
                }
                let held = |&key| matches!(find::<16>(&table, key), Place::Held(_));
                prop_assert!(model.iter().all(held));
                prop_assert_eq!(iter::<16>(&table).count(), model.len());
            }
        }
    }
}
