//! `hll` in and out, and its type modifier `hll(p)`.

use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::Datum;
use sketch::hll::{Hll, HllRef, Precision};

use super::functions::reduced;
use crate::aggregate;
use crate::datum::args::export;
use crate::datum::{Args, Returned, Varlena, varlena};
use crate::error::{SqlError, SqlResult};

export!(hll_in, hll_out, hll_recv, hll_send, hll_from_bytea, hll_to_bytea);
export!(hll_typmod_in, hll_typmod_out, hll_typmod_cast);

fn hll_in(args: &Args) -> Returned {
    checked(aggregate::input::<Hll>(args)?, args.i32(2))
}

fn hll_out(args: &Args) -> Returned {
    aggregate::output::<Hll>(args)
}

fn hll_recv(args: &Args) -> Returned {
    checked(aggregate::receive::<Hll>(args)?, args.i32(2))
}

fn hll_send(args: &Args) -> Returned {
    aggregate::send::<Hll>(args)
}

fn hll_from_bytea(args: &Args) -> Returned {
    aggregate::from_bytea::<Hll>(args)
}

fn hll_to_bytea(args: &Args) -> Returned {
    aggregate::send::<Hll>(args)
}

/// The one modifier is the precision.
fn hll_typmod_in(args: &Args) -> Returned {
    let [precision] = args.type_modifiers(0)[..] else {
        return Err(SqlError::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            "type hll takes one modifier".to_owned(),
            "Write hll(precision), say hll(12).",
        ));
    };
    Precision::new(precision.into())?;
    Ok(Some(Datum::from(precision)))
}

fn hll_typmod_out(args: &Args) -> Returned {
    let text = args.i32(0).map(|precision| format!("({precision})")).unwrap_or_default();
    varlena::cstring(text.len(), |out| out.copy_from_slice(text.as_bytes()))
}

/// `hll` to `hll(p)`: an assignment takes sketches of the column's precision alone; a written cast
/// reduces those of a higher one.
fn hll_typmod_cast(args: &Args) -> Returned {
    let (Some(sketch), Some(modifier)) = (args.datum(0), args.i32(1)) else { return Ok(None) };
    match (args.bool(2), column_precision(Some(modifier))?) {
        (Some(true), Some(precision)) => {
            let Some(bytes) = args.varlena(0) else { return Ok(None) };
            match HllRef::parse(&bytes)?.precision() == precision {
                true => Ok(Some(sketch)),
                false => reduced(&bytes, precision),
            }
        }
        _ => checked(Some(sketch), Some(modifier)),
    }
}

/// The precision that a column's modifier asks for; -1 asks for none.
fn column_precision(modifier: Option<i32>) -> SqlResult<Option<Precision>> {
    match modifier {
        None | Some(..0) => Ok(None),
        Some(precision) => Ok(Some(Precision::new(precision.into())?)),
    }
}

/// A sketch for a column with the given modifier, or the error that says it does not fit.
fn checked(sketch: Option<Datum>, modifier: Option<i32>) -> Returned {
    if let (Some(datum), Some(wanted)) = (sketch, column_precision(modifier)?) {
        // SAFETY: the datum is a sketch.
        let bytes = unsafe { Varlena::from_datum(datum) };
        let precision = HllRef::parse(&bytes)?.precision();
        if precision != wanted {
            return Err(SqlError::new(
                PgSqlErrorCode::ERRCODE_DATA_EXCEPTION,
                format!("expected a sketch of precision {}, not {}", wanted.get(), precision.get()),
                match precision > wanted {
                    true => format!("Use hll_reduce(sketch, {}).", wanted.get()),
                    false => "Build the sketch with the precision of the column.".to_owned(),
                },
            ));
        }
    }
    Ok(sketch)
}
