//! Canonical encodings of single values.
//!
//! Each function gives the exact bytes that are hashed.

/// A decimal number that [`numeric`] encodes: the value is
/// `sign * sum(digits[i] * 10000^(weight - i))`, each digit below 10,000.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<D> {
    /// Whether the number is below zero.
    pub negative: bool,
    /// The power of 10,000 of the first digit.
    pub weight: i32,
    /// The digits, the most significant first.
    pub digits: D,
}

/// The encoding of a `numeric` that is not a number.
pub const NUMERIC_NAN: [u8; 1] = [2];
/// The encoding of a `numeric` above every number.
pub const NUMERIC_INFINITY: [u8; 1] = [3];
/// The encoding of a `numeric` below every number.
pub const NUMERIC_NEGATIVE_INFINITY: [u8; 1] = [4];

/// The encoding of a decimal number; one of up to 68 digits needs no memory of its own.
#[derive(Clone, Debug)]
pub struct Numeric(Bytes);

#[derive(Clone, Debug)]
enum Bytes {
    Short([u8; SHORT], usize),
    Long(Vec<u8>),
}

const SHORT: usize = 39;

impl Numeric {
    /// The encoding that is these bytes: that of a whole number or a special value.
    #[inline]
    pub fn of<const N: usize>(bytes: [u8; N]) -> Self {
        let mut short = [0; SHORT];
        short[..N].copy_from_slice(&bytes);
        Numeric(Bytes::Short(short, N))
    }

    fn of_digits(
        negative: bool,
        weight: i32,
        len: usize,
        digits: impl Iterator<Item = u16>,
    ) -> Self {
        let (mut short, mut long) = ([0; SHORT], Vec::new());
        let bytes = match short.get_mut(..5 + 2 * len) {
            Some(bytes) => bytes,
            None => {
                long.resize(5 + 2 * len, 0);
                &mut long
            }
        };
        bytes[0] = u8::from(negative);
        bytes[1..5].copy_from_slice(&weight.to_le_bytes());
        for (place, digit) in bytes[5..].as_chunks_mut().0.iter_mut().zip(digits) {
            *place = digit.to_le_bytes();
        }
        Numeric(if long.is_empty() { Bytes::Short(short, 5 + 2 * len) } else { Bytes::Long(long) })
    }
}

impl AsRef<[u8]> for Numeric {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Short(bytes, len) => &bytes[..*len],
            Bytes::Long(bytes) => bytes,
        }
    }
}

/// Encodes a decimal number.
///
/// A whole number that fits 64 bits is that number, 8 bytes little endian, so that it meets
/// integers. Any other is a sign byte (0 or 1), the power of 10,000 of the first digit (i32) and
/// the base-10,000 digits (u16 each) without leading or trailing zeros: an odd number of bytes,
/// so the two never meet.
pub fn numeric<D>(number: Decimal<D>) -> Numeric
where
    D: Iterator<Item = u16> + Clone + DoubleEndedIterator,
{
    let leading = number.digits.clone().take_while(|&d| d == 0).count();
    let trailing = number.digits.clone().rev().take_while(|&d| d == 0).count();
    let len = number.digits.clone().count().saturating_sub(leading + trailing);
    if len == 0 {
        return Numeric::of([0; 8]);
    }
    let weight = number.weight.saturating_sub(leading as i32);
    let digits = number.digits.skip(leading).take(len);
    if let Some(whole) = whole(number.negative, weight, len, digits.clone()) {
        return Numeric::of(whole.to_le_bytes());
    }
    Numeric::of_digits(number.negative, weight, len, digits)
}

/// Encodes a whole number of 64 bits without a sign.
#[inline]
pub fn unsigned(number: u64) -> Numeric {
    if let Ok(whole) = i64::try_from(number) {
        return Numeric::of(whole.to_le_bytes());
    }
    // 2^64 has five digits of base 10,000.
    let digits = (0..5).rev().map(|place| (number / 10_000u64.pow(place) % 10_000) as u16);
    numeric(Decimal { negative: false, weight: 4, digits })
}

