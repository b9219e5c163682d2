//! Laws of `cuckoo` that hold for every set of values.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::laws::Type;

    /// No two of the values have the same fingerprint in the same buckets.
    const CUCKOO: Type = Type { name: "cuckoo", params: "1000, 0.00001", is_set: true };

    #[pg_test]
    fn cuckoo_keeps_the_laws_of_every_type() {
        CUCKOO.check();
    }

    #[pg_test]
    fn cuckoo_denies_no_value_of_a_set() {
        CUCKOO.make_sets();
        CUCKOO.holds("s @> value AND value <@ s", "sets JOIN elements USING (id)");
        CUCKOO.holds("cuckoo_add_if_absent(s, value) = s", "sets JOIN elements USING (id)");
        CUCKOO.holds("(a || b) @> value", "pairs JOIN elements ON id IN (a_id, b_id)");
        CUCKOO.holds(
            "cuckoo_count(s) = (
                SELECT count(DISTINCT value) FROM elements WHERE elements.id = sets.id)",
            "sets",
        );
    }

    #[pg_test]
    fn removing_undoes_adding() {
        CUCKOO.make_sets();
        CUCKOO.holds(
            "s + v - v = s AND s + v + v - v = s + v",
            "sets, generate_series(990, 1009) AS v",
        );
        CUCKOO.holds("s - value + value = s", "sets JOIN elements USING (id)");
        CUCKOO.holds("s - s = cuckoo_empty(1000, 0.00001)", "sets");
        // What a set has alone is left when the other goes.
        CUCKOO.holds(
            "(a - (a - b)) || (a - b) = a AND cuckoo_count(a - b) <= cuckoo_count(a)",
            "pairs",
        );
    }
}
