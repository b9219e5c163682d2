//! The set of keys of a filter's state: what it holds of its values while it keeps their hashes.
//!
//! The body is a [`hash_set`] of as many keys as the head counts, as long as that lies in a core's
//! cache. In a larger one every key would wait for memory; there the body is a *log*, to which keys
//! are added whether it has them or not, and which is sorted and deduplicated when it is full. A log
//! begins with the number (u64) of its keys, from the front, that are sorted and distinct, and the
//! head counts all its keys, repeats among them. Keys take eight bytes, little endian, and are not
//! 0.

use crate::error::{Error, Result};
use crate::filter::{Fields, Filter, MAX_STATE_LEN};
use crate::hash_set::{self, Place};
use crate::interrupt::Pace;
use crate::sketch::{Fit, Growth};
use crate::sort::{dedup, sort};
use crate::state::State;

/// The mode of a state with a table of keys. A type may have several such modes, all even.
pub const TABLE: u8 = 0;
/// The mode of a state with a log. One follows each mode of a table.
pub const LOG: u8 = 1;

/// States with tables are shorter: half of what a core's cache holds.
const MIN_LOG_LEN: usize = 256 << 10;
/// The number of sorted keys at the front of a log.
const FRONT_LEN: usize = 8;

/// What became of keys that were to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Added {
    /// The set holds them.
    Done,
    /// The state has to grow first.
    Needs(Growth),
    /// The set would have more keys than it may.
    TooMany,
}

impl Added {
    /// As the outcome of a change, given what comes of too many keys.
    #[inline(always)]
    pub fn fit(self, too_many: impl FnOnce() -> Result<Fit>) -> Result<Fit> {
        match self {
            Added::Done => Ok(Fit::Done),
            Added::Needs(growth) => Ok(Fit::Needs(growth)),
            Added::TooMany => too_many(),
        }
    }
}

#[inline(always)]
fn is_log(mode: u8) -> bool {
    mode % 2 == LOG
}

impl<K: Filter> State<Fields<K>> {
    /// Adds a key to a set of at most `most` distinct ones.
    #[inline(always)]
    pub(crate) fn insert_key(&mut self, key: u64, most: usize) -> Added {
        let count = self.count();
        if is_log(self.mode) {
            if let Some(slot) = slots_mut(&mut self.body).get_mut(count) {
                *slot = key.to_le_bytes();
                self.set_count(count + 1);
                return Added::Done;
            }
        } else {
            match hash_set::find::<8>(&self.body, key) {
                Place::Held(_) => return Added::Done,
                Place::Free(_) if count >= most => return Added::TooMany,
                Place::Free(slot) if count < hash_set::room::<8>(self.body.len()) => {
                    hash_set::fill::<8>(&mut self.body, slot, key);
                    self.set_count(count + 1);
                    return Added::Done;
                }
                Place::Free(_) => {}
            }
        }
        self.insert_key_with_room(key, most)
    }

    #[cold]
    #[inline(never)]
    fn insert_key_with_room(&mut self, key: u64, most: usize) -> Added {
        match self.make_room(1, most) {
            Added::Done => self.insert_key(key, most),
            needs => needs,
        }
    }

    /// Adds keys, of which there are said to be `said`.
    pub(crate) fn merge_keys(
        &mut self,
        said: usize,
        keys: impl Iterator<Item = Result<u64>>,
        most: usize,
    ) -> Result<Added> {
        if self.count() + said > room(self.mode, self.body.len()) {
            match self.make_room(said, most) {
                Added::Done => {}
                needs => return Ok(needs),
            }
        }
        let mut pace = Pace::default();
        for key in keys {
            pace.step(32);
            match self.insert_key(key?, most) {
                Added::Done => {}
                needs => return Ok(needs),
            }
        }
        Ok(Added::Done)
    }

