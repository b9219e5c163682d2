//! UltraLogLog registers (Ertl 2024, section 2).
//!
//! A hash belongs to the register of its top `p` bits, and has the level one above the number of
//! zeros that follow them. A register is 0 while empty, else `4 u + 2 a + b`: `u` is the highest
//! level seen, `a` and `b` say whether the levels `u - 1` and `u - 2` were seen.

use super::Precision;

/// The register's index and the level of a hash.
#[inline]
pub fn place(hash: u64, precision: Precision) -> (usize, u8) {
    let p = precision.get();
    let index = (hash >> (64 - p)) as usize;
    // A one behind the last bit stops the count at the highest level.
    let rest = hash << p | 1 << (p - 1);
    (index, rest.leading_zeros() as u8 + 1)
}

/// The register that has seen what either of two has.
///
/// Free of branches, so that a loop over two tables becomes vector code.
#[inline(always)]
pub fn union(a: u8, b: u8) -> u8 {
    let (high, low) = (a.max(b), a.min(b));
    let distance = (high >> 2) - (low >> 2);
    // The levels of `low`, its highest first, moved to where `high` keeps them.
    let same = low & 3;
    let seen = match distance {
        0 => same,
        1 => (4 | same) >> 1,
        2 => 1,
        _ => 0,
    };
    high | if low == 0 { 0 } else { seen }
}

/// Adds a hash of the given level to a register: [`union`] with a shift, which one register can
/// afford where vectors have none.
#[inline]
pub fn update(register: &mut u8, level: u8) {
    let (high, low) = ((*register).max(level << 2), (*register).min(level << 2));
    let levels = if low == 0 { 0 } else { u32::from(4 | low & 3) };
    let distance = u32::from((high >> 2) - (low >> 2));
    *register = high | (levels >> distance.min(31) & 3) as u8;
}

/// Adds all registers of `other` to those of `registers`; the lengths are equal.
#[inline(always)]
pub fn merge(registers: &mut [u8], other: &[u8]) {
    for (register, &other) in registers.iter_mut().zip(other) {
        *register = union(*register, other);
    }
}

/// The levels that a register has seen, the highest first.
#[inline]
pub fn levels(register: u8) -> impl Iterator<Item = u8> {
    let top = register >> 2;
    [(register != 0, 0), (register & 2 != 0, 1), (register & 1 != 0, 2)]
        .into_iter()
        .filter(|&(seen, _)| seen)
        .map(move |(_, below)| top.saturating_sub(below))
}

/// Whether a byte is a register that some set of hashes gives: levels run from 1 to
/// [`Precision::max_level`].
#[inline]
pub fn is_valid(register: u8, precision: Precision) -> bool {
    let top = u32::from(register >> 2);
    match top {
        0 => register == 0,
        1 => register == 4,
        2 => register & 1 == 0,
        _ => top <= precision.max_level(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A register by its definition, from the set of levels.
    fn register(levels: &BTreeSet<u8>) -> u8 {
        let Some(&top) = levels.last() else { return 0 };
        let seen = |below| top > below && levels.contains(&(top - below));
        top << 2 | u8::from(seen(1)) << 1 | u8::from(seen(2))
    }

    fn valid() -> impl Iterator<Item = u8> {
        (0..=255).filter(|&r| is_valid(r, Precision::MIN))
    }

    #[test]
    fn union_agrees_with_sets_of_levels() {
        for a in valid() {
            for b in valid() {
                let seen = levels(a).chain(levels(b)).collect();
                assert_eq!(union(a, b), register(&seen), "{a} {b}");
                if b % 4 == 0 && b > 0 {
                    let mut updated = a;
                    update(&mut updated, b >> 2);
                    assert_eq!(updated, register(&seen), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn validity_agrees_with_sets_of_levels() {
        for r in 0..=255u8 {
            let seen: BTreeSet<u8> = levels(r).collect();
            let real = register(&seen) == r && seen.iter().all(|&l| (1..=61).contains(&l));
            assert_eq!(is_valid(r, Precision::MIN), real, "{r}");
        }
    }

    #[test]
    fn places_are_index_and_leading_zeros() {
        let p = Precision::MIN;
        assert_eq!(place(0xf800_0000_0000_0000, p), (15, 1));
        assert_eq!(place(0x1400_0000_0000_0000, p), (1, 2));
        assert_eq!(place(0x0000_0000_0000_0001, p), (0, 60));
        assert_eq!(place(0, p), (0, 61));
        assert_eq!(place(0, Precision::MAX), (0, 47));
    }
}
