//! From a hash to a fingerprint and its two buckets.
//!
//! A partial-key cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher 2014, "Cuckoo Filter:
//! Practically Better Than Bloom", CoNEXT) moves fingerprints without knowing their values: the
//! second bucket of a fingerprint follows from it and the first. The paper joins the two by
//! exclusive or, which needs a power of two for the number of buckets. Here they add up, modulo
//! any even number of buckets, to a number that the fingerprint decides:
//! `b2 = (H(f) - b1) mod m`. `H` is odd, so one of the two buckets has an even number and the
//! other an odd one: they are never the same, and all fingerprints have eight slots to choose from.
//!
//! What a filter holds is therefore, for each *cell*, a fingerprint and its even bucket, how often
//! it is there. Everything that can be asked of a filter depends on these counts alone, not on
//! which of the two buckets a fingerprint lies in, nor on the form of the filter.

/// The fewest bits of a fingerprint: the coding at rest needs four.
pub(super) const MIN_BITS: u32 = 4;
/// The most bits of a fingerprint.
pub(super) const MAX_BITS: u32 = 32;

/// Slots of a bucket.
pub(super) const SLOTS: usize = 4;

/// The most copies of a fingerprint: its two buckets are full of it.
pub(super) const MAX_COPIES: usize = 2 * SLOTS;

/// A fingerprint, never 0, and one of its two buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub bucket: u32,
    pub fingerprint: u32,
}

/// How many buckets, and how long a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    /// Even, and not 0.
    pub buckets: u32,
    /// From [`MIN_BITS`] to [`MAX_BITS`].
    pub bits: u32,
}

impl Geometry {
    pub fn new(buckets: u32, bits: u32) -> Self {
        Geometry { buckets, bits }
    }

    /// How many fingerprints there are.
    #[inline]
    fn fingerprints(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The fingerprint and first bucket of a hash: its share of the range picks the bucket, and
    /// its share of the bucket's part the fingerprint, so that entries are in the order of their
    /// hashes.
    #[inline]
    pub fn entry(self, hash: u64) -> Entry {
        let place = u128::from(hash) * u128::from(self.buckets);
        let rest = place as u64;
        let fingerprint = (u128::from(rest) * u128::from(self.fingerprints())) >> 64;
        Entry { bucket: (place >> 64) as u32, fingerprint: fingerprint as u32 + 1 }
    }

    /// The same fingerprint with its other bucket.
    #[inline]
    pub fn partner(self, entry: Entry) -> Entry {
        let Entry { bucket, fingerprint } = entry;
        let mut mixed = fingerprint.wrapping_mul(0x9e37_79b1);
        mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
        let sum = ((u64::from(mixed) * u64::from(self.buckets / 2)) >> 32) as u32 * 2 + 1;
        let bucket = if sum >= bucket { sum - bucket } else { sum + self.buckets - bucket };
        Entry { bucket, fingerprint }
    }

    /// How many cells there are.
    #[inline]
    pub fn cells(self) -> u64 {
        u64::from(self.buckets / 2) * self.fingerprints()
    }

    /// The cell of an entry, from 0.
    #[inline]
    pub fn cell(self, entry: Entry) -> u64 {
        let even = if entry.bucket.is_multiple_of(2) { entry } else { self.partner(entry) };
        u64::from(even.bucket / 2) * self.fingerprints() + u64::from(even.fingerprint - 1)
    }

    /// The entry of a cell, with its even bucket.
    #[inline]
    pub fn of_cell(self, cell: u64) -> Entry {
        Entry {
            bucket: (cell / self.fingerprints()) as u32 * 2,
            fingerprint: (cell % self.fingerprints()) as u32 + 1,
        }
    }

    /// The bits of a key in the sparse form.
    #[inline]
    pub fn key_bits(self) -> u32 {
        self.cells().ilog2() + 1
    }

    /// The key of a cell in the sparse form, where no key is 0.
    #[inline]
    pub fn key(self, cell: u64) -> u64 {
        (cell + 1) << (64 - self.key_bits())
    }

    /// The cell of a key, where there is one.
    #[inline]
    pub fn of_key(self, key: u64) -> Option<u64> {
        let cell = (key >> (64 - self.key_bits())).checked_sub(1);
        cell.filter(|&cell| cell < self.cells())
    }

    /// The bytes of a slot of a working table.
    #[inline]
    pub fn slot_len(bits: u32) -> usize {
        if bits > 16 { 4 } else { 2 }
    }

    /// The bytes of a working table.
    #[inline]
    pub fn working_len(self) -> usize {
        self.slots() * Self::slot_len(self.bits)
    }

    /// The bits of a bucket at rest.
    #[inline]
    pub fn packed_bits(self) -> u32 {
        4 * (self.bits - 1)
    }

    /// The bytes of a table at rest: whole ones, since the number of buckets is even.
    pub fn packed_len(self) -> usize {
        self.buckets as usize / 2 * self.packed_bits() as usize / 4
    }

    pub fn slots(self) -> usize {
        SLOTS * self.buckets as usize
    }

    /// How many copies are kept as a list, at rest always and in a state until there are more:
    /// there eight bytes a copy take no more than the table at rest.
    #[inline]
    pub fn max_listed(self) -> usize {
        self.packed_len() / 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn partners_are_two_buckets_of_one_cell(
            hash: u64, half in 1u32..1 << 27, bits in MIN_BITS..=MAX_BITS
        ) {
            let geometry = Geometry::new(2 * half, bits);
            let entry = geometry.entry(hash);
            let partner = geometry.partner(entry);
            prop_assert!(entry.bucket < 2 * half && partner.bucket < 2 * half);
            prop_assert!(entry.fingerprint > 0 && u64::from(entry.fingerprint) < 1 << bits);
            prop_assert_eq!((entry.bucket + partner.bucket) % 2, 1);
            prop_assert_eq!(geometry.partner(partner), entry);
            let cell = geometry.cell(entry);
            prop_assert_eq!(geometry.cell(partner), cell);
            prop_assert!(cell < geometry.cells());
            let even = if entry.bucket.is_multiple_of(2) { entry } else { partner };
            prop_assert_eq!(geometry.of_cell(cell), even);
            prop_assert_eq!(geometry.of_key(geometry.key(cell)), Some(cell));
        }

        #[test]
        fn entries_are_in_the_order_of_their_hashes(
            a: u64, b: u64, half in 1u32..1 << 20, bits in MIN_BITS..=MAX_BITS
        ) {
            let geometry = Geometry::new(2 * half, bits);
            let place = |hash| {
                let Entry { bucket, fingerprint } = geometry.entry(hash);
                (bucket, fingerprint)
            };
            prop_assert!(place(a.min(b)) <= place(a.max(b)));
        }
    }

    #[test]
    fn keys_beyond_the_cells_are_none() {
        let geometry = Geometry::new(10, 12);
        assert_eq!(geometry.of_key(0), None);
        assert_eq!(geometry.of_key(u64::MAX), None);
        assert_eq!(geometry.of_key(geometry.key(geometry.cells() - 1)), Some(5 * 4095 - 1));
        assert_eq!(geometry.of_key(geometry.key(geometry.cells())), None);
    }
}
