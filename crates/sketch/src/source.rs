//! Bytes of which a reader may want only a few.

use crate::error::{Error, Result};

/// The bytes of a sketch, read in parts: a slice, or a stored value of which any part can be
/// fetched without the rest.
pub trait Source {
    /// The number of bytes.
    fn byte_len(&self) -> usize;

    /// The `len` bytes from `at` on; an error where the source has not so many.
    fn read(&mut self, at: usize, len: usize) -> Result<&[u8]>;

    /// Up to `len` bytes from the front.
    fn head(&mut self, len: usize) -> Result<&[u8]> {
        self.read(0, len.min(self.byte_len()))
    }
}

impl Source for &[u8] {
    #[inline]
    fn byte_len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn read(&mut self, at: usize, len: usize) -> Result<&[u8]> {
        check_range(at, len, self.len())?;
        Ok(&self[at..at + len])
    }
}

/// Checks that a source of `total` bytes has the `len` bytes from `at` on.
#[inline]
pub fn check_range(at: usize, len: usize, total: usize) -> Result<()> {
    match at.checked_add(len) {
        Some(end) if end <= total => Ok(()),
        _ => Err(Error::bytes(format!(
            "the sketch has {total} bytes, of which the {len} from {at} on are missing"
        ))),
    }
}
