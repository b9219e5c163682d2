//! Made-up and damaged bytes, the same in every run.

use rand::Rng;
use rand::seq::IndexedRandom;

/// What all that is random here comes from.
pub type Random = rand::rngs::SmallRng;

/// A number as sketches have it: of one byte, or three, five or nine that begin with 251, 252 or
/// 253.
pub fn varint(number: u64) -> Vec<u8> {
    let bytes = number.to_le_bytes();
    match number {
        0..=250 => vec![number as u8],
        251..=0xffff => [&[251], &bytes[..2]].concat(),
        0x1_0000..=0xffff_ffff => [&[252], &bytes[..4]].concat(),
        _ => [&[253], &bytes[..]].concat(),
    }
}

/// Changes a few things, often near the front, where forms and lengths are.
pub fn corrupt(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..*[1, 1, 2, 4].choose(random).expect("a number") {
        if bytes.is_empty() {
            bytes.push(random.random());
        }
        let near = if random.random_ratio(1, 3) { bytes.len().min(9) } else { bytes.len() };
        let at = random.random_range(0..near);
        match random.random_range(0..8) {
            0 | 1 => bytes[at] ^= 1 << random.random_range(0..8),
            2 => bytes[at] = random.random(),
            3 => {
                bytes[at] = *[0, 1, 0x7f, 0x80, 0xff, 250, 251, 252].choose(random).expect("a byte")
            }
            4 => bytes.truncate(random.random_range(0..=bytes.len())),
            5 => {
                let more = random.random_range(1..=40);
                bytes.extend((0..more).map(|_| random.random::<u8>()));
            }
            6 => drop(bytes.remove(at)),
            _ => {
                // A field of four bytes, as a count is.
                let single = 1 << random.random_range(0..32);
                let counts = [0, 1, random.random(), single, u32::MAX, 0xffff];
                let count = counts.choose(random).expect("a count").to_le_bytes();
                bytes.iter_mut().skip(at).zip(count).for_each(|(byte, new)| *byte = new);
            }
        }
    }
    bytes
}

/// Bytes as hexadecimal digits.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first of some bytes, and how many they are, to be shown.
pub fn shown(bytes: &[u8]) -> String {
    format!("{} ({} bytes)", digits(&bytes[..bytes.len().min(80)]), bytes.len())
}
