//! Tests that run inside the server.

/// What `cargo pgrx test` asks the crate for.
pub fn setup(_options: Vec<&str>) {}

/// Settings of the test cluster.
pub fn postgresql_conf_options() -> Vec<&'static str> {
    vec![]
}
