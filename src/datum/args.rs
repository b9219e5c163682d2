//! The arguments of a call.
//!
//! The types that a function asks for here must be those that `sql/` declares for it: the server
//! checks calls against the declaration, and nothing else could. All getters trust it; those that
//! follow a pointer say so.

use std::ffi::CStr;

use pgrx::pg_sys::{self, Datum, NodeTag};

use super::Varlena;
use crate::error::SqlResult;

/// What a SQL function returns; `None` is NULL.
pub type Returned = SqlResult<Option<Datum>>;

/// The arguments of one call.
pub struct Args {
    fcinfo: pg_sys::FunctionCallInfo,
}

impl Args {
    /// Wraps what the server passed.
    ///
    /// # Safety
    ///
    /// `fcinfo` must be the server's, for the length of the call.
    #[inline]
    pub unsafe fn new(fcinfo: pg_sys::FunctionCallInfo) -> Self {
        Args { fcinfo }
    }

    /// The call itself.
    #[inline]
    pub fn fcinfo(&self) -> pg_sys::FunctionCallInfo {
        self.fcinfo
    }

    /// Where the server keeps what it knows of this place in the query.
    #[inline]
    pub fn flinfo(&self) -> *mut pg_sys::FmgrInfo {
        // SAFETY: `new` promises a valid call.
        unsafe { (*self.fcinfo).flinfo }
    }

    /// The collation of the call, or the invalid one.
    #[inline]
    pub fn collation(&self) -> pg_sys::Oid {
        // SAFETY: `new` promises a valid call.
        unsafe { (*self.fcinfo).fncollation }
    }

    /// Whether an aggregate is calling, so that its state may be changed in place.
    #[inline]
    pub fn in_aggregate(&self) -> bool {
        // SAFETY: `new` promises a valid call; its context is null or a node.
        unsafe {
            let context = (*self.fcinfo).context;
            !context.is_null()
                && matches!((*context).type_, NodeTag::T_AggState | NodeTag::T_WindowAggState)
        }
    }

    /// How many arguments there are.
    #[inline]
    pub fn len(&self) -> usize {
        // SAFETY: `new` promises a valid call.
        unsafe { (*self.fcinfo).nargs as usize }
    }

    /// The argument at `index`, `None` if it is NULL or not there.
    #[inline]
    pub fn datum(&self, index: usize) -> Option<Datum> {
        if index >= self.len() {
            return None;
        }
        // SAFETY: the call has `nargs` arguments behind its header.
        let argument = unsafe { &*(*self.fcinfo).args.as_ptr().add(index) };
        (!argument.isnull).then_some(argument.value)
    }

    /// A value of variable length, detoasted. Trusts that it is declared as such a type.
    #[inline]
    pub fn varlena(&self, index: usize) -> Option<Varlena> {
        // SAFETY: the declaration of the function gives the argument a type of variable length.
        self.datum(index).map(|datum| unsafe { Varlena::from_datum(datum) })
    }

    /// An integer.
    pub fn i32(&self, index: usize) -> Option<i32> {
        self.datum(index).map(|datum| datum.value() as i32)
    }

    /// A big integer.
    pub fn i64(&self, index: usize) -> Option<i64> {
        self.datum(index).map(|datum| datum.value() as i64)
    }

    /// A floating point number.
    pub fn f64(&self, index: usize) -> Option<f64> {
        self.datum(index).map(|datum| f64::from_bits(datum.value() as u64))
    }

    /// A truth value.
    pub fn bool(&self, index: usize) -> Option<bool> {
        self.datum(index).map(|datum| datum.value() as u8 != 0)
    }

    /// A string of an input function. Trusts that it is declared as cstring.
    pub fn cstr(&self, index: usize) -> Option<&CStr> {
        // SAFETY: the declaration of the function gives the argument the type cstring.
        self.datum(index).map(|datum| unsafe { CStr::from_ptr(datum.cast_mut_ptr()) })
    }

    /// The integers of a type modifier. Trusts that they are declared as cstring[].
    pub fn type_modifiers(&self, index: usize) -> &[i32] {
        let Some(datum) = self.datum(index) else { return &[] };
        let mut count = 0;
        // SAFETY: the declaration of the function makes the argument an array of cstring; the
        // server returns as many integers as it counts, in the current memory context.
        unsafe {
            let modifiers = pg_sys::ArrayGetIntegerTypmods(datum.cast_mut_ptr(), &mut count);
            std::slice::from_raw_parts(modifiers, count as usize)
        }
    }

    /// The message of a receive function, of which it takes all. Trusts that it is declared as
    /// internal.
    pub fn message(&self, index: usize) -> Option<&[u8]> {
        let buffer: pg_sys::StringInfo = self.datum(index)?.cast_mut_ptr();
        // SAFETY: the declaration of the function makes the argument a message buffer, whose
        // cursor lies within its length.
        unsafe {
            let (at, len) = ((*buffer).cursor, (*buffer).len);
            (*buffer).cursor = len;
            Some(std::slice::from_raw_parts(
                (*buffer).data.add(at as usize).cast(),
                (len - at) as usize,
            ))
        }
    }

    /// Gives the result to the server.
    #[inline]
    pub fn finish(&self, returned: Returned) -> Datum {
        match returned {
            Ok(Some(datum)) => datum,
            Ok(None) => {
                // SAFETY: `new` promises a valid call.
                unsafe { (*self.fcinfo).isnull = true };
                Datum::null()
            }
            Err(error) => error.raise(),
        }
    }
}

/// Exports functions to the server, each under the name that `sql/` gives it; a
/// [`Function`](super::call_site::Function) has what forms they may have.
macro_rules! export {
    ($($name:expr => $function:expr),* $(,)?) => { $(
        const _: () = {
            #[unsafe(export_name = concat!("pg_finfo_", $name))]
            extern "C-unwind" fn pg_finfo() -> *const pgrx::pg_sys::Pg_finfo_record {
                static V1: pgrx::pg_sys::Pg_finfo_record =
                    pgrx::pg_sys::Pg_finfo_record { api_version: 1 };
                &V1
            }

            #[pgrx::pg_guard]
            #[unsafe(export_name = $name)]
            unsafe extern "C-unwind" fn entry(
                fcinfo: pgrx::pg_sys::FunctionCallInfo,
            ) -> pgrx::pg_sys::Datum {
                // SAFETY: the server calls with a valid call.
                let mut args = unsafe { $crate::datum::Args::new(fcinfo) };
                let returned = $crate::datum::call_site::Function::call(&$function, &mut args);
                args.finish(returned)
            }
        };
    )* };
}
pub(crate) use export;
