//! Feeds any bytes to everything that reads a sketch.

#![no_main]

#[path = "../checks/cuckoo.rs"]
mod cuckoo;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cuckoo::check(bytes));
