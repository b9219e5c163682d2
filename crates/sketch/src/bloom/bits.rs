//! The bits of a filter, in either layout.

use super::params::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::{Params, classic};
use crate::error::{Error, Result};
use crate::simd::dispatch;

/// Spreads the bits of a cut key over all 64: the product by an odd number, its halves added.
#[inline]
pub fn mix(key: u64) -> u64 {
    let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
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
    dispatch(
        #[inline(always)]
        || {
            for key in keys {
                insert_one(bits, layout, key);
            }
        },
    );
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

/// Sets all bits that another filter of the same layout has set.
pub fn unite(bits: &mut [u8], other: &[u8]) {
    dispatch(
        #[inline(always)]
        || bits.iter_mut().zip(other).for_each(|(own, &other)| *own |= other),
    );
}

/// Writes the bits that both of two filters have set; says whether there are any.
pub fn common(a: &[u8], b: &[u8], out: &mut [u8]) -> bool {
    dispatch(
        #[inline(always)]
        || {
            let mut any = 0;
            for (out, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *out = a & b;
                any |= *out;
            }
            any != 0
        },
    )
}

/// How many bits are set.
pub fn count(bits: &[u8]) -> u64 {
    dispatch(
        #[inline(always)]
        || {
            let (words, rest) = bits.as_chunks::<8>();
            let words: u64 =
                words.iter().map(|&word| u64::from(u64::from_le_bytes(word).count_ones())).sum();
            words + rest.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>()
        },
    )
}

/// Checks bits that came from outside: some are set, and none behind the last one.
pub fn check(bits: &[u8], params: Params) -> Result<()> {
    if let (Layout::Classic { bits: len, .. }, Some(last)) = (params.layout(), bits.last())
        && len % 8 != 0
        && last >> (len % 8) != 0
    {
        return Err(Error::bytes("the bits behind those of the filter are not zero"));
    }
    let any = dispatch(
        #[inline(always)]
        || bits.iter().fold(0, |any, byte| any | byte),
    );
    match any {
        0 => Err(Error::bytes("a dense filter without values")),
        _ => Ok(()),
    }
}
