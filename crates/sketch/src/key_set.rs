//! A set of 64-bit keys that grows: what a sketch holds while it gathers.
//!
//! The slice holds a [`hash_set`] as long as that lies in a core's cache. In a larger one every
//! key would wait for memory; there the slice is a log, to which keys are added whether it has
//! them or not, and which is sorted and rid of repeats when it is full. A log begins with the
//! number (u64) of its keys, from the front, that are sorted and distinct. Keys take eight bytes,
//! little endian. Whoever owns the slice keeps the count.

use crate::error::{Error, Result};
use crate::hash_set::{self, Place};

/// Slices from this length on, half of what a core's cache holds, are logs.
const MIN_LOG_LEN: usize = 256 << 10;
/// The number of sorted keys at the front of a log.
const FRONT_LEN: usize = 8;

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The set holds it already.
    Held,
    /// It is one more key, or may be.
    New,
    /// There is no room for it.
    Full,
}

#[inline]
fn is_log(set: &[u8]) -> bool {
    set.len() >= MIN_LOG_LEN
}

/// Whether a set has no repeats, so that its count is that of its keys.
#[inline]
pub fn is_exact(set: &[u8]) -> bool {
    !is_log(set)
}

/// The length of a set with room for so many keys.
pub fn len_for(count: usize) -> usize {
    let table = hash_set::table_len::<8>(count);
    if table < MIN_LOG_LEN { table } else { MIN_LOG_LEN.max(FRONT_LEN + 8 * count) }
}

/// How many keys a set of so many bytes takes.
#[inline]
pub fn room(len: usize) -> usize {
    if len >= MIN_LOG_LEN { (len - FRONT_LEN) / 8 } else { hash_set::room::<8>(len) }
}

/// Adds a key that is not 0 to a set of `count` keys.
#[inline]
pub fn insert(set: &mut [u8], count: usize, key: u64) -> Added {
    if is_log(set) {
        return match slots_mut(set).get_mut(count) {
            None => Added::Full,
            Some(slot) => {
                *slot = key.to_le_bytes();
                Added::New
            }
        };
    }
    let (place, added) = match count < hash_set::room::<8>(set.len()) {
        true => (hash_set::insert::<8>(set, key), Added::New),
        false => (hash_set::find::<8>(set, key), Added::Full),
    };
    match place {
        Place::Held(_) => Added::Held,
        Place::Free(_) => added,
    }
}

/// Copies a set of `count` keys into an empty one with room for them; returns how many it has.
pub fn copy(set: &[u8], count: usize, bigger: &mut [u8]) -> usize {
    if is_log(set) {
        let len = FRONT_LEN + 8 * count;
        bigger[..len].copy_from_slice(&set[..len]);
        return count;
    }
    let mut copied = 0;
    for key in iter(set, count) {
        copied += usize::from(insert(bigger, copied, key) == Added::New);
    }
    copied
}

/// What has become of a set that was to get room for more keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Nothing: it should rather grow than be rid of repeats.
    Young,
    /// It is rid of repeats. So many keys are left, and it is still too short for more, or hardly
    /// long enough.
    Settled(usize, bool),
}

/// Makes room for `more` keys in a set of `count` keys, whose owner would let it grow to a length
/// of `bigger`.
///
/// A log is sorted when it has four times the keys that were left the last time, so that sorting
/// costs little for each.
pub fn make_room(set: &mut [u8], count: usize, more: usize, bigger: usize) -> Room {
    let (now, then) = (room(set.len()), room(bigger));
    let is_young = is_log(set) && now < 4 * front(set);
    if is_young && then > now && then >= count + more {
        return Room::Young;
    }
    let count = settle(set, count);
    Room::Settled(count, count + more > now || count > now / 4 * 3 && then > now)
}

/// Rids a set of `count` keys of repeats; returns how many are left.
pub fn settle(set: &mut [u8], count: usize) -> usize {
    if !is_log(set) {
        return count;
    }
    let keys = &mut slots_mut(set)[..count];
    sort(keys);
    let count = dedup(keys);
    set[..FRONT_LEN].copy_from_slice(&(count as u64).to_le_bytes());
    count
}

