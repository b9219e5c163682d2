//! The exact list: keys with their counts, while there are few.
//!
//! A key is the hash of a value, but 1 where that is 0; the cells of a table follow from it. While
//! it is worked on the list is a [`hash_set`](crate::hash_set) of 16-byte slots, key and count
//! (u64, little endian). At rest it is a [`hash_list`] in which each key is followed by the Elias
//! delta code of its count (Elias 1975): few bits for small counts, and not many more than their
//! own for large ones.

use crate::error::{Error, Result};
use crate::hash::Value;
use crate::hash_list::{self, HashListReader, HashListWriter};

/// The bytes of a slot.
pub const SLOT: usize = 16;

/// What work on an entry amounts to, in bytes: a few lines of memory here and there.
pub const COST: usize = 256;

/// The bits of a key.
const KEY_BITS: u32 = 64;

/// The most bits of a count below 2^63: 5 and a zero for the length of its length, 5 for its
/// length, 62 behind the first.
const MAX_COUNT_BITS: usize = 73;

/// The key of a value.
#[inline]
pub fn key_of(value: Value) -> u64 {
    value.hash().max(1)
}

/// The count in a slot.
#[inline]
pub fn count(table: &[u8], slot: usize) -> u64 {
    let (_, count) = halves(&table.as_chunks::<SLOT>().0[slot]);
    count
}

/// Sets the count in a slot.
#[inline]
pub fn set_count(table: &mut [u8], slot: usize, count: u64) {
    table.as_chunks_mut::<SLOT>().0[slot][8..].copy_from_slice(&count.to_le_bytes());
}

/// The keys and counts of a table, in no order.
pub fn iter(table: &[u8]) -> impl Iterator<Item = (u64, u64)> + Clone {
    table.as_chunks::<SLOT>().0.iter().map(halves).filter(|&(key, _)| key != 0)
}

#[inline]
fn halves(slot: &[u8; SLOT]) -> (u64, u64) {
    let word = u128::from_le_bytes(*slot);
    (word as u64, (word >> 64) as u64)
}

/// The most bytes that a list of `count` entries takes at rest.
pub fn max_len(count: usize) -> usize {
    hash_list::max_len(count, KEY_BITS, count * MAX_COUNT_BITS)
}

/// The fewest bytes that a list of `count` entries takes at rest.
pub fn min_len(count: usize) -> usize {
    hash_list::min_len(count, KEY_BITS)
}

/// Writes a list.
pub struct ListWriter<'a>(HashListWriter<'a>);

impl<'a> ListWriter<'a> {
    /// A writer of `count` entries to zero bytes: as many as [`max_len`] says, or as many as an
    /// encoding of these entries has.
    pub fn new(out: &'a mut [u8], count: usize) -> Self {
        ListWriter(HashListWriter::new(out, count, KEY_BITS))
    }

    /// Adds an entry; keys ascend, and counts are from 1 to 2^63 - 1.
    pub fn push(&mut self, key: u64, count: u64) {
        self.0.push(key);
        let bits = count.ilog2();
        let length = bits + 1;
        let length_bits = length.ilog2();
        self.0.push_bits((1 << length_bits) - 1, length_bits + 1);
        self.0.push_bits(u64::from(length) & ((1 << length_bits) - 1), length_bits);
        let rest = count & ((1 << bits) - 1);
        self.0.push_bits(rest & u64::from(u32::MAX), bits.min(32));
        self.0.push_bits(rest >> 32, bits.saturating_sub(32));
    }

    /// How many bytes the list takes.
    pub fn byte_len(&self) -> usize {
        self.0.byte_len()
    }
}

/// The entries of a list at rest, read in order; each may turn out malformed.
#[derive(Clone)]
pub struct List<'a> {
    list: HashListReader<'a>,
    left: usize,
    last: u64,
}

impl<'a> List<'a> {
    /// Reads `count` entries from exactly `bytes`.
    pub fn new(bytes: &'a [u8], count: usize) -> Self {
        List { list: HashListReader::new(bytes, count, KEY_BITS), left: count, last: 0 }
    }

    fn read(&mut self) -> Result<(u64, u64)> {
        let key = self.list.next_hash()?;
        let mut length_bits = 0;
        while length_bits < 6 && self.list.next_bits(1) == 1 {
            length_bits += 1;
        }
        let length = 1 << length_bits | self.list.next_bits(length_bits) as u32;
        if key <= self.last || length_bits > 5 {
            return Err(Error::bytes("the list of counts is malformed or out of order"));
        }
        let bits = length - 1;
        let low = self.list.next_bits(bits.min(32));
        let rest = low | self.list.next_bits(bits.saturating_sub(32)) << 32;
        if self.left == 1 {
            self.list.finish()?;
        }
        self.last = key;
        Ok((key, 1 << bits | rest))
    }
}

impl Iterator for List<'_> {
    type Item = Result<(u64, u64)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let entry = self.read();
        self.left = if entry.is_ok() { self.left - 1 } else { 0 };
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn written(entries: &BTreeMap<u64, u64>) -> Vec<u8> {
        let mut out = vec![0; max_len(entries.len())];
        let mut writer = ListWriter::new(&mut out, entries.len());
        entries.iter().for_each(|(&key, &count)| writer.push(key, count));
        let len = writer.byte_len();
        out.truncate(len);
        out
    }

    #[test]
    fn damaged_lists_are_refused() {
        let entries = BTreeMap::from([(1 << 62, 1), (1 << 63, 70_000), (3 << 62, 2)]);
        let bytes = written(&entries);
        let read = |bytes: &[u8], count| List::new(bytes, count).collect::<Result<Vec<_>>>();
        assert!(read(&bytes, 3).is_ok());
        assert!(read(&bytes, 2).is_err() && read(&bytes, 4).is_err());
        assert!(read(&bytes[..bytes.len() - 1], 3).is_err());
        assert!(read(&[&bytes[..], &[0]].concat(), 3).is_err());
        // A key of 0, and a count of more than 63 bits.
        assert!(read(&[0; 9], 1).is_err());
        assert!(read(&[0xff; 20], 1).is_err());
    }

    #[test]
    fn the_longest_count_is_within_the_bound() {
        let most = (1 << 63) - 1;
        let entries: BTreeMap<_, _> = (0..200).map(|i| (u64::MAX - i, most)).collect();
        assert!(written(&entries).len() <= max_len(200));
    }

    proptest! {
        #[test]
        fn lists_round_trip(
            entries in proptest::collection::btree_map(1u64.., (1u64..1 << 63, 0u32..63), 0..200)
        ) {
            let entries: BTreeMap<_, _> = entries
                .into_iter()
                .map(|(key, (count, shift))| (key, (count >> shift).max(1)))
                .collect();
            let bytes = written(&entries);
            prop_assert!(bytes.len() >= min_len(entries.len()));
            let read: Result<BTreeMap<_, _>> = List::new(&bytes, entries.len()).collect();
            prop_assert_eq!(read, Ok(entries));
        }
    }
}
