//! Sketches as text, as PostgreSQL writes them.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::error::{Error, Result};

/// The text of a sketch: `\x` and two hexadecimal digits a byte. In `COPY` a backslash is doubled.
///
/// ```
/// assert_eq!(sketch::to_text(&[0x68, 1, 0, 12]), r"\x6801000c");
/// ```
pub fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    HEXLOWER.encode_append(bytes, &mut text);
    text
}

/// The bytes of a text that [`to_text`] or a server has written. They are not checked: parse them.
///
/// ```
/// assert_eq!(sketch::from_text(r"\x6801000C"), Ok(vec![0x68, 1, 0, 12]));
/// assert!(sketch::from_text("6801").is_err());
/// ```
pub fn from_text(text: &str) -> Result<Vec<u8>> {
    let digits = text.strip_prefix("\\x").map(str::as_bytes);
    digits.and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits).ok()).ok_or_else(|| {
        Error::bytes("malformed text of a sketch")
            .with_hint("A sketch is written as \\x and an even number of hexadecimal digits.")
    })
}
