//! What two filters have in common.

use std::cmp::Ordering;

use super::rest::{write_head, write_keys, write_rest};
use super::view::{BloomRef, Body};
use super::{Bloom, Params, bits};
use crate::codec::{Form, header, params};
use crate::error::{Error, Result};
use crate::hash::ValueClass;
use crate::key_list::{self, KeyList};
use crate::owned::rest_of;
use crate::sketch::View;

impl BloomRef<'_> {
    /// A filter of the values that both of two filters hold, at rest.
    ///
    /// Between filters with keys it is exact. With bits it may hold more than that: every value
    /// that either filter takes for its own by chance and the other holds, and bits that different
    /// values have set in the two. So it errs more often than a filter made of the common values,
    /// but no more often than either of the two.
    ///
    /// ```
    /// use sketch::Owned;
    /// use sketch::bloom::{Bloom, BloomRef, Params};
    /// use sketch::hash::Value;
    ///
    /// # fn main() -> sketch::Result<()> {
    /// let [mut a, mut b] = [0; 2].map(|_| Owned::<Bloom>::new(Params::DEFAULT));
    /// a.insert(Value::text("alice"))?;
    /// a.insert(Value::text("bob"))?;
    /// b.insert(Value::text("bob"))?;
    /// let both = BloomRef::parse(a.working())?.intersect(&BloomRef::parse(b.working())?)?;
    /// assert!(BloomRef::parse(&both)?.contains(Value::text("bob"))?);
    /// assert!(!BloomRef::parse(&both)?.contains(Value::text("alice"))?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn intersect(&self, other: &BloomRef<'_>) -> Result<Vec<u8>> {
        let mut out = vec![0; self.intersect_bound(other)?];
        let len = self.intersect_into(other, &mut out)?;
        out.truncate(len);
        Ok(out)
    }

    /// Enough bytes for what [`BloomRef::intersect_into`] writes.
    pub fn intersect_bound(&self, other: &BloomRef<'_>) -> Result<usize> {
        at_rest(self, other, |a, b| {
            let (params, _) = combined(a, b)?;
            let body = match [a.key_count(), b.key_count()].into_iter().flatten().min() {
                Some(count) => key_list::write_bound(count, params.key_bits()),
                None => params.byte_len(),
            };
            Ok(header::LEN + params::MAX_LEN + body)
        })
    }

    /// [`BloomRef::intersect`] to `out`, at least [`BloomRef::intersect_bound`] zero bytes; returns
    /// the length.
    pub fn intersect_into(&self, other: &BloomRef<'_>, out: &mut [u8]) -> Result<usize> {
        at_rest(self, other, |a, b| write(a, b, out))
    }
}

/// Calls `f` with both filters at rest.
fn at_rest<R>(
    a: &BloomRef<'_>,
    b: &BloomRef<'_>,
    f: impl FnOnce(&BloomRef<'_>, &BloomRef<'_>) -> Result<R>,
) -> Result<R> {
    if a.form() == Form::Working {
        let rest = rest_of::<Bloom>(a)?;
        return at_rest(&BloomRef::parse(&rest)?, b, f);
    }
    if b.form() == Form::Working {
        let rest = rest_of::<Bloom>(b)?;
        return f(a, &BloomRef::parse(&rest)?);
    }
    f(a, b)
}

fn write(a: &BloomRef<'_>, b: &BloomRef<'_>, out: &mut [u8]) -> Result<usize> {
    let (params, class) = combined(a, b)?;
    let count = match (&a.body, &b.body) {
        _ if a.is_empty() || b.is_empty() => 0,
        (Body::Keys(keys), Body::Bits(bits, _)) | (Body::Bits(bits, _), Body::Keys(keys)) => {
            let layout = params.layout();
            let held = |key: &Result<u64>| {
                key.as_ref().map_or(true, |&key| bits::contains(bits, layout, key))
            };
            write_keys(keys.clone().filter(held), keys.total(), out)?
        }
        (Body::Keys(a), Body::Keys(b)) => {
            let most = a.total().min(b.total());
            write_keys(Common { a: a.clone(), b: b.clone() }, most, out)?
        }
        (Body::Bits(a, _), Body::Bits(b, _)) => {
            let at = write_head(out, Form::Dense, class, params)?;
            if bits::common(a, b, &mut out[at..at + a.len()]) {
                return Ok(at + a.len());
            }
            0
        }
        _ => return Err(Error::bytes("a filter at rest is not at rest")),
    };
    write_rest(count, class, params, out)
}

/// The parameters and the class of the intersection.
fn combined(a: &BloomRef<'_>, b: &BloomRef<'_>) -> Result<(Params, Option<ValueClass>)> {
    let (own, its) = (a.params(), b.params());
    let params = match (a.is_empty(), b.is_empty()) {
        (true, true) => own.preferred(its),
        (true, false) => its,
        (false, true) => own,
        (false, false) => own.expect_same(its).map(|()| own)?,
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
                (Ok(x), Ok(y)) => match x.cmp(&y) {
                    Ordering::Equal => return Some(Ok(x)),
                    Ordering::Less => (a, b) = (self.a.next()?, Ok(y)),
                    Ordering::Greater => (a, b) = (Ok(x), self.b.next()?),
                },
                (Err(error), _) | (_, Err(error)) => return Some(Err(error)),
            }
        }
    }
}
