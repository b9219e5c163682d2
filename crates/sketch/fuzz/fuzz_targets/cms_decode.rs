//! Feeds any bytes to everything that reads a sketch.

#![no_main]

#[path = "../checks/cms.rs"]
mod cms;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cms::check(bytes));
