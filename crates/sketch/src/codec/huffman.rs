//! Static Huffman codes for pairs of symbols.
//!
//! A code for single symbols wastes what its whole bits do not fit: up to 1.4 % where a symbol
//! takes four bits. A code for pairs wastes a third of that, and one look-up gives two symbols.
//!
//! The code follows from the symbols' [`Counts`] by whole-number arithmetic. A pair's weight is
//! the product of its counts. Pairs of at least a 2^18th of the whole have codes; all others share the
//! weight that is left to the *escape*, behind which the two symbols follow as bytes. The lengths
//! are optimal up to 18 bits (Larmore & Hirschberg 1990, by merging packages; of a symbol and a
//! package of one weight the symbol goes first). The codes are canonical: in order of length, then
//! of pair, the escape behind the pairs, each one more than the last.
//!
//! Symbols are coded in groups of 32, of which each of four streams takes eight, so that a
//! processor can decode four pairs at a time. The coded bytes are the lengths of the first three
//! streams (see [`params`]), then the streams, the highest bit of each byte first, the last byte
//! filled with zeros.

use super::params;
use crate::error::{Error, Result};

/// How many symbols can have a count.
pub const SYMBOLS: usize = 96;

/// What the counts add up to, with the share of the symbols that have none.
pub const TOTAL: usize = 1 << 14;

/// How many symbols are coded at a time.
pub const GROUP: usize = STREAMS * RUN;

/// Of [`TOTAL`], how often each symbol occurs.
pub type Counts = [u16; SYMBOLS];

/// Pairs with less are escaped: a share of 2^-18, for which a code has the most bits.
const LEAST_WEIGHT: u64 = (TOTAL * TOTAL) as u64 >> MAX_BITS;
const MAX_BITS: u32 = 18;

/// The bits that the first look-up resolves; longer codes need a second one.
const FAST_BITS: u32 = 13;

/// The most bytes that the lengths of the streams take.
pub const MAX_HEAD_LEN: usize = 5 * (STREAMS - 1);

const STREAMS: usize = 4;
/// The symbols of a stream in a group.
const RUN: usize = 8;

/// The pair that stands for the escape, behind all others.
const ESCAPE: usize = SYMBOLS * SYMBOLS;

/// What a code stands for, in one word: its length (bits 0 to 5, so that shifts by the word shift
/// by the length), [`LONG`] or [`RAW`], and the two symbols from bit 16.
type Entry = u32;

/// The code has more bits than the first look-up.
const LONG: Entry = 1 << 6;
/// The code is the escape.
const RAW: Entry = 1 << 7;

/// The tables of a code.
pub struct Code {
    /// By pair: the code (from bit 8) and its length; 0 where the pair is escaped.
    codes: Vec<u32>,
    fast: Box<Fast>,
    /// By the next [`MAX_BITS`] bits, from [`Code::first_long`] on.
    long: Vec<Entry>,
    first_long: usize,
}

/// What the next [`FAST_BITS`] bits say: two tables, so that both fit a processor's first cache.
struct Fast {
    /// The length of the code, with [`LONG`] or [`RAW`].
    lengths: [u8; 1 << FAST_BITS],
    symbols: [u16; 1 << FAST_BITS],
}

