//! Sorted keys at rest, in groups, so that one key is found without reading the others.
//!
//! A key is the first `bits` bits of a hash, in the top of a `u64`, and never 0. The list is cut
//! into `2^g` groups by the first `g` bits of the keys: `g` is 0 for fewer than 4,096 keys, else
//! such that a group has 256 to 511 keys in the mean. Before the groups stands a directory of the
//! offsets (u32, from the first group) at which all groups but the first begin. A group is the
//! number of its keys, see [`params`], and the [`hash_list`] of the bits behind the first `g`.

use crate::codec::params;
use crate::error::{Error, Result};
use crate::hash_list::{self, HashListReader, HashListWriter};
use crate::source::{Source, check_range};

/// Lists of fewer keys are one group.
const MIN_GROUPED: usize = 4096;
/// In the mean no group of several has fewer keys.
const GROUP_KEYS: usize = 256;
const OFFSET_LEN: usize = 4;

/// Cuts a hash to the key of its first `bits` bits (1 to 64), of which one is always set.
#[inline]
pub fn cut(hash: u64, bits: u32) -> u64 {
    let unit = 1 << (64 - bits);
    (hash & 0u64.wrapping_sub(unit)).max(unit)
}

/// Whether a number is the key of some hash.
#[inline]
pub fn is_key(key: u64, bits: u32) -> bool {
    cut(key, bits) == key
}

/// How a list of so many keys is cut.
#[derive(Clone, Copy, Debug)]
struct Layout {
    count: usize,
    bits: u32,
    group_bits: u32,
}

impl Layout {
    fn new(count: usize, bits: u32) -> Self {
        let group_bits = match count {
            0..MIN_GROUPED => 0,
            _ => (count / GROUP_KEYS).ilog2().min(bits - 1),
        };
        Layout { count, bits, group_bits }
    }

    fn groups(self) -> usize {
        1 << self.group_bits
    }

    fn directory_len(self) -> usize {
        OFFSET_LEN * (self.groups() - 1)
    }

    /// The bits of a key that a group's list holds, and for how many keys its code is made: all
    /// groups have one code, which the list's length gives.
    fn list_bits(self) -> u32 {
        self.bits - self.group_bits
    }

    fn keys_per_group(self) -> usize {
        self.count >> self.group_bits
    }

    /// The group of a key.
    fn group_of(self, key: u64) -> usize {
        key.checked_shr(64 - self.group_bits).unwrap_or(0) as usize
    }

    /// What a group's list holds of a key.
    fn entry(self, key: u64) -> u64 {
        key << self.group_bits >> (64 - self.list_bits())
    }

    /// The key of an entry.
    fn key(self, group: usize, entry: u64) -> u64 {
        let prefix = (group as u64).checked_shl(64 - self.group_bits).unwrap_or(0);
        prefix | entry << (64 - self.bits)
    }
}

/// The most bytes that so many keys take at rest.
pub fn max_len(count: usize, bits: u32) -> usize {
    let layout = Layout::new(count, bits);
    // Each group has its offset, its count, the bits that fill its last byte, and fewer than
    // 2^list_bits / 2^k bits of quotients.
    let group = OFFSET_LEN + params::MAX_COUNT_LEN + 1;
    let quotients = hash_list::quotients(layout.keys_per_group(), layout.list_bits());
    let k = hash_list::parameter(layout.keys_per_group(), layout.list_bits()) as usize;
    (count * (k + 1) + layout.groups() * quotients).div_ceil(8) + layout.groups() * group
}

/// Checks, before anything is allocated for them, that so many keys can lie in so many bytes.
pub fn check_len(count: usize, bits: u32, len: usize) -> Result<()> {
    let layout = Layout::new(count, bits);
    let k = hash_list::parameter(layout.keys_per_group(), layout.list_bits()) as usize;
    match layout.directory_len() + (count * (k + 1)) / 8 <= len {
        true => Ok(()),
        false => Err(Error::bytes(format!("{count} keys cannot lie in {len} bytes"))),
    }
}

/// Room in `out` for [`write()`]: the list and, behind it, the keys that are to be written.
pub fn write_bound(count: usize, bits: u32) -> usize {
    max_len(count, bits) + 8 * count
}

/// The last `count` words of `out`, where [`write()`] takes its keys from.
pub fn keys_to_write(out: &mut [u8], count: usize) -> &mut [[u8; 8]] {
    let at = out.len() - 8 * count;
    out[at..].as_chunks_mut().0
}

