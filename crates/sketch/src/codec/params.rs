//! Parameters and counts: small serde structs, written by bincode in one fixed configuration.
//!
//! Numbers of one byte are that byte; wider ones are little endian in bincode's variable-length
//! form, a byte below 251, else a byte that tells the width (251: two bytes, 252: four, 253:
//! eight) and the number.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// More bytes than any parameter struct has.
pub const MAX_LEN: usize = 64;

/// The most bytes that a number below 2^32 takes.
pub const MAX_COUNT_LEN: usize = 5;

const CONFIG: Configuration<LittleEndian, Varint, Limit<MAX_LEN>> =
    bincode::config::standard().with_limit::<MAX_LEN>();

/// Reads a struct from the front of `bytes`; returns it and the bytes behind it.
pub fn read<P: DeserializeOwned>(bytes: &[u8]) -> Result<(P, &[u8])> {
    bincode::serde::decode_from_slice(bytes, CONFIG)
        .map(|(params, len)| (params, &bytes[len..]))
        .map_err(|_| Error::bytes("the parameters of the sketch are malformed"))
}

/// Writes a struct to the front of `out`; returns how many bytes it took.
///
/// # Panics
///
/// If `out` is too small: callers size it by [`MAX_LEN`] or by the struct.
pub fn write<P: Serialize>(params: P, out: &mut [u8]) -> usize {
    bincode::serde::encode_into_slice(params, out, CONFIG).expect("room for the parameters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_documented() {
        let mut out = [0xff; MAX_LEN];
        for (number, bytes) in [
            (0u32, &[0][..]),
            (250, &[250]),
            (251, &[251, 251, 0]),
            (65_535, &[251, 255, 255]),
            (65_536, &[252, 0, 0, 1, 0]),
        ] {
            assert_eq!(write(number, &mut out), bytes.len());
            assert_eq!(&out[..bytes.len()], bytes);
            assert_eq!(read::<u32>(bytes), Ok((number, &[][..])));
        }
        assert_eq!(write(13u8, &mut out), 1);
        assert_eq!(out[0], 13);
        assert!(read::<u32>(&[253, 0, 0, 0, 0, 1, 0, 0, 0]).is_err());
        assert!(read::<u32>(&[251, 1]).is_err());
        assert!(read::<u8>(&[]).is_err());
    }
}
