//! Sorted keys at rest, in groups, so that one key is found without reading the others.
//!
//! A key is the first `bits` bits of a hash, in the top of a `u64`, and never 0. The list is cut
//! into `2^g` groups by the first `g` bits of the keys: `g` is 0 for fewer than 4,096 keys, else
//! such that a group has 256 to 511 keys on average. Before the groups stands a directory of the
//! offsets (u32, from the first group) at which all groups but the first begin. A group is the
//! number of its keys, see [`params`], and the [`hash_list`] of the bits behind the first `g`.
//!
//! Keys that are no hashes, or hashes of chosen values, may all be of one group. So that no look-up
//! reads more than 4,095 keys, a group of more has a table before its list: for each 256 keys but
//! the first the last entry before them (u64), and the bit of the list at which they begin (u32).

use crate::codec::params;
use crate::error::{Error, Result};
use crate::hash_list::{self, HashListReader, HashListWriter};
use crate::interrupt::Pace;
use crate::sort::sort;
use crate::source::{Source, check_range};

/// Lists of fewer keys are one group, and groups of fewer keys have no table.
const MIN_GROUPED: usize = 4096;
/// On average no group of several has fewer keys, and the table of one has an entry for so many.
const GROUP_KEYS: usize = 256;
const OFFSET_LEN: usize = 4;
/// An entry of the table of a large group.
const SKIP_LEN: usize = 12;

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

/// How a list of `count` keys is cut into groups.
#[derive(Clone, Copy, Debug)]
struct Groups {
    count: usize,
    bits: u32,
    group_bits: u32,
}

impl Groups {
    fn new(count: usize, bits: u32) -> Self {
        let group_bits = match count {
            0..MIN_GROUPED => 0,
            _ => (count / GROUP_KEYS).ilog2().min(bits - 1),
        };
        Groups { count, bits, group_bits }
    }

    fn number(self) -> usize {
        1 << self.group_bits
    }

    fn directory_len(self) -> usize {
        OFFSET_LEN * (self.number() - 1)
    }

    /// The bits of a key that a group's list holds, and for how many keys its code is made: all
    /// groups have one code, which the list's length gives.
    fn list_bits(self) -> u32 {
        self.bits - self.group_bits
    }

    /// The fewest bytes that the lists of `count` keys take.
    fn min_len(self, count: usize) -> usize {
        let k = hash_list::parameter(self.keys_per_group(), self.list_bits()) as usize;
        count * (k + 1) / 8
    }

