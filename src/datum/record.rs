//! Results of several columns.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::{self, Datum};

use super::{Args, Returned};
use crate::error::SqlError;

/// A row of the columns that the function's declaration names, `None` where NULL.
pub fn of_datums<const N: usize>(args: &Args, columns: [Option<Datum>; N]) -> Returned {
    let mut nulls = columns.map(|column| column.is_none());
    let mut values = columns.map(|column| column.unwrap_or(Datum::null()));
    // SAFETY: the arrays have as many entries as the row has columns, which is checked.
    unsafe {
        let mut tuple_desc = std::ptr::null_mut();
        let class =
            pg_sys::get_call_result_type(args.fcinfo(), std::ptr::null_mut(), &mut tuple_desc);
        if class != pg_sys::TypeFuncClass::TYPEFUNC_COMPOSITE || (*tuple_desc).natts != N as i32 {
            return Err(SqlError::new(
                PgSqlErrorCode::ERRCODE_FEATURE_NOT_SUPPORTED,
                "function returning record called in context that cannot accept type record"
                    .to_owned(),
                "Call it in FROM, or take a column of its result.",
            ));
        }
        let tuple_desc = pg_sys::BlessTupleDesc(tuple_desc);
        let tuple = pg_sys::heap_form_tuple(tuple_desc, values.as_mut_ptr(), nulls.as_mut_ptr());
        Ok(Some(pg_sys::HeapTupleHeaderGetDatum((*tuple).t_data)))
    }
}

/// A row of values, each of a type that the server knows.
macro_rules! row {
    ($args:expr, $($column:expr),* $(,)?) => {
        $crate::datum::record::of_datums($args, [$(pgrx::IntoDatum::into_datum($column)),*])
    };
}
pub(crate) use row;
