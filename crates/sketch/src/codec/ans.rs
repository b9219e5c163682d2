//! Entropy coding with fixed tables: asymmetric numeral systems (Duda 2013, "Asymmetric numeral
//! systems", section 3), in the table-driven variant.
//!
//! A symbol costs `log2(2048 / count)` bits, also fractions of one, where a prefix code rounds to
//! whole bits. Eight states take turns, four each on two streams of bits, so that a processor can
//! decode eight symbols at a time and need not wait for one stream to know where the next bits
//! are.
//!
//! Of every eight symbols the first four belong to the first stream, the others to the second.
//! The code is the length of the first stream (see [`params`]) and the two streams. A stream
//! starts with zero bits and a one bit that fill up its first byte, then its four states (11 bits
//! each), then the bits that its symbols consume, the lowest bit of each byte first. The decoder
//! takes them in order; the encoder works from the last symbol to the first and writes from the
//! end.

use super::bits::{BackWriter, BitReader};
use super::params;
use crate::error::{Error, Result};

/// The binary logarithm of the number of states.
const BITS: u32 = 11;

/// The sum of the counts of a table.
pub const SIZE: usize = 1 << BITS;

/// How many symbols there are; the last, [`ESCAPE`], stands before a raw byte.
pub const SYMBOLS: usize = 97;

/// The symbol of all bytes that have no count of their own.
pub const ESCAPE: u8 = SYMBOLS as u8 - 1;

/// How many states take turns: symbol `i` belongs to state `i % 8`.
pub const STATES: usize = TURNS * STREAMS;

const TURNS: usize = 4;
const STREAMS: usize = 2;

/// How often each symbol occurs among [`SIZE`].
pub type Counts = [u16; SYMBOLS];

/// A step of the decoder in one word: how many bits to take (bits 0 to 5, so that shifts by the
/// word shift by the number), whether the symbol is the escape ([`RAW_FOLLOWS`]), and from bit 8
/// what to add to those bits for the next state.
type Step = u32;

const RAW_FOLLOWS: Step = 1 << 7;

/// How the encoder leaves a state for a symbol.
#[derive(Clone, Copy, Default)]
struct Exit {
    /// `(state + threshold) >> 16` is the number of bits to write.
    threshold: u32,
    /// Where the symbol's next states start, less its count.
    start: i32,
}

/// The tables for one distribution.
pub struct Table {
    symbols: Box<[u8; SIZE]>,
    steps: Box<[Step; SIZE]>,
    exits: [Exit; SYMBOLS],
    next: Box<[u16; SIZE]>,
}

impl Table {
    /// The tables for counts that add up to [`SIZE`], with one for [`ESCAPE`].
    pub fn new(counts: &Counts) -> Self {
        let symbols = spread(counts);
        let mut steps = Box::new([0; SIZE]);
        let mut next = Box::new([0; SIZE]);
        let mut exits = [Exit::default(); SYMBOLS];
        let mut start = 0;
        for (exit, &count) in exits.iter_mut().zip(counts) {
            if count > 0 {
                let count = u32::from(count);
                // The most bits are written from states of at least count << most.
                let most = BITS - (count - 1).checked_ilog2().unwrap_or(0);
                exit.threshold = (most << 16).wrapping_sub(count << most);
                exit.start = start - count as i32;
                start += count as i32;
            }
        }
        let mut seen = *counts;
        for (state, &symbol) in symbols.iter().enumerate() {
            let rank = u32::from(seen[usize::from(symbol)]);
            seen[usize::from(symbol)] += 1;
            let bits = BITS - rank.ilog2();
            let base = (rank << bits) as usize - SIZE;
            let flag = if symbol == ESCAPE { RAW_FOLLOWS } else { 0 };
            steps[state] = bits | flag | (base as u32) << 8;
            let exit = exits[usize::from(symbol)];
            next[(exit.start + rank as i32) as usize] = (SIZE + state) as u16;
        }
        Table { symbols: Box::new(symbols), steps, exits, next }
    }

