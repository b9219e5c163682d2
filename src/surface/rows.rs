//! Functions that return sets of rows.
//!
//! The rows go into the server's own store, which moves to disk what does not fit in memory.

use pgrx::PgSqlErrorCode;
use pgrx::memcxt::PgMemoryContexts;
use pgrx::pg_sys::{self, Datum};

use crate::datum::{Args, Returned};
use crate::error::{SqlError, SqlResult};

/// The rows of a result, of `N` columns each.
pub struct Rows<const N: usize> {
    store: *mut pg_sys::Tuplestorestate,
    row_type: pg_sys::TupleDesc,
    /// The memory of one row.
    memory: PgMemoryContexts,
}

impl<const N: usize> Rows<N> {
    /// The empty set, as the result of this call.
    pub fn new(args: &Args) -> SqlResult<Self> {
        // SAFETY: the call is valid; what it says of the result is null or a node, of which the
        // server reads the store and the row type after the call, so both are made to last.
        unsafe {
            let result: *mut pg_sys::ReturnSetInfo = (*args.fcinfo()).resultinfo.cast();
            if result.is_null()
                || (*result).type_ != pg_sys::NodeTag::T_ReturnSetInfo
                || (*result).allowedModes as u32 & pg_sys::SetFunctionReturnMode::SFRM_Materialize
                    == 0
            {
                return Err(no_place_for_a_set());
            }
            let mut lasting = PgMemoryContexts::For((*(*result).econtext).ecxt_per_query_memory);
            let (row_type, store) = lasting.switch_to(|_| {
                let mut row_type = std::ptr::null_mut();
                let class = pg_sys::get_call_result_type(
                    args.fcinfo(),
                    std::ptr::null_mut(),
                    &mut row_type,
                );
                let is_row = class == pg_sys::TypeFuncClass::TYPEFUNC_COMPOSITE;
                let is_random = (*result).allowedModes as u32
                    & pg_sys::SetFunctionReturnMode::SFRM_Materialize_Random
                    != 0;
                let row_type = (is_row && (*row_type).natts == N as i32).then_some(row_type);
                (row_type, pg_sys::tuplestore_begin_heap(is_random, false, pg_sys::work_mem))
            });
            let row_type = row_type.ok_or_else(no_place_for_a_set)?;
            (*result).returnMode = pg_sys::SetFunctionReturnMode::SFRM_Materialize;
            (*result).setResult = store;
            (*result).setDesc = row_type;
            Ok(Rows { store, row_type, memory: PgMemoryContexts::new("row") })
        }
    }

    /// Adds a row of the columns that the function's declaration names, `None` where NULL. What
    /// `columns` allocates is freed.
    pub fn push(
        &mut self,
        columns: impl FnOnce() -> SqlResult<[Option<Datum>; N]>,
    ) -> SqlResult<()> {
        let Rows { store, row_type, memory } = self;
        // SAFETY: the memory is this set's own and nothing refers to it after the reset; the row has
        // as many columns as its type.
        unsafe {
            let pushed = memory.switch_to(|_| {
                let columns = columns()?;
                let mut nulls = columns.map(|column| column.is_none());
                let mut values = columns.map(|column| column.unwrap_or(Datum::null()));
                pg_sys::tuplestore_putvalues(
                    *store,
                    *row_type,
                    values.as_mut_ptr(),
                    nulls.as_mut_ptr(),
                );
                Ok(())
            });
            memory.reset();
            pushed
        }
    }

    /// What the function returns: the set itself is where the server asked for it.
    pub fn finish(self) -> Returned {
        Ok(None)
    }
}

#[cold]
fn no_place_for_a_set() -> SqlError {
    SqlError::new(
        PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
        "set-valued function called in context that cannot accept a set".to_owned(),
        "Call it in FROM.",
    )
}
