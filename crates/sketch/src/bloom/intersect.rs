//! What two filters have in common.

use super::view::{BloomRef, Body};
use super::working::{rest_written, write_head, write_keys};
use super::{Params, bits};
use crate::codec::{Form, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::key_list::{self, KeyList};

/// Enough bytes for what [`intersect`] writes.
pub fn intersect_bound(a: &[u8], b: &[u8]) -> Result<usize> {
    let (a, b) = (BloomRef::parse(a)?, BloomRef::parse(b)?);
    let (params, _) = combined(&a, &b)?;
    let counts = [a.key_count(), b.key_count()];
    let body = match counts.into_iter().flatten().min() {
        Some(count) => key_list::write_bound(count, params.key_bits()),
        None => params.byte_len(),
    };
    Ok(header::LEN + params::MAX_LEN + body)
}

/// Writes a filter of the values that two filters at rest both hold to `out`, at least
/// [`intersect_bound`] zero bytes; returns its length.
///
/// Between filters with keys it is exact. With bits it may hold more than that: every value that
/// either filter takes for its own by chance and the other holds, and bits that different values
/// have set in the two. So it errs more often than a filter made of the common values, but no more
/// often than either of the two.
pub fn intersect(a: &[u8], b: &[u8], out: &mut [u8]) -> Result<usize> {
    let (a, b) = (BloomRef::parse(a)?, BloomRef::parse(b)?);
    let (params, class) = combined(&a, &b)?;
    let empty = |out: &mut [u8]| Ok(write_head(out, Form::Empty, None, params));
    let count = match (a.body, b.body) {
        (Body::Empty, _) | (_, Body::Empty) => return empty(out),
        (Body::Keys(keys), Body::Bits(bits, [])) | (Body::Bits(bits, []), Body::Keys(keys)) => {
            let layout = params.layout();
            let most = keys.total();
            let held = |key: &Result<u64>| {
                key.as_ref().map_or(true, |&key| bits::contains(bits, layout, key))
            };
            write_keys(keys.filter(held), most, out)?
        }
        (Body::Keys(a), Body::Keys(b)) => {
            let most = a.total().min(b.total());
            write_keys(Common { a, b }, most, out)?
        }
        (Body::Bits(a, []), Body::Bits(b, [])) => {
            let at = write_head(out, Form::Dense, class, params);
            if bits::common(a, b, &mut out[at..at + a.len()]) {
                return Ok(at + a.len());
            }
            return empty(out);
        }
        _ => return Err(Error::bytes("only filters at rest can be intersected")),
    };
    rest_written(count, class, params, out)
}

/// The parameters and the class of the intersection.
fn combined(a: &BloomRef<'_>, b: &BloomRef<'_>) -> Result<(Params, Option<ValueClass>)> {
    let params = match (a.is_empty(), b.is_empty()) {
        (true, true) => Params::of_empty(a.params, b.params),
        (true, false) => b.params,
        (false, true) => a.params,
        (false, false) => {
            a.params.expect_same(b.params)?;
            a.params
        }
    };
    Ok((params, ValueClass::unite(a.class(), b.class())?))
}

/// The keys that two sorted lists share.
struct Common<'a> {
    a: KeyList<'a>,
    b: KeyList<'a>,
}

impl Iterator for Common<'_> {
    type Item = Result<u64>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut a, mut b) = (self.a.next()?, self.b.next()?);
        loop {
            match (a, b) {
                (Ok(x), Ok(y)) if x == y => return Some(Ok(x)),
                (Ok(x), Ok(y)) if x < y => (a, b) = (self.a.next()?, Ok(y)),
                (Ok(x), Ok(_)) => (a, b) = (Ok(x), self.b.next()?),
                (Err(error), _) | (_, Err(error)) => return Some(Err(error)),
            }
        }
    }
}
