//! Feeds any bytes to everything that reads a sketch of the type that they say they are of.

#![no_main]

#[path = "../checks/mod.rs"]
#[allow(dead_code, reason = "the tests of the crate also build sketches with it")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::check(bytes));