impl Code {
    /// The code for counts, which add up to less than [`TOTAL`].
    pub fn new(counts: &Counts) -> Self {
        let mut pairs: Vec<(u64, usize)> = Vec::new();
        let mut escaped = (TOTAL * TOTAL) as u64;
        for (first, &a) in counts.iter().enumerate() {
            for (second, &b) in counts.iter().enumerate() {
                let weight = u64::from(a) * u64::from(b);
                if weight >= LEAST_WEIGHT {
                    pairs.push((weight, first * SYMBOLS + second));
                    escaped -= weight;
                }
            }
        }
        pairs.push((escaped.max(1), ESCAPE));
        pairs.sort_unstable();
        let weights: Vec<u64> = pairs.iter().map(|&(weight, _)| weight).collect();
        let mut order: Vec<(u32, usize)> =
            code_lengths(&weights).into_iter().zip(pairs.iter().map(|&(_, pair)| pair)).collect();
        order.sort_unstable();

        let mut codes = vec![0; ESCAPE + 1];
        let mut fast =
            Box::new(Fast { lengths: [0; 1 << FAST_BITS], symbols: [0; 1 << FAST_BITS] });
        let mut long = Vec::new();
        let mut next = 0;
        for (length, pair) in order {
            codes[pair] = ((next >> (MAX_BITS - length)) as u32) << 8 | length;
            let symbols = ((pair / SYMBOLS) | (pair % SYMBOLS) << 8) as u32;
            let flag = if pair == ESCAPE { RAW } else { 0 };
            let span = 1usize << (MAX_BITS - length);
            if length <= FAST_BITS {
                let entries =
                    next >> (MAX_BITS - FAST_BITS)..(next + span) >> (MAX_BITS - FAST_BITS);
                fast.lengths[entries.clone()].fill((length | flag) as u8);
                fast.symbols[entries].fill(symbols as u16);
            } else {
                fast.lengths[next >> (MAX_BITS - FAST_BITS)] = LONG as u8;
                long.resize(long.len() + span, length | flag | symbols << 16);
            }
            next += span;
        }
        let first_long = next - long.len();
        Code { codes, fast, long, first_long }
    }

    /// Codes `count` symbols, a multiple of [`GROUP`], to the front of `out`; returns the length,
    /// or `None` if they do not fit.
    pub fn encode(
        &self,
        symbol: impl Fn(usize) -> u8,
        count: usize,
        out: &mut [u8],
    ) -> Option<usize> {
        // The lengths are known last: the streams start behind the most that these may take.
        let mut lengths = [0u32; STREAMS - 1];
        let mut end = MAX_HEAD_LEN.min(out.len());
        let streams = end;
        for stream in 0..STREAMS {
            let len = self.encode_stream(&symbol, count, stream, &mut out[end..])?;
            if let Some(length) = lengths.get_mut(stream) {
                *length = len as u32;
            }
            end += len;
        }
        let mut head = [0; MAX_HEAD_LEN];
        let head_len = params::write(lengths, &mut head);
        out.copy_within(streams..end, head_len);
        out[..head_len].copy_from_slice(&head[..head_len]);
        Some(head_len + end - streams)
    }

    fn encode_stream(
        &self,
        symbol: impl Fn(usize) -> u8,
        count: usize,
        stream: usize,
        out: &mut [u8],
    ) -> Option<usize> {
        let (mut len, mut pending, mut bits) = (0, 0u64, 0);
        let mut put = |value: u32, width: u32| {
            pending = pending << width | u64::from(value);
            bits += width;
            if bits >= 32 {
                bits -= 32;
                let word = ((pending >> bits) as u32).to_be_bytes();
                out.get_mut(len..len + 4)?.copy_from_slice(&word);
                len += 4;
            }
            Some(())
        };
        for group in (stream * RUN..count).step_by(GROUP) {
            for at in (group..group + RUN).step_by(2) {
                let (a, b) = (symbol(at), symbol(at + 1));
                let known = usize::from(a) < SYMBOLS && usize::from(b) < SYMBOLS;
                let pair = usize::from(a) * SYMBOLS + usize::from(b);
                let code = if known { self.codes[pair] } else { 0 };
                if code != 0 {
                    put(code >> 8, code & 0xff)?;
                } else {
                    put(self.codes[ESCAPE] >> 8, self.codes[ESCAPE] & 0xff)?;
                    put(u32::from(a) << 8 | u32::from(b), 16)?;
                }
            }
        }
        while bits > 0 {
            let filled = if bits >= 8 { pending >> (bits - 8) } else { pending << (8 - bits) };
            *out.get_mut(len)? = filled as u8;
            len += 1;
            bits = bits.saturating_sub(8);
        }
        Some(len)
    }
}

/// Decodes what [`Code::encode`] wrote.
#[derive(Clone)]
pub struct Decoder<'a> {
    code: &'a Code,
    bytes: &'a [u8],
    /// Where the next bit of each stream is, counted from the first byte.
    at: [usize; STREAMS],
    /// Behind which byte each stream ends.
    ends: [usize; STREAMS],
}

