//! Laws of `cms` that hold for every multiset of values.

#[pgrx::pg_schema]
mod tests {
    use pgrx::prelude::*;

    use super::super::laws::Type;

    const CMS: Type = Type { name: "cms", params: "0.02, 0.1", is_set: false };

    #[pg_test]
    fn cms_keeps_the_laws_of_every_type() {
        CMS.check();
    }

    #[pg_test]
    fn no_frequency_is_below_the_truth() {
        CMS.make_sets();
        let counted = "(SELECT id, value, count(*) AS n FROM elements GROUP BY id, value) AS e";
        CMS.holds(
            "s -> value >= n AND (cms_bounds(s, value)).lower <= s -> value",
            &format!("sets JOIN {counted} USING (id)"),
        );
        // While it is a list of its values, all is exact.
        CMS.holds(
            "(cms_info(s)).form = 'dense' OR s -> value = n AND cms_unbiased_frequency(s, value) = n",
            &format!("sets JOIN {counted} USING (id)"),
        );
        CMS.holds("(a || b) -> value >= (a -> value) + (b -> value)", "pairs, elements");
        CMS.holds(
            "cms_total(s) = (SELECT count(*) FROM elements WHERE elements.id = sets.id)",
            "sets",
        );
    }

    #[pg_test]
    fn a_weight_is_so_many_values() {
        CMS.make_sets();
        CMS.holds(
            "s = again",
            "sets JOIN (
                SELECT id, cms_weighted_agg(value, n, 0.02, 0.1) AS again
                FROM (SELECT id, value, count(*) AS n FROM elements GROUP BY id, value) AS counted
                GROUP BY id
            ) AS built USING (id)",
        );
        CMS.holds("cms_add(s, 7, 3) = s + 7 + 7 + 7", "sets");
    }

    /// A list that has become a table stays one.
    #[pg_test]
    fn subtracting_undoes_merging() {
        CMS.make_sets();
        CMS.holds("s - s = cms_empty(0.02, 0.1) OR (cms_info(s)).form = 'dense'", "sets");
        CMS.holds("(a || b) - b = a OR (cms_info(a || b)).form <> (cms_info(a)).form", "pairs");
        CMS.holds("cms_total((a || b) - b) = cms_total(a)", "pairs");
    }
}