/// Whether a set, which nothing but this module has written, holds a key.
pub fn holds(set: &[u8], count: usize, key: u64) -> bool {
    if !is_log(set) {
        return matches!(hash_set::find::<8>(set, key), Place::Held(_));
    }
    let keys = &slots(set)[..count];
    let (front, tail) = keys.split_at(front(set).min(count));
    find_sorted(front, key) || tail.contains(&key.to_le_bytes())
}

/// The keys of a set of `count` keys, repeats among them where it is a log.
pub fn iter(set: &[u8], count: usize) -> impl Iterator<Item = u64> + Clone {
    let keys = if is_log(set) { &slots(set)[..count] } else { set.as_chunks().0 };
    keys.iter().map(|&key| u64::from_le_bytes(key)).filter(|&key| key != 0)
}

/// Puts the keys of a set of `count` keys, which may have come from anywhere, sorted and without
/// repeats into the last of `scratch`, `count` words; returns how many there are.
pub fn sorted(set: &[u8], count: usize, scratch: &mut [[u8; 8]]) -> Result<usize> {
    let mut given = 0;
    for key in iter(set, count) {
        if let Some(slot) = scratch.get_mut(given) {
            *slot = key.to_le_bytes();
        }
        given += 1;
    }
    if given != count {
        return Err(Error::bytes(format!("a set of keys does not hold the {count} that it says")));
    }
    let front = if is_log(set) { front(set).min(count) } else { 0 };
    sort(&mut scratch[front..]);
    merge_front(scratch, front, set)?;
    let distinct = dedup(scratch);
    if !is_log(set) && distinct != count {
        return Err(Error::bytes("a set holds a key twice"));
    }
    scratch.copy_within(..distinct, count - distinct);
    Ok(distinct)
}

/// Merges the sorted front of a log into the sorted keys that follow it in `scratch`.
fn merge_front(scratch: &mut [[u8; 8]], front: usize, log: &[u8]) -> Result<()> {
    if front == 0 {
        return Ok(());
    }
    let key = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
    let front = &slots(log)[..front];
    if !front.is_sorted_by_key(|&bytes| key(bytes)) {
        return Err(Error::bytes("the sorted keys of a set are out of order"));
    }
    // What is written never reaches what is yet to be read: as many of the front are left as
    // there is room between the two.
    let (mut next, mut to) = (front.len(), 0);
    for &own in front {
        while next < scratch.len() && key(scratch[next]) < key(own) {
            scratch[to] = scratch[next];
            (next, to) = (next + 1, to + 1);
        }
        scratch[to] = own;
        to += 1;
    }
    Ok(())
}

/// Checks that a slice of so many bytes can be a set of so many keys.
pub fn check(len: usize, count: usize) -> Result<()> {
    match count <= room(len) && len.is_multiple_of(8) {
        true => Ok(()),
        false => Err(Error::bytes(format!("{count} keys do not fit a set of {len} bytes"))),
    }
}

#[inline]
fn slots(log: &[u8]) -> &[[u8; 8]] {
    log[FRONT_LEN..].as_chunks().0
}

#[inline]
fn slots_mut(log: &mut [u8]) -> &mut [[u8; 8]] {
    log[FRONT_LEN..].as_chunks_mut().0
}

fn front(log: &[u8]) -> usize {
    log.first_chunk().map_or(0, |&front| u64::from_le_bytes(front) as usize)
}

fn sort(keys: &mut [[u8; 8]]) {
    keys.sort_unstable_by_key(|&key| u64::from_le_bytes(key));
}

/// Moves the distinct ones of sorted keys to the front; returns how many there are.
fn dedup(keys: &mut [[u8; 8]]) -> usize {
    let mut count = 0;
    for at in 0..keys.len() {
        if count == 0 || keys[count - 1] != keys[at] {
            keys[count] = keys[at];
            count += 1;
        }
    }
    count
}

