//! Split blocks: a value sets one bit in each of the eight words of one block.
//!
//! The geometry that Apache Parquet and Impala use, after Putze, Sanders & Singler 2009: all bits
//! of a value lie in 32 bytes, which one vector register holds.

/// The number of 32-bit words of a block.
pub const WORDS: usize = 8;
/// The number of bytes of a block.
pub const BLOCK_LEN: usize = 4 * WORDS;

/// Odd numbers whose products with one 32-bit number choose a bit of each word: those of Parquet.
const SALTS: [u32; WORDS] = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// The block of a key: its share of the range, so that sorted keys fill the blocks in their order.
#[inline]
pub fn block_of(key: u64, blocks: u64) -> usize {
    ((u128::from(key) * u128::from(blocks)) >> 64) as usize
}

/// The bits of a mixed key, one in each word.
#[inline(always)]
fn mask(mixed: u64) -> [u32; WORDS] {
    SALTS.map(|salt| 1 << ((mixed as u32).wrapping_mul(salt) >> 27))
}

#[inline(always)]
fn words(block: &[u8; BLOCK_LEN]) -> [u32; WORDS] {
    let words = block.as_chunks::<4>().0;
    std::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

/// Sets a mixed key's bits in its block.
#[inline(always)]
pub fn insert(block: &mut [u8; BLOCK_LEN], mixed: u64) {
    let (mask, words) = (mask(mixed), words(block));
    for (i, bytes) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *bytes = (words[i] | mask[i]).to_le_bytes();
    }
}

/// Whether a mixed key's bits are set in its block.
#[inline(always)]
pub fn contains(block: &[u8; BLOCK_LEN], mixed: u64) -> bool {
    let (mask, words) = (mask(mixed), words(block));
    (0..WORDS).fold(0, |missing, i| missing | mask[i] & !words[i]) == 0
}

/// The chance that another value's bits are all set in a block.
pub fn rate(block: &[u8; BLOCK_LEN]) -> f64 {
    words(block).iter().map(|word| f64::from(word.count_ones()) / 32.0).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_in_each_word() {
        for key in 0..1000u64 {
            let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut block = [0; BLOCK_LEN];
            assert!(!contains(&block, mixed));
            insert(&mut block, mixed);
            assert!(contains(&block, mixed));
            assert!(words(&block).iter().all(|word| word.count_ones() == 1));
            assert!(block_of(mixed, 77) < 77 && block_of(u64::MAX, 1) == 0);
        }
        assert_eq!(rate(&[0xff; BLOCK_LEN]), 1.0);
        assert_eq!(rate(&[0x0f; BLOCK_LEN]), 1.0 / 256.0);
    }
}
