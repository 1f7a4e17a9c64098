//! Schemas as they stand, and what of JSON Schema a provider takes.

use dispatch_core::ToolSpec;
use serde_json::{Map, Value, json};

use super::DefinitionError;
use super::loss::Losses;
use super::subset;
use super::table::Subset;

pub(super) type Schema = Map<String, Value>;

/// How much of JSON Schema a provider takes.
#[derive(Debug)]
pub(super) enum Dialect {
    /// All of it.
    All {
        /// Whether the root must be plainly an object: no reference, no union.
        plain_root: bool,
        /// Whether an array must say what it holds.
        needs_items: bool,
    },
    /// A part of it.
    Subset(&'static Subset),
}

impl Dialect {
    /// MCP's: [the type at the root](https://modelcontextprotocol.io/specification/2025-11-25/schema#tool) is all that it asks for.
    pub(super) const WHOLE: Self = Self::All { plain_root: false, needs_items: false };
    /// Anthropic's and Bedrock's: `oneOf`, `allOf` and `anyOf` are refused at the root.
    pub(super) const OBJECT: Self = Self::All { plain_root: true, needs_items: false };
    /// OpenAI's: as those, and "array schema missing items".
    pub(super) const WITH_ITEMS: Self = Self::All { plain_root: true, needs_items: true };

    /// Writes a tool's schema.
    ///
    /// # Errors
    ///
    /// When it can't be said.
    pub(super) fn write(&self, spec: &ToolSpec, losses: &mut Losses) -> Result<Value, DefinitionError> {
        let plain_root = !matches!(self, Self::All { plain_root: false, .. });
        let mut schema = super::root::of(spec, plain_root, losses)?;
        match self {
            Self::All { needs_items, .. } => {
                if *needs_items {
                    add_items(&mut schema);
                }
                Ok(schema.into())
            }
            Self::Subset(subset) => subset::write(subset, &spec.name, &schema, losses),
        }
    }
}

/// Says of every array that it holds anything, where nothing is said: it means the same.
fn add_items(schema: &mut Schema) {
    if names_type(schema, "array") {
        schema.entry("items").or_insert_with(|| json!({}));
    }
    inner_schemas(schema).filter_map(Value::as_object_mut).for_each(add_items);
}

/// Returns whether `type` has this name in it.
pub(super) fn names_type(schema: &Schema, name: &str) -> bool {
    type_names(schema).is_some_and(|names| names.contains(&name))
}

/// Returns the types that are named, if any are.
pub(super) fn type_names(schema: &Schema) -> Option<Vec<&str>> {
    let names = schema.get("type")?;
    let several = names.as_array().map(|names| names.iter().filter_map(Value::as_str).collect());
    several.or_else(|| names.as_str().map(|name| vec![name]))
}

/// Returns the values that `const` or `enum` lists, and which of them it is.
pub(super) fn listed(schema: &Schema) -> Option<(&'static str, &[Value])> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(("const", std::slice::from_ref(only))),
        (None, Some(Value::Array(values))) => Some(("enum", values)),
        (None, _) => None,
    }
}

/// Returns the names in `required`.
pub(super) fn required(schema: &Schema) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Keywords whose value is a schema, an array of schemas, or an object of schemas.
const SCHEMAS: &[&str] = &[
    "items",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "else",
    "if",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const NAMED_SCHEMAS: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// Returns the schemas directly within a schema. Names of properties are no keywords, whatever they are.
pub(super) fn inner_schemas(schema: &mut Schema) -> impl Iterator<Item = &mut Value> {
    schema.iter_mut().flat_map(|(keyword, value)| -> Vec<&mut Value> {
        if NAMED_SCHEMAS.contains(&keyword.as_str()) {
            return value.as_object_mut().map(|named| named.values_mut().collect()).unwrap_or_default();
        }
        if !SCHEMAS.contains(&keyword.as_str()) {
            return Vec::new();
        }
        if value.is_array() { value.as_array_mut().into_iter().flatten().collect() } else { vec![value] }
    })
}

/// Follows a reference within a document: `#`, or a JSON pointer as a fragment. Nothing is fetched.
pub(super) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&unescaped(reference.strip_prefix('#')?))
}

/// A pointer in a URI is percent-encoded. What decodes to no text is left as it is.
fn unescaped(fragment: &str) -> String {
    let mut parts = fragment.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
            }
            None => return fragment.to_owned(),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}

/// Returns whether a schema says null and nothing else.
pub(super) fn is_null(schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    match (listed(schema), type_names(schema)) {
        (Some((_, values)), _) => values.iter().all(Value::is_null),
        (None, Some(names)) => names == ["null"],
        (None, None) => false,
    }
}

/// Returns JSON Schema's name of a value's type.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
