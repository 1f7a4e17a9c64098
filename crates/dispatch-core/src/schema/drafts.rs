//! Older drafts: what they say otherwise than the present one.

#[cfg(feature = "json-schema")]
use super::UnsupportedSchema;
use super::places::every;
use serde_json::{Map, Value};

/// Removes an older draft's name from a schema that means the same in draft 2020-12, so that it is judged like any other.
pub(crate) fn modernise(schema: &mut Value) {
    if is_old(schema) && every(schema).iter().all(|(schema, _)| means_the_same(schema)) {
        schema.as_object_mut().map(|keywords| keywords.remove("$schema"));
    }
}

fn is_old(schema: &Value) -> bool {
    let named = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["draft-03/", "draft-04/", "draft-06/", "draft-07/"].iter().any(|draft| named.contains(draft))
}

/// Whether none of its keywords was changed since.
fn means_the_same(schema: &Value) -> bool {
    let changed = |(keyword, value): (&String, &Value)| match keyword.as_str() {
        "items" => value.is_array(),
        "exclusiveMinimum" | "exclusiveMaximum" | "required" => value.is_boolean(),
        "additionalItems" | "dependencies" | "id" | "$id" | "divisibleBy" | "disallow" | "extends" => true,
        newer => is_newer(newer),
    };
    let keywords = schema.as_object();
    let overlooked = keywords.is_some_and(|keywords| keywords.contains_key("$ref") && !only_annotates(keywords));
    !overlooked && !keywords.into_iter().flatten().any(changed)
}

/// Whether nothing beside a reference is overlooked that says which values fit: what older drafts do.
fn only_annotates(keywords: &Map<String, Value>) -> bool {
    keywords.keys().all(|keyword| keyword == "$ref" || super::compile::ANNOTATIONS.contains(&keyword.as_str()))
}

/// Whether the drafts up to 7 do not know a keyword, and overlook it.
fn is_newer(keyword: &str) -> bool {
    const NEWER: [&str; 8] = [
        "prefixItems",
        "unevaluatedProperties",
        "unevaluatedItems",
        "dependentRequired",
        "dependentSchemas",
        "minContains",
        "maxContains",
        "$dynamicRef",
    ];
    NEWER.contains(&keyword)
}

/// Checks that a schema has no keyword that the draft which it names would overlook.
///
/// # Errors
///
/// [`UnsupportedSchema`] names the place.
#[cfg(feature = "json-schema")]
pub(crate) fn check_draft(schema: &Value) -> Result<(), UnsupportedSchema> {
    let overlooked = |schema: &Value| schema.as_object()?.keys().find(|keyword| is_newer(keyword)).cloned();
    let found = every(schema).into_iter().find_map(|(schema, path)| Some((path, overlooked(schema)?)));
    match found.filter(|_| is_old(schema)) {
        Some((path, keyword)) => {
            let reason = format!(
                "the draft that `$schema` names does not know `{keyword}`, which unknown fields may need to be refused by"
            );
            Err(UnsupportedSchema::broken(path, reason))
        }
        None => Ok(()),
    }
}
