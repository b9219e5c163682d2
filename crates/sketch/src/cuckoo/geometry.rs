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
//! A fingerprint and its even bucket are the *signature* of a value. What a filter holds is therefore
//! how many copies there are of each signature. Everything that can be asked of a filter depends on
//! these numbers alone, not on which of its two buckets a fingerprint lies in, nor on the form of the
//! filter.

/// The fewest bits of a fingerprint: the coding at rest needs four.
pub(super) const MIN_BITS: u32 = 4;
/// The most bits of a fingerprint.
pub(super) const MAX_BITS: u32 = 32;

/// Slots of a bucket.
pub(super) const SLOTS: usize = 4;

/// The most copies of a fingerprint: its two buckets are full of it.
pub(super) const MAX_COPIES: usize = 2 * SLOTS;

/// A fingerprint, never 0, in one of its two buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub bucket: u32,
    pub fingerprint: u32,
}

/// How many buckets, and how long a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Even, and not 0.
    pub buckets: u32,
    /// From [`MIN_BITS`] to [`MAX_BITS`].
    pub bits: u32,
}

impl Layout {
    pub fn new(buckets: u32, bits: u32) -> Self {
        Layout { buckets, bits }
    }

    /// How many fingerprints there are.
    #[inline]
    fn fingerprints(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The fingerprint and first bucket of a hash: its share of the range picks the bucket, and
    /// its share of the bucket's part the fingerprint, so that marks are in the order of their
    /// hashes.
    #[inline]
    pub fn mark(self, hash: u64) -> Mark {
        let place = u128::from(hash) * u128::from(self.buckets);
        let rest = place as u64;
        let fingerprint = (u128::from(rest) * u128::from(self.fingerprints())) >> 64;
        Mark { bucket: (place >> 64) as u32, fingerprint: fingerprint as u32 + 1 }
    }

    /// The same fingerprint with its other bucket.
    #[inline]
    pub fn partner(self, mark: Mark) -> Mark {
        let Mark { bucket, fingerprint } = mark;
        let mut mixed = fingerprint.wrapping_mul(0x9e37_79b1);
        mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
        let sum = ((u64::from(mixed) * u64::from(self.buckets / 2)) >> 32) as u32 * 2 + 1;
        let bucket = if sum >= bucket { sum - bucket } else { sum + self.buckets - bucket };
        Mark { bucket, fingerprint }
    }

    /// How many signatures there are.
    #[inline]
    pub fn signatures(self) -> u64 {
        u64::from(self.buckets / 2) * self.fingerprints()
    }

    /// The signature of a mark, from 0.
    #[inline]
    pub fn signature(self, mark: Mark) -> u64 {
        let even = if mark.bucket.is_multiple_of(2) { mark } else { self.partner(mark) };
        u64::from(even.bucket / 2) * self.fingerprints() + u64::from(even.fingerprint - 1)
    }

    /// The mark of a signature, with its even bucket.
    #[inline]
    pub fn of_signature(self, signature: u64) -> Mark {
        Mark {
            bucket: (signature / self.fingerprints()) as u32 * 2,
            fingerprint: (signature % self.fingerprints()) as u32 + 1,
        }
    }

    /// The bits of a key in the sparse form.
    #[inline]
    pub fn key_bits(self) -> u32 {
        self.signatures().ilog2() + 1
    }

    /// The key of a signature in the sparse form, where no key is 0.
    #[inline]
    pub fn key(self, signature: u64) -> u64 {
        (signature + 1) << (64 - self.key_bits())
    }

    /// The signature of a key, where there is one.
    #[inline]
    pub fn of_key(self, key: u64) -> Option<u64> {
        let signature = (key >> (64 - self.key_bits())).checked_sub(1);
        signature.filter(|&signature| signature < self.signatures())
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

    /// How many copies are kept as a list, at rest always and as a set in a state until there are
    /// more: eight bytes a copy take no more than the table at rest.
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
        fn partners_are_two_buckets_of_one_signature(
            hash: u64, half in 1u32..1 << 27, bits in MIN_BITS..=MAX_BITS
        ) {
            let layout = Layout::new(2 * half, bits);
            let mark = layout.mark(hash);
            let partner = layout.partner(mark);
            prop_assert!(mark.bucket < 2 * half && partner.bucket < 2 * half);
            prop_assert!(mark.fingerprint > 0 && u64::from(mark.fingerprint) < 1 << bits);
            prop_assert_eq!((mark.bucket + partner.bucket) % 2, 1);
            prop_assert_eq!(layout.partner(partner), mark);
            let signature = layout.signature(mark);
            prop_assert_eq!(layout.signature(partner), signature);
            prop_assert!(signature < layout.signatures());
            let even = if mark.bucket.is_multiple_of(2) { mark } else { partner };
            prop_assert_eq!(layout.of_signature(signature), even);
            prop_assert_eq!(layout.of_key(layout.key(signature)), Some(signature));
        }

        #[test]
        fn marks_are_in_the_order_of_their_hashes(
            a: u64, b: u64, half in 1u32..1 << 20, bits in MIN_BITS..=MAX_BITS
        ) {
            let layout = Layout::new(2 * half, bits);
            let place = |hash| {
                let Mark { bucket, fingerprint } = layout.mark(hash);
                (bucket, fingerprint)
            };
            prop_assert!(place(a.min(b)) <= place(a.max(b)));
        }
    }

    #[test]
    fn keys_beyond_the_signatures_are_none() {
        let layout = Layout::new(10, 12);
        assert_eq!(layout.of_key(0), None);
        assert_eq!(layout.of_key(u64::MAX), None);
        assert_eq!(layout.of_key(layout.key(layout.signatures() - 1)), Some(5 * 4095 - 1));
        assert_eq!(layout.of_key(layout.key(layout.signatures())), None);
    }
}