    /// Makes room for `more` keys, or as many of them as a set may have, by sorting a log, or says
    /// what the state must become.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, more: usize, most: usize) -> Added {
        let now = room(self.mode, self.body.len());
        let grown = |state: &Self, count| {
            let growth = Self::keys_growth(state.mode, count, most);
            (growth.mode != state.mode || growth.len > state.bytes().len()).then_some(growth)
        };
        if !is_log(self.mode) {
            return grown(self, self.count() + more).map_or(Added::Done, Added::Needs);
        }
        let bigger = grown(self, (now + 1).max(self.count() + more));
        // A log is sorted when it has four times the keys that were left the last time, so that
        // sorting costs little for each.
        if let Some(bigger) = bigger
            && now < 4 * front(&self.body)
        {
            return Added::Needs(bigger);
        }
        self.sort_keys();
        let count = self.count();
        if count > most {
            return Added::TooMany;
        }
        let is_short = count + more > now || count > now / 4 * 3;
        let bigger = grown(self, (now + 1).max(count + more)).filter(|_| is_short);
        bigger.map_or(Added::Done, Added::Needs)
    }

    /// What a state becomes that is to have room for `count` keys, of which at most `most` are
    /// distinct.
    pub(crate) fn keys_growth(mode: u8, count: usize, most: usize) -> Growth {
        // More room than there can be keys only saves a log from being sorted for every few.
        let count = count.min(longest_log(most));
        let len = Self::len_for(hash_set::table_len::<8>(count));
        if len < MIN_LOG_LEN {
            return Growth { len, mode: mode - mode % 2 };
        }
        let longest = Self::BODY_AT + FRONT_LEN + 8 * longest_log(most);
        let len = Self::len_for(FRONT_LEN + 8 * count).min(longest).min(MAX_STATE_LEN);
        Growth { len, mode: mode - mode % 2 + LOG }
    }

    /// What a state is that holds `count` keys, at most `most` distinct ones, and has room for a few
    /// more.
    pub(crate) fn keys_state(mode: u8, count: usize, most: usize) -> Growth {
        Self::keys_growth(mode, count, most.min(count + count / 16))
    }

    /// Copies the keys of a smaller state into this one, which has its mode but no keys yet.
    pub(crate) fn copy_keys(&mut self, smaller: &Self) {
        let count = smaller.count();
        if is_log(smaller.mode) {
            let len = FRONT_LEN + 8 * count;
            self.body[..len].copy_from_slice(&smaller.body[..len]);
            return;
        }
        self.set_count(0);
        for key in hash_set::iter::<8>(&smaller.body) {
            let added = self.insert_key(key, usize::MAX);
            assert_eq!(added, Added::Done, "a bigger set holds what the smaller one held");
        }
    }

    /// Sorts and deduplicates a log.
    pub(crate) fn sort_keys(&mut self) {
        if is_log(self.mode) {
            let (count, front) = (self.count(), front(&self.body));
            let count = sort_behind(&mut slots_mut(&mut self.body)[..count], front);
            self.body[..FRONT_LEN].copy_from_slice(&(count as u64).to_le_bytes());
            self.set_count(count);
        }
    }

    /// Whether the set holds a key. In a log whose last keys are yet to be sorted these are
    /// scanned.
    pub(crate) fn holds_key(&self, key: u64) -> bool {
        if !is_log(self.mode) {
            return matches!(hash_set::find::<8>(&self.body, key), Place::Held(_));
        }
        let (sorted, others) = slots(&self.body)[..self.count()].split_at(front(&self.body));
        sorted.binary_search_by_key(&key, |&key| u64::from_le_bytes(key)).is_ok()
            || others.contains(&key.to_le_bytes())
    }
}

/// Sorts and deduplicates keys of which the first `front` are sorted and distinct; returns how many
/// are left. Where the others are fewer, as they are if most rows repeat a value, they are sorted by
/// themselves and merged in.
fn sort_behind(keys: &mut [[u8; 8]], front: usize) -> usize {
    let mut others = Vec::new();
    if front < keys.len() / 2 || others.try_reserve_exact(keys.len() - front).is_err() {
        sort(keys);
        return dedup(keys);
    }
    others.extend_from_slice(&keys[front..]);
    sort(&mut others);
    let distinct = dedup(&mut others);
    others.truncate(distinct);
    let value = |key: [u8; 8]| u64::from_le_bytes(key);
    let mut pace = Pace::default();
    let mut at = 0;
    others.retain(|&key| {
        while at < front && value(keys[at]) < value(key) {
            pace.step(8);
            at += 1;
        }
        at == front || keys[at] != key
    });
    // From the back, so that nothing is written over what is yet to be read.
    let (mut from, mut to) = (front, front + others.len());
    for &key in others.iter().rev() {
        while from > 0 && value(keys[from - 1]) > value(key) {
            pace.step(8);
            (from, to) = (from - 1, to - 1);
            keys[to] = keys[from];
        }
        to -= 1;
        keys[to] = key;
    }
    front + others.len()
}

