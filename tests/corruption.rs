//! Made-up and damaged bytes, the same in every run.

use std::ops::Range;

/// A small generator of pseudo-random numbers (Marsaglia 2003, "Xorshift RNGs").
pub struct Random(u64);

impl Random {
    /// A generator that starts from a number other than 0.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 48 bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// Changes a few things, often near the front, where forms and lengths are.
pub fn corrupt(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let changes = [1, 1, 2, 4][random.below(4)];
    for _ in 0..changes {
        let near = if random.below(3) == 0 { 9 } else { usize::MAX };
        let at = random.below(bytes.len().clamp(1, near));
        match random.below(8) {
            _ if bytes.is_empty() => bytes.push(random.next() as u8),
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.next() as u8,
            3 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, 250, 251, 252][random.below(8)],
            4 => bytes.truncate(random.below(bytes.len() + 1)),
            5 => bytes.extend((0..=random.below(40)).map(|_| random.next() as u8)),
            6 => drop(bytes.remove(at)),
            _ => {
                // A field of four bytes, as a count is.
                let count = [0, 1, random.next() as u32, 1 << random.below(32), u32::MAX, 0xffff];
                let count = count[random.below(count.len())].to_le_bytes();
                bytes.iter_mut().skip(at).zip(count).for_each(|(byte, new)| *byte = new);
            }
        }
    }
    bytes
}

/// A working state: the header, the count, the table.
pub fn working(class: u8, precision: u8, count: u32, table: &[u8]) -> Vec<u8> {
    [&[b'h', 0x31, class, precision][..], &count.to_le_bytes(), table].concat()
}

/// A table of so many slots with so many tokens: any prefix whose end is not all zeros, shifted
/// by six.
pub fn tokens(slots: usize, count: usize, random: &mut Random) -> Vec<u8> {
    let mut table = vec![0; 4 * slots];
    for slot in table.chunks_exact_mut(4).take(count) {
        slot.copy_from_slice(&((random.next() as u32 | 1) << 6).to_le_bytes());
    }
    table
}

/// Registers that have levels of a range: four times the highest level seen, and a bit for each of
/// the two below it.
pub fn registers(precision: u8, levels: &Range<u8>, random: &mut Random) -> Vec<u8> {
    let mut register = || {
        let level = levels.start + random.below(levels.len()) as u8;
        level << 2 | random.below(4) as u8
    };
    (0..1 << precision).map(|_| register()).collect()
}
