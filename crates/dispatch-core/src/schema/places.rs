//! The schemas within a schema: where each stands, and what it is applied to.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::json::{JsonPath, Segment};

/// What a schema within another is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applies {
    /// The same value, which must fit.
    ToSame,
    /// The same value, which need not fit.
    AsCondition,
    /// What the value holds.
    Within,
    /// What the value holds, which need not fit.
    AsConditionWithin,
    /// Nothing, unless something refers to it.
    ByReference,
}

/// A schema within another.
pub(crate) struct Inner<'s> {
    pub(crate) schema: &'s Value,
    pub(crate) path: JsonPath,
    pub(crate) applies: Applies,
}

fn applies(keyword: &str) -> Option<Applies> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" | "then" | "else" | "dependentSchemas" | "dependencies" => Applies::ToSame,
        "not" | "if" => Applies::AsCondition,
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "prefixItems"
        | "items"
        | "additionalItems"
        | "unevaluatedItems" => Applies::Within,
        "contains" | "propertyNames" => Applies::AsConditionWithin,
        "$defs" | "definitions" => Applies::ByReference,
        _ => return None,
    })
}

const NAMED: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/// Returns the schemas that stand directly in this one.
pub(crate) fn inner<'s>(schema: &'s Value, at: &JsonPath) -> Vec<Inner<'s>> {
    let keywords = schema.as_object().into_iter().flatten();
    let known = keywords.filter_map(|(keyword, value)| Some((keyword, value, applies(keyword)?)));
    let found = known.flat_map(|(keyword, value, applies)| {
        let at = at.clone().member(keyword);
        let found: Vec<_> = match value {
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                named.iter().map(|(name, schema)| (schema, at.clone().member(name))).collect()
            }
            Value::Array(schemas) => {
                schemas.iter().enumerate().map(|(index, schema)| (schema, at.clone().index(index))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![(value, at)],
        };
        found.into_iter().map(move |(schema, path)| Inner { schema, path, applies })
    });
    found.filter(|inner| inner.schema.is_object() || inner.schema.is_boolean()).collect()
}

/// Returns a schema and all that stand in it, outer ones first.
pub(crate) fn every(schema: &Value) -> Vec<(&Value, JsonPath)> {
    let mut found = vec![(schema, JsonPath::root())];
    let mut next = 0;
    while let Some((schema, path)) = found.get(next) {
        let inside = inner(schema, path);
        found.extend(inside.into_iter().map(|inner| (inner.schema, inner.path)));
        next += 1;
    }
    found
}

/// Returns what a schema refers to.
pub(crate) fn reference(schema: &Value) -> Option<&str> {
    ["$ref", "$dynamicRef", "$recursiveRef"].iter().find_map(|keyword| schema.get(*keyword)?.as_str())
}

/// Returns where a reference leads, if it leads to a place in this schema.
pub(crate) fn locate(root: &Value, reference: &str) -> Option<JsonPath> {
    let fragment = unescaped(reference.strip_prefix('#')?)?;
    match fragment.strip_prefix('/') {
        Some(pointer) => follow(root, pointer),
        None if fragment.is_empty() => Some(JsonPath::root()),
        None => anchored(root, &fragment),
    }
}

/// Returns the value at a place.
pub(crate) fn at<'s>(root: &'s Value, path: &JsonPath) -> Option<&'s Value> {
    path.segments().iter().try_fold(root, |here, step| match step {
        Segment::Member(name) => here.get(name),
        Segment::Index(index) => here.get(index),
    })
}

/// Returns the keywords of the schema at a place.
pub(crate) fn keywords_mut<'s>(root: &'s mut Value, path: &JsonPath) -> Option<&'s mut Map<String, Value>> {
    let here = path.segments().iter().try_fold(root, |here, step| match step {
        Segment::Member(name) => here.get_mut(name),
        Segment::Index(index) => here.get_mut(index),
    });
    here?.as_object_mut()
}

/// Returns the schema that this one refers to, if it stands in the same text.
pub(crate) fn referred<'s>(root: &'s Value, schema: &Value) -> Option<(&'s Value, JsonPath)> {
    let path = locate(root, reference(schema)?)?;
    Some((at(root, &path)?, path))
}

/// Returns the default of what a schema describes: its own, else that of a schema that it refers to or is put together of.
pub(crate) fn default_of<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    default_unless_seen(root, schema, &mut HashSet::new())
}

fn default_unless_seen<'s>(root: &'s Value, schema: &'s Value, seen: &mut HashSet<*const Value>) -> Option<&'s Value> {
    if !seen.insert(std::ptr::from_ref(schema)) {
        return None;
    }
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let referred = referred(root, schema).map(|(schema, _)| schema);
    schema
        .get("default")
        .or_else(|| referred.into_iter().chain(parts).find_map(|part| default_unless_seen(root, part, seen)))
}

fn follow(root: &Value, pointer: &str) -> Option<JsonPath> {
    let mut here = root;
    let step = |token: &str| {
        let token = token.replace("~1", "/").replace("~0", "~");
        let step = if here.is_array() { Segment::Index(token.parse().ok()?) } else { Segment::Member(token) };
        here = match &step {
            Segment::Member(name) => here.get(name)?,
            Segment::Index(index) => here.get(index)?,
        };
        Some(step)
    };
    pointer.split('/').map(step).collect()
}

fn anchored(root: &Value, name: &str) -> Option<JsonPath> {
    let is_here = |schema: &Value| {
        ["$anchor", "$dynamicAnchor"].iter().any(|keyword| schema.get(*keyword).is_some_and(|anchor| anchor == name))
    };
    every(root).into_iter().find(|(schema, _)| is_here(schema)).map(|(_, path)| path)
}

/// Undoes the escapes of a URI's fragment.
fn unescaped(fragment: &str) -> Option<String> {
    let mut parts = fragment.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}
