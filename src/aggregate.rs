//! What every sketch type does in SQL, written once: aggregate states, doors, merging.
//!
//! An aggregate's state is the sketch itself in its working form, an ordinary value that the
//! transition function changes in place. The executor's rules for that: a function that returns
//! the pointer it was given has changed the state; any other pointer is copied into the
//! aggregate's memory and the old state freed. So a state that has no more room is rebuilt in the
//! memory of the current row and returned. Outside an aggregate nothing is changed in place, and
//! everything returned is at rest.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use pgrx::PgSqlErrorCode;
use pgrx::pg_sys::Datum;
use sketch::hash::ValueClass;
use sketch::{Fit, Sketch};

use crate::datum::varlena::{self, Builder};
use crate::datum::{Args, Returned};
use crate::error::{SqlError, SqlResult};
use crate::value;

/// A sketch in the working form: the executor's own, or one built in this call.
enum State {
    InPlace(Datum, &'static mut [u8]),
    Built(Builder),
}

impl State {
    /// A new, empty state.
    fn new<S: Sketch>(
        params: S::Params,
        init: impl FnOnce(&mut [u8], S::Params),
    ) -> SqlResult<Self> {
        let mut builder = Builder::new(S::initial_len(params))?;
        init(builder.bytes(), params);
        Ok(State::Built(builder))
    }

    /// A state with what a sketch holds.
    fn thawed<S: Sketch>(bytes: &[u8]) -> SqlResult<Self> {
        let mut builder = Builder::new(S::thaw_len(bytes)?)?;
        S::thaw(bytes, builder.bytes())?;
        Ok(State::Built(builder))
    }

    /// The state that an aggregate calls with, to be changed in place.
    #[inline(always)]
    fn in_place(args: &Args) -> Option<(Datum, &'static mut [u8])> {
        let datum = args.datum(0).filter(|_| args.in_aggregate())?;
        // SAFETY: an aggregate owns its state and expects it to be changed; the slice is used only
        // in this call.
        let bytes = unsafe { varlena::bytes_in_place(datum) }?;
        sketch::is_working(bytes).then_some((datum, bytes))
    }

    /// The first argument as a state: in place where an aggregate calls with its own state, else
    /// a copy. `None` if it is NULL.
    fn first_argument<S: Sketch>(args: &Args) -> SqlResult<Option<Self>> {
        if let Some((datum, bytes)) = Self::in_place(args) {
            return Ok(Some(State::InPlace(datum, bytes)));
        }
        args.varlena(0).map(|bytes| Self::thawed::<S>(&bytes)).transpose()
    }

    #[inline]
    fn bytes(&mut self) -> &mut [u8] {
        match self {
            State::InPlace(_, bytes) => bytes,
            State::Built(builder) => builder.bytes(),
        }
    }

    /// Applies a change, in a bigger state where it finds no room.
    #[inline]
    fn apply<S: Sketch>(
        &mut self,
        change: impl Fn(&mut [u8]) -> sketch::Result<Fit>,
    ) -> SqlResult<()> {
        while let Fit::Needs(len) = change(self.bytes())? {
            let mut bigger = Builder::new(len)?;
            S::grow(self.bytes(), bigger.bytes());
            // The executor frees the state that it owns.
            if let State::Built(old) = std::mem::replace(self, State::Built(bigger)) {
                old.free();
            }
        }
        Ok(())
    }

