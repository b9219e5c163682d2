//! The SQL type `cms`: see `sketch::cms` for what it is and `sql/cms.sql` for its declarations.

mod aggregates;
mod functions;
mod io;