/// Whether sorted keys hold a key. Hashes are spread evenly, so the search begins at the key's
/// share of the range.
fn find_sorted(keys: &[[u8; 8]], key: u64) -> bool {
    let at = |index: usize| u64::from_le_bytes(keys[index]);
    let guess = ((u128::from(key) * keys.len() as u128) >> 64) as usize;
    let (mut low, mut high, mut step) = (guess, guess, 8);
    while low > 0 && at(low) > key {
        low = low.saturating_sub(step);
        step *= 2;
    }
    step = 8;
    while high < keys.len() && at(high) < key {
        high = keys.len().min(high + step);
        step *= 2;
    }
    let end = keys.len().min(high + 1);
    keys[low..end].binary_search_by_key(&key, |&key| u64::from_le_bytes(key)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;
    use std::collections::BTreeSet;

    /// A set that grows, and the same in the standard library.
    fn grown(values: impl Iterator<Item = i64>) -> (Vec<u8>, usize, BTreeSet<u64>) {
        let (mut set, mut count, mut model) = (vec![0; len_for(3)], 0, BTreeSet::new());
        for key in values.map(hash::number) {
            model.insert(key);
            if insert(&mut set, count, key) == Added::Full {
                count = settle(&mut set, count);
                let mut bigger = vec![0; len_for(2 * count + 1)];
                count = copy(&set, count, &mut bigger);
                set = bigger;
                assert_ne!(insert(&mut set, count, key), Added::Full);
                count += 1;
            } else if is_log(&set) || iter(&set, count).count() > count {
                count += 1;
            }
        }
        (set, count, model)
    }

    #[test]
    fn lengths_and_rooms_agree() {
        for count in (0..60_000).step_by(97) {
            let len = len_for(count);
            assert!(room(len) >= count && len.is_multiple_of(8), "{count}");
            assert!(check(len, count).is_ok());
            assert!(check(len, room(len) + 1).is_err() && check(len + 4, 0).is_err());
        }
    }

    #[test]
    fn a_growing_set_holds_what_was_added() {
        for distinct in [1, 3, 100, 20_000, 30_000, 50_000] {
            let (set, count, model) = grown((0..distinct).chain(0..distinct / 2));
            assert_eq!(iter(&set, count).collect::<BTreeSet<_>>(), model);
            let mut scratch = vec![[0; 8]; count];
            let left = sorted(&set, count, &mut scratch).unwrap();
            let kept = scratch[count - left..].iter().map(|&key| u64::from_le_bytes(key));
            assert!(kept.eq(model.iter().copied()), "{distinct}");
            let mut settled = set.clone();
            assert_eq!(settle(&mut settled, count), model.len());
            for value in (0..2 * distinct).step_by(distinct as usize / 50 + 1) {
                let key = hash::number(value);
                assert_eq!(holds(&set, count, key), model.contains(&key));
                assert_eq!(holds(&settled, model.len(), key), model.contains(&key));
            }
        }
    }

    #[test]
    fn searches_of_uneven_keys_end() {
        let keys: Vec<_> = (1..2000u64).chain(u64::MAX - 2000..u64::MAX).collect();
        let bytes: Vec<_> = keys.iter().map(|key| key.to_le_bytes()).collect();
        for key in [0, 1, 1999, 2000, 1 << 63, u64::MAX - 2000, u64::MAX - 1, u64::MAX] {
            assert_eq!(find_sorted(&bytes, key), keys.contains(&key), "{key}");
        }
        assert!(!find_sorted(&[], 7));
    }

    #[test]
    fn what_lies_is_refused() {
        let mut table = vec![0; len_for(10)];
        assert_eq!(insert(&mut table, 0, 5), Added::New);
        let mut scratch = [[0; 8]; 9];
        assert!(sorted(&table, 2, &mut scratch[..2]).is_err());
        let twice = [&5u64.to_le_bytes()[..], &5u64.to_le_bytes(), &[0; 16]].concat();
        assert!(sorted(&twice, 2, &mut scratch[..2]).is_err());
        assert!(sorted(&twice, 1, &mut scratch[..1]).is_err());
    }
}
