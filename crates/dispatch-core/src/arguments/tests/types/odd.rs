//! Types that are rare, and ask more of the judge.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Point;

/// Arguments that hold themselves.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Whole {
    name: String,
    parts: Vec<Whole>,
}

impl Whole {
    pub(in crate::arguments::tests) const FITTING: &str = r#"{"name": "a", "parts": [{"name": "b", "parts": []}]}"#;
}

/// Forms that overlap: a constant in one of them says nothing against the other.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Overlapping {
    either: Either,
    fallback: Fallback,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::arguments::tests) enum Either {
    Marked { kind: Only, size: u8 },
    Free { kind: String },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::arguments::tests) enum Only {
    Sized,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(in crate::arguments::tests) enum Fallback {
    Sized {
        size: u8,
    },
    #[serde(untagged)]
    Other {
        kind: String,
    },
}

impl Overlapping {
    pub(in crate::arguments::tests) const FITTING: &str =
        r#"{"either": {"kind": "sized", "size": 1}, "fallback": {"kind": "sized", "size": 1}}"#;
}

/// Fields of another structure among its own.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Flat {
    name: String,
    #[serde(flatten)]
    point: Point,
}

impl Flat {
    pub(in crate::arguments::tests) const FITTING: &str = r#"{"name": "a", "x": 1, "y": 2}"#;
}

/// Forms within forms, more than one of which looks at what is inside.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Ambiguous {
    rule: Rule,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::arguments::tests) enum Rule {
    Not { inner: Box<Rule> },
    Maybe { inner: Box<Rule>, odds: u8 },
    Id(u8),
}

impl Ambiguous {
    pub(in crate::arguments::tests) const FITTING: &str = r#"{"rule": {"inner": {"inner": 1, "odds": 2}}}"#;
}

/// Structures of which none may come again.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Sets {
    pairs: BTreeSet<Pair>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
pub(in crate::arguments::tests) struct Pair {
    a: u8,
    #[serde(default)]
    b: u8,
}

impl Sets {
    pub(in crate::arguments::tests) const FITTING: &str = r#"{"pairs": [{"a": 1}, {"a": 1, "b": 1}]}"#;
}
