//! What every sketch type can do, so that one aggregate layer serves them all.

use std::cmp::Ordering;
use std::fmt;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::codec::header::is_working;
use crate::codec::{Form, Header, SketchType};
use crate::error::{Error, Result};
use crate::hash::{Value, ValueClass};
use crate::state::{Fields, State};

/// Whether a change found room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Fit {
    /// The state holds it.
    Done,
    /// The state is too small: [`Sketch::grow`] it and call again. The change has so far changed
    /// nothing, or nothing that repeating it would change.
    Needs(Growth),
}

/// What a state is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The length in bytes.
    pub len: usize,
    /// The mode that the state then has, a number of the type's own.
    pub(crate) mode: u8,
}

/// A sketch of any form, read where it lies.
pub trait View {
    /// The header.
    #[doc(hidden)]
    fn header(&self) -> Header;

    /// The length in bytes, without what a container adds.
    fn byte_len(&self) -> usize;

    /// Whether the sketch holds nothing.
    fn is_empty(&self) -> bool;

    /// The form.
    fn form(&self) -> Form {
        self.header().form
    }

    /// The class of the values, once there are any.
    fn class(&self) -> Option<ValueClass> {
        self.header().class
    }
}

/// A sketch type: how its working form is made, changed, grown and brought to rest.
///
/// [`Owned`](crate::Owned) does all this with memory of its own. Who has memory to offer, a
/// database say, calls it on a [`State`]. Bytes that may have come from anywhere are parsed first;
/// nothing here panics on what parsing has let through.
pub trait Sketch: Sized + private::Sealed {
    /// The type.
    #[doc(hidden)]
    const TYPE: SketchType;

    /// What fixes the size and the error of a sketch.
    type Params: Copy + PartialEq + fmt::Display + 'static;

    /// The type's own fields in a state.
    type Fields: Fields;

    /// A sketch of any form, read where it lies.
    type Ref<'a>: View;

    /// The parameters where the user gives none.
    const DEFAULT_PARAMS: Self::Params;

    /// Reads the head of a sketch of any form, and checks the length. What it holds is checked as
    /// it is read, and all of it when the sketch is brought to rest.
    fn parse(bytes: &[u8]) -> Result<Self::Ref<'_>>;

    /// The length of a new state.
    fn initial_len(_params: Self::Params) -> usize {
        crate::state::INITIAL_LEN
    }

    /// Makes `state`, of [`Sketch::initial_len`] zero bytes, an empty sketch.
    fn init(state: &mut State<Self::Fields>, params: Self::Params);

    /// The parameters of a state.
    fn params(state: &State<Self::Fields>) -> Self::Params;

    /// Adds everything that another sketch holds.
    fn merge(state: &mut State<Self::Fields>, other: &Self::Ref<'_>) -> Result<Fit>;

    /// Copies a state into `bigger`, zero bytes of the length that [`Fit::Needs`] named.
    fn grow(state: &State<Self::Fields>, bigger: &mut State<Self::Fields>, growth: Growth);

    /// The length of the state that [`Sketch::thaw`] needs.
    fn thaw_len(sketch: &Self::Ref<'_>) -> usize;

    /// Turns a sketch of any form into a state of [`Sketch::thaw_len`] zero bytes.
    fn thaw(sketch: &Self::Ref<'_>, state: &mut State<Self::Fields>) -> Result<()>;

    /// Enough bytes for what [`Sketch::rest`] writes.
    fn rest_bound(sketch: &Self::Ref<'_>) -> Result<usize>;

    /// Writes the canonical form at rest to `out`, at least [`Sketch::rest_bound`] zero bytes, and
    /// returns its length. Checks everything: what comes out is a valid sketch.
    fn rest(sketch: &Self::Ref<'_>, out: &mut [u8]) -> Result<usize>;

    /// Compares two sketches at rest. The order means nothing, but it is total, and sketches that
    /// hold the same are equal.
    fn compare(a: &[u8], b: &[u8]) -> Result<Ordering> {
        Ok(a.cmp(b))
    }

    /// A hash of a sketch at rest, the same for equal ones.
    fn content_hash(bytes: &[u8], seed: u64) -> Result<u64> {
        Ok(xxh3_64_with_seed(bytes, seed))
    }
}

/// A sketch that keeps nothing of a value but its hash.
pub trait HashSketch: Sketch {
    /// Adds a value.
    fn insert(state: &mut State<Self::Fields>, value: Value) -> Result<Fit>;
}

pub(crate) mod private {
    /// Types of this crate.
    pub trait Sealed {}
}

/// [`Sketch::parse`] for bytes from outside, where only forms for rest come from.
pub fn parse_at_rest<S: Sketch>(bytes: &[u8]) -> Result<S::Ref<'_>> {
    if !is_working(bytes) {
        return S::parse(bytes);
    }
    Err(Error::bytes("the bytes are the state of an aggregate, not a sketch at rest")
        .with_hint("Take the result of the aggregate, or of its final function."))
}

/// Checks a sketch that [`parse_at_rest`] has read, and writes it to `out`, at least
/// [`Sketch::rest_bound`] zero bytes; returns the length.
///
/// Only canonical bytes pass, so that equal sketches have equal bytes.
pub fn accept<S: Sketch>(bytes: &[u8], sketch: &S::Ref<'_>, out: &mut [u8]) -> Result<usize> {
    let len = S::rest(sketch, out)?;
    if out[..len] != *bytes {
        return Err(Error::bytes("the sketch is not in its canonical form")
            .with_hint("Bytes at rest must be exactly those that the extension writes."));
    }
    Ok(len)
}
