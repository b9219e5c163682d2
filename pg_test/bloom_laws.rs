//! Laws of `bloom` that hold for every set of values.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::laws::Type;

    const BLOOM: Type = Type { name: "bloom", params: "500", is_set: true };

    #[pg_test]
    fn bloom_keeps_the_laws_of_every_type() {
        BLOOM.check();
    }

    #[pg_test]
    fn bloom_denies_no_value_of_a_set() {
        BLOOM.make_sets();
        BLOOM.holds("s @> value AND value <@ s AND s + value = s", "sets JOIN elements USING (id)");
        BLOOM.holds("(a || b) @> value", "pairs JOIN elements ON id IN (a_id, b_id)");
        BLOOM.holds(
            "(a & b) @> x.value",
            "pairs JOIN elements AS x ON x.id = a_id
                JOIN elements AS y ON y.id = b_id AND y.value = x.value",
        );
    }

    #[pg_test]
    fn intersecting_is_commutative_and_idempotent_and_absorbs() {
        BLOOM.make_sets();
        BLOOM.holds("a & b = (b & a)", "pairs");
        BLOOM.holds("s & s = s AND s & bloom_empty(500) = bloom_empty(500)", "sets");
        BLOOM.holds("(a & b) || a = a AND (a & b) || b = b", "pairs");
    }
}
