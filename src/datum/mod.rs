//! Arguments and results of SQL functions.
//!
//! * [`args`]: the arguments of a call, and the macro that exports a function;
//! * [`varlena`]: values of variable length, in and out;
//! * [`stored`]: sketches that are looked into, in parts or kept whole;
//! * [`record`]: results of several columns;
//! * [`text`]: strings of the database, and arrays of them;
//! * [`call_site`]: what a place in a query keeps between calls.

pub mod args;
pub mod call_site;
pub mod record;
pub mod stored;
pub mod text;
pub mod varlena;

pub use args::{Args, Returned};
pub use stored::Kept;
pub use varlena::Varlena;
