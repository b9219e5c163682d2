//! Sorting keys of eight bytes, little endian, in place and with a way out.

use crate::interrupt::{self, Pace};

/// So many keys are sorted in a few milliseconds.
const PIECE: usize = 1 << 16;

/// Sorts keys. Many are first dealt out by the eight bits from the highest in which they differ
/// (McIlroy, Bostic, McIlroy 1993, "Engineering Radix Sort": American flag sort), so that keys
/// which share their first bits cost no more than others.
pub fn sort(keys: &mut [[u8; 8]]) {
    interrupt::check();
    if keys.len() <= PIECE {
        keys.sort_unstable_by_key(|&key| u64::from_le_bytes(key));
        return;
    }
    let Some(shift) = first_difference(keys) else { return };
    let digit = |key: [u8; 8]| usize::from((u64::from_le_bytes(key) >> shift) as u8);
    let mut ends = [0; 256];
    let mut pace = Pace::default();
    for &key in &*keys {
        pace.step(8);
        ends[digit(key)] += 1;
    }
    let (mut next, mut end) = ([0; 256], 0);
    for (next, count) in next.iter_mut().zip(&mut ends) {
        *next = end;
        end += *count;
        *count = end;
    }
    for own in 0..256 {
        while next[own] < ends[own] {
            pace.step(16);
            let key = keys[next[own]];
            let its = digit(key);
            keys.swap(next[own], next[its]);
            next[its] += 1;
        }
    }
    let mut rest = keys;
    let mut begin = 0;
    for end in ends {
        let piece = rest.split_off_mut(..end - begin).unwrap_or_default();
        begin = end;
        sort(piece);
    }
}

/// The place of the lowest of the eight bits that decide first; `None` where the keys are sorted.
fn first_difference(keys: &[[u8; 8]]) -> Option<u32> {
    let mut pace = Pace::default();
    let (mut differing, mut last, mut is_sorted) = (0, u64::from_le_bytes(keys[0]), true);
    let first = last;
    for &key in keys {
        pace.step(8);
        let key = u64::from_le_bytes(key);
        differing |= key ^ first;
        is_sorted &= last <= key;
        last = key;
    }
    (!is_sorted).then(|| (u64::BITS - differing.leading_zeros()).saturating_sub(8))
}

/// Moves the distinct ones of sorted keys to the front; returns how many there are.
pub fn dedup(keys: &mut [[u8; 8]]) -> usize {
    let mut pace = Pace::default();
    let mut count = 0;
    for at in 0..keys.len() {
        pace.step(8);
        if count == 0 || keys[count - 1] != keys[at] {
            keys[count] = keys[at];
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    #[test]
    fn many_keys_are_sorted_whatever_they_share() {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut random = |_: u64| rng.random();
        let families: [&mut dyn FnMut(u64) -> u64; 6] = [
            &mut random,
            &mut |i| i,
            &mut |i| !i << 40,
            &mut |i| i.reverse_bits() >> (i % 50),
            // All alike but for a few, one for each byte.
            &mut |i| if i % 30_000 == 0 { 1 << (i / 30_000 * 9 % 64) } else { i % 3 },
            &mut |_| 7,
        ];
        for family in families {
            let mut keys: Vec<u64> = (0..3 * PIECE as u64).map(family).collect();
            let mut bytes: Vec<_> = keys.iter().map(|key| key.to_le_bytes()).collect();
            sort(&mut bytes);
            keys.sort_unstable();
            assert!(bytes.iter().map(|&key| u64::from_le_bytes(key)).eq(keys.iter().copied()));
            keys.dedup();
            let distinct = dedup(&mut bytes);
            let kept = bytes[..distinct].iter().map(|&key| u64::from_le_bytes(key));
            assert!(kept.eq(keys));
        }
    }
}
