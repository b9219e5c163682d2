//! Codes that the types share: the header, and numbers packed into bits.

pub mod bits;
pub mod header;
pub mod huffman;
pub mod params;

pub use header::{Form, Header, SketchType};
