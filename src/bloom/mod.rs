//! The SQL type `bloom`: see `sketch::bloom` for what it is and `sql/bloom.sql` for its
//! declarations.

mod aggregates;
mod functions;
mod io;
