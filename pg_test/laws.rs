//! Sets of values, and the laws that sketches of them keep in every type.

use pgrx::Spi;

use super::one;

/// A type, and parameters with which the sets below take every form.
pub struct Type {
    pub name: &'static str,
    pub params: &'static str,
    /// Whether a value that is there twice is there once.
    pub is_set: bool,
}

impl Type {
    /// `{T}` is the name and `{P}` the parameters.
    fn sql(&self, template: &str) -> String {
        template.replace("{T}", self.name).replace("{P}", self.params)
    }

    /// Makes 60 sets of values below 1,000 that overlap: their `elements`, their sketches `sets`,
    /// and `pairs` of those.
    pub fn make_sets(&self) {
        Spi::run(&self.sql(
            "CREATE TEMP TABLE elements AS
             SELECT id, ((hashint8extended(id * 1000 + n, 0) & 65535) % 1000)::int AS value
             FROM generate_series(1, 60) AS id, generate_series(1, (id % 12) * (id % 12) * 4) AS n;
             CREATE TEMP TABLE sets AS
             SELECT id, {T}_agg(value, {P}) AS s
             FROM generate_series(1, 60) AS id LEFT JOIN elements USING (id) GROUP BY id;
             CREATE TEMP TABLE pairs AS
             SELECT a.id AS a_id, a.s AS a, b.id AS b_id, b.s AS b
             FROM sets AS a JOIN sets AS b ON b.id IN (a.id + 1, a.id + 17)",
        ))
        .unwrap();
        let forms: i64 = one(&self.sql("SELECT count(DISTINCT ({T}_info(s)).form) FROM sets"));
        assert_eq!(forms, 3, "the sets are to have every form");
    }

    /// Fails unless a condition holds for every row.
    #[track_caller]
    pub fn holds(&self, condition: &str, from: &str) {
        let query = format!("SELECT count(*) FROM {from} WHERE ({condition}) IS NOT TRUE");
        let failed: i64 = one(&self.sql(&query));
        assert_eq!(failed, 0, "{condition}");
    }

    /// The laws.
    pub fn check(&self) {
        self.make_sets();
        self.merging();
        self.building();
        self.holds("s::bytea::{T} = s AND s::text::{T} = s", "sets");
        self.holds("(a || b)::bytea::{T} = (a || b)", "pairs");
    }

    /// Merging is commutative and associative, has a neutral element, and is idempotent for sets.
    fn merging(&self) {
        self.holds("a || b = (b || a)", "pairs");
        self.holds("a || b || s = (a || (b || s))", "pairs, sets");
        self.holds("s || {T}_empty({P}) = s AND {T}_empty() || s = s", "sets");
        if self.is_set {
            self.holds("s || s = s", "sets");
            self.holds("a || b || b = (a || b) AND a || b || a = (a || b)", "pairs");
        }
        // The sketch of a union is the union of the sketches.
        self.holds(
            "a || b = (SELECT {T}_agg(value, {P}) FROM elements WHERE id IN (a_id, b_id))
                OR a || b = {T}_empty({P})",
            "pairs",
        );
        self.holds(
            "s = (SELECT {T}_agg(value, {P}) FROM elements)",
            "(SELECT {T}_merge_agg(s) AS s FROM sets) AS merged",
        );
    }

    /// Order does not matter, nor repetition for sets, nor whether values come one by one.
    fn building(&self) {
        let twice = if self.is_set { "UNION ALL TABLE elements" } else { "" };
        self.holds(
            "s = again",
            &format!(
                "sets JOIN (
                    SELECT id, {{T}}_agg(value, {{P}} ORDER BY hashint4(value)) AS again
                    FROM (TABLE elements {twice}) AS repeated GROUP BY id
                ) AS built USING (id)"
            ),
        );
        Spi::run(&self.sql(
            "CREATE FUNCTION pg_temp.add_all(sketch {T}, numbers int[]) RETURNS {T}
             LANGUAGE plpgsql AS $$
             BEGIN
                 FOR n IN 1..cardinality(numbers) LOOP
                     sketch := sketch + numbers[n];
                 END LOOP;
                 RETURN sketch;
             END $$",
        ))
        .unwrap();
        let values = if self.is_set { "DISTINCT value" } else { "value" };
        self.holds(
            &format!(
                "pg_temp.add_all({{T}}_empty({{P}}), ARRAY(
                    SELECT {values} FROM elements WHERE elements.id = sets.id)) = s"
            ),
            "sets",
        );
    }
}
