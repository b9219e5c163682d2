//! Tests that run inside the server: what needs Rust and SQL together. Tests of SQL alone are in
//! `tests/pg_regress`, among them those of every message word for word.

mod bloom_laws;
mod cms_laws;
mod cuckoo_laws;
mod hll_counts;
mod hll_laws;
mod laws;
mod outside;
mod outside_values;
mod value_classes;

/// What `cargo pgrx test` asks the crate for.
pub fn setup(_options: Vec<&str>) {}

/// Settings of the test cluster.
pub fn postgresql_conf_options() -> Vec<&'static str> {
    vec![]
}

/// The one value of a query that gives no NULL.
fn one<T: pgrx::FromDatum + pgrx::IntoDatum>(query: &str) -> T {
    pgrx::Spi::get_one(query).expect(query).expect(query)
}
