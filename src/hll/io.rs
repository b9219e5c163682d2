//! `hll` in and out, its type modifier `hll(p)`, and how sketches compare.

use pgrx::pg_sys::Datum;
use pgrx::{IntoDatum, PgSqlErrorCode};
use sketch::View;
use sketch::hll::{Hll, HllRef, Precision};

use super::functions::reduced;
use crate::datum::args::export;
use crate::datum::{Args, Returned, Varlena, varlena};
use crate::error::{SqlError, SqlResult};
use crate::surface::io;

export! {
    "_hll_in" => input,
    "_hll_recv" => receive,
    "_hll_typmod_in" => typmod_in,
    "_hll_typmod_out" => typmod_out,
    "_hll_typmod_cast" => typmod_cast,
    "_hll_from_bytea" => io::from_bytea::<Hll>,
}
io::ways_out!("hll": Hll);

fn input(args: &Args) -> Returned {
    fitted(io::input::<Hll>(args)?, args.i32(2), false)
}

fn receive(args: &Args) -> Returned {
    fitted(io::receive::<Hll>(args)?, args.i32(2), false)
}

/// The one modifier is the precision.
fn typmod_in(args: &Args) -> Returned {
    let [precision] = args.type_modifiers(0)[..] else {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            "type hll takes one modifier".to_owned(),
            "Write hll(precision), say hll(12).",
        ));
    };
    Precision::new(precision.into())?;
    Ok(precision.into_datum())
}

fn typmod_out(args: &Args) -> Returned {
    let text = args.i32(0).map(|precision| format!("({precision})")).unwrap_or_default();
    varlena::cstring(text.len(), |out| out.copy_from_slice(text.as_bytes()))
}

/// `hll` to `hll(p)`: an assignment takes sketches of the column's precision alone; a written cast
/// reduces those of a higher one.
fn typmod_cast(args: &Args) -> Returned {
    fitted(args.datum(0), args.i32(1), args.bool(2) == Some(true))
}

/// A sketch for a column with the given modifier, -1 for none: an empty one takes the precision, one
/// of a higher precision may be reduced, any other must have it.
fn fitted(sketch: Option<Datum>, modifier: Option<i32>, may_reduce: bool) -> Returned {
    let (Some(datum), Some(wanted)) = (sketch, column_precision(modifier)?) else {
        return Ok(sketch);
    };
    // SAFETY: the datum is a sketch.
    let bytes = unsafe { Varlena::from_datum(datum) };
    let sketch = HllRef::parse(&bytes)?;
    let precision = sketch.precision();
    if precision == wanted {
        return Ok(Some(datum));
    }
    if sketch.is_empty() || may_reduce {
        return reduced(&sketch, wanted);
    }
    Err(SqlError::new(
        PgSqlErrorCode::ERRCODE_DATA_EXCEPTION,
        format!("expected a sketch of precision {}, not {}", wanted.get(), precision.get()),
        if precision > wanted {
            format!("Use hll_reduce(sketch, {}).", wanted.get())
        } else {
            format!("Build the sketch with the precision of the column, {}.", wanted.get())
        },
    ))
}

/// The precision that a column's modifier asks for.
fn column_precision(modifier: Option<i32>) -> SqlResult<Option<Precision>> {
    match modifier {
        None | Some(..0) => Ok(None),
        Some(precision) => Ok(Some(Precision::new(precision.into())?)),
    }
}
