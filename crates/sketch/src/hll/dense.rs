//! The dense form at rest: registers, entropy coded.
//!
//! The registers of a random set follow one distribution that depends on `n / m` alone, and that
//! moves up by four register values when `n` doubles. So a few fixed tables serve: the whole part
//! of the registers' mean, the *phase*, names the table, which from phase 32 on is that of four,
//! eight, ... phases below with all registers lowered by as much. A register costs about 4.0 bits,
//! half a percent above the entropy of the distribution, which is 3.994 bits.
//!
//! The body is the phase and the code of [`crate::codec::huffman`]; or 255 and the registers,
//! where the code would not be shorter.

use std::sync::OnceLock;

use super::counts::COUNTS;
use crate::codec::huffman::{self, Code, Decoder, GROUP};
use crate::error::{Error, Result};
use crate::simd;

/// The phase of a body that is not coded. No mean is so high.
const RAW: u8 = 255;

/// From this phase on the tables repeat, four to a doubling.
const FIRST_REPEATED: u8 = COUNTS.len() as u8 - 4;

/// How many registers are decoded at a time, at the most.
const BLOCK: usize = 1024;

/// Registers where they lie.
#[derive(Clone)]
pub enum Registers<'a> {
    /// A byte each.
    Raw(&'a [u8]),
    /// So many, coded in a phase.
    Coded(usize, u8, &'a [u8]),
}

impl<'a> Registers<'a> {
    /// The registers in the body of a dense sketch.
    pub fn parse(body: &'a [u8], count: usize) -> Result<Self> {
        match body.split_first() {
            Some((&RAW, registers)) if registers.len() == count => Ok(Registers::Raw(registers)),
            Some((&phase, code)) if phase != RAW && code.len() < count && count >= GROUP => {
                if code.len() < min_code_len(count) {
                    return Err(Error::bytes(format!(
                        "{count} registers cannot lie in {} bytes",
                        code.len()
                    )));
                }
                Ok(Registers::Coded(count, phase, code))
            }
            _ => Err(Error::bytes(format!(
                "a dense sketch of {count} registers has a body of {} bytes",
                body.len()
            ))),
        }
    }

    /// Calls `f` with the index of the first register of a block and the block, for all in order.
    #[inline]
    pub fn visit(&self, f: impl FnMut(usize, &[u8])) -> Result<()> {
        simd::dispatch(
            #[inline(always)]
            || self.visit_here(f),
        )
    }

    #[inline(always)]
    fn visit_here(&self, mut f: impl FnMut(usize, &[u8])) -> Result<()> {
        let (count, phase, bytes) = match *self {
            Registers::Raw(registers) => {
                f(0, registers);
                return Ok(());
            }
            Registers::Coded(count, phase, bytes) => (count, phase, bytes),
        };
        let (code, lowered) = code(phase);
        let mut decoder = Decoder::new(code, bytes)?;
        let mut block = [0; BLOCK];
        let block = &mut block[..count.min(BLOCK)];
        for start in (0..count).step_by(block.len()) {
            decoder.next(block);
            block.iter_mut().for_each(|register| *register = register.wrapping_add(lowered));
            f(start, block);
        }
        decoder.finish()
    }

    /// All registers, a byte each.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        self.visit(|_, block| all.extend_from_slice(block))?;
        Ok(all)
    }
}

/// How many bytes the body of a full sketch takes: 4.02 bits a register and the lengths of three
/// streams, or the registers as they are where that is less.
pub fn full_len(count: usize) -> usize {
    let lengths = if count < 2048 { 3 } else { 9 };
    match count {
        ..GROUP => 1 + count,
        _ => 1 + (count * 402 / 800 + lengths + 2).min(count),
    }
}

/// The fewest bytes of a code: a bit a register. Random sets cost more when they are dense at all;
/// the bound limits what a few bytes can make a reader allocate.
fn min_code_len(count: usize) -> usize {
    count / 8
}

/// How many bytes [`write()`] needs, which tries the code before it knows its length.
pub fn write_bound(count: usize) -> usize {
    1 + count + huffman::MAX_HEAD_LEN
}

/// Writes the body for registers, of which not all are 0, to `out`, at least [`write_bound`]
/// bytes; returns the length.
pub fn write(registers: &[u8], out: &mut [u8]) -> usize {
    let count = registers.len();
    let sum: usize = registers.iter().map(|&register| usize::from(register)).sum();
    let phase = (sum / count) as u8;
    let (phase, len) = match encode(registers, phase, &mut out[1..]) {
        Some(len) if len < count && len >= min_code_len(count) => (phase, len),
        _ => {
            out[1..=count].copy_from_slice(registers);
            (RAW, count)
        }
    };
    out[0] = phase;
    out[1 + len..].fill(0);
    1 + len
}

fn encode(registers: &[u8], phase: u8, out: &mut [u8]) -> Option<usize> {
    let (code, lowered) = code(phase);
    let groups = registers.len() / GROUP * GROUP;
    code.encode(|i| registers[i].wrapping_sub(lowered), groups, out).filter(|_| groups > 0)
}

/// The code of a phase, and by how much registers are lowered before it applies.
fn code(phase: u8) -> (&'static Code, u8) {
    static CODES: [OnceLock<Code>; COUNTS.len()] = [const { OnceLock::new() }; COUNTS.len()];
    let repeats = phase.saturating_sub(FIRST_REPEATED) / 4;
    let index = usize::from(phase - 4 * repeats);
    (CODES[index].get_or_init(|| Code::new(&COUNTS[index])), 4 * repeats)
}

const _: () = assert!(BLOCK.is_multiple_of(GROUP));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::huffman::TOTAL;
    use crate::hash;
    use crate::hll::{Precision, register};

    fn registers(precision: Precision, values: i64) -> Vec<u8> {
        let mut registers = vec![0; precision.registers()];
        for value in 0..values {
            let (index, level) = register::place(hash::number(value), precision);
            register::update(&mut registers[index], level);
        }
        registers
    }

    fn round_trip(registers: &[u8]) -> Vec<u8> {
        let mut body = vec![0; write_bound(registers.len())];
        let len = write(registers, &mut body);
        body.truncate(len);
        let parsed = Registers::parse(&body, registers.len()).unwrap();
        assert_eq!(parsed.to_vec().unwrap(), registers);
        body
    }

    #[test]
    fn counts_are_shares_of_the_tables() {
        for counts in &COUNTS {
            assert!(counts.iter().map(|&c| usize::from(c)).sum::<usize>() < TOTAL);
        }
    }

    #[test]
    fn codes_are_near_the_entropy() {
        let precision = Precision::new(13).unwrap();
        let m = precision.registers() as i64;
        for eighths in 0..64 {
            // From m / 4 to 64 m values.
            let values = (m as f64 / 4.0 * f64::exp2(f64::from(eighths) / 8.0)) as i64;
            let body = round_trip(&registers(precision, values));
            // 4.005 bits each, the head, and 5 standard deviations of 1.5 bits a register.
            let most = 4.005 * 1024.0 + 14.0 + 5.0 * 1.5 * (m as f64).sqrt() / 8.0;
            assert!((body.len() as f64) < most, "{values}: {}", body.len());
        }
    }

    #[test]
    fn what_does_not_fit_a_table_is_kept_raw() {
        let noise: Vec<u8> =
            (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(round_trip(&noise)[0], RAW);
        assert_eq!(round_trip(&[247; 16])[0], RAW);
        // Sixteen registers are no group.
        for values in 1..200 {
            round_trip(&registers(Precision::MIN, values));
        }
    }
}
