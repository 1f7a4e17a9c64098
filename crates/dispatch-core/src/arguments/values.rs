//! Single values: what they mean, and which bounds they break.

use std::collections::HashSet;

use std::cmp::Ordering;

use serde_json::Value;

use crate::json::{Node, Number, write_value};
use crate::schema::Shape;

/// Returns what is wrong with a string's length.
pub(super) fn string_faults(shape: &Shape, node: Node<'_>) -> impl Iterator<Item = String> {
    let is_bounded = shape.min_length.is_some() || shape.max_length.is_some();
    let text = if is_bounded { node.as_str() } else { None };
    text.into_iter()
        .flat_map(|text| count_faults(shape.min_length, shape.max_length, text.chars().count(), "character"))
}

/// Returns what is wrong with an array's length, or with two equal elements. They are compared as they came, without defaults.
pub(super) fn array_faults(shape: &Shape, node: Node<'_>) -> impl Iterator<Item = String> {
    let repeated = shape.unique_items && has_repetition(node);
    count_faults(shape.min_items, shape.max_items, node.elements().count(), "item")
        .chain(repeated.then(|| "expected no element twice".to_owned()))
}

/// Returns the fault of a value that is not among those that the schema lists.
pub(super) fn not_listed(shape: &Shape, value: &Value) -> Option<String> {
    let listed = shape.one_of_values.as_ref()?;
    if listed.iter().any(|listed| equal(listed, value)) {
        return None;
    }
    let listed: Vec<_> = listed.iter().map(text).collect();
    let listed: Vec<_> = listed.iter().map(String::as_str).collect();
    Some(format!("expected {}, found {}", super::walk::alternatives(&listed), excerpt(&text(value))))
}

/// Compares values as JSON Schema does: numbers by what they mean.
pub(super) fn equal(listed: &Value, value: &Value) -> bool {
    match (listed, value) {
        (Value::Number(a), Value::Number(b)) => Number::from_json(a) == Number::from_json(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        _ => listed == value,
    }
}

/// Whether a number breaks no bound. Most don't, and need no words.
fn holds(shape: &Shape, number: Number) -> bool {
    shape.minimum.is_none_or(|bound| number.exact_cmp(bound).is_ge())
        && shape.maximum.is_none_or(|bound| number.exact_cmp(bound).is_le())
        && shape.exclusive_minimum.is_none_or(|bound| number.exact_cmp(bound).is_gt())
        && shape.exclusive_maximum.is_none_or(|bound| number.exact_cmp(bound).is_lt())
}

/// Returns what is wrong with a number's size.
pub(super) fn number_faults(shape: &Shape, number: Number, raw: &str) -> impl Iterator<Item = String> {
    let bounds = [
        (shape.minimum, "at least", [Ordering::Greater, Ordering::Equal]),
        (shape.maximum, "at most", [Ordering::Less, Ordering::Equal]),
        (shape.exclusive_minimum, "more than", [Ordering::Greater; 2]),
        (shape.exclusive_maximum, "less than", [Ordering::Less; 2]),
    ];
    let bounds = if holds(shape, number) { None } else { Some(bounds) };
    bounds.into_iter().flatten().filter_map(move |(bound, words, fitting)| {
        let bound = bound.filter(|bound| !fitting.contains(&number.exact_cmp(*bound)))?;
        // A double is told as it was written, since it stands for many literals.
        let found = if matches!(number, Number::Double(_)) { excerpt(raw) } else { number.to_json().to_string() };
        Some(format!("expected {words} {}, found {found}", bound.to_json()))
    })
}

fn count_faults(least: Option<u64>, most: Option<u64>, found: usize, unit: &str) -> impl Iterator<Item = String> {
    let expected = |words: &str, bound: u64| {
        let plural = if bound == 1 { "" } else { "s" };
        format!("expected {words} {bound} {unit}{plural}, found {found}")
    };
    let count = found as u64;
    let too_few = least.filter(|least| count < *least).map(|least| expected("at least", least));
    let too_many = most.filter(|most| count > *most).map(|most| expected("at most", most));
    too_few.into_iter().chain(too_many)
}

fn has_repetition(node: Node<'_>) -> bool {
    let mut seen = HashSet::new();
    !node.elements().all(|element| seen.insert(text(&element.to_json())))
}

/// As much of a text as a message can hold: what the model sent is of any length.
fn excerpt(text: &str) -> String {
    const LONGEST_BYTES: usize = 100;
    match text.get(..text.floor_char_boundary(LONGEST_BYTES)) {
        Some(start) if start.len() < text.len() => format!("{start}…"),
        _ => text.to_owned(),
    }
}

/// A value as canonical text: equal values give equal text.
fn text(value: &Value) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}
