//! Schemas from types: what schemars says, made exact.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Returns the schema of an arguments type: draft 2020-12, without the type's title.
pub(crate) fn of<T: JsonSchema + ?Sized>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let settings = settings.with_transform(schemars::transform::RecursiveTransform(make_exact));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}

/// Says what the type means and schemars leaves out.
fn make_exact(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    add_bounds(object);
    refuse_unknown_fields(object);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().filter_map(Value::as_object_mut).for_each(settle_default);
    }
}

/// The least and greatest value of each format that schemars gives to a number, as far as JSON's numbers are understood here: an integer
/// beyond 64 bits is no exact one.
fn bounds(format: &str) -> Option<(Value, Value)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "int128" => (i64::MIN.into(), u64::MAX.into()),
        "uint8" => (0.into(), u8::MAX.into()),
        "uint16" => (0.into(), u16::MAX.into()),
        "uint32" => (0.into(), u32::MAX.into()),
        "uint64" | "uint" | "uint128" => (0.into(), u64::MAX.into()),
        "float" => (f32::MIN.into(), f32::MAX.into()),
        _ => return None,
    })
}

/// schemars gives no bounds to most number types, and serde would refuse what the schema lets through.
fn add_bounds(schema: &mut Map<String, Value>) {
    let Some((least, greatest)) = schema.get("format").and_then(Value::as_str).and_then(bounds) else {
        return;
    };
    schema.entry("minimum").or_insert(least);
    schema.entry("maximum").or_insert(greatest);
}

fn refuse_unknown_fields(schema: &mut Map<String, Value>) {
    let is_object = |name: &Value| name == "object";
    let types = schema.get("type");
    let may_be_object = types
        .is_some_and(|types| is_object(types) || types.as_array().is_some_and(|types| types.iter().any(is_object)));
    if may_be_object {
        schema.entry("additionalProperties").or_insert(false.into());
    }
}

/// A null default is no default: the field may be null, which means absent. A field with another default may not be null.
fn settle_default(property: &mut Map<String, Value>) {
    match property.get("default") {
        Some(Value::Null) => drop(property.remove("default")),
        Some(_) => refuse_null(property),
        None => {}
    }
}

fn refuse_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            property["type"] = only.clone();
        }
    }
    if let Some(Value::Array(listed)) = property.get_mut("enum") {
        listed.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(branches)) = property.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
    }
}
