//! The sketch types, as far as tests of what is so of every type need to tell them apart.

/// A sketch type. All types have one grammar, so that a test is written once, with `{T}` for the
/// name of the type and these parameters of its aggregate.
pub struct Kind {
    /// The name.
    pub name: &'static str,
    /// Parameters with which sketches of parts merge: thousands of values outgrow the sparse form.
    pub params: &'static str,
    /// Parameters with which a few dozen values outgrow it.
    pub low: &'static str,
    /// A query is to find whether the sketch `s` holds no values.
    pub is_empty: &'static str,
}

/// Every type.
pub const KINDS: [Kind; 3] = [
    Kind { name: "hll", params: "13", low: "5", is_empty: "# s = 0" },
    Kind { name: "bloom", params: "20000", low: "50, 0.02", is_empty: "bloom_cardinality(s) = 0" },
    Kind { name: "cms", params: "0.002", low: "0.05, 0.2", is_empty: "cms_total(s) = 0" },
];

impl Kind {
    /// SQL for this type: `{T}` is its name, `{P}` and `{LOW}` its parameters, `{EMPTY}` whether
    /// `s` is empty.
    pub fn sql(&self, template: &str) -> String {
        template
            .replace("{T}", self.name)
            .replace("{P}", self.params)
            .replace("{LOW}", self.low)
            .replace("{EMPTY}", self.is_empty)
    }
}
