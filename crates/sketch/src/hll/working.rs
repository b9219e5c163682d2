//! Building and merging.

use super::state::{HllState, REGISTERS};
use super::view::{Body, HllRef};
use super::{Precision, register, rest, token};
use crate::codec::SketchType;
use crate::error::{Error, Result};
use crate::hash::Value;
use crate::owned::Owned;
use crate::sketch::{Fit, Growth, HashSketch, Sketch, View, private};

/// The type of distinct-count sketches: [`Owned<Hll>`](crate::Owned) builds one, [`HllRef`] reads
/// one.
#[derive(Clone, Copy, Debug)]
pub enum Hll {}

impl private::Sealed for Hll {}

impl Sketch for Hll {
    const TYPE: SketchType = SketchType::Hll;

    type Params = Precision;
    type Fields = ();
    type Ref<'a> = HllRef<'a>;

    const DEFAULT_PARAMS: Precision = Precision::DEFAULT;

    fn parse(bytes: &[u8]) -> Result<HllRef<'_>> {
        HllRef::parse(bytes)
    }

    fn init(state: &mut HllState, precision: Precision) {
        state.begin(SketchType::Hll);
        state.set_precision(precision);
    }

    fn params(state: &HllState) -> Precision {
        state.precision()
    }

    fn merge(state: &mut HllState, other: &HllRef<'_>) -> Result<Fit> {
        let own = state.precision();
        let is_empty = state.mode != REGISTERS && state.count() == 0;
        if other.is_empty() {
            // Of two empty sketches the lower precision stays, in whatever order they meet.
            state.set_precision(if is_empty { own.min(other.precision) } else { own });
            return Ok(Fit::Done);
        }
        if own != other.precision {
            if !is_empty {
                return Err(own.mismatch(other.precision));
            }
            state.set_precision(other.precision);
        }
        state.meet_class(other.class())?;
        match &other.body {
            Body::Tokens(_, tokens) => state.merge_tokens(tokens.clone()),
            Body::TokenTable(_, table) => state.merge_tokens(HllState::tokens(table).map(Ok)),
            Body::Registers(registers) if state.mode == REGISTERS => {
                registers.visit(|at, block| state.merge_block(at, block))?;
                Ok(Fit::Done)
            }
            Body::Registers(_) => Ok(Fit::Needs(HllState::registers(other.precision))),
        }
    }

    fn grow(state: &HllState, bigger: &mut HllState, growth: Growth) {
        let precision = state.precision();
        let tokens = HllState::tokens(&state.body);
        bigger.begin_as(state);
        bigger.mode = growth.mode;
        bigger.set_count(0);
        if growth.mode == REGISTERS {
            token::update_registers(&mut bigger.body, tokens, precision);
        } else {
            for token in tokens {
                let fit = bigger.insert_token(token, precision);
                assert_eq!(fit, Fit::Done, "a bigger table holds what the smaller one held");
            }
        }
    }

    fn thaw_len(sketch: &HllRef<'_>) -> usize {
        match sketch.body {
            Body::Tokens(count, _) | Body::TokenTable(count, _) => HllState::tokens_len(count),
            Body::Registers(_) => HllState::registers(sketch.precision).len,
        }
    }

    fn thaw(sketch: &HllRef<'_>, state: &mut HllState) -> Result<()> {
        Self::init(state, sketch.precision);
        if let Body::Registers(_) = sketch.body {
            state.mode = REGISTERS;
        }
        match Self::merge(state, sketch)? {
            Fit::Done => Ok(()),
            Fit::Needs(_) => Err(Error::bytes("a sketch holds more tokens than it says")),
        }
    }

    fn rest_bound(sketch: &HllRef<'_>) -> Result<usize> {
        Ok(rest::bound(sketch))
    }

    fn rest(sketch: &HllRef<'_>, out: &mut [u8]) -> Result<usize> {
        rest::write(&sketch.content()?, sketch.class(), sketch.precision, out)
    }
}

impl HashSketch for Hll {
    #[inline(always)]
    fn insert(state: &mut HllState, value: Value) -> Result<Fit> {
        state.meet(value)?;
        let precision = state.precision();
        if state.mode == REGISTERS {
            let (index, level) = register::place(value.hash(), precision);
            register::update(&mut state.body[index], level);
            return Ok(Fit::Done);
        }
        Ok(state.insert_token(token::of_hash(value.hash(), precision), precision))
    }
}

impl Owned<Hll> {
    /// The registers, once there are any: for simulations of sets too large to be added value by
    /// value.
    #[doc(hidden)]
    pub fn registers(&mut self) -> Option<&mut [u8]> {
        let state = self.state();
        (state.mode == REGISTERS).then_some(&mut state.body)
    }
}