impl<'a> Decoder<'a> {
    /// A decoder at the first symbol of exactly `bytes`.
    pub fn new(code: &'a Code, bytes: &'a [u8]) -> Result<Self> {
        let (lengths, rest): ([u32; STREAMS - 1], _) = params::read(bytes)?;
        let mut end = bytes.len() - rest.len();
        let mut at = [0; STREAMS];
        let mut ends = [bytes.len(); STREAMS];
        for (stream, at) in at.iter_mut().enumerate() {
            *at = 8 * end;
            if let Some(&length) = lengths.get(stream) {
                end = end.saturating_add(length as usize);
                ends[stream] = end;
            }
        }
        match end <= bytes.len() {
            true => Ok(Decoder { code, bytes, at, ends }),
            false => Err(Error::bytes("a stream of the code is cut short")),
        }
    }

    /// Decodes the next `out.len()` symbols, a multiple of [`GROUP`].
    ///
    /// The four streams take turns pair by pair, so that the processor works on one while it
    /// waits for the table's answer to another. Four codes of at most 13 bits lie in one window,
    /// which is read again behind a longer one. A stream that runs over its end reads the bits of
    /// the next; [`Decoder::finish`] sees that.
    #[inline(always)]
    pub fn next(&mut self, out: &mut [u8]) {
        let (fast, bytes, mut at) = (&*self.code.fast, self.bytes, self.at);
        for group in out.as_chunks_mut::<GROUP>().0 {
            // The bit behind the window tells, by where it is, how much was shifted out.
            let mut windows = at.map(|at| window(bytes, at) | 1);
            for pair in 0..RUN / 2 {
                for stream in 0..STREAMS {
                    let index = (windows[stream] >> (64 - FAST_BITS)) as usize;
                    let length = u32::from(fast.lengths[index]);
                    let mut symbols = fast.symbols[index];
                    if length & (LONG | RAW) == 0 {
                        windows[stream] = windows[stream].wrapping_shl(length);
                    } else {
                        let behind = at[stream] + windows[stream].trailing_zeros() as usize;
                        (symbols, at[stream]) = long(self.code, length, bytes, behind);
                        windows[stream] = window(bytes, at[stream]) | 1;
                    }
                    let place = stream * RUN + 2 * pair;
                    group[place..place + 2].copy_from_slice(&symbols.to_le_bytes());
                }
            }
            for (at, window) in at.iter_mut().zip(windows) {
                *at += window.trailing_zeros() as usize;
            }
        }
        self.at = at;
    }

    /// Checks that every stream ends here.
    pub fn finish(&self) -> Result<()> {
        for (&at, &end) in self.at.iter().zip(&self.ends) {
            let filler = at.next_multiple_of(8) - at;
            let is_clean = filler == 0 || window(self.bytes, at) >> (64 - filler) == 0;
            if at.div_ceil(8) != end || !is_clean {
                return Err(Error::bytes("a stream of the code does not end where it should"));
            }
        }
        Ok(())
    }
}

/// At least the next 57 bits, the first highest; zeros behind the end.
#[inline(always)]
fn window(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at / 8..at / 8 + 8) {
        Some(word) => u64::from_be_bytes(word.try_into().expect("eight bytes")) << (at % 8),
        None => last_window(bytes, at),
    }
}

/// The entry of a longer code or of the symbols behind an escape, and where the bits behind it
/// start.
#[cold]
#[inline(never)]
fn long(code: &Code, mut entry: Entry, bytes: &[u8], mut at: usize) -> (u16, usize) {
    let window = window(bytes, at);
    if entry & LONG != 0 {
        entry = code.long[(window >> (64 - MAX_BITS)) as usize - code.first_long];
    }
    at += (entry % 64) as usize;
    match entry & RAW {
        0 => ((entry >> 16) as u16, at),
        _ => (((window.wrapping_shl(entry) >> 48) as u16).swap_bytes(), at + 16),
    }
}

