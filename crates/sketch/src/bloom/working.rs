//! Building and merging.

use super::state::{BITS, BloomState, KEYS, LARGE_BITS, cut_all};
use super::view::{BloomRef, Body};
use super::{Params, bits, rest};
use crate::codec::SketchType;
use crate::error::{Error, Result};
use crate::filter::{Fields, MAX_GATHERED};
use crate::hash::Value;
use crate::key_list::cut;
use crate::key_set::{KeySet, TABLE};
use crate::sketch::{Fit, Growth, HashSketch, Sketch, View, private};

/// The type of Bloom filters: [`Owned<Bloom>`](crate::Owned) builds one, [`BloomRef`] reads one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bloom {}

impl private::Sealed for Bloom {}

impl Sketch for Bloom {
    const TYPE: SketchType = SketchType::Bloom;

    type Params = Params;
    type Fields = Fields<Bloom>;
    type Ref<'a> = BloomRef<'a>;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn parse(bytes: &[u8]) -> Result<BloomRef<'_>> {
        BloomRef::parse(bytes)
    }

    fn init(state: &mut BloomState, params: Params) {
        state.begin(Self::TYPE);
        state.set_empty(params);
    }

    fn params(state: &BloomState) -> Params {
        state.params()
    }

    fn merge(state: &mut BloomState, other: &BloomRef<'_>) -> Result<Fit> {
        let (own, its) = (state.params(), other.params());
        if other.is_empty() {
            if state.is_empty() {
                state.set_empty(own.preferred(its));
            }
            return Ok(Fit::Done);
        }
        if state.is_empty() {
            state.set_empty(its);
        } else {
            own.expect_same(its)?;
        }
        state.meet_class(other.class())?;
        match &other.body {
            Body::Keys(keys) => state.merge_hashes(keys.total(), keys.clone()),
            Body::Set(set) => state.merge_hashes(set.count, set.iter().map(Ok)),
            Body::Bits(..) if state.mode < BITS => Ok(Fit::Needs(BloomState::bits_growth(its))),
            Body::Bits(others, waiting) => {
                bits::unite(state.bits_mut(), others);
                bits::insert_all(state.bits_mut(), its.layout(), cut_all(waiting, its));
                Ok(Fit::Done)
            }
        }
    }

    fn grow(state: &BloomState, bigger: &mut BloomState, growth: Growth) {
        bigger.begin_as(state);
        bigger.mode = growth.mode;
        if growth.mode < BITS {
            bigger.copy_keys(state);
        } else {
            let layout = state.params().layout();
            bigger.set_count(0);
            let keys = KeySet::of_state(state).into_iter().flat_map(KeySet::iter);
            bits::insert_all(bigger.bits_mut(), layout, keys);
        }
    }

    fn thaw_len(sketch: &BloomRef<'_>) -> usize {
        thawed(sketch).len
    }

    fn thaw(sketch: &BloomRef<'_>, state: &mut BloomState) -> Result<()> {
        Self::init(state, sketch.params());
        state.mode = thawed(sketch).mode;
        if let Body::Bits(bits, _) = sketch.body {
            bits::check(bits, sketch.params())?;
        }
        if let Fit::Needs(_) = Self::merge(state, sketch)? {
            return Err(Error::bytes("a filter holds more keys than it says"));
        }
        // A value is looked for faster among sorted keys.
        if state.mode < BITS {
            state.sort_keys();
        }
        Ok(())
    }

    fn rest_bound(sketch: &BloomRef<'_>) -> Result<usize> {
        rest::bound(sketch)
    }

    fn rest(sketch: &BloomRef<'_>, out: &mut [u8]) -> Result<usize> {
        rest::write(sketch, out)
    }
}

impl HashSketch for Bloom {
    #[inline(always)]
    fn insert(state: &mut BloomState, value: Value) -> Result<Fit> {
        state.meet(value)?;
        if state.mode == LARGE_BITS {
            state.wait(value.hash());
            return Ok(Fit::Done);
        }
        state.insert_hash(value.hash())
    }
}

/// What a state is that holds what a sketch holds.
fn thawed(sketch: &BloomRef<'_>) -> Growth {
    let params = sketch.params();
    match sketch.key_count() {
        None => BloomState::bits_growth(params),
        Some(count) if params.is_unsized() => BloomState::keys_state(TABLE, count, MAX_GATHERED),
        Some(count) => BloomState::keys_state(KEYS, count, params.max_keys()),
    }
}

impl BloomState {
    /// How many bits of a hash are kept, and of how many distinct ones.
    #[inline]
    pub(super) fn kept(&self, params: Params) -> (u32, usize) {
        if self.is_gathering() {
            (64, MAX_GATHERED)
        } else {
            (params.key_bits(), params.max_keys())
        }
    }

    #[inline(never)]
    fn insert_hash(&mut self, hash: u64) -> Result<Fit> {
        let params = self.params();
        if self.mode == BITS {
            bits::insert(&mut self.body, params.layout(), cut(hash, params.key_bits()));
            return Ok(Fit::Done);
        }
        let (bits, most) = self.kept(params);
        self.insert_key(cut(hash, bits), most).fit(|| self.too_many_keys())
    }

    fn merge_hashes(
        &mut self,
        said: usize,
        hashes: impl Iterator<Item = Result<u64>>,
    ) -> Result<Fit> {
        let params = self.params();
        let (bits, most) = self.kept(params);
        let keys = hashes.map(|hash| Ok(cut(hash?, bits)));
        if self.mode >= BITS {
            bits::try_insert_all(self.bits_mut(), params.layout(), keys)?;
            return Ok(Fit::Done);
        }
        self.merge_keys(said, keys, most)?.fit(|| self.too_many_keys())
    }

    /// Bits are the way out, but for a filter without a capacity.
    #[cold]
    fn too_many_keys(&self) -> Result<Fit> {
        if self.is_gathering() {
            rest::check_gathered(self.count())?;
        }
        Ok(Fit::Needs(Self::bits_growth(self.params())))
    }
}
