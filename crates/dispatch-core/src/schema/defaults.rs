//! Defaults that the schema does not tell.

use serde_json::{Map, Value};

use super::UnsupportedSchema;
use super::places::every;
use crate::json::JsonPath;

/// Checks that a typed tool has no default that only its arguments' type knows: serde would fill it in behind the policy's back.
///
/// schemars leaves a default out where it can't be serialised, or is skipped when it is. What remains is a field that may be left out, has no
/// default, and may not be null.
///
/// # Errors
///
/// [`UnsupportedSchema`] names the field.
pub(crate) fn check_told(schema: &Value) -> Result<(), UnsupportedSchema> {
    every(schema).iter().try_for_each(|(schema, at)| check(schema, at))
}

fn check(schema: &Value, at: &JsonPath) -> Result<(), UnsupportedSchema> {
    let Some(keywords) = schema.as_object() else { return Ok(()) };
    if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
        let hidden = properties.iter().find(|(name, property)| !is_required(keywords, name) && hides_default(property));
        if let Some((name, _)) = hidden {
            let reason =
                "the field may be left out, and what it is then is told nowhere: its default must be serialisable";
            return Err(UnsupportedSchema::broken(at.clone().member("properties").member(name), reason.to_owned()));
        }
    }
    Ok(())
}

fn is_required(keywords: &Map<String, Value>, name: &str) -> bool {
    let required = keywords.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|required| required == name))
}

fn hides_default(property: &Value) -> bool {
    property.get("default").is_none() && !may_be_null(property)
}

fn may_be_null(schema: &Value) -> bool {
    let is_null = |name: &Value| name == "null";
    let branches = ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(*keyword)).and_then(Value::as_array);
    match (schema.get("type"), branches) {
        (Some(Value::Array(types)), _) => types.iter().any(is_null),
        (Some(name), _) => is_null(name),
        (None, Some(branches)) => branches.iter().any(may_be_null),
        (None, None) => ["$ref", "const", "enum"].iter().all(|keyword| schema.get(*keyword).is_none()),
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "nothing is decoded here")]
    struct Inner<T> {
        field: T,
    }

    /// No `Serialize`, so that schemars can't tell the default.
    #[derive(Default, Deserialize, JsonSchema)]
    enum Mode {
        #[default]
        Dangerous,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "nothing is decoded here")]
    struct Hidden {
        #[serde(default)]
        mode: Mode,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "nothing is decoded here")]
    struct Told {
        #[serde(default)]
        count: u8,
        mode: Option<Mode>,
        inner: Option<Box<Told>>,
        #[serde(default)]
        anything: Value,
    }

    fn at<T: JsonSchema>() -> Option<String> {
        check_told(&crate::schema::of::<T>()).err().map(|error| error.path().to_string())
    }

    #[test]
    fn a_default_that_the_schema_does_not_tell_is_found_wherever_it_is() {
        assert_eq!(at::<Hidden>().as_deref(), Some("$.properties.mode"));
        assert_eq!(at::<Inner<Vec<Hidden>>>().as_deref(), Some("$.properties.field.items.properties.mode"));
        assert_eq!(at::<Inner<Option<Hidden>>>().as_deref(), Some("$.properties.field.properties.mode"));
    }

    #[test]
    fn what_may_be_null_or_has_its_default_told_is_fine() {
        assert_eq!(at::<Told>(), None);
        assert_eq!(at::<Inner<Told>>(), None);
    }
}