/// The window where fewer than eight bytes are left.
#[cold]
#[inline(never)]
fn last_window(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    let rest = bytes.get(at / 8..).unwrap_or_default();
    word[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(word) << (at % 8)
}

/// The lengths of an optimal code of at most [`MAX_BITS`] bits for sorted weights, by merging
/// packages (Larmore & Hirschberg 1990): where a package and a weight are equal, the weight goes
/// first.
fn code_lengths(weights: &[u64]) -> Vec<u32> {
    // For each bit, from the last, the merged list as its weights and whether each is a symbol's.
    let mut lists: Vec<Vec<(u64, bool)>> = Vec::new();
    for _ in 0..MAX_BITS {
        let packages: Vec<u64> = lists.last().map_or(Vec::new(), |list| {
            list.as_chunks::<2>().0.iter().map(|[a, b]| a.0 + b.0).collect()
        });
        let symbols = weights.iter().map(|&weight| (weight, true));
        let mut merged: Vec<_> =
            symbols.chain(packages.into_iter().map(|weight| (weight, false))).collect();
        // Stable, so that symbols stay in front of packages of their weight.
        merged.sort_by_key(|&(weight, _)| weight);
        lists.push(merged);
    }
    let mut lengths = vec![0; weights.len()];
    let mut taken = 2 * weights.len() - 2;
    for list in lists.iter().rev() {
        let symbols = list[..taken].iter().filter(|&&(_, symbol)| symbol).count();
        lengths[..symbols].iter_mut().for_each(|length| *length += 1);
        taken = 2 * (taken - symbols);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        proptest::collection::vec(prop_oneof![3 => Just(0u32), 1 => 1u32..1000], SYMBOLS).prop_map(
            |weights| {
                let sum: u32 = weights.iter().sum::<u32>().max(1);
                let share = |weight: u32| (weight * (TOTAL as u32 - 1) / sum) as u16;
                std::array::from_fn(|symbol| share(weights[symbol]))
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn symbols_round_trip(
            counts in counts(), groups in proptest::collection::vec(any::<[u8; GROUP]>(), 0..10),
            few: bool,
        ) {
            let code = Code::new(&counts);
            let symbols: Vec<u8> =
                groups.concat().iter().map(|&s| if few { s % 16 } else { s }).collect();
            let mut out = vec![0; 80 + 3 * symbols.len()];
            let len = code.encode(|i| symbols[i], symbols.len(), &mut out).unwrap();
            let mut decoder = Decoder::new(&code, &out[..len]).unwrap();
            let mut decoded = vec![0; symbols.len()];
            decoder.next(&mut decoded);
            prop_assert_eq!(decoded, symbols);
            prop_assert_eq!(decoder.finish(), Ok(()));
        }

        #[test]
        fn any_bytes_decode_or_fail(
            counts in counts(), bytes in proptest::collection::vec(any::<u8>(), 0..60)
        ) {
            if let Ok(mut decoder) = Decoder::new(&Code::new(&counts), &bytes) {
                decoder.next(&mut [0; 2 * GROUP]);
                let _ = decoder.finish();
            }
        }

        #[test]
        fn lengths_make_a_full_code(counts in counts()) {
            let code = Code::new(&counts);
            let spans = code.codes.iter().filter(|&&c| c != 0).map(|c| 1u32 << (MAX_BITS - (c & 0xff)));
            prop_assert_eq!(spans.sum::<u32>(), 1 << MAX_BITS);
        }
    }

    #[test]
    fn lengths_are_optimal() {
        // Huffman's own lengths where the limit does not bind.
        assert_eq!(code_lengths(&[1, 1, 2, 4, 8]), [4, 4, 3, 2, 1]);
        assert_eq!(code_lengths(&[1, 1, 1, 1]), [2, 2, 2, 2]);
        assert_eq!(code_lengths(&[1, 2, 4, 4, 8]), [4, 4, 3, 2, 1]);
        // 2^0 to 2^39 would take 39 bits.
        let steep: Vec<u64> = (0..40).map(|bit| 1 << bit).collect();
        let lengths = code_lengths(&steep);
        assert_eq!(lengths[39], 1);
        assert_eq!(lengths.iter().max(), Some(&MAX_BITS));
    }
}
