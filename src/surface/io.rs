//! The doors: text and binary input and output, and the casts from and to bytea.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use pgrx::PgSqlErrorCode;
use sketch::Sketch;

use super::with_rest;
use crate::datum::varlena::{self, Builder, PIECE, check_for_interrupts};
use crate::datum::{Args, Returned};
use crate::error::SqlError;

/// A sketch from outside, checked.
fn accept<S: Sketch>(bytes: &[u8]) -> Returned {
    let sketch = sketch::parse_at_rest::<S>(bytes)?;
    varlena::build(S::rest_bound(&sketch)?, |out| Ok(sketch::accept::<S>(bytes, &sketch, out)?))
}

/// `T_in(cstring)`: hexadecimal digits behind `\x`.
pub fn input<S: Sketch>(args: &Args) -> Returned {
    let Some(text) = args.cstr(0) else { return Ok(None) };
    let code = PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION;
    let malformed = || {
        SqlError::new(
            code,
            "malformed text of a sketch".to_owned(),
            "A sketch is written as \\x and an even number of hexadecimal digits.",
        )
    };
    let digits = text.to_bytes().strip_prefix(b"\\x").ok_or_else(malformed)?;
    if digits.len() % 2 != 0 {
        return Err(malformed());
    }
    let mut bytes = Builder::new(digits.len() / 2)?;
    for (digits, bytes) in digits.chunks(2 * PIECE).zip(bytes.bytes().chunks_mut(PIECE)) {
        HEXLOWER_PERMISSIVE.decode_mut(digits, bytes).map_err(|_| malformed())?;
        check_for_interrupts();
    }
    accept::<S>(bytes.bytes()).map_err(|error| error.with_code(code))
}

/// `T_out(T)`.
pub fn output<S: Sketch>(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    with_rest::<S, _>(&bytes, |bytes| {
        varlena::cstring(2 + 2 * bytes.len(), |text| {
            let (start, digits) = text.split_at_mut(2);
            start.copy_from_slice(b"\\x");
            for (bytes, digits) in bytes.chunks(PIECE).zip(digits.chunks_mut(2 * PIECE)) {
                HEXLOWER.encode_mut(bytes, digits);
                check_for_interrupts();
            }
        })
    })
}

/// `T_recv(internal)`.
pub fn receive<S: Sketch>(args: &Args) -> Returned {
    args.message(0).map_or(Ok(None), accept::<S>)
}

/// `T_send(T)` and the cast to bytea.
pub fn send<S: Sketch>(args: &Args) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    with_rest::<S, _>(&bytes, varlena::copy)
}

/// The cast from bytea.
pub fn from_bytea<S: Sketch>(args: &Args) -> Returned {
    args.varlena(0).map_or(Ok(None), |bytes| accept::<S>(&bytes))
}

/// Exports what lets sketches in and out and what compares them, for a type without a modifier.
macro_rules! doors {
    ($name:literal: $sketch:ty) => {
        $crate::datum::args::export! {
            concat!("_", $name, "_in") => $crate::surface::io::input::<$sketch>,
            concat!("_", $name, "_recv") => $crate::surface::io::receive::<$sketch>,
            concat!("_", $name, "_from_bytea") => $crate::surface::io::from_bytea::<$sketch>,
        }
        $crate::surface::io::ways_out!($name: $sketch);
    };
}
pub(crate) use doors;

/// The part of [`doors`] that a type with a modifier has as well.
macro_rules! ways_out {
    ($name:literal: $sketch:ty) => {
        $crate::datum::args::export! {
            concat!("_", $name, "_out") => $crate::surface::io::output::<$sketch>,
            concat!("_", $name, "_send") => $crate::surface::io::send::<$sketch>,
            concat!("_", $name, "_to_bytea") => $crate::surface::io::send::<$sketch>,
            concat!("_", $name, "_eq") => $crate::surface::compare::equal::<$sketch>,
            concat!("_", $name, "_ne") => $crate::surface::compare::not_equal::<$sketch>,
            concat!("_", $name, "_lt") => $crate::surface::compare::less::<$sketch>,
            concat!("_", $name, "_le") => $crate::surface::compare::less_or_equal::<$sketch>,
            concat!("_", $name, "_gt") => $crate::surface::compare::greater::<$sketch>,
            concat!("_", $name, "_ge") => $crate::surface::compare::greater_or_equal::<$sketch>,
            concat!("_", $name, "_cmp") => $crate::surface::compare::compare::<$sketch>,
            concat!("_", $name, "_hash") => $crate::surface::compare::hash::<$sketch>,
            concat!("_", $name, "_hash_extended") =>
                $crate::surface::compare::hash_extended::<$sketch>,
        }
    };
}
pub(crate) use ways_out;