/// The number as an i64, where it is whole and fits. An i64 has at most five base-10,000 digits.
fn whole(
    negative: bool,
    weight: i32,
    len: usize,
    digits: impl Iterator<Item = u16>,
) -> Option<i64> {
    if !(0..5).contains(&weight) || len > weight as usize + 1 {
        return None;
    }
    let mut value = 0i128;
    for digit in digits.chain(std::iter::repeat(0)).take(weight as usize + 1) {
        value = value * 10_000 + i128::from(digit);
    }
    i64::try_from(if negative { -value } else { value }).ok()
}

/// A floating point number, widened to 64 bits: one zero and one NaN.
#[inline]
pub fn float(value: f64) -> [u8; 8] {
    let bits = if value == 0.0 {
        0
    } else if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        value.to_bits()
    };
    bits.to_le_bytes()
}

/// Fixed-length character strings count without their trailing spaces.
#[inline]
pub fn unpadded(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&b| b != b' ').map_or(0, |last| last + 1);
    &text[..end]
}

/// A single byte that is a character string: none for the byte zero, and for one beyond ASCII, which
/// is no character in most encodings, the four characters `\ooo` of its octal digits, as which the
/// server writes it.
pub fn single_byte(byte: u8) -> impl AsRef<[u8]> {
    let octal = |place: u8| b'0' + (byte >> place & 7);
    let mut text = ArrayString { bytes: [b'\\', octal(6), octal(3), octal(0)], len: 4 };
    if byte.is_ascii() {
        text.bytes[0] = byte;
        text.len = usize::from(byte != 0);
    }
    text
}

struct ArrayString {
    bytes: [u8; 4],
    len: usize,
}

