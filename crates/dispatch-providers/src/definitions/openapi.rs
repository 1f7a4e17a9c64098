//! A subset of OpenAPI: what Gemini writes otherwise than JSON Schema does.

use dispatch_core::json::JsonPath;
use serde_json::{Value, json};

use super::loss::LEFT_OUT;
use super::root::merge;
use super::schema::{Schema, listed};
use super::subset::Writer;
use super::table::binds;

/// What may stand for any value: the API wants a type of everything, also of what an array holds.
pub(super) fn nearly_anything() -> Value {
    let plain =
        [json!({"type": "STRING"}), json!({"type": "NUMBER"}), json!({"type": "BOOLEAN"}), json!({"type": "OBJECT"})];
    let array = json!({"type": "ARRAY", "items": {"anyOf": plain, "nullable": true}});
    let any_of: Vec<Value> = plain.into_iter().chain([array]).collect();
    json!({"anyOf": any_of, "nullable": true})
}

pub(super) const NEARLY_ANYTHING: &str = "any value but arrays in arrays";

/// Takes out of `rest` what has another form, and writes that.
pub(super) fn rewrite(writer: &mut Writer<'_>, rest: &mut Schema, types: &[&str], path: &JsonPath, out: &mut Schema) {
    if let Some((keyword, values)) = listed(rest) {
        let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        if values.iter().all(|value| value.as_str().is_some_and(|text| !text.is_empty())) {
            if !values.is_empty() {
                out.insert("enum".to_owned(), json!(values));
            }
        } else {
            writer.lose(path, keyword, LEFT_OUT);
        }
    }
    rest.remove("const");
    rest.remove("enum");
    let is_integer = !types.contains(&"number");
    for (exclusive, inclusive, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        if rest.contains_key(inclusive) {
            continue;
        }
        let Some(bound) = rest.remove(exclusive) else { continue };
        let next = bound.as_i64().filter(|_| is_integer).and_then(|bound| bound.checked_add(step));
        if next.is_none() {
            writer.lose(path, exclusive, inclusive);
        }
        rest.insert(inclusive.to_owned(), next.map_or(bound, Value::from));
    }
}

pub(super) fn object(writer: &mut Writer<'_>, schema: &Schema, properties: Schema, path: &JsonPath, out: &mut Schema) {
    if schema.get("additionalProperties").is_some_and(|additional| additional != true) {
        writer.lose(path, "additionalProperties", LEFT_OUT);
    }
    let asked = super::schema::required(schema);
    let (known, unknown): (Vec<&str>, Vec<&str>) = asked.into_iter().partition(|name| properties.contains_key(*name));
    if !unknown.is_empty() {
        // The API refuses a schema that requires what it does not describe.
        writer.lose(path, "required", &format!("without {}", unknown.join(", ")));
    }
    if !known.is_empty() {
        out.insert("required".to_owned(), json!(known));
    }
    out.insert("properties".to_owned(), properties.into());
}

/// Says the types: one for each schema, null apart from them.
pub(super) fn typed(mut out: Schema, types: &[&str]) -> Value {
    let nullable = types.contains(&"null");
    let has_number = types.contains(&"number");
    let others: Vec<&str> =
        types.iter().copied().filter(|name| *name != "null" && !(*name == "integer" && has_number)).collect();
    match others.as_slice() {
        [] => return json!({"type": "NULL"}),
        [only] => drop(out.insert("type".to_owned(), only.to_uppercase().into())),
        several => {
            let (told, bound): (Schema, Schema) = out
                .into_iter()
                .partition(|(keyword, _)| ["title", "description", "default"].contains(&keyword.as_str()));
            out = told;
            let branches = several.iter().map(|name| of_type(&bound, name)).collect();
            return union(out, branches, nullable);
        }
    }
    if nullable {
        out.insert("nullable".to_owned(), true.into());
    }
    out.into()
}

fn of_type(bound: &Schema, name: &str) -> Value {
    let mut of_type = bound.clone();
    of_type.retain(|keyword, _| binds(keyword, name) && (keyword != "enum" || name == "string"));
    of_type.insert("type".to_owned(), name.to_uppercase().into());
    of_type.into()
}

/// Says a union. Of one branch it is that branch.
pub(super) fn union(mut out: Schema, mut branches: Vec<Value>, nullable: bool) -> Value {
    let only = if branches.len() == 1 { branches.pop() } else { None };
    match only {
        Some(Value::Object(only)) => drop(merge(&mut out, only)),
        _ if branches.is_empty() => drop(out.insert("type".to_owned(), "NULL".into())),
        _ => drop(out.insert("anyOf".to_owned(), branches.into())),
    }
    if nullable && !out.get("type").is_some_and(|name| name == "NULL") {
        out.insert("nullable".to_owned(), true.into());
    }
    out.into()
}

/// Reads a schema of this subset as JSON Schema.
pub(super) fn read(schema: &Value) -> Value {
    let Some(written) = schema.as_object() else { return schema.clone() };
    let mut read = Schema::new();
    for (keyword, value) in written {
        let (keyword, value) = match (plain_name(keyword), value) {
            ("nullable" | "propertyOrdering", _) => continue,
            ("format", format) if format == "enum" => continue,
            ("example", value) => ("examples", json!([value])),
            ("type", Value::String(name)) => ("type", name.to_lowercase().into()),
            ("type", Value::Number(number)) => ("type", numbered_type(number)),
            ("properties", Value::Object(named)) => (
                "properties",
                named.iter().map(|(name, schema)| (name.clone(), self::read(schema))).collect::<Schema>().into(),
            ),
            ("items", value) => ("items", self::read(value)),
            ("additionalProperties", value) => ("additionalProperties", self::read(value)),
            ("anyOf", Value::Array(branches)) => ("anyOf", branches.iter().map(self::read).collect()),
            (keyword, value) if BOUNDS.contains(&keyword) => (keyword, number(value)),
            (keyword, value) => (keyword, value.clone()),
        };
        read.insert(keyword.to_owned(), value);
    }
    if written.get("nullable").is_some_and(|nullable| nullable == true) {
        accept_null(&mut read);
    }
    read.into()
}

/// Protocol buffers take a type by its number as well.
fn numbered_type(number: &serde_json::Number) -> Value {
    let names = ["string", "number", "integer", "boolean", "array", "object", "null"];
    let place = number.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    place.and_then(|place| names.get(place)).map_or_else(|| number.clone().into(), |name| Value::from(*name))
}

const BOUNDS: &[&str] =
    &["maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum"];

/// Protocol buffers write 64-bit integers as text, and take them both ways.
fn number(value: &Value) -> Value {
    value
        .as_str()
        .and_then(|text| serde_json::from_str(text).ok())
        .filter(Value::is_number)
        .unwrap_or_else(|| value.clone())
}

/// The names of the protocol buffers' fields are taken as well as those of JSON.
fn plain_name(keyword: &str) -> &str {
    let snake = [
        ("additional_properties", "additionalProperties"),
        ("any_of", "anyOf"),
        ("max_items", "maxItems"),
        ("max_length", "maxLength"),
        ("max_properties", "maxProperties"),
        ("min_items", "minItems"),
        ("min_length", "minLength"),
        ("min_properties", "minProperties"),
        ("property_ordering", "propertyOrdering"),
    ];
    snake.iter().find(|(snake, _)| *snake == keyword).map_or(keyword, |(_, plain)| plain)
}

fn accept_null(schema: &mut Schema) {
    if let Some(name) = schema.get("type").cloned() {
        schema.insert("type".to_owned(), json!([name, "null"]));
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
        branches.push(json!({"type": "null"}));
    }
}
