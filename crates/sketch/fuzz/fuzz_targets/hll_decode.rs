//! Feeds any bytes to everything that reads a sketch.

#![no_main]

#[path = "../checks/hll.rs"]
mod hll;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hll::check(bytes));
