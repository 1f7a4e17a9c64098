//! Reading a schema for judging by it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::json::{JsonPath, Number};

/// A schema that can be judged by: the subset of draft 2020-12 that argument types give.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(super) root: Form,
    pub(super) definitions: BTreeMap<String, Form>,
}

/// One schema within a schema.
#[derive(Debug)]
pub(crate) enum Form {
    /// Anything, or with `false` nothing.
    Always(bool),
    /// What this reference stands for: `#`, or `#/$defs/` and the name of a definition.
    Reference(String),
    /// One form of several: with `exactly_one` of them no second may fit.
    Union { branches: Vec<Form>, exactly_one: bool },
    /// A value of certain types.
    Shape(Box<Shape>),
}

/// What a value of each type must be like.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) types: Types,
    pub(crate) one_of_values: Option<Vec<Value>>,
    pub(crate) minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    pub(crate) first_items: Vec<Form>,
    pub(crate) items: Option<Form>,
    pub(crate) properties: BTreeMap<String, Form>,
    pub(crate) defaults: Vec<(String, Value)>,
    pub(crate) required: Vec<String>,
    pub(crate) additional: Additional,
}

/// What an object may hold beside its properties.
#[derive(Debug, Default)]
pub(crate) enum Additional {
    #[default]
    Anything,
    Nothing,
    Of(Form),
}

/// The types that a value may have: JSON's words, in the order the schema names them. None means any.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Types(Vec<&'static str>);

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// A schema that arguments can't be judged by here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the schema at {path} can't be judged by: {reason}")]
pub struct UnsupportedSchema {
    path: JsonPath,
    reason: String,
}

impl UnsupportedSchema {
    pub(crate) fn new(path: JsonPath, reason: String) -> Self {
        Self { path, reason }
    }

    /// Returns the place in the schema.
    pub fn path(&self) -> &JsonPath {
        &self.path
    }
}

impl Types {
    pub(crate) fn allow(&self, type_name: &str) -> bool {
        self.0.is_empty()
            || self.0.iter().any(|name| *name == type_name || (*name == "number" && type_name == "integer"))
    }

    /// Returns these types and those, each once.
    pub(crate) fn and(mut self, more: &Self) -> Self {
        let new = more.0.iter().filter(|name| !self.0.contains(name)).copied().collect::<Vec<_>>();
        self.0.extend(new);
        self
    }

