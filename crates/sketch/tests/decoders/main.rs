//! Any bytes are refused or make a valid sketch: for each type what the fuzz target checks, over its
//! corpus and over random damage to sketches of every form, for `SKETCH_FUZZ_SECONDS` (20 unless
//! set), all types side by side.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;
mod damage;

mod bloom;
mod cms;
mod cuckoo;
mod hash_ring;
mod hll;