/// Writes keys to the front of `out`, at least [`write_bound`] bytes and zero but for the
/// [`keys_to_write`] (u64, little endian, in any order, repeats allowed), which it sorts; returns
/// the length.
pub fn write(out: &mut [u8], count: usize, bits: u32) -> usize {
    let (out, keys) = out.split_at_mut(out.len() - 8 * count);
    let keys = keys.as_chunks_mut::<8>().0;
    keys.sort_unstable_by_key(|&key| u64::from_le_bytes(key));
    let layout = Layout::new(count, bits);
    let (directory, lists) = out.split_at_mut(layout.directory_len());
    let mut at = 0;
    let mut keys = &*keys;
    for group in 0..layout.groups() {
        if group > 0 {
            let entry = &mut directory.as_chunks_mut::<OFFSET_LEN>().0[group - 1];
            *entry = u32::try_from(at).expect("a list below 4 GB").to_le_bytes();
        }
        let own = keys.partition_point(|&key| layout.group_of(u64::from_le_bytes(key)) <= group);
        at += params::write(own as u32, &mut lists[at..]);
        let mut list =
            HashListWriter::new(&mut lists[at..], layout.keys_per_group(), layout.list_bits());
        for &key in &keys[..own] {
            list.push(layout.entry(u64::from_le_bytes(key)));
        }
        at += list.byte_len();
        keys = &keys[own..];
    }
    layout.directory_len() + at
}

/// A list of keys at rest, read in order; each may turn out malformed.
#[derive(Clone)]
pub struct KeyList<'a> {
    layout: Layout,
    directory: &'a [[u8; OFFSET_LEN]],
    lists: &'a [u8],
    group: usize,
    /// How many keys the groups read so far hold.
    begun: usize,
    left: usize,
    list: HashListReader<'a>,
    failed: bool,
}

impl<'a> KeyList<'a> {
    /// Reads `count` keys from exactly `bytes`, which [`check_len`] has passed.
    pub fn new(bytes: &'a [u8], count: usize, bits: u32) -> Result<Self> {
        check_len(count, bits, bytes.len())?;
        let layout = Layout::new(count, bits);
        let (directory, lists) = bytes.split_at(layout.directory_len());
        let mut keys = KeyList {
            layout,
            directory: directory.as_chunks().0,
            lists,
            group: 0,
            begun: 0,
            left: 0,
            list: HashListReader::new(&[], 0, 0),
            failed: false,
        };
        keys.begin(0)?;
        Ok(keys)
    }

    /// How many keys the list says that it has.
    pub fn total(&self) -> usize {
        self.layout.count
    }

    /// Goes to the front of a group.
    fn begin(&mut self, group: usize) -> Result<()> {
        let offset = |group: usize| match group.checked_sub(1) {
            None => 0,
            Some(before) => self
                .directory
                .get(before)
                .map_or(self.lists.len(), |&at| u32::from_le_bytes(at) as usize),
        };
        let (at, end) = (offset(group), offset(group + 1));
        let bytes = self.lists.get(at..end).ok_or_else(malformed_directory)?;
        (self.left, self.list) = open_group(self.layout, bytes)?;
        self.group = group;
        self.begun += self.left;
        Ok(())
    }

    fn advance(&mut self) -> Result<Option<u64>> {
        while self.left == 0 {
            self.list.finish()?;
            if self.group + 1 == self.layout.groups() {
                return match self.begun == self.layout.count {
                    true => Ok(None),
                    false => Err(Error::bytes(format!(
                        "the list has {} keys, not {}",
                        self.begun, self.layout.count
                    ))),
                };
            }
            self.begin(self.group + 1)?;
        }
        self.left -= 1;
        let key = self.layout.key(self.group, self.list.next_hash()?);
        match key {
            0 => Err(Error::bytes("a key of the list is 0")),
            key => Ok(Some(key)),
        }
    }
}

impl Iterator for KeyList<'_> {
    type Item = Result<u64>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let key = self.advance().transpose();
        self.failed = !matches!(key, Some(Ok(_)));
        key
    }
}

/// The number of keys of a group, and the list of them.
fn open_group(layout: Layout, bytes: &[u8]) -> Result<(usize, HashListReader<'_>)> {
    let (count, bytes): (u32, _) = params::read(bytes)?;
    let list = HashListReader::new(bytes, layout.keys_per_group(), layout.list_bits());
    Ok((count as usize, list))
}

fn malformed_directory() -> Error {
    Error::bytes("the directory of the list is malformed")
}

