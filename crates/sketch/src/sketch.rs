//! What every sketch type can do, so that one aggregate layer serves them all.

use crate::codec::header::is_working;
use crate::error::{Error, Result};
use crate::hash::ValueClass;

/// Whether a change found room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Fit {
    /// The state holds it.
    Done,
    /// The state is too small: [`Sketch::grow`] it to so many bytes and call again. The change has
    /// so far changed nothing, or nothing that repeating it would change.
    Needs(usize),
}

/// A sketch type: how its working form is made, changed, grown and brought to rest.
///
/// States are slices that the caller owns. A state is in the working form; `bytes` may be in any
/// of the four forms. Nothing here panics on any `bytes`.
pub trait Sketch {
    /// What fixes the size and the error of a sketch.
    type Params: Copy;

    /// The parameters where the user gives none.
    const DEFAULT_PARAMS: Self::Params;

    /// The length of a new state.
    fn initial_len(params: Self::Params) -> usize;

    /// Makes `state`, of [`Sketch::initial_len`] zero bytes, an empty sketch.
    fn init(state: &mut [u8], params: Self::Params);

    /// Adds a value, given its class and hash.
    fn insert(state: &mut [u8], class: ValueClass, hash: u64) -> Result<Fit>;

    /// Adds everything that another sketch holds.
    fn merge(state: &mut [u8], bytes: &[u8]) -> Result<Fit>;

    /// Copies a state into `bigger`, zero bytes of the length that [`Fit::Needs`] named.
    fn grow(state: &[u8], bigger: &mut [u8]);

    /// The length of the state that [`Sketch::thaw`] needs.
    fn thaw_len(bytes: &[u8]) -> Result<usize>;

    /// Turns a sketch of any form into a state of [`Sketch::thaw_len`] zero bytes.
    fn thaw(bytes: &[u8], state: &mut [u8]) -> Result<()>;

    /// Enough bytes for what [`Sketch::rest`] writes.
    fn rest_bound(bytes: &[u8]) -> Result<usize>;

    /// Writes the canonical form at rest to `out`, at least [`Sketch::rest_bound`] zero bytes, and
    /// returns its length. Checks everything: what comes out is a valid sketch.
    fn rest(bytes: &[u8], out: &mut [u8]) -> Result<usize>;
}

/// Brings a sketch that came from outside to its form for rest.
///
/// Any form is taken, but bytes that claim to be at rest must already be the canonical ones, so
/// that equal sketches have equal bytes.
pub fn accept<S: Sketch>(bytes: &[u8], out: &mut [u8]) -> Result<usize> {
    let len = S::rest(bytes, out)?;
    if !is_working(bytes) && out[..len] != *bytes {
        return Err(Error::bytes("the sketch is not in its canonical form")
            .with_hint("Bytes at rest must be exactly those that the extension writes."));
    }
    Ok(len)
}