    /// Reads the list of a group.
    fn list(self, bytes: &[u8]) -> HashListReader<'_> {
        HashListReader::new(bytes, self.keys_per_group(), self.list_bits())
    }

    /// Whether a group of `len` bytes, enough for a large one, has an entry.
    fn large_group_contains(
        self,
        source: &mut (impl Source + ?Sized),
        at: usize,
        len: usize,
        wanted: u64,
    ) -> Result<bool> {
        let head = source.read(at, len.min(params::MAX_COUNT_LEN))?;
        let head_len = head.len();
        let (count, rest) = read_count(head)?;
        let skips_at = at + head_len - rest.len();
        let skips = skips_len(count) / SKIP_LEN;
        let (list_at, end) = (skips_at + skips * SKIP_LEN, at + len);
        // The number of table entries that are below the one that is looked for.
        let (mut below, mut above) = (0, skips);
        let (mut from, mut to) = (Skip { last: 0, bit: 0 }, None);
        while below < above {
            let middle = below.midpoint(above);
            let skip = Skip::of_bytes(source.read(skips_at + middle * SKIP_LEN, SKIP_LEN)?);
            if skip.last < wanted {
                (below, from) = (middle + 1, skip);
            } else {
                (above, to) = (middle, Some(skip));
            }
        }
        let first = list_at + from.bit / 8;
        let behind = to.map_or(end, |to| list_at + to.bit.div_ceil(8)).min(end);
        let bytes = source.read(first, behind.checked_sub(first).ok_or_else(malformed)?)?;
        let keys = if skips == 0 { count } else { GROUP_KEYS.min(count - below * GROUP_KEYS) };
        self.list(bytes).at(from.bit % 8, from.last).contains(keys, wanted)
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

/// The most bytes that `count` keys take at rest.
pub fn max_len(count: usize, bits: u32) -> usize {
    let groups = Groups::new(count, bits);
    // Each group has its offset, its count, the bits that fill its last byte, and fewer than
    // 2^list_bits / 2^k bits of quotients.
    let group = OFFSET_LEN + params::MAX_COUNT_LEN + 1;
    let quotients = hash_list::quotients(groups.keys_per_group(), groups.list_bits());
    let k = hash_list::parameter(groups.keys_per_group(), groups.list_bits()) as usize;
    (count * (k + 1) + groups.number() * quotients).div_ceil(8)
        + groups.number() * group
        + skips_len(count)
}

/// Checks, before anything is allocated for them, that `count` keys can lie in `len` bytes.
pub fn check_len(count: usize, bits: u32, len: usize) -> Result<()> {
    let groups = Groups::new(count, bits);
    if groups.directory_len() + groups.min_len(count) <= len {
        return Ok(());
    }
    Err(Error::bytes(format!("{count} keys cannot lie in {len} bytes")))
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
    sort(keys);
    let groups = Groups::new(count, bits);
    let (directory, lists) = out.split_at_mut(groups.directory_len());
    let mut at = 0;
    let mut keys = &*keys;
    let mut pace = Pace::default();
    for group in 0..groups.number() {
        if group > 0 {
            let offset = &mut directory.as_chunks_mut::<OFFSET_LEN>().0[group - 1];
            *offset = u32::try_from(at).expect("a list below 4 GB").to_le_bytes();
        }
        let own = keys.partition_point(|&key| groups.group_of(u64::from_le_bytes(key)) <= group);
        at += params::write(own as u32, &mut lists[at..]);
        let (skips, list) = lists[at..].split_at_mut(skips_len(own));
        let mut skips = skips.as_chunks_mut().0.iter_mut();
        let mut list = HashListWriter::new(list, groups.keys_per_group(), groups.list_bits());
        for (index, &key) in keys[..own].iter().enumerate() {
            pace.step(8);
            if index > 0
                && index % GROUP_KEYS == 0
                && let Some(skip) = skips.next()
            {
                *skip = Skip { last: list.last(), bit: list.bit_len() }.to_bytes();
            }
            list.push(groups.entry(u64::from_le_bytes(key)));
        }
        at += skips_len(own) + list.byte_len();
        keys = &keys[own..];
    }
    groups.directory_len() + at
}

/// Where in the list of a large group a reader may begin.
struct Skip {
    /// The last entry before.
    last: u64,
    /// The bit of the list.
    bit: usize,
}

impl Skip {
    fn to_bytes(&self) -> [u8; SKIP_LEN] {
        let mut bytes = [0; SKIP_LEN];
        bytes[..8].copy_from_slice(&self.last.to_le_bytes());
        let bit = u32::try_from(self.bit).expect("a list below 500 MB");
        bytes[8..].copy_from_slice(&bit.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let last = bytes.first_chunk().map_or(0, |&last| u64::from_le_bytes(last));
        let bit = bytes.last_chunk().map_or(0, |&bit| u32::from_le_bytes(bit));
        Skip { last, bit: bit as usize }
    }
}

/// The bytes of the table of a group of `count` keys.
fn skips_len(count: usize) -> usize {
    if count < MIN_GROUPED { 0 } else { (count - 1) / GROUP_KEYS * SKIP_LEN }
}

/// A list of keys at rest, read in order; each may turn out malformed, but there are never more
/// than the list says.
#[derive(Clone)]
pub struct KeyList<'a> {
    groups: Groups,
    directory: &'a [[u8; OFFSET_LEN]],
    lists: &'a [u8],
    /// How many groups were begun, how many keys these have, and how many of the last are left.
    begun: usize,
    keys: usize,
    left: usize,
    list: HashListReader<'a>,
    failed: bool,
    pace: Pace,
}

impl<'a> KeyList<'a> {
    /// Reads `count` keys from exactly `bytes`, which [`check_len`] has passed.
    pub fn new(bytes: &'a [u8], count: usize, bits: u32) -> Self {
        let groups = Groups::new(count, bits);
        let (directory, lists) = bytes.split_at(groups.directory_len());
        KeyList {
            groups,
            directory: directory.as_chunks().0,
            lists,
            begun: if count == 0 { groups.number() } else { 0 },
            keys: 0,
            left: 0,
            list: HashListReader::new(&[], 0, 0),
            failed: false,
            pace: Pace::default(),
        }
    }

    /// How many keys the list says that it has.
    pub fn total(&self) -> usize {
        self.groups.count
    }

    /// Goes to the front of the next group.
    fn begin(&mut self) -> Result<()> {
        let offset = |group: usize| match group.checked_sub(1) {
            None => 0,
            Some(before) => self
                .directory
                .get(before)
                .map_or(self.lists.len(), |&at| u32::from_le_bytes(at) as usize),
        };
        let bytes = self.lists.get(offset(self.begun)..offset(self.begun + 1));
        let (count, bytes) = read_count(bytes.ok_or_else(malformed)?)?;
        let bytes = bytes.get(skips_len(count)..).ok_or_else(malformed)?;
        self.keys += count;
        if self.keys > self.groups.count {
            return Err(Error::bytes(format!("a list has more than {} keys", self.groups.count)));
        }
        self.list = self.groups.list(bytes);
        self.left = count;
        self.begun += 1;
        Ok(())
    }

    fn advance(&mut self) -> Result<Option<u64>> {
        self.pace.step(8);
        while self.left == 0 {
            self.list.finish()?;
            if self.begun < self.groups.number() {
                self.begin()?;
            } else if self.keys == self.groups.count {
                return Ok(None);
            } else {
                return Err(Error::bytes(format!(
                    "a list has {} keys, not {}",
                    self.keys, self.groups.count
                )));
            }
        }
        self.left -= 1;
        match self.groups.key(self.begun - 1, self.list.next_hash()?) {
            0 => Err(Error::bytes("a key of a list is 0")),
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

/// The number of keys of a group, and what follows it.
fn read_count(bytes: &[u8]) -> Result<(usize, &[u8])> {
    let (count, bytes): (u32, _) = params::read(bytes)?;
    Ok((count as usize, bytes))
}

#[cold]
fn malformed() -> Error {
    Error::bytes("the directory of a list is malformed")
}

/// Whether a list of `count` keys holds a key. The list lies in `source` from `at` to the end; only
/// the key's group and its place in the directory are read, and of a large group only the part in
/// which the key would be.
pub fn contains(
    source: &mut (impl Source + ?Sized),
    at: usize,
    count: usize,
    bits: u32,
    key: u64,
) -> Result<bool> {
    let groups = Groups::new(count, bits);
    let lists = at + groups.directory_len();
    let total = source.byte_len();
    check_range(lists, 0, total)?;
    let group = groups.group_of(key);
    // The offsets of this group and the next, as far as they are there.
    let first = group.saturating_sub(1);
    let offsets = (groups.number() - 1).min(group + 1) - first;
    let entries = source.read(at + OFFSET_LEN * first, OFFSET_LEN * offsets)?;
    let mut entries = entries.as_chunks::<OFFSET_LEN>().0.iter();
    let mut next = |default| entries.next().map_or(default, |&at| u32::from_le_bytes(at) as usize);
    let begin = if group == 0 { 0 } else { next(0) };
    let end = next(total - lists);
    let len = end.checked_sub(begin).ok_or_else(malformed)?;
    let wanted = groups.entry(key);
    if len >= groups.min_len(MIN_GROUPED) {
        return groups.large_group_contains(source, lists + begin, len, wanted);
    }
    let (count, bytes) = read_count(source.read(lists + begin, len)?)?;
    groups.list(bytes).contains(count, wanted)
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
        let read: Result<Vec<_>> = KeyList::new(&bytes, keys.len(), bits).collect();
        assert_eq!(read.unwrap(), keys);
        let head = [&[9; 7][..], &bytes].concat();
        let mut rng = SmallRng::seed_from_u64(2);
        for _ in 0..50 {
            let absent = cut(rng.random(), bits);
            let held = keys.get(rng.random_range(0..keys.len().max(1)));
            for key in [Some(&absent), held].into_iter().flatten() {
                let expected = keys.contains(key);
                assert_eq!(contains(&mut &head[..], 7, keys.len(), bits, *key), Ok(expected));
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
            KeyList::new(bytes, count, 40).collect()
        };
        assert!(read(&bytes, 5000).is_ok());
        assert!(read(&bytes, 4999).is_err() && read(&bytes, 5001).is_err());
        assert!(read(&bytes[..bytes.len() - 1], 5000).is_err());
        assert!(read(&bytes, usize::MAX >> 16).is_err());
        for at in 0..100 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x80;
            for &key in &keys[..100] {
                let _ = contains(&mut &damaged[..], 0, 5000, 40, key);
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
