//! Structured outputs: closed objects whose every property is required, and optional ones may be null.

use dispatch_core::json::JsonPath;
use serde_json::{Value, json};

use super::DefinitionError;
use super::schema::{Schema, required};
use super::subset::Writer;

/// Closes an object.
///
/// # Errors
///
/// When it is there for names that nobody knows: closed, it would hold nothing.
pub(super) fn object(
    writer: &mut Writer<'_>,
    schema: &Schema,
    properties: Schema,
    is_root: bool,
    path: &JsonPath,
    out: &mut Schema,
) -> Result<(), DefinitionError> {
    let additional = schema.get("additionalProperties");
    let is_open = match additional {
        Some(Value::Bool(is_open)) => *is_open,
        Some(_) => true,
        None => properties.is_empty() && !is_root,
    };
    if is_open && properties.is_empty() {
        return writer.unsayable(path, "an object with names of any kind has no strict form");
    }
    if is_open {
        writer.lose(path, "additionalProperties", "false");
    }
    let mut asked: Vec<&str> = required(schema);
    let unknown: Vec<&str> = asked.iter().copied().filter(|name| !properties.contains_key(*name)).collect();
    if !unknown.is_empty() {
        writer.lose(path, "required", &format!("without {}", unknown.join(", ")));
        asked.retain(|name| properties.contains_key(*name));
    }
    let mut optional: Vec<&str> = properties.keys().map(String::as_str).filter(|name| !asked.contains(name)).collect();
    optional.sort_unstable();
    out.insert("required".to_owned(), asked.into_iter().chain(optional).collect());
    out.insert("additionalProperties".to_owned(), false.into());
    out.insert("properties".to_owned(), properties.into());
    Ok(())
}

/// The type of null.
const NULL: &str = "null";

/// Says the types.
pub(super) fn typed(mut out: Schema, types: &[&str]) -> Value {
    let types = match types {
        [only] => Value::from(*only),
        several => json!(several),
    };
    out.insert("type".to_owned(), types);
    out.into()
}

/// Says a union.
pub(super) fn union(mut out: Schema, mut branches: Vec<Value>, nullable: bool) -> Value {
    if nullable {
        branches.push(json!({"type": NULL}));
    }
    out.insert("anyOf".to_owned(), branches.into());
    out.into()
}

/// Lets a value be null: that it is absent.
pub(super) fn or_null(schema: Value) -> Value {
    let Value::Object(mut members) = schema else { return schema };
    let null_schema = json!({"type": NULL});
    if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
        if !branches.contains(&null_schema) {
            branches.push(null_schema);
        }
        return members.into();
    }
    if members.contains_key("$ref") || members.contains_key("const") {
        let mut either = Schema::new();
        if let Some(told) = members.remove("description") {
            either.insert("description".to_owned(), told);
        }
        either.insert("anyOf".to_owned(), json!([members, null_schema]));
        return either.into();
    }
    match members.get_mut("type") {
        Some(Value::Array(names)) if !names.iter().any(|name| name == NULL) => names.push(NULL.into()),
        Some(Value::String(name)) if name != NULL => {
            let either = json!([name, NULL]);
            members.insert("type".to_owned(), either);
        }
        _ => {}
    }
    if let Some(Value::Array(values)) = members.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    members.into()
}
