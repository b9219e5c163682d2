//! Bytes: those that are written, and those that are refused.

use super::*;
use crate::codec::Form;
use crate::codec::header::CLASS_AT;
use crate::sketch::accept;
use crate::source::Source;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_accepted(bytes: &[u8]) -> bool {
    let Ok(bound) = Cuckoo::rest_bound(bytes) else { return false };
    assert!(bound < 4000);
    accept::<Cuckoo>(bytes, &mut vec![0; bound]).is_ok()
}

fn changed(bytes: &[u8], at: usize, to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

#[test]
fn stored_bytes_are_pinned() {
    let p = params(10);
    let mut twice = thaw(&added(&hashes(1..4), p));
    add(&mut twice, hash::number(2)).unwrap();
    for (bytes, expected) in [
        (rest(&gathering(Params::DEFAULT)), "630100fc40420f006f12033b0cfc84250400"),
        (added(&hashes(1..4), p), "6311010a6f12033b0a0c03034e8bba2b0f"),
        (rest(&twice), "6311010a6f12033b0a0c04044e0340d45d79"),
        (
            added(&hashes(1..11), p),
            "6321010a6f12033b0a0c0a880000f0090000000058e76a360f00000000ef01008007000000000000\
             00005000000034000000000000000068460000400900000000",
        ),
        (
            rest(&gather(&hashes(1..11), p)),
            "6321010a6f12033b0a0c0a880000f009000000008200009a0d00000000ef01008007000000000000\
             0000500000003400000000000000006846000040d97100e0f2",
        ),
        (
            gather(&hashes(1..3), Params::gather(0.002).unwrap()),
            "63310100020000000000000000000000000000006f12033b00000000a5938db06e6fd10800000000\
             000000000000000000000000d77433bdf64143fd",
        ),
        (
            twice,
            "63310101040000000a000000000000000c0000006f12033b0a000000a601000000000000a6010000\
             000000007a070000000000005f15000000000000",
        ),
        (
            thaw(&added(&hashes(1..11), Params::new(10, 0.03).unwrap())),
            "633101040a0000000a000000000000000c0000008fc2f53c0600000000000f001b00370000000000\
             00000000000000000a001b0000000000000000000000000000002600000000000000000000000000\
             00000000000000000000090000000000000000000000000000000200000000000000160000000000\
             00000700",
        ),
    ] {
        assert_eq!(hex(&bytes), expected);
    }
}

/// The places of the parameters: capacity in one byte, then four bytes, one, one, and the count.
const RATE_AT: usize = 4;
const BITS_AT: usize = 8;
const BUCKETS_AT: usize = 9;
const COUNT_AT: usize = 10;
const BODY_AT: usize = 11;

#[test]
fn impossible_parameters_are_refused() {
    for bytes in [added(&hashes(0..3), params(10)), added(&hashes(0..10), params(10))] {
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
    let bytes = added(&hashes(0..10), p);
    let geometry = p.geometry();
    assert_eq!(bytes.len(), BODY_AT + geometry.packed_len());
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
        assert!(content_hash(&crafted(number, 4), 0).is_err());
    }
    // As many copies as a list holds.
    assert!(is_accepted(&crafted(0, 0)) && !is_accepted(&crafted(0, 1)));
    let mut few = changed(&crafted(0, 0), COUNT_AT, &[4]);
    few[BODY_AT + 9..][..2].fill(0);
    assert!(!is_accepted(&few) && !is_accepted(&changed(&few, COUNT_AT, &[0])));
}

#[test]
fn impossible_states_are_refused() {
    let p = params(10);
    let list = thaw(&added(&hashes(0..3), p));
    let table = thaw(&added(&hashes(0..10), p));
    let gathered = gather(&hashes(0..3), p);
    for state in [&list, &table, &gathered] {
        assert!(is_accepted(state));
        assert!(!is_accepted(&changed(state, 3, &[5])));
        assert!(!is_accepted(&changed(state, 25, &[1])));
        assert!(!is_accepted(&changed(state, CLASS_AT, &[0])));
        // What lies behind the end of a list is room.
        assert_eq!(is_accepted(&changed(state, 4, &[2])), std::ptr::eq(state, &list));
        assert!(!is_accepted(&changed(state, 4, &[0xff; 4])));
        assert!(!is_accepted(&state[..state.len() - 1]));
        assert!(!is_accepted(&state[..27]));
    }
    // Out of order, not a cell, and nine of one.
    let cell = |cell: u64| changed(&list, 28, &cell.to_le_bytes());
    assert!(!is_accepted(&cell(p.geometry().cells() - 1)));
    assert!(!is_accepted(&changed(&list, 44, &p.geometry().cells().to_le_bytes())));
    let p = params(1000);
    let mut nine = thaw(&added(&[7; 8], p));
    assert!(is_accepted(&nine));
    nine[4] = 9;
    nine.copy_within(28..36, 28 + 64);
    assert!(!is_accepted(&nine));
    // A fingerprint too long, one hash twice, and tables without a free slot.
    assert!(!is_accepted(&changed(&table, 28, &[0xff, 0xff])));
    let mut twice = gathered.clone();
    let slot = (28..60).step_by(8).find(|&at| twice[at..at + 8] == [0; 8]).unwrap();
    let from = if slot == 28 { 36 } else { 28 };
    twice.copy_within(from..from + 8, slot);
    assert!(!is_accepted(&twice) && !is_accepted(&changed(&twice, 4, &[4])));
    for value in 0..100 {
        let _ = contains(&mut &twice[..], CLASS, hash::number(value));
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
    for (values, form, most) in [(3000, Form::Dense, 32 + 2 * 6), (200, Form::Sparse, 500)] {
        let stored = added(&hashes(0..values), p);
        assert_eq!(CuckooRef::parse(&stored).unwrap().form(), form);
        for value in 0..200 {
            let mut source = Counting(&stored, 0);
            let held = contains(&mut source, CLASS, hash::number(value)).unwrap();
            assert!(held && source.1 <= most, "{}", source.1);
        }
    }
}
