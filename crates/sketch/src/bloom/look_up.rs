//! Membership, of which only the bytes that matter are read.

use super::geometry::Layout;
use super::split_block::{self, BLOCK_LEN};
use super::state::{BITS, BloomState, cut_all};
use super::view::{BloomRef, Body, Head, MAX_HEAD_LEN};
use super::{Bloom, Params, bits, classic};
use crate::error::Result;
use crate::filter::Membership;
use crate::hash::Value;
use crate::key_list::{self, cut};
use crate::sketch::View;
use crate::source::{Source, check_range};

impl BloomRef<'_> {
    /// Whether the filter may hold a value: `false` is certain. A value of another class than the
    /// filter's is an error.
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
    /// let seen = BloomRef::parse(&stored)?;
    /// assert!(seen.contains(Value::text("alice"))?);
    /// assert!(!seen.contains(Value::text("bob"))?);
    /// assert!(seen.contains(Value::number(1)).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn contains(&self, value: Value) -> Result<bool> {
        match &self.body {
            Body::Set(set) => {
                value.class().expect_held(self.class())?;
                let params = self.params();
                let bits = if params.is_unsized() { 64 } else { params.key_bits() };
                let key = cut(value.hash(), bits);
                // The slots of an untrusted state may be wrong, so scan all.
                Ok(set.iter().any(|held| held == key))
            }
            Body::Bits(bits, waiting) if self.head.at == 0 => {
                value.class().expect_held(self.class())?;
                Ok(holds_bits(bits, waiting, self.params(), value))
            }
            _ => self.head.look_up(&mut &*self.bytes, value),
        }
    }

    /// [`BloomRef::contains`] without the whole filter: of the source are read its first bytes, and
    /// then one block, or as many bytes as a value has bits, or one group of keys and its place in
    /// the directory.
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
    /// // A slice is a source; so may be a file.
    /// assert!(BloomRef::contains_in(&mut &stored[..], Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn contains_in(source: &mut (impl Source + ?Sized), value: Value) -> Result<bool> {
        let total = source.byte_len();
        match Head::read(source.head(MAX_HEAD_LEN)?, total)? {
            Some(head) => head.look_up(source, value),
            None => BloomRef::parse(source.read(0, total)?)?.contains(value),
        }
    }
}

impl Head {
    /// Looks a value up in a filter at rest.
    fn look_up(&self, source: &mut (impl Source + ?Sized), value: Value) -> Result<bool> {
        let Head { header, params, count, at } = *self;
        value.class().expect_held(header.class)?;
        let key = cut(value.hash(), params.key_bits());
        match count {
            Some(0) => return Ok(false),
            Some(count) => return key_list::contains(source, at, count, params.key_bits(), key),
            None => {}
        }
        let mixed = bits::mix(key);
        match params.layout() {
            Layout::SplitBlock { blocks } => {
                let block = at + BLOCK_LEN * split_block::block_of(key, blocks);
                check_range(block, BLOCK_LEN, source.byte_len())?;
                let block = source.read(block, BLOCK_LEN)?;
                Ok(block.first_chunk().is_some_and(|block| split_block::contains(block, mixed)))
            }
            Layout::Classic { bits, hashes } => {
                for position in classic::positions(mixed, bits, hashes.into()) {
                    let (byte, bit) = classic::split(position);
                    if source.read(at + byte, 1)?[0] & bit == 0 {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

impl Membership for Bloom {
    #[inline]
    fn holds(state: &BloomState, value: Value) -> Result<bool> {
        state.expect(value)?;
        let params = state.params();
        if state.mode < BITS {
            let (bits, _) = state.kept(params);
            return Ok(state.holds_key(cut(value.hash(), bits)));
        }
        let (waiting, bits) = state.waiting_and_bits(params);
        Ok(holds_bits(bits, waiting, params, value))
    }

    fn contains_in(source: &mut dyn Source, value: Value) -> Result<bool> {
        BloomRef::contains_in(source, value)
    }
}

fn holds_bits(held: &[u8], waiting: &[[u8; 8]], params: Params, value: Value) -> bool {
    let key = cut(value.hash(), params.key_bits());
    bits::contains(held, params.layout(), key) || cut_all(waiting, params).any(|other| other == key)
}
