//! Made-up and damaged bytes, the same in every run.

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

/// The first of some bytes, and how many they are, to be shown.
pub fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().take(80).map(|byte| format!("{byte:02x}")).collect();
    format!("{digits} ({} bytes)", bytes.len())
}