    /// The state as the result of the call.
    #[inline]
    fn finish<S: Sketch>(self, args: &Args) -> Returned {
        match self {
            State::InPlace(datum, _) => Ok(Some(datum)),
            State::Built(mut builder) if !args.in_aggregate() => at_rest::<S>(builder.bytes()),
            State::Built(mut builder) => {
                let len = builder.bytes().len();
                Ok(Some(builder.finish(len)))
            }
        }
    }
}

/// Any form of a sketch in its form for rest.
fn at_rest<S: Sketch>(bytes: &[u8]) -> Returned {
    varlena::build(S::rest_bound(bytes)?, |out| Ok(S::rest(bytes, out)?))
}

/// The empty sketch for the given parameters.
pub fn empty<S: Sketch>(params: S::Params) -> Returned {
    at_rest::<S>(State::new::<S>(params, S::init)?.bytes())
}

/// `T_agg_trans(state, value, ...)`: adds a value to a state, which the first row of a group makes
/// with its parameters.
#[inline(always)]
pub fn transition<S: Sketch>(
    args: &Args,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
) -> Returned {
    // A closure is inlined where a function that is passed would be called.
    transition_by::<S>(
        args,
        params,
        S::init,
        #[inline(always)]
        |state, class, hash| S::insert(state, class, hash),
    )
}

/// The same with another way to make a state, or to change it by a value.
#[inline(always)]
pub fn transition_by<S: Sketch>(
    args: &Args,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
    init: impl FnOnce(&mut [u8], S::Params),
    change: impl Fn(&mut [u8], ValueClass, u64) -> sketch::Result<Fit>,
) -> Returned {
    let value = value::hash(args, 1)?;
    // The usual row changes a state that has room.
    if let (Some((class, hash)), Some((datum, state))) = (value, State::in_place(args))
        && change(state, class, hash)? == Fit::Done
    {
        return Ok(Some(datum));
    }
    transition_anew::<S>(args, params, init, change, value)
}

#[cold]
#[inline(never)]
fn transition_anew<S: Sketch>(
    args: &Args,
    params: impl FnOnce(&Args) -> SqlResult<S::Params>,
    init: impl FnOnce(&mut [u8], S::Params),
    change: impl Fn(&mut [u8], ValueClass, u64) -> sketch::Result<Fit>,
    value: Option<(ValueClass, u64)>,
) -> Returned {
    let mut state = match State::first_argument::<S>(args)? {
        Some(state) => state,
        None => State::new::<S>(params(args)?, init)?,
    };
    if let Some((class, hash)) = value {
        state.apply::<S>(|state| change(state, class, hash))?;
    }
    state.finish::<S>(args)
}

/// `T_merge(sketch, sketch)`: the union; a NULL adds nothing. Also the transition function of
/// `T_merge_agg`, and what combines the partial states of parallel workers.
pub fn merge<S: Sketch>(args: &Args) -> Returned {
    let state = match (State::first_argument::<S>(args)?, args.varlena(1)) {
        (None, None) => return Ok(None),
        (Some(state), None) => state,
        (None, Some(other)) => State::thawed::<S>(&other)?,
        (Some(mut state), Some(other)) => {
            state.apply::<S>(|state| S::merge(state, &other))?;
            state
        }
    };
    state.finish::<S>(args)
}

/// `T_add(sketch, value)`: the sketch with one more value; NULL adds nothing.
pub fn add<S: Sketch>(args: &Args) -> Returned {
    change_by::<S>(args, S::insert)
}

/// The sketch changed by a value in another way; NULL changes nothing.
pub fn change_by<S: Sketch>(
    args: &Args,
    change: impl Fn(&mut [u8], ValueClass, u64) -> sketch::Result<Fit>,
) -> Returned {
    let (Some(sketch), Some(bytes)) = (args.datum(0), args.varlena(0)) else { return Ok(None) };
    let Some((class, hash)) = value::hash(args, 1)? else { return Ok(Some(sketch)) };
    let mut state = State::thawed::<S>(&bytes)?;
    state.apply::<S>(|state| change(state, class, hash))?;
    at_rest::<S>(state.bytes())
}

/// The first sketch changed by the second; NULL changes nothing.
pub fn combine_by<S: Sketch>(
    args: &Args,
    change: impl Fn(&mut [u8], &[u8]) -> sketch::Result<Fit>,
) -> Returned {
    let (Some(sketch), Some(bytes)) = (args.datum(0), args.varlena(0)) else { return Ok(None) };
    let Some(other) = args.varlena(1) else { return Ok(Some(sketch)) };
    let mut state = State::thawed::<S>(&bytes)?;
    state.apply::<S>(|state| change(state, &other))?;
    at_rest::<S>(state.bytes())
}

/// The final function of `T_agg` and `T_merge_agg`: the state at rest, or the empty sketch if
/// there was no row.
pub fn finish<S: Sketch>(args: &Args) -> Returned {
    match args.varlena(0) {
        Some(state) => at_rest::<S>(&state),
        None => empty::<S>(S::DEFAULT_PARAMS),
    }
}

/// A sketch from outside, checked and at rest.
fn accept<S: Sketch>(bytes: &[u8]) -> Returned {
    varlena::build(S::rest_bound(bytes)?, |out| Ok(sketch::accept::<S>(bytes, out)?))
}

/// `T_in(cstring)`: hexadecimal digits behind `\x`.
pub fn input<S: Sketch>(args: &Args) -> Returned {
    let Some(text) = args.cstr(0) else { return Ok(None) };
    let code = PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION;
    let malformed = || {
        SqlError::new(
            code,
            "malformed text of a sketch".to_owned(),
            "A sketch is written as \\x and an even number of hexadecimal digits.",
        )
    };
    let digits = text.to_bytes().strip_prefix(b"\\x").ok_or_else(malformed)?;
    let mut bytes = Builder::new(digits.len() / 2)?;
    if digits.len() % 2 != 0 || HEXLOWER_PERMISSIVE.decode_mut(digits, bytes.bytes()).is_err() {
        return Err(malformed());
    }
    accept::<S>(bytes.bytes()).map_err(|error| error.with_code(code))
}

/// `T_out(T)`.
pub fn output<S: Sketch>(args: &Args) -> Returned {
    with_rest::<S>(args, |bytes| {
        varlena::cstring(2 + 2 * bytes.len(), |text| {
            text[..2].copy_from_slice(b"\\x");
            HEXLOWER.encode_mut(bytes, &mut text[2..]);
        })
    })
}

/// `T_recv(internal)`.
pub fn receive<S: Sketch>(args: &Args) -> Returned {
    args.message(0).map_or(Ok(None), accept::<S>)
}

/// `T_send(T)` and the cast to bytea.
pub fn send<S: Sketch>(args: &Args) -> Returned {
    with_rest::<S>(args, varlena::copy)
}

/// The cast from bytea.
pub fn from_bytea<S: Sketch>(args: &Args) -> Returned {
    args.varlena(0).map_or(Ok(None), |bytes| accept::<S>(&bytes))
}

/// Calls `f` with the first argument at rest, which it nearly always is already.
fn with_rest<S: Sketch>(args: &Args, f: impl FnOnce(&[u8]) -> Returned) -> Returned {
    let Some(bytes) = args.varlena(0) else { return Ok(None) };
    if !sketch::is_working(&bytes) {
        return f(&bytes);
    }
    let mut builder = Builder::new(S::rest_bound(&bytes)?)?;
    let len = S::rest(&bytes, builder.bytes())?;
    f(&builder.bytes()[..len])
}

/// Exports the doors of a type without a modifier: in and out, as text and in binary form, and the
/// casts from and to bytea.
macro_rules! doors {
    ($sketch:ty: $in:ident, $out:ident, $recv:ident, $send:ident, $from:ident, $to:ident) => {
        $crate::datum::args::export!($in, $out, $recv, $send, $from, $to);

        fn $in(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::input::<$sketch>(args)
        }

        fn $out(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::output::<$sketch>(args)
        }

        fn $recv(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::receive::<$sketch>(args)
        }

        fn $send(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::send::<$sketch>(args)
        }

        fn $from(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::from_bytea::<$sketch>(args)
        }

        fn $to(args: &$crate::datum::Args) -> $crate::datum::Returned {
            $crate::aggregate::send::<$sketch>(args)
        }
    };
}
pub(crate) use doors;
