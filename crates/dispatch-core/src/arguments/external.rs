//! A full validator, for schemas that come at run time.

use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator, ValidatorMap};
use serde_json::{Map, Value};

use super::walk;
use crate::failure::Detail;
use crate::json::{JsonPath, Node, Segment};
use crate::schema::{self, UnsupportedSchema, places};

/// A validator with the schema that it was made from, which holds the defaults.
#[derive(Debug)]
pub(crate) struct External {
    schema: Value,
    validator: Validator,
    /// For each schema within, where there are defaults.
    inner: Option<ValidatorMap>,
}

impl External {
    /// Reads a schema of any draft that its `$schema` names, else of 2020-12. References out of the schema are errors: nothing is fetched.
    /// A `format` is an annotation in every draft, as for our own judge.
    pub(super) fn new(schema: &Value) -> Result<Self, UnsupportedSchema> {
        schema::check_draft(schema)?;
        let options = jsonschema::options().should_validate_formats(false);
        let validator = options.build(schema).map_err(|error| unsupported(&error))?;
        let has_defaults = places::every(schema).iter().any(|(schema, _)| schema.get("default").is_some());
        let inner = has_defaults.then(|| options.build_map(schema)).transpose().map_err(|error| unsupported(&error))?;
        Ok(Self { schema: schema.clone(), validator, inner })
    }

    pub(super) fn judge(&self, args: Node<'_>) -> Result<Value, Vec<Detail>> {
        let asked = args.to_json();
        let mut details = walk::repeated_keys(args);
        details.extend(self.validator.iter_errors(&asked).map(|error| detail(&error)));
        if !details.is_empty() {
            return Err(details);
        }
        let mut filled = asked.clone();
        if self.inner.is_some() {
            self.fill_defaults(&self.schema, &JsonPath::root(), &asked, &mut filled);
        }
        Ok(filled)
    }

    /// Returns the first fault of a value by the schema that stands at a place in this one.
    pub(super) fn fault_at(&self, path: &JsonPath, value: &Value) -> Option<String> {
        let Some(validator) = self.validator_at(path) else {
            return Some("its schema can't be judged by alone".to_owned());
        };
        validator.iter_errors(value).next().map(|error| detail(&error).to_string())
    }

    fn fits(&self, path: &JsonPath, value: &Value) -> bool {
        self.validator_at(path).is_some_and(|validator| validator.is_valid(value))
    }

    fn validator_at(&self, path: &JsonPath) -> Option<&Validator> {
        self.inner.as_ref()?.get(&pointer(path))
    }

    /// Fills the defaults of properties that are missing, in all that describes a value: the branch of a union that it fits first, what a
    /// condition leads to, references and parts.
    fn fill_defaults(&self, schema: &Value, path: &JsonPath, asked: &Value, filled: &mut Value) {
        match (asked, &mut *filled) {
            (Value::Object(asked), Value::Object(filled)) => self.fill_members(schema, path, asked, filled),
            (Value::Array(asked), Value::Array(filled)) => self.fill_elements(schema, path, asked, filled),
            _ => return,
        }
        for (part, path) in self.applied(schema, path, asked) {
            self.fill_defaults(part, &path, asked, filled);
        }
    }

    fn fill_members(
        &self,
        schema: &Value,
        path: &JsonPath,
        asked: &Map<String, Value>,
        filled: &mut Map<String, Value>,
    ) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let path = path.clone().member("properties").member(name);
            match (asked.get(name), filled.get_mut(name)) {
                (Some(asked), Some(filled)) => self.fill_defaults(property, &path, asked, filled),
                (None, None) => {
                    let default = places::default_of(&self.schema, property).map(schema::normalised);
                    filled.extend(default.map(|default| (name.clone(), default)));
                }
                _ => {}
            }
        }
        let Some(others) = schema.get("additionalProperties") else { return };
        let is_other = |name: &str| properties.is_none_or(|properties| !properties.contains_key(name));
        if schema.get("patternProperties").is_none() {
            for (name, asked) in asked.iter().filter(|(name, _)| is_other(name)) {
                if let Some(filled) = filled.get_mut(name) {
                    self.fill_defaults(others, &path.clone().member("additionalProperties"), asked, filled);
                }
            }
        }
    }

    fn fill_elements(&self, schema: &Value, path: &JsonPath, asked: &[Value], filled: &mut [Value]) {
        let first = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (index, (asked, filled)) in asked.iter().zip(filled).enumerate() {
            let (schema, path) = match (first.get(index), schema.get("items")) {
                (Some(schema), _) => (schema, path.clone().member("prefixItems").index(index)),
                (None, Some(schema)) => (schema, path.clone().member("items")),
                (None, None) => continue,
            };
            self.fill_defaults(schema, &path, asked, filled);
        }
    }

    /// The schemas that describe the same value as this one does.
    fn applied<'s>(&'s self, schema: &'s Value, path: &JsonPath, asked: &Value) -> Vec<(&'s Value, JsonPath)> {
        let mut unions_settled = Vec::new();
        let condition = schema.get("if").map(|_| self.fits(&path.clone().member("if"), asked));
        let mut applies = |path: &JsonPath| match keyword_of(path) {
            "allOf" => true,
            "else" => condition == Some(false),
            "if" | "then" => condition == Some(true),
            union @ ("anyOf" | "oneOf") if !unions_settled.contains(&union.to_owned()) && self.fits(path, asked) => {
                unions_settled.push(union.to_owned());
                true
            }
            _ => false,
        };
        let parts = places::inner(schema, &JsonPath::root()).into_iter();
        let parts =
            parts.map(|inner| (inner.schema, path.segments().iter().chain(inner.path.segments()).cloned().collect()));
        let parts = parts.filter(|(_, path)| applies(path));
        parts.chain(places::referred(&self.schema, schema)).collect()
    }
}

fn unsupported(error: &ValidationError<'_>) -> UnsupportedSchema {
    UnsupportedSchema::broken(path(error), error.to_string())
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

/// The keyword by which the schema at a place is applied.
fn keyword_of(path: &JsonPath) -> &str {
    let mut names = path.segments().iter().rev().filter_map(|step| match step {
        Segment::Member(name) => Some(name.as_str()),
        Segment::Index(_) => None,
    });
    names.next().unwrap_or_default()
}

fn pointer(path: &JsonPath) -> String {
    let step = |step: &Segment| match step {
        Segment::Member(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
        Segment::Index(index) => format!("/{index}"),
    };
    std::iter::once("#".to_owned()).chain(path.segments().iter().map(step)).collect()
}
