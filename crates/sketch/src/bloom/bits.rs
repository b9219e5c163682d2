//! The bits of a filter, in either layout.

use super::geometry::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::{Params, classic};
use crate::error::{Error, Result};
use crate::interrupt::{self, Pace};
use crate::mix::{STEP, fold};
use crate::simd::dispatch;

/// Spreads the bits of a cut key over all 64: the product by an odd number, its halves added.
#[inline]
pub fn mix(key: u64) -> u64 {
    fold(key, STEP)
}

/// Sets the bits of a key.
#[inline(always)]
fn insert_one(bits: &mut [u8], layout: Layout, key: u64) {
    let mixed = mix(key);
    match layout {
        Layout::SplitBlock { blocks } => {
            let blocks_of = bits.as_chunks_mut::<BLOCK_LEN>().0;
            split_block::insert(&mut blocks_of[split_block::block_of(key, blocks)], mixed);
        }
        Layout::Classic { bits: len, hashes } => {
            for position in classic::positions(mixed, len, hashes.into()) {
                let (byte, bit) = classic::split(position);
                bits[byte] |= bit;
            }
        }
    }
}

/// Sets the bits of a key.
#[inline]
pub fn insert(bits: &mut [u8], layout: Layout, key: u64) {
    dispatch(
        #[inline(always)]
        || insert_one(bits, layout, key),
    );
}

/// Sets the bits of many keys: the processor fetches those of several at a time.
pub fn insert_all(bits: &mut [u8], layout: Layout, keys: impl Iterator<Item = u64>) {
    let inserted = try_insert_all(bits, layout, keys.map(Ok));
    debug_assert!(inserted.is_ok());
}

/// The same up to the first that is malformed.
pub fn try_insert_all(
    bits: &mut [u8],
    layout: Layout,
    mut keys: impl Iterator<Item = Result<u64>>,
) -> Result<()> {
    let mut pace = Pace::default();
    dispatch(
        #[inline(always)]
        || {
            keys.try_for_each(
                #[inline(always)]
                |key| {
                    pace.step(64);
                    insert_one(bits, layout, key?);
                    Ok(())
                },
            )
        },
    )
}

/// Whether the bits of a key are set.
#[inline]
pub fn contains(bits: &[u8], layout: Layout, key: u64) -> bool {
    let mixed = mix(key);
    match layout {
        Layout::SplitBlock { blocks } => {
            let blocks_of = bits.as_chunks::<BLOCK_LEN>().0;
            let block = &blocks_of[split_block::block_of(key, blocks)];
            dispatch(
                #[inline(always)]
                || split_block::contains(block, mixed),
            )
        }
        Layout::Classic { bits: len, hashes } => {
            classic::positions(mixed, len, hashes.into()).all(|position| {
                let (byte, bit) = classic::split(position);
                bits[byte] & bit != 0
            })
        }
    }
}

/// So many bytes are gone through between two checks for interrupts.
const PART: usize = 1 << 20;

/// Sets all bits that another filter of the same layout has set.
pub fn unite(bits: &mut [u8], other: &[u8]) {
    for (bits, other) in bits.chunks_mut(PART).zip(other.chunks(PART)) {
        interrupt::check();
        dispatch(
            #[inline(always)]
            || bits.iter_mut().zip(other).for_each(|(own, &other)| *own |= other),
        );
    }
}

/// Writes the bits that both of two filters have set; says whether there are any.
pub fn common(a: &[u8], b: &[u8], out: &mut [u8]) -> bool {
    out.copy_from_slice(a);
    for (out, b) in out.chunks_mut(PART).zip(b.chunks(PART)) {
        interrupt::check();
        dispatch(
            #[inline(always)]
            || out.iter_mut().zip(b).for_each(|(out, &b)| *out &= b),
        );
    }
    any(out)
}

fn any(bits: &[u8]) -> bool {
    bits.chunks(PART).any(|part| {
        interrupt::check();
        dispatch(
            #[inline(always)]
            || part.iter().fold(0, |any, byte| any | byte) != 0,
        )
    })
}

/// How many bits are set.
pub fn count(bits: &[u8]) -> u64 {
    let count = |part: &[u8]| {
        interrupt::check();
        dispatch(
            #[inline(always)]
            || {
                let (words, rest) = part.as_chunks::<8>();
                let ones = |word: &[u8; 8]| u64::from(u64::from_le_bytes(*word).count_ones());
                let words = words.iter().map(ones);
                let rest = rest.iter().map(|byte| u64::from(byte.count_ones()));
                words.sum::<u64>() + rest.sum::<u64>()
            },
        )
    };
    bits.chunks(PART).map(count).sum()
}

/// Checks bits that came from outside: some are set, and none behind the last one.
pub fn check(bits: &[u8], params: Params) -> Result<()> {
    if let (Layout::Classic { bits: len, .. }, Some(last)) = (params.layout(), bits.last())
        && len % 8 != 0
        && last >> (len % 8) != 0
    {
        return Err(Error::bytes("the bits behind those of the filter are not zero"));
    }
    if any(bits) { Ok(()) } else { Err(Error::bytes("a dense filter without values")) }
}
