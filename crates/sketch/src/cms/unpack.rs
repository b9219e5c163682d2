//! Reading numbers of a fixed number of bits, a block at a time.

use crate::codec::bits::BitReader;

/// How many cells a block has; the last one may have fewer.
pub const BLOCK: usize = 128;

/// Numbers of up to 63 bits.
#[inline]
pub fn wide(reader: &mut BitReader<'_>, width: u32) -> u64 {
    match width {
        0..=32 => reader.bits(width),
        _ => reader.bits(32) | reader.bits(width - 32) << 32,
    }
}

/// More bytes than a group of eight numbers of up to 32 bits, and the window of the last, take.
pub const GROUP_LEN: usize = 40;

/// Reads numbers of `bits` bits from bytes with [`GROUP_LEN`] more behind them.
#[inline(always)]
pub fn unpack(padded: &[u8], bits: u32, counts: &mut [u64; BLOCK]) {
    /// One arm for each width, in which all shifts are constants.
    macro_rules! by_bits {
        ($($bits:literal)*) => {
            match bits {
                0 => counts.fill(0),
                $($bits => unpack_groups::<$bits>(padded, counts),)*
                _ => {
                    let mut reader = BitReader::new(padded);
                    counts.iter_mut().for_each(|count| *count = wide(&mut reader, bits));
                }
            }
        };
    }
    by_bits!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// Eight numbers of `BITS` bits fill `BITS` bytes.
#[inline(always)]
fn unpack_groups<const BITS: usize>(padded: &[u8], counts: &mut [u64; BLOCK]) {
    for (group, counts) in counts.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let bytes: [u8; GROUP_LEN] =
            padded[group * BITS..].first_chunk().copied().unwrap_or([0; GROUP_LEN]);
        for (i, count) in counts.iter_mut().enumerate() {
            let at = i * BITS;
            let window = bytes[at / 8..].first_chunk().copied().unwrap_or_default();
            *count = u64::from_le_bytes(window) >> (at % 8) & ((1 << BITS) - 1);
        }
    }
}
