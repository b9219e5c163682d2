//! Feeds any bytes to everything that reads a filter.

#![no_main]

#[path = "../checks/bloom.rs"]
mod bloom;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bloom::check(bytes));
