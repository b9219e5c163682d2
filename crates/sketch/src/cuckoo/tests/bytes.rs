//! Bytes: those that are written, and those that are refused.

use super::*;
use crate::codec::Form;
use crate::sketch::{Sketch, accept};
use crate::source::Source;
use crate::testing::hex;

fn is_accepted(bytes: &[u8]) -> bool {
    let Ok(filter) = CuckooRef::parse(bytes) else { return false };
    let Ok(bound) = Cuckoo::rest_bound(&filter) else { return false };
    assert!(bound < 4000);
    accept::<Cuckoo>(bytes, &filter, &mut vec![0; bound]).is_ok()
}

fn changed(bytes: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

#[test]
fn stored_bytes_are_pinned() {
    let p = params(10);
    let mut twice = thaw(&added(&values(1..4), p));
    twice.add(Value::number(2)).unwrap();
    for (bytes, expected) in [
        (empty(Params::DEFAULT).rest().unwrap(), "630100fc40420f006f12033b0cfc84250400"),
        (added(&values(1..4), p), "6311010a6f12033b0a0c03034e8bba2b0f"),
        (twice.rest().unwrap(), "6311010a6f12033b0a0c04044e0340d45d79"),
        (
            added(&values(1..11), p),
            "6321010a6f12033b0a0c0a880000f0090000000058e76a360f00000000ef01008007000000000000\
             00005000000034000000000000000068460000400900000000",
        ),
        (
            gathered(&values(1..11), p),
            "6321010a6f12033b0a0c0a880000f009000000008200009a0d00000000ef01008007000000000000\
             0000500000003400000000000000006846000040d97100e0f2",
        ),
    ] {
        assert_eq!(hex(&bytes), expected);
    }
}

/// The places of the parameters: capacity in one byte, then four bytes, one, one, and the count.
const CLASS_AT: usize = 2;
const RATE_AT: usize = 4;
const BITS_AT: usize = 8;
const BUCKETS_AT: usize = 9;
const COUNT_AT: usize = 10;
const BODY_AT: usize = 11;

#[test]
fn impossible_parameters_are_refused() {
    for bytes in [added(&values(0..3), params(10)), added(&values(0..10), params(10))] {
        assert!(is_accepted(&bytes));
        assert_eq!((bytes[BITS_AT], bytes[BUCKETS_AT]), (10, 12));
        assert!(!is_accepted(&changed(&bytes, 3, &[0])));
        for rate in [0.0, -0.1, 0.7, f32::NAN, f32::INFINITY] {
            assert!(!is_accepted(&changed(&bytes, RATE_AT, &rate.to_le_bytes())));
        }
        for bits in [0, 3, 9, 11, 33, 255] {
            assert!(!is_accepted(&changed(&bytes, BITS_AT, &[bits])) || bytes[1] == 0x11);
        }
        for buckets in [0, 1, 11, 13] {
            assert!(!is_accepted(&changed(&bytes, BUCKETS_AT, &[buckets])));
        }
        for count in [0, 1, 2, 4, 9, 11, 48, 250] {
            assert!(!is_accepted(&changed(&bytes, COUNT_AT, &[count])), "{count}");
        }
        assert!(!is_accepted(&changed(&bytes, CLASS_AT, &[0])));
        assert!(!is_accepted(&bytes[..bytes.len() - 1]));
        assert!(!is_accepted(&[&bytes[..], &[0]].concat()));
        (0..bytes.len()).for_each(|len| assert!(!is_accepted(&bytes[..len])));
        // Buckets for which no memory is taken.
        let huge = [&bytes[..BUCKETS_AT], &[252, 254, 255, 255, 255], &bytes[COUNT_AT..]].concat();
        assert!(!is_accepted(&huge));
        let large = [&bytes[..BUCKETS_AT], &[252, 0, 0, 0, 4], &bytes[COUNT_AT..]].concat();
        assert!(!is_accepted(&large) || bytes[1] == 0x11);
    }
}

#[test]
fn impossible_buckets_are_refused() {
    let p = params(10);
    let bytes = added(&values(0..10), p);
    let layout = p.layout();
    assert_eq!(bytes.len(), BODY_AT + layout.packed_len());
    // The first bucket, of 36 bits, with a count that fits it. Two more are full, since fewer than
    // seven copies make no table.
    let crafted = |bucket: u64, count: u8| {
        let mut crafted = changed(&bytes, COUNT_AT, &[count + 8]);
        crafted[BODY_AT..].fill(0);
        crafted[BODY_AT..][..5].copy_from_slice(&bucket.to_le_bytes()[..5]);
        for even in [9, 18] {
            crafted[BODY_AT + even..][..2].copy_from_slice(&3875u16.to_le_bytes());
        }
        crafted
    };
    // One fingerprint of 10 bits, 0x234: the nibbles 0, 0, 0, 8 are number 330.
    assert!(is_accepted(&crafted(330 | 0x34 << 30, 1)));
    assert!(!is_accepted(&crafted(330 | 0x34 << 30, 2)));
    // The lowest bits of it where a free slot has none: two fingerprints.
    assert!(!is_accepted(&crafted(330 | 0x34 << 24, 1)));
    assert!(is_accepted(&crafted(330 | 0x34 << 24, 2)));
    // Two of them out of order, in order, and the same.
    assert!(!is_accepted(&crafted(0x34 << 24 | 0x33 << 30, 2)));
    assert!(is_accepted(&crafted(0x33 << 24 | 0x34 << 30, 2)));
    assert!(is_accepted(&crafted(0x34 << 24 | 0x34 << 30, 2)));
    // Behind the last of the multisets.
    assert!(is_accepted(&crafted(3875, 4)));
    for number in [3876, 4000, 4095] {
        assert!(!is_accepted(&crafted(number, 4)));
        assert!(parse(&crafted(number, 4)).content_hash(0).is_err());
    }
    // As many copies as a list holds.
    assert!(is_accepted(&crafted(0, 0)) && !is_accepted(&crafted(0, 1)));
    let mut few = changed(&crafted(0, 0), COUNT_AT, &[4]);
    few[BODY_AT + 9..][..2].fill(0);
    assert!(!is_accepted(&few) && !is_accepted(&changed(&few, COUNT_AT, &[0])));
}

/// Whether a working state, which may have come from anywhere, can be brought to rest.
fn is_state(bytes: &[u8]) -> bool {
    assert!(!is_accepted(bytes));
    crate::rest::<Cuckoo>(bytes).is_ok()
}

#[test]
fn impossible_states_are_refused() {
    let p = params(10);
    let set = thaw(&added(&values(0..3), p)).working().to_vec();
    let table = thaw(&added(&values(0..10), p)).working().to_vec();
    let gathered = gather(&values(0..3), p).working().to_vec();
    for state in [&set, &table, &gathered] {
        assert!(is_state(state));
        assert!(!is_state(&changed(state, 3, &[5])));
        assert!(!is_state(&changed(state, 4, &[1])) && !is_state(&changed(state, 7, &[1])));
        assert!(!is_state(&changed(state, CLASS_AT, &[0])));
        for count in [2, 4, 100, u32::MAX] {
            assert!(!is_state(&changed(state, 8, &count.to_le_bytes())), "{count}");
        }
        for capacity in [0, u64::MAX] {
            assert!(!is_state(&changed(state, 12, &capacity.to_le_bytes())));
        }
        assert!(!is_state(&changed(state, 20, &[13])));
        (0..28).for_each(|len| assert!(!is_state(&state[..len])));
    }
    assert!(!is_state(&table[..table.len() - 1]));
    let slot = |state: &[u8], is_free: bool| {
        (28..60).step_by(8).find(|&at| (state[at..at + 8] == [0; 8]) == is_free).unwrap()
    };
    // No signature, the second copy without the first, and one key twice.
    let (held, free) = (slot(&set, false), slot(&set, true));
    let key = |key: u64| changed(&set, held, &key.to_le_bytes());
    let own = u64::from_le_bytes(set[held..held + 8].try_into().unwrap());
    assert!(is_state(&key(own)) && !is_state(&key(own + 1)) && !is_state(&key(u64::MAX)));
    assert!(!is_state(&key((p.layout().signatures() << 3) + 1)));
    let twice = |state: &[u8], held: usize, free: usize| {
        let mut twice = changed(state, 8, &[4]);
        twice.copy_within(held..held + 8, free);
        twice
    };
    assert!(!is_state(&twice(&set, held, free)));
    // A fingerprint too long, a hash twice, and tables without a free slot.
    assert!(!is_state(&changed(&table, 28, &[0xff, 0xff])));
    let full = twice(&gathered, slot(&gathered, false), slot(&gathered, true));
    assert!(!is_state(&full) && !is_state(&changed(&full, 8, &[3])));
    for value in 0..100 {
        let _ = parse(&changed(&full, 8, &[3])).contains(Value::number(value));
    }
}

/// A source that counts what is read of it.
struct Counting<'a>(&'a [u8], usize);

impl Source for Counting<'_> {
    fn byte_len(&self) -> usize {
        self.0.len()
    }

    fn read(&mut self, at: usize, len: usize) -> Result<&[u8]> {
        self.1 += len;
        self.0.read(at, len)
    }
}

#[test]
fn a_value_is_looked_up_in_two_buckets() {
    let p = params(3000);
    for (count, form, most) in [(3000, Form::Dense, 32 + 2 * 6), (200, Form::Sparse, 500)] {
        let stored = added(&values(0..count), p);
        assert_eq!(parse(&stored).form(), form);
        for value in 0..200 {
            let mut source = Counting(&stored, 0);
            let held = CuckooRef::contains_in(&mut source, Value::number(value)).unwrap();
            assert!(held && source.1 <= most, "{}", source.1);
        }
    }
}
