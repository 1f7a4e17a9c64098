//! References within a schema: each leads somewhere, and none back to itself.

use std::collections::HashMap;

use serde_json::Value;

use super::UnsupportedSchema;
use super::places::{Applies, every, inner, reference, referred};
use crate::json::{JsonPath, MAX_DEPTH};

/// Checks what makes a schema a broken one for every judge: what is nested too deep, and references that lead nowhere or only to themselves.
///
/// A full validator lets every value through such a loop.
///
/// # Errors
///
/// [`UnsupportedSchema`] names the place.
pub(super) fn check(root: &Value) -> Result<(), UnsupportedSchema> {
    if is_too_deep(root) {
        return broken(JsonPath::root(), format!("it is nested {MAX_DEPTH} levels deep or more"));
    }
    let mut states = HashMap::new();
    for (schema, path) in every(root) {
        if path != JsonPath::root() && schema.get("$id").is_some() {
            return broken(path.member("$id"), "a schema with an `$id` of its own within another");
        }
        let is_local = reference(schema).is_some_and(|reference| reference.starts_with('#'));
        if is_local && referred(root, schema).is_none() {
            return broken(path, "its reference leads nowhere");
        }
        settle(root, schema, &path, 0, &mut states)?;
    }
    Ok(())
}

/// Whether a value is nested as deep as none is that comes as text: the limit of the JSON that is read.
pub(crate) fn is_too_deep(value: &Value) -> bool {
    reaches(value, MAX_DEPTH)
}

fn reaches(value: &Value, levels: usize) -> bool {
    let inside = match value {
        Value::Array(elements) => elements.iter().collect::<Vec<_>>(),
        Value::Object(members) => members.values().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return false,
    };
    levels <= 1 || inside.into_iter().any(|value| reaches(value, levels - 1))
}

fn broken<T>(path: JsonPath, reason: impl Into<String>) -> Result<T, UnsupportedSchema> {
    Err(UnsupportedSchema::broken(path, reason.into()))
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Settled,
}

/// Follows what is applied to the same value, until it comes to an end.
fn settle<'s>(
    root: &'s Value,
    schema: &'s Value,
    path: &JsonPath,
    steps: usize,
    states: &mut HashMap<*const Value, State>,
) -> Result<(), UnsupportedSchema> {
    let this = std::ptr::from_ref(schema);
    match states.get(&this) {
        Some(State::Settled) => return Ok(()),
        Some(State::Open) => return broken(path.clone(), "a reference in it leads only to itself"),
        None if steps == MAX_DEPTH => return broken(path.clone(), format!("{MAX_DEPTH} references in a row")),
        None => states.insert(this, State::Open),
    };
    let is_same = |applies| matches!(applies, Applies::ToSame | Applies::AsCondition);
    for part in inner(schema, path).into_iter().filter(|part| is_same(part.applies)) {
        settle(root, part.schema, &part.path, steps + 1, states)?;
    }
    if let Some((schema, path)) = referred(root, schema) {
        settle(root, schema, &path, steps + 1, states)?;
    }
    states.insert(this, State::Settled);
    Ok(())
}