/// How many keys the longest log of at most `most` distinct ones has.
pub fn longest_log(most: usize) -> usize {
    most + most / 16 + 1
}

/// How many keys a set of so many bytes takes.
#[inline]
fn room(mode: u8, len: usize) -> usize {
    if is_log(mode) { len.saturating_sub(FRONT_LEN) / 8 } else { hash_set::room::<8>(len) }
}

/// A set that may have come from anywhere.
#[derive(Clone, Copy)]
pub struct KeySet<'a> {
    is_log: bool,
    /// How many keys it says that it has.
    pub count: usize,
    body: &'a [u8],
}

impl<'a> KeySet<'a> {
    /// The set of a state of a mode that has one. There cannot be more keys than it has room for.
    pub fn of_state<K: Filter>(state: &'a State<Fields<K>>) -> Result<Self> {
        let (count, body) = (state.count(), &state.body);
        if count <= room(state.mode, body.len()) {
            return Ok(KeySet { is_log: is_log(state.mode), count, body });
        }
        Err(Error::bytes(format!("{count} keys do not fit {} bytes", body.len())))
    }

    /// The keys, repeats among them where it is a log.
    pub fn iter(self) -> impl Iterator<Item = u64> + Clone + 'a {
        let keys =
            if self.is_log { &slots(self.body)[..self.count] } else { self.body.as_chunks().0 };
        keys.iter().map(|&key| u64::from_le_bytes(key)).filter(|&key| key != 0)
    }

    /// Puts the keys, sorted and distinct, into the last of `scratch`, which has a word for each;
    /// returns how many there are.
    pub fn sorted(self, scratch: &mut [[u8; 8]]) -> Result<usize> {
        let mut pace = Pace::default();
        let mut given = 0;
        for key in self.iter() {
            pace.step(8);
            if let Some(slot) = scratch.get_mut(given) {
                *slot = key.to_le_bytes();
            }
            given += 1;
        }
        if given != self.count {
            return Err(Error::bytes(format!(
                "a set does not hold the {} keys it says",
                self.count
            )));
        }
        let front = if self.is_log { front(self.body).min(given) } else { 0 };
        sort(&mut scratch[front..]);
        self.merge_front(front, scratch)?;
        let distinct = dedup(scratch);
        if !self.is_log && distinct != given {
            return Err(Error::bytes("a set holds a key twice"));
        }
        scratch.copy_within(..distinct, given - distinct);
        Ok(distinct)
    }

    /// Merges the sorted front of a log into the sorted keys that follow it in `scratch`.
    fn merge_front(self, front: usize, scratch: &mut [[u8; 8]]) -> Result<()> {
        let key = |bytes: [u8; 8]| u64::from_le_bytes(bytes);
        let mut pace = Pace::default();
        // What is written never reaches what is yet to be read: as many of the front are left as
        // there is room between the two.
        let (mut next, mut to, mut last) = (front, 0, 0);
        for at in 0..front {
            pace.step(16);
            let own = slots(self.body)[at];
            if key(own) < last {
                return Err(Error::bytes("the sorted keys of a set are out of order"));
            }
            last = key(own);
            while next < scratch.len() && key(scratch[next]) < last {
                scratch[to] = scratch[next];
                (next, to) = (next + 1, to + 1);
            }
            scratch[to] = own;
            to += 1;
        }
        Ok(())
    }
}

#[inline]
fn slots(log: &[u8]) -> &[[u8; 8]] {
    log.get(FRONT_LEN..).unwrap_or_default().as_chunks().0
}

#[inline]
fn slots_mut(log: &mut [u8]) -> &mut [[u8; 8]] {
    log.get_mut(FRONT_LEN..).unwrap_or_default().as_chunks_mut().0
}

