//! The working form: a table of tokens, or registers.
//!
//! The precision is the parameter of the head, see [`crate::state`]. The body is a [`hash_set`]
//! of as many tokens as the head counts, or the registers.

use super::{Precision, register, token};
use crate::error::Result;
use crate::hash_set::{self, Place};
use crate::sketch::{Fit, Growth};
use crate::state::State;

/// The bytes of a token in the table.
pub(super) const SLOT: usize = 4;

/// A state of this type, which has no fields of its own.
pub(super) type HllState = State<()>;

/// The body is a table of tokens.
pub(super) const TOKENS: u8 = 0;
/// The body is registers.
pub(super) const REGISTERS: u8 = 1;

impl HllState {
    #[inline(always)]
    pub(super) fn precision(&self) -> Precision {
        Precision::of_state(self.parameter)
    }

    pub(super) fn set_precision(&mut self, precision: Precision) {
        self.parameter = precision.to_state();
    }

    /// What becomes of a state that needs registers.
    pub(super) fn registers(precision: Precision) -> Growth {
        Growth { len: Self::BODY_AT + precision.registers(), mode: REGISTERS }
    }

    /// The length of a state with room for `count` tokens.
    pub(super) fn tokens_len(count: usize) -> usize {
        Self::len_for(hash_set::table_len::<SLOT>(count))
    }

    /// The tokens of a table.
    pub(super) fn tokens(table: &[u8]) -> impl Iterator<Item = u32> + Clone {
        hash_set::iter::<SLOT>(table).map(|token| token as u32)
    }

    #[inline]
    pub(super) fn insert_token(&mut self, token: u32, precision: Precision) -> Fit {
        let Place::Free(slot) = hash_set::find::<SLOT>(&self.body, token.into()) else {
            return Fit::Done;
        };
        let count = self.count();
        if count >= precision.max_tokens() {
            return Fit::Needs(Self::registers(precision));
        }
        if count >= hash_set::room::<SLOT>(self.body.len()) {
            return Fit::Needs(Growth { len: Self::tokens_len(count + 1), mode: TOKENS });
        }
        hash_set::fill::<SLOT>(&mut self.body, slot, token.into());
        self.set_count(count + 1);
        Fit::Done
    }

    pub(super) fn merge_tokens(
        &mut self,
        tokens: impl Iterator<Item = Result<u32>>,
    ) -> Result<Fit> {
        let precision = self.precision();
        for token in tokens {
            if self.mode == REGISTERS {
                token::update_registers(&mut self.body, [token?], precision);
            } else if let Fit::Needs(growth) = self.insert_token(token?, precision) {
                return Ok(Fit::Needs(growth));
            }
        }
        Ok(Fit::Done)
    }

    /// Adds the registers of another sketch to its own.
    pub(super) fn merge_block(&mut self, at: usize, block: &[u8]) {
        register::merge(&mut self.body[at..at + block.len()], block);
    }
}
