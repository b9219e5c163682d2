//! Errors of `bloom`: what the user reads.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    #[pg_test(error = "bloom capacity 0 is out of range")]
    fn a_capacity_out_of_range() {
        Spi::run("SELECT bloom_agg(n, 0) FROM generate_series(1, 3) AS n").unwrap();
    }

    #[pg_test(error = "bloom error rate 0.75 is out of range")]
    fn an_error_rate_out_of_range() {
        Spi::run("SELECT bloom_agg(n, NULL, 0.75) FROM generate_series(1, 3) AS n").unwrap();
    }

    #[pg_test(
        error = "a bloom filter of 1000000000 values at error rate 0.01 would take 1316154208 bytes, more than the 1073741759 that fit a value"
    )]
    fn a_filter_that_no_value_can_hold() {
        Spi::run("SELECT bloom_empty(1000000000)").unwrap();
    }

    #[pg_test(
        error = "bloom filters of capacity 10 and error rate 0.01 and of capacity 20 and error rate 0.01 cannot be combined"
    )]
    fn capacities_that_differ() {
        Spi::run("SELECT bloom_agg(1, 10) || bloom_agg(1, 20)").unwrap();
    }

    #[pg_test(
        error = "bloom filters of capacity 10 and error rate 0.05 and of capacity 10 and error rate 0.01 cannot be combined"
    )]
    fn error_rates_that_differ() {
        Spi::run("SELECT bloom_agg(1, 10, 0.05) & bloom_agg(1, 10)").unwrap();
    }

    #[pg_test(error = "a value of class text cannot meet a sketch of class number")]
    fn a_value_of_another_class_is_not_looked_up() {
        Spi::run("SELECT bloom_agg(1) @> 'one'").unwrap();
    }

    #[pg_test(error = "a value of class text cannot meet a sketch of class number")]
    fn a_value_of_another_class_is_not_added() {
        Spi::run("SELECT bloom_agg(1) + 'one'").unwrap();
    }

    #[pg_test(error = "sketches of different value classes cannot be combined: uuid and text")]
    fn filters_of_other_classes() {
        Spi::run("SELECT bloom_agg(gen_random_uuid()) || bloom_agg(gen_random_uuid()::text)")
            .unwrap();
    }

    #[pg_test(error = "could not identify an equality operator for type point")]
    fn a_filter_of_a_type_without_equality() {
        Spi::run("SELECT bloom_agg(point(n, n)) FROM generate_series(1, 3) AS n").unwrap();
    }
}
