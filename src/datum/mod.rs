//! Arguments and results of SQL functions.
//!
//! * [`args`]: the arguments of a call, and the macro that exports a function;
//! * [`varlena`]: values of variable length, in and out;
//! * [`record`]: results of several columns.

pub mod args;
pub mod record;
pub mod varlena;

pub use args::{Args, Returned};
pub use varlena::Varlena;
