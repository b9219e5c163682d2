//! What must hold for any bytes that are offered as a sketch, a module for each type. The fuzz target
//! and the tests of the crate share it.

pub mod bloom;
pub mod cms;
pub mod cuckoo;
pub mod hash_ring;
pub mod hll;

/// Checks bytes as a sketch of the type that their first letter names, or of every type.
#[allow(dead_code, reason = "the tests of the crate check each type by itself")]
pub fn check(bytes: &[u8]) {
    match bytes.first() {
        Some(b'h') => hll::check(bytes),
        Some(b'b') => bloom::check(bytes),
        Some(b'c') => cuckoo::check(bytes),
        Some(b'm') => cms::check(bytes),
        Some(b'r') => hash_ring::check(bytes),
        _ => [hll::check, bloom::check, cuckoo::check, cms::check, hash_ring::check]
            .iter()
            .for_each(|check| check(bytes)),
    }
}
