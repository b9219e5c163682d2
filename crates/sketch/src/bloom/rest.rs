//! The forms at rest.

use super::state::cut_all;
use super::view::{BloomRef, Body};
use super::{Params, bits};
use crate::codec::{Form, Header, SketchType, header, params};
use crate::error::{Error, ErrorKind, Result};
use crate::filter::MAX_GATHERED;
use crate::hash::ValueClass;
use crate::interrupt::Pace;
use crate::key_list::{self, cut, is_key};
use crate::sketch::View;

/// What stands before the keys or the bits takes fewer bytes.
const HEAD_BOUND: usize = header::LEN + params::MAX_LEN;

/// Enough bytes for [`write`].
pub(super) fn bound(sketch: &BloomRef<'_>) -> Result<usize> {
    let Some(count) = sketch.key_count() else {
        return Ok(HEAD_BOUND + sketch.params().byte_len());
    };
    let params = sketch.params().sized(count.min(MAX_GATHERED))?;
    // A log may have fewer keys than it says.
    let most = params.max_keys();
    let sparse = params::MAX_COUNT_LEN + key_list::max_len(count.min(most), params.key_bits());
    let body = if count > most { params.byte_len().max(sparse) } else { sparse };
    Ok(HEAD_BOUND + body + 8 * count)
}

/// Writes what a filter of any form holds in its form for rest, all of it checked.
pub(super) fn write(sketch: &BloomRef<'_>, out: &mut [u8]) -> Result<usize> {
    let (class, params) = (sketch.class(), sketch.params());
    match &sketch.body {
        Body::Bits(bits, waiting) => {
            bits::check(bits, params)?;
            let at = write_head(out, Form::Dense, class, params)?;
            let table = &mut out[at..at + bits.len()];
            table.copy_from_slice(bits);
            bits::insert_all(table, params.layout(), cut_all(waiting, params));
            Ok(at + bits.len())
        }
        Body::Keys(keys) => {
            let count = write_keys(keys.clone(), keys.total(), out)?;
            write_rest(count, class, params, out)
        }
        Body::Set(set) => {
            let count = set.sorted(key_list::keys_to_write(out, set.count))?;
            let keys = key_list::keys_to_write(out, count);
            let mut pace = Pace::default();
            if !params.is_unsized() {
                let bits = params.key_bits();
                for &key in &*keys {
                    pace.step(8);
                    if !is_key(u64::from_le_bytes(key), bits) {
                        return Err(Error::bytes("a filter holds what is not a key of it"));
                    }
                }
                return write_rest(count, class, params, out);
            }
            check_gathered(count)?;
            let params = params.sized(count)?;
            let bits = params.key_bits();
            for key in keys {
                pace.step(8);
                *key = cut(u64::from_le_bytes(*key), bits).to_le_bytes();
            }
            write_rest(count, class, params, out)
        }
    }
}

/// Checks the number of distinct values of a filter without a capacity.
pub(super) fn check_gathered(count: usize) -> Result<()> {
    if count <= MAX_GATHERED {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Limit,
        format!("more than {MAX_GATHERED} distinct values for a bloom filter without a capacity"),
    )
    .with_hint("Give the number of values to expect, as in bloom_agg(value, 100000000)."))
}

/// Puts keys, at most `most`, where [`write_rest`] takes them from; returns how many there are.
pub(super) fn write_keys(
    keys: impl Iterator<Item = Result<u64>>,
    most: usize,
    out: &mut [u8],
) -> Result<usize> {
    // From the back, so that fewer than `most` are still the last ones.
    let mut slots = key_list::keys_to_write(out, most).iter_mut().rev();
    let mut given = 0;
    for key in keys {
        let slot =
            slots.next().ok_or_else(|| Error::bytes("a filter has more keys than it says"))?;
        *slot = key?.to_le_bytes();
        given += 1;
    }
    Ok(given)
}

/// Writes the form for rest of the last `count` words of `out`, distinct keys, where many become
/// bits.
pub(super) fn write_rest(
    count: usize,
    class: Option<ValueClass>,
    params: Params,
    out: &mut [u8],
) -> Result<usize> {
    if count == 0 {
        return write_head(out, Form::Empty, None, params);
    }
    if count > params.max_keys() {
        let at = write_head(out, Form::Dense, class, params)?;
        let (front, keys) = out.split_at_mut(out.len() - 8 * count);
        let keys = keys.as_chunks().0.iter().map(|&key| u64::from_le_bytes(key));
        bits::insert_all(&mut front[at..at + params.byte_len()], params.layout(), keys);
        return Ok(at + params.byte_len());
    }
    let mut at = write_head(out, Form::Sparse, class, params)?;
    at += params::write(count as u32, &mut out[at..]);
    let len = key_list::write(&mut out[at..], count, params.key_bits());
    // Writing has sorted them.
    if key_list::keys_to_write(out, count).array_windows().any(|[a, b]| a == b) {
        return Err(Error::bytes("a filter holds a key twice"));
    }
    Ok(at + len)
}

/// Writes the header and the parameters; returns how many bytes they take.
pub(super) fn write_head(
    out: &mut [u8],
    form: Form,
    class: Option<ValueClass>,
    params: Params,
) -> Result<usize> {
    let at = Header { form, class }.write(SketchType::Bloom, out)?;
    Ok(at + params::write(params, &mut out[at..]))
}

/// How many bytes a full filter takes at rest.
pub fn full_len(params: Params) -> usize {
    header::LEN + params::write(params, &mut [0; params::MAX_LEN]) + params.byte_len()
}