fn front(log: &[u8]) -> usize {
    log.first_chunk().map_or(0, |&front| u64::from_le_bytes(front) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bloom::Bloom;
    use crate::hash::Value;
    use std::collections::BTreeSet;

    type Keys = State<Fields<Bloom>>;

    fn key(number: i64) -> u64 {
        Value::number(number).hash()
    }

    fn bigger(state: &Keys, growth: Growth) -> Vec<u8> {
        let mut bytes = vec![0; growth.len];
        let bigger = Keys::of(&mut bytes);
        bigger.begin_as(state);
        bigger.mode = growth.mode;
        bigger.copy_keys(state);
        bytes
    }

    /// A set that grows, and the same in the standard library.
    fn grown(numbers: impl Iterator<Item = i64>, most: usize) -> (Vec<u8>, BTreeSet<u64>) {
        let (mut state, mut model) = (vec![0; 60], BTreeSet::new());
        for key in numbers.map(key) {
            model.insert(key);
            while let Added::Needs(growth) = Keys::of(&mut state).insert_key(key, most) {
                state = bigger(Keys::trusted(&state), growth);
            }
        }
        (state, model)
    }

    fn sorted(state: &Keys) -> Vec<u64> {
        let mut scratch = vec![[0; 8]; state.count()];
        let distinct = KeySet::of_state(state).unwrap().sorted(&mut scratch).unwrap();
        scratch[state.count() - distinct..].iter().map(|&key| u64::from_le_bytes(key)).collect()
    }

    #[test]
    fn a_growing_set_holds_what_was_added() {
        for distinct in [1, 3, 100, 20_000, 30_000, 50_000] {
            let numbers = || (0..distinct).chain(0..distinct / 2);
            let (mut bytes, model) = grown(numbers(), distinct as usize);
            let state = Keys::of(&mut bytes);
            let set = KeySet::of_state(state).unwrap();
            assert_eq!(set.iter().collect::<BTreeSet<_>>(), model);
            assert!(sorted(state).iter().eq(&model), "{distinct}");
            let held = |state: &Keys| {
                let mut numbers = (0..2 * distinct).step_by(distinct as usize / 50 + 1);
                numbers.all(|n| state.holds_key(key(n)) == model.contains(&key(n)))
            };
            assert!(held(state));
            state.sort_keys();
            assert_eq!(state.count(), model.len());
            assert!(held(state) && sorted(state).iter().eq(&model));
            // However often its keys are added again, it does not grow.
            for number in numbers().chain(numbers()) {
                assert_eq!(state.insert_key(key(number), distinct as usize), Added::Done);
            }
            assert!(sorted(state).iter().eq(&model));
            assert!(bytes.len() < 100 + 24 * distinct as usize, "{}", bytes.len());
        }
    }

    #[test]
    fn sets_merge_whatever_each_is() {
        for (a, b) in [(3, 5), (100, 40_000), (40_000, 100), (30_000, 40_000)] {
            let (mut state, mut model) = grown(0..a, 100_000);
            let (other, others) = grown(a / 2..b, 100_000);
            model.extend(others);
            let set = KeySet::of_state(Keys::trusted(&other)).unwrap();
            let mut grew = 0;
            loop {
                let own = Keys::of(&mut state);
                match own.merge_keys(set.count, set.iter().map(Ok), 100_000).unwrap() {
                    Added::Needs(growth) => state = bigger(own, growth),
                    added => break assert_eq!(added, Added::Done),
                }
                grew += 1;
            }
            assert!(sorted(Keys::trusted(&state)).iter().eq(&model) && grew < 3, "{grew}");
        }
    }

    /// One more distinct key than there may be is noticed at once in a table, in a log when it is
    /// full.
    #[test]
    fn too_many_keys_are_noticed() {
        for most in [1, 10, 1000, 40_000] {
            let (mut bytes, _) = grown(0..most, most as usize);
            let state = Keys::of(&mut bytes);
            let refused = (most..3 * most + 2)
                .find(|&number| state.insert_key(key(number), most as usize) == Added::TooMany);
            let slack = if most < 20_000 { 0 } else { most / 8 };
            assert!(refused.is_some_and(|number| number <= most + slack), "{refused:?}");
        }
    }

    #[test]
    fn what_lies_is_refused() {
        let (good, _) = grown(0..3, 100);
        for count in [0, 1, 2, 4, 100] {
            let mut bytes = good.clone();
            let state = Keys::of(&mut bytes);
            state.set_count(count);
            let mut scratch = vec![[0; 8]; count];
            let set = KeySet::of_state(state);
            assert!(set.and_then(|set| set.sorted(&mut scratch)).is_err(), "{count}");
        }
        let mut twice = good;
        let state = Keys::of(&mut twice);
        let keys = state.body.as_chunks_mut::<8>().0;
        keys.sort_unstable();
        keys[3] = keys[2];
        assert!(KeySet::of_state(state).unwrap().sorted(&mut [[0; 8]; 3]).is_err());
    }
}