    /// The types as words: `integer or null`.
    pub(crate) fn names(&self) -> &[&'static str] {
        &self.0
    }
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSchema`] names the place of a keyword that is not judged here.
    pub(crate) fn compile(schema: &Value) -> Result<Self, UnsupportedSchema> {
        let at = JsonPath::root();
        let definitions = match schema.get("$defs") {
            Some(definitions) => forms(definitions, &at.clone().member("$defs"))?,
            None => BTreeMap::new(),
        };
        let compiled = Self { root: form(schema, &at)?, definitions };
        compiled.check_references()?;
        Ok(compiled)
    }

    pub(crate) fn root(&self) -> &Form {
        &self.root
    }

    /// Returns the form that a reference stands for.
    pub(crate) fn definition(&self, reference: &str) -> Option<&Form> {
        match reference.strip_prefix(DEFINITION) {
            Some(name) => self.definitions.get(name),
            None => Some(&self.root),
        }
    }
}

/// How a reference to a definition begins.
pub(super) const DEFINITION: &str = "#/$defs/";

pub(super) fn unsupported<T>(at: &JsonPath, reason: impl Into<String>) -> Result<T, UnsupportedSchema> {
    Err(UnsupportedSchema { path: at.clone(), reason: reason.into() })
}

fn form(schema: &Value, at: &JsonPath) -> Result<Form, UnsupportedSchema> {
    if let Value::Bool(fits) = schema {
        return Ok(Form::Always(*fits));
    }
    let Value::Object(keywords) = schema else {
        return unsupported(at, "it is neither an object nor a boolean");
    };
    if let Some(reference) = keywords.get("$ref") {
        return reference_form(reference, keywords, at);
    }
    for (keyword, exactly_one) in [("anyOf", false), ("oneOf", true)] {
        if let Some(branches) = keywords.get(keyword) {
            return union(branches, keyword, exactly_one, keywords, at);
        }
    }
    shape(keywords, at)
}

/// Keywords that say nothing about which values fit.
const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "$comment",
    "$schema",
    "$defs",
];

fn only_annotations_beside(
    keyword: &str,
    keywords: &Map<String, Value>,
    at: &JsonPath,
) -> Result<(), UnsupportedSchema> {
    match keywords.keys().find(|other| *other != keyword && !ANNOTATIONS.contains(&other.as_str())) {
        Some(other) => unsupported(at, format!("`{other}` beside `{keyword}`")),
        None => Ok(()),
    }
}

fn reference_form(reference: &Value, keywords: &Map<String, Value>, at: &JsonPath) -> Result<Form, UnsupportedSchema> {
    only_annotations_beside("$ref", keywords, at)?;
    match reference.as_str() {
        Some(reference) if reference == "#" || reference.starts_with(DEFINITION) => {
            Ok(Form::Reference(reference.replace("~1", "/").replace("~0", "~")))
        }
        Some(reference) => unsupported(at, format!("reference `{reference}` out of `$defs`")),
        None => unsupported(at, "a `$ref` that is no string"),
    }
}

fn union(
    branches: &Value,
    keyword: &str,
    exactly_one: bool,
    keywords: &Map<String, Value>,
    at: &JsonPath,
) -> Result<Form, UnsupportedSchema> {
    only_annotations_beside(keyword, keywords, at)?;
    let branches = form_list(branches, &at.clone().member(keyword))?;
    Ok(Form::Union { branches, exactly_one })
}

fn form_list(schemas: &Value, at: &JsonPath) -> Result<Vec<Form>, UnsupportedSchema> {
    let Value::Array(schemas) = schemas else {
        return unsupported(at, "it is no array of schemas");
    };
    schemas.iter().enumerate().map(|(index, schema)| form(schema, &at.clone().index(index))).collect()
}

fn forms(schemas: &Value, at: &JsonPath) -> Result<BTreeMap<String, Form>, UnsupportedSchema> {
    let Value::Object(schemas) = schemas else {
        return unsupported(at, "it is no object of schemas");
    };
    let named = |(name, schema): (&String, &Value)| Ok((name.clone(), form(schema, &at.clone().member(name))?));
    schemas.iter().map(named).collect()
}

fn shape(keywords: &Map<String, Value>, at: &JsonPath) -> Result<Form, UnsupportedSchema> {
    let mut shape = Shape::default();
    for (keyword, value) in keywords {
        let inside = at.clone().member(keyword);
        match keyword.as_str() {
            "type" => shape.types = types(value, &inside)?,
            "const" => shape.one_of_values = Some(vec![value.clone()]),
            "enum" => shape.one_of_values = Some(list(value, &inside)?.clone()),
            "minimum" => shape.minimum = Some(number(value, &inside)?),
            "maximum" => shape.maximum = Some(number(value, &inside)?),
            "exclusiveMinimum" => shape.exclusive_minimum = Some(number(value, &inside)?),
            "exclusiveMaximum" => shape.exclusive_maximum = Some(number(value, &inside)?),
            "minLength" => shape.min_length = Some(count(value, &inside)?),
            "maxLength" => shape.max_length = Some(count(value, &inside)?),
            "minItems" => shape.min_items = Some(count(value, &inside)?),
            "maxItems" => shape.max_items = Some(count(value, &inside)?),
            "uniqueItems" => shape.unique_items = value == &Value::Bool(true),
            "prefixItems" => shape.first_items = form_list(value, &inside)?,
            "items" => shape.items = Some(form(value, &inside)?),
            "properties" => {
                shape.properties = forms(value, &inside)?;
                shape.defaults = defaults(value);
            }
            "required" => shape.required = names(value, &inside)?,
            "additionalProperties" => shape.additional = additional(value, &inside)?,
            annotation if ANNOTATIONS.contains(&annotation) => {}
            _ => return unsupported(&inside, "this keyword is not judged here"),
        }
    }
    Ok(Form::Shape(Box::new(shape)))
}

fn additional(value: &Value, at: &JsonPath) -> Result<Additional, UnsupportedSchema> {
    Ok(match value.as_bool() {
        Some(true) => Additional::Anything,
        Some(false) => Additional::Nothing,
        None => Additional::Of(form(value, at)?),
    })
}

/// The defaults of an object's properties, in the order of the properties' names.
fn defaults(properties: &Value) -> Vec<(String, Value)> {
    let properties = properties.as_object().into_iter().flatten();
    properties.filter_map(|(name, schema)| Some((name.clone(), schema.get("default")?.clone()))).collect()
}

fn types(value: &Value, at: &JsonPath) -> Result<Types, UnsupportedSchema> {
    let known = |name: &Value| TYPES.into_iter().find(|known| name == known);
    let names = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    match names.iter().map(known).collect::<Option<Vec<_>>>() {
        Some(names) if !names.is_empty() => Ok(Types(names)),
        _ => unsupported(at, "it names no type"),
    }
}

fn list<'v>(value: &'v Value, at: &JsonPath) -> Result<&'v Vec<Value>, UnsupportedSchema> {
    value.as_array().map_or_else(|| unsupported(at, "it is no array"), Ok)
}

fn names(value: &Value, at: &JsonPath) -> Result<Vec<String>, UnsupportedSchema> {
    let name = |name: &Value| {
        name.as_str().map_or_else(|| unsupported(at, "it holds what is no name"), |name| Ok(name.to_owned()))
    };
    list(value, at)?.iter().map(name).collect()
}

fn number(value: &Value, at: &JsonPath) -> Result<Number, UnsupportedSchema> {
    value.as_number().and_then(Number::from_json).map_or_else(|| unsupported(at, "it is no number"), Ok)
}

fn count(value: &Value, at: &JsonPath) -> Result<u64, UnsupportedSchema> {
    value.as_u64().map_or_else(|| unsupported(at, "it is no count"), Ok)
}
