//! Numbers packed into bits, the lowest bit of each byte first.

use crate::error::{Error, Result};

/// Writes bits to a slice that the caller has sized and zeroed.
pub struct BitWriter<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl<'a> BitWriter<'a> {
    /// A writer at the first bit of `out`, whose bytes must be zero.
    pub fn new(out: &'a mut [u8]) -> Self {
        BitWriter { out, at: 0 }
    }

    /// Writes the low `width` bits of `value`, at most 32; the others must be zero.
    #[inline]
    pub fn bits(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 32 && value >> width == 0);
        let mut value = value << (self.at % 8);
        let mut byte = self.at / 8;
        self.at += width as usize;
        while value != 0 {
            self.out[byte] |= value as u8;
            value >>= 8;
            byte += 1;
        }
    }

    /// Writes `value` in the Rice code of parameter `k` below 64 (Golomb 1966, Rice 1979): the
    /// quotient by `2^k` in ones and a zero, then the low `k` bits.
    #[inline]
    pub fn rice(&mut self, value: u64, k: u32) {
        let mut ones = value >> k;
        while ones >= 32 {
            self.bits(u64::from(u32::MAX), 32);
            ones -= 32;
        }
        self.bits((1 << ones) - 1, ones as u32);
        self.at += 1;
        if k > 32 {
            self.bits(value & u64::from(u32::MAX), 32);
            self.bits(value >> 32 & ((1 << (k - 32)) - 1), k - 32);
        } else {
            self.bits(value & ((1 << k) - 1), k);
        }
    }

    /// How many bytes hold all that was written.
    pub fn byte_len(&self) -> usize {
        self.at.div_ceil(8)
    }

    /// How many bits were written.
    pub fn bit_len(&self) -> usize {
        self.at
    }
}

/// Reads bits from a slice. Bits behind the end read as zero, and [`BitReader::finish`] says so.
#[derive(Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, at: 0 }
    }

    /// At least the next 57 bits, the first lowest.
    #[inline(always)]
    fn window(&self) -> u64 {
        match self.bytes.get(self.at / 8..).and_then(|rest| rest.first_chunk()) {
            Some(&word) => u64::from_le_bytes(word) >> (self.at % 8),
            None => last_window(self.bytes, self.at),
        }
    }

    /// Leaves out so many bits.
    #[inline]
    pub fn skip(&mut self, bits: usize) {
        self.at += bits;
    }

    /// Reads `width` bits, at most 32.
    #[inline]
    pub fn bits(&mut self, width: u32) -> u64 {
        let value = self.window() & ((1 << width) - 1);
        self.at += width as usize;
        value
    }

    /// Reads a number in the Rice code of parameter `k` below 64. One too large for 64 bits is none:
    /// the reader is then exhausted.
    #[inline]
    pub fn rice(&mut self, k: u32) -> u64 {
        let mut quotient = 0;
        loop {
            let ones = self.window().trailing_ones().min(32);
            quotient += u64::from(ones);
            self.at += ones as usize;
            if ones < 32 {
                break;
            }
        }
        self.at += 1;
        if quotient > u64::MAX >> k {
            self.at = usize::MAX / 2;
            return 0;
        }
        let low = match k > 32 {
            true => self.bits(32) | self.bits(k - 32) << 32,
            false => self.bits(k),
        };
        quotient << k | low
    }

    /// Whether the reader is behind the last bit: what was read last is not all there.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.at > self.bytes.len() * 8
    }

    /// Checks that all was read, that nothing was read behind the end, and that the bits which
    /// fill the last byte are zero.
    pub fn finish(&self) -> Result<()> {
        if self.at.div_ceil(8) != self.bytes.len() {
            return Err(Error::bytes(format!(
                "the coded values take {} bytes, but {} are there",
                self.at.div_ceil(8),
                self.bytes.len()
            )));
        }
        match self.window() {
            0 => Ok(()),
            _ => Err(Error::bytes("the bits behind the coded values are not zero")),
        }
    }
}

/// The window where fewer than eight bytes are left.
#[cold]
#[inline(never)]
fn last_window(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let word = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    word >> (at % 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_more_than_64_bits_are_refused() {
        let mut reader = BitReader::new(&[0b0111, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        reader.rice(63);
        assert!(reader.is_exhausted() && reader.finish().is_err());
        assert_eq!((reader.bits(32), reader.rice(40)), (0, 0));
        let mut reader = BitReader::new(&[0b01, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(reader.rice(63), 1 << 63 | 1 << 62);
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            fields in proptest::collection::vec((any::<u64>(), 0u32..=32, 0u32..64), 0..60)
        ) {
            let mut out = vec![0; 4096];
            let mut writer = BitWriter::new(&mut out);
            let fields: Vec<_> = fields
                .into_iter()
                .map(|(value, width, k)| {
                    let rice = value & (u64::MAX >> 58u32.saturating_sub(k));
                    (value & ((1 << width) - 1), width, rice, k)
                })
                .collect();
            for &(value, width, rice, k) in &fields {
                writer.bits(value, width);
                writer.rice(rice, k);
            }
            let len = writer.byte_len();
            let mut reader = BitReader::new(&out[..len]);
            for &(value, width, rice, k) in &fields {
                prop_assert_eq!(reader.bits(width), value);
                prop_assert_eq!(reader.rice(k), rice);
            }
            prop_assert!(!reader.is_exhausted());
            prop_assert_eq!(reader.finish(), Ok(()));
            if len > 0 {
                let mut short = BitReader::new(&out[..len - 1]);
                for &(_, width, _, k) in &fields {
                    short.bits(width);
                    short.rice(k);
                }
                prop_assert!(short.finish().is_err());
            }
        }
    }
}
