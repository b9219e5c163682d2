//! A sketch that owns its bytes.

use std::marker::PhantomData;

use crate::error::Result;
use crate::hash::ValueClass;
use crate::sketch::{Fit, Sketch};

/// A sketch in the working form, in memory of its own that grows as it must: for programs that
/// build sketches outside of a database.
///
/// ```
/// use sketch::Owned;
/// use sketch::bloom::{self, Bloom, Params};
/// use sketch::hash::{self, ValueClass};
///
/// # fn main() -> sketch::Result<()> {
/// let mut seen = Owned::<Bloom>::new(Params::new(1000, 0.01)?);
/// seen.insert(ValueClass::Text, hash::bytes(b"alice"))?;
/// let stored = seen.rest()?;
/// assert!(bloom::contains(&mut &stored[..], ValueClass::Text, hash::bytes(b"alice"))?);
/// # Ok(())
/// # }
/// ```
pub struct Owned<S> {
    state: Vec<u8>,
    sketch: PhantomData<S>,
}

impl<S: Sketch> Owned<S> {
    /// An empty sketch.
    pub fn new(params: S::Params) -> Self {
        let mut state = vec![0; S::initial_len(params)];
        S::init(&mut state, params);
        Owned { state, sketch: PhantomData }
    }

    /// A copy of a sketch of any form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut state = vec![0; S::thaw_len(bytes)?];
        S::thaw(bytes, &mut state)?;
        Ok(Owned { state, sketch: PhantomData })
    }

    /// Adds a value, given its class and hash.
    #[inline]
    pub fn insert(&mut self, class: ValueClass, hash: u64) -> Result<()> {
        self.apply(|state| S::insert(state, class, hash))
    }

    /// Adds everything that another sketch, of any form, holds.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        self.apply(|state| S::merge(state, bytes))
    }

    /// Applies a change, in a bigger state where it finds no room.
    #[inline]
    pub fn apply(&mut self, change: impl Fn(&mut [u8]) -> Result<Fit>) -> Result<()> {
        while let Fit::Needs(len) = change(&mut self.state)? {
            let mut bigger = vec![0; len];
            S::grow(&self.state, &mut bigger);
            self.state = bigger;
        }
        Ok(())
    }

    /// The bytes in the working form.
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// The bytes at rest, canonical and ready to be stored.
    pub fn rest(&self) -> Result<Vec<u8>> {
        rest::<S>(&self.state)
    }
}

/// The bytes at rest of a sketch of any form.
pub fn rest<S: Sketch>(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = vec![0; S::rest_bound(bytes)?];
    let len = S::rest(bytes, &mut out)?;
    out.truncate(len);
    Ok(out)
}
