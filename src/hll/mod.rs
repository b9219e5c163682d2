//! The SQL type `hll`: see `sketch::hll` for what it is and `sql/hll.sql` for its declarations.

mod aggregates;
mod functions;
mod io;
