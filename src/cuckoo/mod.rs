//! The SQL type `cuckoo`: see `sketch::cuckoo` for what it is and `sql/cuckoo.sql` for its
//! declarations.

mod aggregates;
mod functions;
mod io;
