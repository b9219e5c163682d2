//! Building and merging.

use super::cells::Change;
use super::entries::key_of;
use super::state::{CmsFields, CmsState, LIST, wrong_entries};
use super::table::{Body, Part};
use super::view::CmsRef;
use super::{Params, merge, rest};
use crate::codec::SketchType;
use crate::error::Result;
use crate::hash::Value;
use crate::sketch::{Fit, Growth, HashSketch, Sketch, private};

/// The type of frequency sketches: [`Owned<Cms>`](crate::Owned) builds one, [`CmsRef`] reads one.
#[derive(Clone, Copy, Debug)]
pub enum Cms {}

impl private::Sealed for Cms {}

impl Sketch for Cms {
    const TYPE: SketchType = SketchType::Cms;

    type Params = Params;
    type Fields = CmsFields;
    type Ref<'a> = CmsRef<'a>;

    const DEFAULT_PARAMS: Params = Params::DEFAULT;

    fn parse(bytes: &[u8]) -> Result<CmsRef<'_>> {
        CmsRef::parse(bytes)
    }

    fn init(state: &mut CmsState, params: Params) {
        state.make(params, LIST);
    }

    fn params(state: &CmsState) -> Params {
        state.params()
    }

    fn merge(state: &mut CmsState, other: &CmsRef<'_>) -> Result<Fit> {
        merge::merge(state, other)
    }

    fn grow(state: &CmsState, bigger: &mut CmsState, growth: Growth) {
        bigger.begin_as(state);
        bigger.mode = growth.mode;
        bigger.set_count(0);
        let read = Body::of_state(state).visit(
            #[inline(always)]
            |part| merge::step(bigger, &part, Change::Add),
        );
        assert_eq!(read, Ok(()));
    }

    fn thaw_len(sketch: &CmsRef<'_>) -> usize {
        match &sketch.body {
            Body::Entries(entries) => CmsState::list(entries.count(), sketch.mode).len,
            Body::Table(_) => CmsState::cells(sketch.params, sketch.mode.into()).len,
        }
    }

    fn thaw(sketch: &CmsRef<'_>, state: &mut CmsState) -> Result<()> {
        state.make(sketch.params, sketch.mode);
        if merge::merge(state, sketch)? == Fit::Done { Ok(()) } else { Err(wrong_entries()) }
    }

    fn rest_bound(sketch: &CmsRef<'_>) -> Result<usize> {
        Ok(rest::bound(sketch))
    }

    fn rest(sketch: &CmsRef<'_>, out: &mut [u8]) -> Result<usize> {
        rest::write(sketch, out)
    }
}

impl HashSketch for Cms {
    #[inline(always)]
    fn insert(state: &mut CmsState, value: Value) -> Result<Fit> {
        Cms::raise(state, value, 1)
    }
}

impl Cms {
    /// Adds a value `by` times, from 1 to 2^63 - 1.
    #[inline(always)]
    pub(super) fn raise(state: &mut CmsState, value: Value, by: u64) -> Result<Fit> {
        state.meet(value)?;
        let total = state.total_with(by)?;
        if !merge::step(state, &Part::Entry(key_of(value), by), Change::Add) {
            return if state.is_list() { state.reserve(1) } else { merge::widen(state, by) };
        }
        state.fields.total.set(total);
        Ok(Fit::Done)
    }
}
