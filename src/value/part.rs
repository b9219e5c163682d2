//! What a type that is made of others needs of those.

use pgrx::pg_sys::{Datum, Oid};
use sketch::hash::{Encoder, Sink};

use crate::error::SqlResult;

/// The type of an element, a column or a bound. [`Type`](super::types::Type) is the one there is: the
/// types made of others know it by this alone, so that it can be made of them.
pub trait Part: Sized {
    /// A type by its OID, with the collation that its strings have here.
    fn of(oid: Oid, collation: Oid) -> SqlResult<Self>;

    /// Writes a value that is a part of another one, NULL or not.
    ///
    /// # Safety
    ///
    /// `datum` must be a value of the type, or `None`.
    unsafe fn encode<S: Sink>(
        &mut self,
        datum: Option<Datum>,
        to: &mut Encoder<S>,
    ) -> SqlResult<()>;
}
