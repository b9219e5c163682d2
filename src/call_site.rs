//! What a function keeps at its place in a query from one call to the next.

use pgrx::memcxt::PgMemoryContexts;

use crate::datum::{Args, Kept};
use crate::value::Site;

/// What is kept at a place in a query; one for each, in its `fn_extra`.
#[derive(Default)]
pub struct CallSite {
    /// What is known of the values among the arguments.
    pub values: Site,
    /// The sketch that was looked up last.
    pub kept: Kept,
}

/// The call site of a call.
#[inline]
pub fn of(args: &Args) -> *mut CallSite {
    let flinfo = args.flinfo();
    // SAFETY: the server gives each call site its own `FmgrInfo`, and its `fn_extra` to the
    // function that is called; only this module uses it.
    unsafe {
        if (*flinfo).fn_extra.is_null() {
            make(args);
        }
        (*flinfo).fn_extra.cast()
    }
}

#[cold]
fn make(args: &Args) {
    let flinfo = args.flinfo();
    // SAFETY: the memory of the call site lives as long as its `fn_extra`.
    unsafe {
        let mut memory = PgMemoryContexts::For((*flinfo).fn_mcxt);
        (*flinfo).fn_extra = memory.leak_and_drop_on_delete(CallSite::default()).cast();
    }
}
