//! Laws of `hll` that hold for every set of values.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::laws::Type;

    const HLL: Type = Type { name: "hll", params: "8", is_set: true };

    #[pg_test]
    fn hll_keeps_the_laws_of_every_type() {
        HLL.check();
    }

    #[pg_test]
    fn reducing_and_merging_change_places() {
        HLL.make_sets();
        for precision in 4..=8 {
            HLL.holds(
                &format!(
                    "hll_reduce(a || b, {precision})
                        = (hll_reduce(a, {precision}) || hll_reduce(b, {precision}))"
                ),
                "pairs",
            );
            HLL.holds(
                &format!(
                    "hll_reduce(s, {precision}) = (
                        SELECT hll_agg(value, {precision}) FROM elements WHERE elements.id = sets.id)
                    OR s = hll_empty(8)"
                ),
                "sets",
            );
        }
    }

    /// A value that some set holds changes no sketch that holds it; the estimate never falls.
    #[pg_test]
    fn counts_grow_with_their_sets() {
        HLL.make_sets();
        HLL.holds(
            "hll_cardinality(a || b) >= greatest(hll_cardinality(a), hll_cardinality(b))",
            "pairs",
        );
        HLL.holds("s + value = s", "sets JOIN elements USING (id)");
    }
}