    /// Codes `symbols`, a multiple of [`STATES`], to the front of `out`; a symbol that has no
    /// count is coded as [`ESCAPE`] and itself. Returns the length, or `None` if it does not fit.
    pub fn encode(
        &self,
        symbols: impl Fn(usize) -> u8,
        count: usize,
        out: &mut [u8],
    ) -> Option<usize> {
        let second = self.encode_stream(&symbols, count, 1, out)?;
        let first = self.encode_stream(&symbols, count, 0, &mut out[..second])?;
        let mut len = [0; params::MAX_LEN];
        let len_len = params::write((second - first) as u32, &mut len);
        let coded = len_len + out.len() - first;
        if coded > out.len() {
            return None;
        }
        out.copy_within(first.., len_len);
        out[..len_len].copy_from_slice(&len[..len_len]);
        Some(coded)
    }

    /// Codes one of the streams to the end of `out`; returns where it starts.
    fn encode_stream(
        &self,
        symbols: impl Fn(usize) -> u8,
        count: usize,
        stream: usize,
        out: &mut [u8],
    ) -> Option<usize> {
        let mut writer = BackWriter::new(out);
        let mut states = [SIZE as u32; TURNS];
        for group in (stream * TURNS..count).step_by(STATES).rev() {
            for (turn, state) in states.iter_mut().enumerate().rev() {
                let symbol = symbols(group + turn);
                let mut exit = self.exits.get(usize::from(symbol)).copied().unwrap_or_default();
                if symbol >= ESCAPE || exit.threshold == 0 {
                    writer.push(symbol.into(), 8);
                    exit = self.exits[usize::from(ESCAPE)];
                }
                let bits = (*state).wrapping_add(exit.threshold) >> 16;
                writer.push(u64::from(*state & ((1 << bits) - 1)), bits);
                *state = self.next[((*state >> bits) as i32 + exit.start) as usize].into();
            }
        }
        for state in states.into_iter().rev() {
            writer.push(u64::from(state) - SIZE as u64, BITS);
        }
        writer.finish()
    }
}

/// The symbol of each state: every symbol's states lie spread over the whole table, by a step
/// that visits all of them.
fn spread(counts: &Counts) -> [u8; SIZE] {
    const STRIDE: usize = SIZE / 2 + SIZE / 8 + 3;
    let mut symbols = [0; SIZE];
    let mut at = 0;
    for (symbol, &count) in counts.iter().enumerate() {
        for _ in 0..count {
            symbols[at] = symbol as u8;
            at = (at + STRIDE) % SIZE;
        }
    }
    symbols
}

/// Decodes what [`Table::encode`] wrote.
#[derive(Clone)]
pub struct Decoder<'a> {
    table: &'a Table,
    streams: [Stream<'a>; STREAMS],
}

#[derive(Clone)]
struct Stream<'a> {
    bits: BitReader<'a>,
    states: [u32; TURNS],
}

impl<'a> Decoder<'a> {
    /// A decoder at the first symbol of exactly `bytes`.
    pub fn new(table: &'a Table, bytes: &'a [u8]) -> Result<Self> {
        let (first, rest): (u32, _) = params::read(bytes)?;
        let Some((first, second)) = rest.split_at_checked(first as usize) else {
            return Err(Error::bytes("the code of a dense sketch is cut short"));
        };
        Ok(Decoder { table, streams: [Stream::new(first)?, Stream::new(second)?] })
    }

    /// Decodes the next `out.len()` symbols, a multiple of [`STATES`].
    #[inline(always)]
    pub fn next(&mut self, out: &mut [u8]) {
        // Copies, so that what the loop carries stays in processor registers.
        let [mut first, mut second] = self.streams.clone();
        for group in out.as_chunks_mut::<STATES>().0 {
            let (turns, _) = group.as_chunks_mut::<TURNS>();
            first = first.turn(self.table, &mut turns[0]);
            second = second.turn(self.table, &mut turns[1]);
        }
        self.streams = [first, second];
    }

    /// Checks that the code ends here.
    pub fn finish(&self) -> Result<()> {
        self.streams.iter().try_for_each(|stream| match stream.states {
            [0, 0, 0, 0] => stream.bits.finish(),
            _ => Err(Error::bytes("the code of a dense sketch is damaged")),
        })
    }
}

