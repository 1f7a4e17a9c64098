//! A full validator, for schemas that come at run time.

use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::walk;
use crate::failure::Detail;
use crate::json::{JsonPath, Node, Segment};
use crate::schema::UnsupportedSchema;

/// A validator with the schema that it was made from, which holds the defaults.
#[derive(Debug)]
pub(crate) struct External {
    schema: Value,
    validator: Validator,
}

impl External {
    /// Reads a schema of any draft that its `$schema` names, else of 2020-12. References out of the schema are errors: nothing is fetched.
    pub(super) fn new(schema: &Value) -> Result<Self, UnsupportedSchema> {
        match jsonschema::options().build(schema) {
            Ok(validator) => Ok(Self { schema: schema.clone(), validator }),
            Err(error) => Err(UnsupportedSchema::new(path(&error), error.to_string())),
        }
    }

    pub(super) fn judge(&self, args: Node<'_>) -> Result<Value, Vec<Detail>> {
        let mut value = args.to_json();
        let mut details = walk::repeated_keys(args);
        details.extend(self.validator.iter_errors(&value).map(|error| detail(&error)));
        if details.is_empty() {
            fill_defaults(&self.schema, &mut value);
            Ok(value)
        } else {
            Err(details)
        }
    }
}

/// The validator's own words: the place is what tells most.
fn detail(error: &ValidationError<'_>) -> Detail {
    Detail { path: path(error), message: error.to_string() }
}

fn path(error: &ValidationError<'_>) -> JsonPath {
    let segment = |segment: LocationSegment<'_>| match segment {
        LocationSegment::Property(name) => Segment::Member(name.into_owned()),
        LocationSegment::Index(index) => Segment::Index(index),
    };
    error.instance_path().iter().map(segment).collect()
}

/// Fills the defaults of properties that are missing, in objects that the schema describes directly.
fn fill_defaults(schema: &Value, value: &mut Value) {
    if let (Some(properties), Value::Object(members)) =
        (schema.get("properties").and_then(Value::as_object), &mut *value)
    {
        for (name, property) in properties {
            match (members.get_mut(name), property.get("default")) {
                (Some(member), _) => fill_defaults(property, member),
                (None, Some(default)) => drop(members.insert(name.clone(), default.clone())),
                (None, None) => {}
            }
        }
    }
    if let (Some(items), Value::Array(elements)) = (schema.get("items"), value) {
        for element in elements {
            fill_defaults(items, element);
        }
    }
}