impl AsRef<[u8]> for ArrayString {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// An access privilege: who has it (an OID), of whom (an OID), what privileges, and which of them
/// may be granted on. It is of class `Other`, and begins with the name of its type as they do.
pub fn aclitem(grantee: u32, grantor: u32, privileges: u32, grantable: u32) -> [u8; 24] {
    let mut out = *b"aclitem\0................";
    for (at, word) in [grantee, grantor, privileges, grantable].into_iter().enumerate() {
        out[8 + 4 * at..12 + 4 * at].copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// A link-layer address of 6 bytes as the 8-byte address that it is equal to (EUI-64).
#[inline]
pub fn macaddr(address: [u8; 6]) -> [u8; 8] {
    let [a, b, c, d, e, f] = address;
    [a, b, c, 0xff, 0xfe, d, e, f]
}

/// A time of day (microseconds) with its zone (seconds west of Greenwich).
///
/// SQL calls two of them equal only when both parts are.
#[inline]
pub fn timetz(time: i64, zone: i32) -> [u8; 12] {
    let mut out = [0; 12];
    out[..8].copy_from_slice(&time.to_le_bytes());
    out[8..].copy_from_slice(&zone.to_le_bytes());
    out
}

/// A span of time as microseconds, where a month has 30 days and a day 24 hours: SQL's equality.
#[inline]
pub fn interval(months: i32, days: i32, microseconds: i64) -> [u8; 16] {
    let days = i128::from(months) * 30 + i128::from(days);
    (days * 86_400_000_000 + i128::from(microseconds)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(negative: bool, weight: i32, digits: &[u16]) -> Vec<u8> {
        numeric(Decimal { negative, weight, digits: digits.iter().copied() }).as_ref().to_vec()
    }

    #[test]
    fn integral_numerics_meet_integers() {
        assert_eq!(encoded(false, 0, &[42]), 42i64.to_le_bytes());
        assert_eq!(encoded(true, 1, &[1, 0]), (-10_000i64).to_le_bytes());
        assert_eq!(encoded(false, 1, &[1]), 10_000i64.to_le_bytes());
        assert_eq!(encoded(false, 0, &[]), 0i64.to_le_bytes());
        assert_eq!(encoded(true, 3, &[0, 0]), 0i64.to_le_bytes());
        assert_eq!(encoded(false, 4, &[922, 3372, 368, 5477, 5807]), i64::MAX.to_le_bytes());
        assert_eq!(encoded(true, 4, &[922, 3372, 368, 5477, 5808]), i64::MIN.to_le_bytes());
    }

    #[test]
    fn other_numerics_have_an_odd_length() {
        assert_eq!(encoded(false, 4, &[922, 3372, 368, 5477, 5808]).len(), 15);
        assert_eq!(encoded(false, 0, &[1, 5000]), [0, 0, 0, 0, 0, 1, 0, 0x88, 0x13]);
        assert_eq!(encoded(true, -1, &[5000]), [1, 255, 255, 255, 255, 0x88, 0x13]);
        assert_eq!(encoded(false, i32::MAX, &[1]).len(), 7);
    }

    #[test]
    fn numbers_of_any_length_are_encoded_alike() {
        for len in 1..100 {
            let digits: Vec<u16> = (1..=len).collect();
            let encoding = encoded(true, -3, &digits);
            assert_eq!(encoding[..5], [1, 0xfd, 0xff, 0xff, 0xff], "{len}");
            assert_eq!(
                encoding[5..],
                digits.iter().flat_map(|d| d.to_le_bytes()).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn unsigned_numbers_are_numbers() {
        for number in [0, 1, 42, u64::MAX >> 1] {
            assert_eq!(unsigned(number).as_ref(), number.to_le_bytes());
        }
        let above = encoded(false, 4, &[922, 3372, 368, 5477, 5808]);
        assert_eq!(unsigned(1 << 63).as_ref(), above);
        let largest = encoded(false, 4, &[1844, 6744, 737, 955, 1615]);
        assert_eq!(unsigned(u64::MAX).as_ref(), largest);
    }

    #[test]
    fn single_bytes_are_what_the_server_writes() {
        assert_eq!(single_byte(0).as_ref(), b"");
        assert_eq!(single_byte(b'a').as_ref(), b"a");
        assert_eq!(single_byte(0x7f).as_ref(), b"\x7f");
        assert_eq!(single_byte(0x80).as_ref(), b"\\200");
        assert_eq!(single_byte(0xff).as_ref(), b"\\377");
    }

    #[test]
    fn privileges_differ_in_each_part() {
        let item = aclitem(1, 2, 3, 4);
        assert_eq!(item, *b"aclitem\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0");
        assert_ne!(item, aclitem(2, 1, 3, 4));
    }

    #[test]
    fn floats_have_one_zero_and_one_nan() {
        assert_eq!(float(-0.0), float(0.0));
        assert_eq!(float(-f64::NAN), float(f64::from_bits(0x7ff0_0000_0000_0001)));
        assert_ne!(float(1.0), float(-1.0));
    }

    #[test]
    fn padding_does_not_count() {
        assert_eq!(unpadded(b"ab  "), b"ab");
        assert_eq!(unpadded(b" a "), b" a");
        assert_eq!(unpadded(b"   "), b"");
    }

    #[test]
    fn intervals_are_equal_as_in_sql() {
        assert_eq!(interval(1, 0, 0), interval(0, 30, 0));
        assert_eq!(interval(0, 1, 0), interval(0, 0, 86_400_000_000));
        assert_ne!(interval(0, 1, 0), interval(0, 1, 1));
    }

    proptest! {
        #[test]
        fn zeros_around_a_number_do_not_count(
            digits in proptest::collection::vec(0u16..10_000, 0..8),
            weight in -4i32..8, before in 0usize..3, after in 0usize..3, negative: bool,
        ) {
            let mut padded = vec![0; before];
            padded.extend(&digits);
            padded.resize(padded.len() + after, 0);
            prop_assert_eq!(
                encoded(negative, weight + before as i32, &padded),
                encoded(negative, weight, &digits)
            );
        }

        #[test]
        fn integers_of_any_size_round_trip(value: i64) {
            let mut rest = value.unsigned_abs();
            let mut digits = Vec::new();
            while rest > 0 {
                digits.insert(0, (rest % 10_000) as u16);
                rest /= 10_000;
            }
            prop_assert_eq!(
                encoded(value < 0, digits.len() as i32 - 1, &digits),
                value.to_le_bytes()
            );
        }
    }
}
