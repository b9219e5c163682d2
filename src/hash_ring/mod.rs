//! The SQL type `hash_ring`: see `sketch::hash_ring` for what it is and `sql/hash_ring.sql` for its
//! declarations.

mod aggregates;
mod functions;
mod io;
mod keys;
