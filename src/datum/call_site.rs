//! What a function keeps at its place in a query from one call to the next.

use std::any::TypeId;
use std::marker::PhantomData;

use pgrx::memcxt::PgMemoryContexts;

use super::{Args, Returned};

/// A function that the server can call, in one of these forms: with the arguments to read, or to
/// change the state among them; and with what it keeps at its place in a query, which begins as the
/// default.
pub trait Function<Form> {
    /// Calls it.
    fn call(&self, args: &mut Args) -> Returned;
}

/// `fn(&Args)`.
pub struct Reads;

/// `fn(&mut Args)`.
pub struct Changes;

/// `fn(&Args, &mut T)`.
pub struct ReadsKeeping<T>(PhantomData<T>);

/// `fn(&mut Args, &mut T)`.
pub struct ChangesKeeping<T>(PhantomData<T>);

impl<F: Fn(&Args) -> Returned> Function<Reads> for F {
    #[inline(always)]
    fn call(&self, args: &mut Args) -> Returned {
        self(args)
    }
}

impl<F: Fn(&mut Args) -> Returned> Function<Changes> for F {
    #[inline(always)]
    fn call(&self, args: &mut Args) -> Returned {
        self(args)
    }
}

impl<T: Default + 'static, F: Fn(&Args, &mut T) -> Returned> Function<ReadsKeeping<T>> for F {
    #[inline(always)]
    fn call(&self, args: &mut Args) -> Returned {
        // SAFETY: this is the one reference in this call. A function does not call itself at its
        // own place in a query.
        self(args, unsafe { &mut *kept(args) })
    }
}

impl<T: Default + 'static, F: Fn(&mut Args, &mut T) -> Returned> Function<ChangesKeeping<T>> for F {
    #[inline(always)]
    fn call(&self, args: &mut Args) -> Returned {
        // SAFETY: as above.
        let kept = unsafe { &mut *kept(args) };
        self(args, kept)
    }
}

struct CallSite<T> {
    kept: T,
    type_id: TypeId,
}

/// What the function of this call keeps.
#[inline(always)]
fn kept<T: Default + 'static>(args: &Args) -> *mut T {
    let flinfo = args.flinfo();
    // SAFETY: the server gives each call site its own `FmgrInfo`, and its `fn_extra` to the function
    // that is called, which always keeps the same type; only this module uses it.
    unsafe {
        if (*flinfo).fn_extra.is_null() {
            make::<T>(args);
        }
        let site: *mut CallSite<T> = (*flinfo).fn_extra.cast();
        debug_assert!((*site).type_id == TypeId::of::<T>());
        &raw mut (*site).kept
    }
}

#[cold]
fn make<T: Default + 'static>(args: &Args) {
    let flinfo = args.flinfo();
    let site = CallSite { kept: T::default(), type_id: TypeId::of::<T>() };
    // SAFETY: the memory of the call site lives as long as its `fn_extra`.
    unsafe {
        let mut memory = PgMemoryContexts::For((*flinfo).fn_mcxt);
        (*flinfo).fn_extra = memory.leak_and_drop_on_delete(site).cast();
    }
}
