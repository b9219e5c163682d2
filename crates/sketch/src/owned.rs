//! A sketch that owns its bytes.

use std::fmt;
use std::marker::PhantomData;

use crate::error::{Error, ErrorKind, Result};
use crate::hash::Value;
use crate::sketch::{Fit, HashSketch, Sketch, View};
use crate::state::State;

/// A sketch in the working form, in memory of its own that grows as it must: for programs that
/// build sketches outside of a database.
///
/// ```
/// use sketch::Owned;
/// use sketch::bloom::{Bloom, BloomRef, Params};
/// use sketch::hash::Value;
///
/// # fn main() -> sketch::Result<()> {
/// let mut seen = Owned::<Bloom>::new(Params::new(1000, 0.01)?);
/// seen.insert(Value::text("alice"))?;
/// let stored = seen.rest()?;
/// assert!(BloomRef::parse(&stored)?.contains(Value::text("alice"))?);
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
        Self::new_by(params, S::init)
    }

    /// An empty sketch, made by another function than [`Sketch::init`].
    pub(crate) fn new_by(
        params: S::Params,
        init: impl FnOnce(&mut State<S::Fields>, S::Params),
    ) -> Self {
        let mut state = vec![0; S::initial_len(params)];
        init(State::of(&mut state), params);
        Owned { state, sketch: PhantomData }
    }

    /// A copy of a sketch of any form, as a database stores it, say.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let sketch = S::parse(bytes)?;
        let mut state = vec![0; S::thaw_len(&sketch)];
        S::thaw(&sketch, State::of(&mut state))?;
        Ok(Owned { state, sketch: PhantomData })
    }

    /// Adds everything that another sketch, of any form, holds.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        let other = S::parse(bytes)?;
        self.apply(|state| S::merge(state, &other))
    }

    /// Applies a change, in a bigger state where it finds no room.
    #[inline]
    pub(crate) fn apply(
        &mut self,
        mut change: impl FnMut(&mut State<S::Fields>) -> Result<Fit>,
    ) -> Result<()> {
        while let Fit::Needs(growth) = change(self.state())? {
            let mut bigger = vec![0; growth.len];
            S::grow(self.state(), State::of(&mut bigger), growth);
            self.state = bigger;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn state(&mut self) -> &mut State<S::Fields> {
        State::of(&mut self.state)
    }

    #[inline]
    pub(crate) fn trusted(&self) -> &State<S::Fields> {
        State::trusted(&self.state)
    }

    /// The bytes in the working form: any function that reads sketches takes them, but they are
    /// not to be stored.
    pub fn working(&self) -> &[u8] {
        &self.state
    }

    /// The bytes at rest, canonical and ready to be stored.
    pub fn rest(&self) -> Result<Vec<u8>> {
        rest::<S>(&self.state)
    }
}

impl<S: HashSketch> Owned<S> {
    /// Adds a value.
    #[inline]
    pub fn insert(&mut self, value: Value) -> Result<()> {
        self.apply(|state| S::insert(state, value))
    }
}

impl<S> Clone for Owned<S> {
    fn clone(&self) -> Self {
        Owned { state: self.state.clone(), sketch: PhantomData }
    }
}

impl<S: Sketch> fmt::Debug for Owned<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = S::parse(&self.state).ok().and_then(|sketch| sketch.class());
        f.debug_struct("Owned").field("class", &class).field("bytes", &self.state.len()).finish()
    }
}

/// The bytes at rest of a sketch of any form.
pub fn rest<S: Sketch>(bytes: &[u8]) -> Result<Vec<u8>> {
    rest_of::<S>(&S::parse(bytes)?)
}

/// The same of one that was parsed.
pub(crate) fn rest_of<S: Sketch>(sketch: &S::Ref<'_>) -> Result<Vec<u8>> {
    let mut out = zeroed(S::rest_bound(sketch)?)?;
    let len = S::rest(sketch, &mut out)?;
    out.truncate(len);
    Ok(out)
}

/// Zeros; an error where there is no memory for them, which would otherwise end the program.
pub(crate) fn zeroed<T: Clone + Default>(count: usize) -> Result<Vec<T>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(count).map_err(|_| {
        Error::new(ErrorKind::Limit, format!("no memory for {} bytes", count * size_of::<T>()))
    })?;
    zeros.resize(count, T::default());
    Ok(zeros)
}
