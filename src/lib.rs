//! pg_sketch: probabilistic sketches as PostgreSQL column types.
//!
//! This crate is the SQL surface: PostgreSQL on one side, byte slices on the other. A function
//! here reads its arguments, calls the `sketch` crate, and wraps the result; the algorithms, the
//! stored format and their tests are there.
//!
//! * [`datum`]: arguments and results, detoasting;
//! * [`value`]: a SQL value as a value class and a hash;
//! * [`surface`]: what every type does in SQL, once: aggregates, changes, doors, look-ups, order;
//! * one module for each type.
//!
//! Every function is exported under its SQL name with the calling convention of the server, and
//! declared in `sql/`.

use pgrx::{extension_sql_file, pg_module_magic};

pg_module_magic!();

mod bloom;
mod cms;
mod cuckoo;
mod datum;
mod error;
mod hash_ring;
mod hll;
mod surface;
mod value;

/// The server calls it when it loads the library.
#[pgrx::pg_guard]
pub extern "C-unwind" fn _PG_init() {
    sketch::set_interrupt_check(datum::varlena::check_for_interrupts);
    value::init();
}

extension_sql_file!("../sql/hll.sql", name = "hll");
extension_sql_file!("../sql/bloom.sql", name = "bloom");
extension_sql_file!("../sql/cms.sql", name = "cms");
extension_sql_file!("../sql/cuckoo.sql", name = "cuckoo");
extension_sql_file!("../sql/hash_ring.sql", name = "hash_ring");

#[cfg(any(test, feature = "pg_test"))]
#[path = "../pg_test/mod.rs"]
pub mod pg_test;
