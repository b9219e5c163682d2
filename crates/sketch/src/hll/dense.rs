//! The dense form at rest: registers, entropy coded.
//!
//! The registers of a random set follow one distribution that depends on `n / m` alone, and that
//! moves up by four register values when `n` doubles. So a few fixed tables serve: the whole part
//! of the registers' mean, the *phase*, names the table, which from phase 32 on is that of four,
//! eight, ... phases below with all registers lowered by as much. A register costs about 4.0 bits,
//! within a fifth of a percent of the entropy of the distribution, which is 3.994 bits.
//!
//! The body is the phase and the code of [`crate::codec::ans`]; or [`RAW`] and the registers,
//! where the code would not be shorter.

use std::sync::OnceLock;

use super::counts::COUNTS;
use crate::codec::ans::{Decoder, STATES, Table};
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
            Some((&phase, code)) if phase != RAW && code.len() < count => {
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
        let (count, phase, code) = match *self {
            Registers::Raw(registers) => {
                f(0, registers);
                return Ok(());
            }
            Registers::Coded(count, phase, code) => (count, phase, code),
        };
        let (table, lowered) = table(phase);
        let mut decoder = Decoder::new(table, code)?;
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

/// The most bytes of a body.
pub fn max_len(count: usize) -> usize {
    1 + count
}

/// The fewest bytes of a code: a bit a register. Random sets cost more when they are dense at all;
/// the bound limits what a few bytes can make a reader allocate.
fn min_code_len(count: usize) -> usize {
    count / 8
}

/// Writes the body for registers, of which not all are 0, to `out`, at least [`max_len`] bytes;
/// returns the length.
pub fn write(registers: &[u8], out: &mut [u8]) -> usize {
    let sum: usize = registers.iter().map(|&register| usize::from(register)).sum();
    let phase = (sum / registers.len()) as u8;
    let (table, lowered) = table(phase);
    let (count, body) = (registers.len(), &mut out[1..=registers.len()]);
    // A code that fills the body whole is no shorter than the registers.
    match table.encode(|i| registers[i].wrapping_sub(lowered), count, body) {
        Some(len) if len < count && len >= min_code_len(count) => {
            body[len..].fill(0);
            out[0] = phase;
            1 + len
        }
        _ => {
            body.copy_from_slice(registers);
            out[0] = RAW;
            1 + count
        }
    }
}

/// The table of a phase, and by how much registers are lowered before it applies.
fn table(phase: u8) -> (&'static Table, u8) {
    static TABLES: [OnceLock<Table>; COUNTS.len()] = [const { OnceLock::new() }; COUNTS.len()];
    let repeats = phase.saturating_sub(FIRST_REPEATED) / 4;
    let index = usize::from(phase - 4 * repeats);
    (TABLES[index].get_or_init(|| Table::new(&COUNTS[index])), 4 * repeats)
}

const _: () = assert!(BLOCK.is_multiple_of(STATES));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::ans::SIZE;
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
        let mut body = vec![0; max_len(registers.len())];
        let len = write(registers, &mut body);
        body.truncate(len);
        let parsed = Registers::parse(&body, registers.len()).unwrap();
        assert_eq!(parsed.to_vec().unwrap(), registers);
        body
    }

    #[test]
    fn counts_are_shares_of_the_tables() {
        for counts in &COUNTS {
            assert_eq!(counts.iter().map(|&c| usize::from(c)).sum::<usize>(), SIZE);
            assert!(counts[counts.len() - 1] > 0);
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
            // 4.005 bits each, the states, and 5 standard deviations of 1.5 bits a register.
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
        // The smallest tables are shorter than their states.
        for values in 1..200 {
            round_trip(&registers(Precision::MIN, values));
        }
    }
}
