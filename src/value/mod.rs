//! A SQL value as its class and 64-bit hash, or as its canonical encoding.
//!
//! `sketch::hash` fixes the encodings; this module finds a value's type, once for each place in a
//! query, and reads the value's memory. A scalar hands its encoding to a closure, so that a value
//! by itself is hashed at once and a part of another value goes to an [`Encoder`].
//!
//! * [`argument`]: the arguments of a call that are values, and their types;
//! * [`types`]: what is known of a type; [`sketches`]: those that are no values;
//! * [`scalar`], [`numeric`], [`enums`], [`other`]: values of one piece;
//! * [`composite`], [`array`], [`record`], [`range`], [`jsonb`]: values made of others, and what
//!   these need of their parts ([`part`]);
//! * [`changes`]: what of the catalog may change while a query runs.

mod argument;
mod array;
mod changes;
mod composite;
mod enums;
mod jsonb;
mod numeric;
mod other;
mod part;
mod range;
mod record;
mod scalar;
mod sketches;
mod types;

pub use argument::{Site, are_of_one_type, init};
