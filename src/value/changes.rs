//! What of the catalog may change while a query runs, and is kept at a call site.
//!
//! Rows carry a type that the server watches (see [`super::record`]). Labels of enums, names of
//! types and their operator classes are watched here.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use pgrx::pg_sys::{self, Datum, SysCacheIdentifier};

static WATCHING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The number of changes until now. What was read from the catalog after it was this number holds
/// for as long as it is.
#[inline]
pub fn count() -> u32 {
    COUNT.load(Relaxed)
}

/// Counts changes from now on; to be called before anything is kept.
pub fn watch() {
    if WATCHING.swap(true, Relaxed) {
        return;
    }
    for cache in
        [SysCacheIdentifier::TYPEOID, SysCacheIdentifier::ENUMOID, SysCacheIdentifier::CLAOID]
    {
        // SAFETY: the function stays loaded for as long as the session lasts.
        unsafe { pg_sys::CacheRegisterSyscacheCallback(cache as i32, Some(note), Datum::null()) };
    }
}

unsafe extern "C-unwind" fn note(_: Datum, _: std::ffi::c_int, _: u32) {
    COUNT.fetch_add(1, Relaxed);
}