/// How often a list of `count` keys holds a key. The list lies in `source` from `at` to the end;
/// only the key's group and its place in the directory are read.
pub fn copies(
    source: &mut (impl Source + ?Sized),
    at: usize,
    count: usize,
    bits: u32,
    key: u64,
) -> Result<usize> {
    let layout = Layout::new(count, bits);
    let lists = at + layout.directory_len();
    let total = source.byte_len();
    check_range(lists, 0, total)?;
    let group = layout.group_of(key);
    // The offsets of this group and the next, as far as they are there.
    let first = group.saturating_sub(1);
    let offsets = (layout.groups() - 1).min(group + 1) - first;
    let entries = source.read(at + OFFSET_LEN * first, OFFSET_LEN * offsets)?;
    let mut entries = entries.as_chunks::<OFFSET_LEN>().0.iter();
    let mut next = |default| entries.next().map_or(default, |&at| u32::from_le_bytes(at) as usize);
    let begin = if group == 0 { 0 } else { next(0) };
    let end = next(total - lists);
    let len = end.checked_sub(begin).ok_or_else(malformed_directory)?;
    let (in_group, mut list) = open_group(layout, source.read(lists + begin, len)?)?;
    let wanted = layout.entry(key);
    let mut copies = 0;
    for _ in 0..in_group {
        match list.next_hash()? {
            entry if entry < wanted => {}
            entry if entry == wanted => copies += 1,
            _ => break,
        }
    }
    Ok(copies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    fn written(keys: &[u64], bits: u32) -> Vec<u8> {
        let mut out = vec![0; write_bound(keys.len(), bits)];
        for (slot, key) in keys_to_write(&mut out, keys.len()).iter_mut().zip(keys) {
            *slot = key.to_le_bytes();
        }
        let len = write(&mut out, keys.len(), bits);
        assert!(len <= max_len(keys.len(), bits));
        out.truncate(len);
        out
    }

    fn check(mut keys: Vec<u64>, bits: u32) {
        let bytes = written(&keys, bits);
        keys.sort_unstable();
        check_len(keys.len(), bits, bytes.len()).unwrap();
        let read: Result<Vec<_>> = KeyList::new(&bytes, keys.len(), bits).unwrap().collect();
        assert_eq!(read.unwrap(), keys);
        let head = [&[9; 7][..], &bytes].concat();
        let mut rng = SmallRng::seed_from_u64(2);
        for _ in 0..50 {
            let absent = cut(rng.random(), bits);
            let held = keys.get(rng.random_range(0..keys.len().max(1)));
            for key in [Some(&absent), held].into_iter().flatten() {
                let expected = keys.iter().filter(|&held| held == key).count();
                assert_eq!(copies(&mut &head[..], 7, keys.len(), bits, *key), Ok(expected));
            }
        }
    }

    #[test]
    fn keys_are_cut_hashes() {
        assert_eq!(cut(u64::MAX, 1), 1 << 63);
        assert_eq!(cut(0, 64), 1);
        assert_eq!(cut(0, 40), 1 << 24);
        assert_eq!(cut(0x1234_5678_9abc_def0, 40), 0x1234_5678_9a00_0000);
        assert!(is_key(3 << 24, 40) && !is_key(0, 40) && !is_key(1 << 23, 40));
    }

    #[test]
    fn big_lists_are_found_in_by_group() {
        let mut rng = SmallRng::seed_from_u64(1);
        for (count, bits) in [(4095, 40), (4096, 40), (5000, 64), (70_000, 33), (9000, 14)] {
            check((0..count).map(|_| cut(rng.random(), bits)).collect(), bits);
        }
        // All in one group.
        check((1..6000).map(|i| i << 24).collect(), 40);
        check((1..6000).map(|i| !0 << 40 | i << 24).collect(), 40);
    }

    #[test]
    fn a_list_that_lies_is_refused() {
        let mut rng = SmallRng::seed_from_u64(3);
        let keys: Vec<_> = (0..5000).map(|_| cut(rng.random(), 40)).collect();
        let bytes = written(&keys, 40);
        let read = |bytes: &[u8], count| -> Result<Vec<u64>> {
            check_len(count, 40, bytes.len())?;
            KeyList::new(bytes, count, 40)?.collect()
        };
        assert!(read(&bytes, 5000).is_ok());
        assert!(read(&bytes, 4999).is_err() && read(&bytes, 5001).is_err());
        assert!(read(&bytes[..bytes.len() - 1], 5000).is_err());
        assert!(read(&bytes, usize::MAX >> 16).is_err());
        for at in 0..100 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x80;
            for &key in &keys[..100] {
                let _ = copies(&mut &damaged[..], 0, 5000, 40, key);
            }
            assert!(at >= 60 || read(&damaged, 5000).is_err(), "{at}");
        }
    }

    proptest! {
        #[test]
        fn small_lists_round_trip(
            hashes in proptest::collection::vec(any::<u64>(), 0..300), bits in 1u32..=64
        ) {
            check(hashes.iter().map(|&hash| cut(hash, bits)).collect(), bits);
        }
    }
}