impl<'a> Stream<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut bits = BitReader::new(bytes);
        let filler = bytes.first().map_or(8, |first| first.trailing_zeros());
        if filler == 8 {
            return Err(Error::bytes("the code of a dense sketch has no start"));
        }
        bits.bits(filler + 1);
        let states = std::array::from_fn(|_| bits.bits(BITS) as u32);
        Ok(Stream { bits, states })
    }

    /// Decodes a symbol from each state: four of at most 11 bits lie in one window of 57.
    #[inline(always)]
    fn turn(mut self, table: &Table, out: &mut [u8; TURNS]) -> Self {
        let at = self.states.map(|state| state as usize % SIZE);
        let steps = at.map(|at| table.steps[at]);
        *out = at.map(|at| table.symbols[at]);
        if steps.iter().fold(0, |all, step| all | step) & RAW_FOLLOWS != 0 {
            return self.turn_with_escapes(steps, out);
        }
        let mut window = self.bits.window();
        self.states = steps.map(|step| {
            let state = next_state(step, window);
            window = window.wrapping_shr(step);
            state
        });
        // The widths add up to 44 at the most, so no carry leaves their bits.
        self.bits.skip(steps.iter().fold(0u32, |sum, step| sum.wrapping_add(*step)) % 64);
        self
    }

    /// The same where a raw byte follows a symbol, which is rare.
    #[cold]
    #[inline(never)]
    fn turn_with_escapes(mut self, steps: [Step; TURNS], out: &mut [u8; TURNS]) -> Self {
        for (turn, step) in steps.into_iter().enumerate() {
            self.states[turn] = next_state(step, self.bits.window());
            self.bits.skip(step % 64);
            if step & RAW_FOLLOWS != 0 {
                out[turn] = self.bits.bits(8) as u8;
            }
        }
        self
    }
}

/// The state behind a step that takes its bits from the low end of the window.
#[inline(always)]
fn next_state(step: Step, window: u64) -> u32 {
    (step >> 8) + (window & !u64::MAX.wrapping_shl(step)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts() -> impl Strategy<Value = Counts> {
        proptest::collection::vec(prop_oneof![3 => Just(0u32), 1 => 1u32..1000], SYMBOLS - 1)
            .prop_map(|weights| {
                let sum: u32 = weights.iter().sum();
                let mut counts = [0; SYMBOLS];
                for (count, weight) in counts.iter_mut().zip(&weights) {
                    *count = (weight * (SIZE as u32 - 1) / sum.max(1)) as u16;
                }
                counts[SYMBOLS - 1] = SIZE as u16 - counts.iter().sum::<u16>();
                counts
            })
    }

    proptest! {
        #[test]
        fn symbols_round_trip(
            counts in counts(), groups in proptest::collection::vec(any::<[u8; STATES]>(), 0..40),
            few: bool,
        ) {
            let table = Table::new(&counts);
            let symbols: Vec<u8> =
                groups.concat().iter().map(|&s| if few { s % 16 } else { s }).collect();
            let mut out = vec![0; 20 + 3 * symbols.len()];
            let len = table.encode(|i| symbols[i], symbols.len(), &mut out).unwrap();
            let mut decoder = Decoder::new(&table, &out[..len]).unwrap();
            let mut decoded = vec![0; symbols.len()];
            decoder.next(&mut decoded);
            prop_assert_eq!(decoded, symbols);
            prop_assert_eq!(decoder.finish(), Ok(()));
        }

        #[test]
        fn any_bytes_decode_or_fail(counts in counts(), bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let table = Table::new(&counts);
            if let Ok(mut decoder) = Decoder::new(&table, &bytes) {
                decoder.next(&mut [0; 64]);
                let _ = decoder.finish();
            }
        }
    }

    #[test]
    fn a_symbol_costs_the_logarithm_of_its_share() {
        let mut counts = [0; SYMBOLS];
        counts[0] = 1800;
        counts[1] = 247;
        counts[SYMBOLS - 1] = 1;
        let table = Table::new(&counts);
        // One symbol in eight: 0.5436 bits each by entropy, 0.5457 by the counts.
        let symbols: Vec<u8> =
            (0..16_384u32).map(|i| u8::from(i.wrapping_mul(2_654_435_761) < 1 << 29)).collect();
        let mut out = vec![0; 4096];
        let len = table.encode(|i| symbols[i], symbols.len(), &mut out).unwrap();
        let bits = (len * 8) as f64 / symbols.len() as f64;
        assert!((0.54..0.56).contains(&bits), "{bits}");
    }
}
