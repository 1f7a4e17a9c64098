//! Reading a schema for judging by it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::places::default_of;
use crate::json::{JsonPath, Number};

/// A schema that can be judged by: the subset of draft 2020-12 that argument types give.
#[derive(Debug)]
pub(crate) struct Schema {
    root: Form,
    definitions: BTreeMap<String, Form>,
    defaults: BTreeMap<String, Value>,
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
    /// The properties that have no default of their own, and refer to what may have one.
    pub(crate) references: Vec<(String, String)>,
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
    is_broken: bool,
}

impl UnsupportedSchema {
    /// Makes the error of a schema that no judge can judge by.
    pub(crate) fn broken(path: JsonPath, reason: String) -> Self {
        Self { path, reason, is_broken: true }
    }

    /// Returns whether no other judge could do better.
    #[cfg(feature = "json-schema")]
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
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
        super::references::check(schema)?;
        let mut definitions = BTreeMap::new();
        let mut defaults = BTreeMap::new();
        for list in DEFINITIONS {
            for (name, inside) in schema.get(list).and_then(Value::as_object).into_iter().flatten() {
                let reference = format!("#/{list}/{name}");
                let default = default_of(schema, inside).map(normalised);
                defaults.extend(default.map(|default| (reference.clone(), default)));
                definitions.insert(reference, form(inside, &JsonPath::root().member(list).member(name))?);
            }
        }
        Ok(Self { root: form(schema, &JsonPath::root())?, definitions, defaults })
    }

    pub(crate) fn root(&self) -> &Form {
        &self.root
    }

    /// Returns the form that a reference stands for.
    pub(crate) fn definition(&self, reference: &str) -> Option<&Form> {
        if reference == "#" { Some(&self.root) } else { self.definitions.get(reference) }
    }

    /// Returns the default of what a reference stands for.
    pub(crate) fn default_of(&self, reference: &str) -> Option<&Value> {
        self.defaults.get(reference)
    }

    /// Reads a schema that stands in this one.
    pub(crate) fn form(schema: &Value) -> Result<Form, UnsupportedSchema> {
        form(schema, &JsonPath::root())
    }
}

/// Where definitions stand: the second is the name of older drafts, and means the same.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

fn unsupported<T>(at: &JsonPath, reason: impl Into<String>) -> Result<T, UnsupportedSchema> {
    Err(UnsupportedSchema { path: at.clone(), reason: reason.into(), is_broken: false })
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
pub(super) const ANNOTATIONS: [&str; 13] = [
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
    "definitions",
    // No keyword of JSON Schema: some clients put their provider's switch of this name in here.
    "strict",
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
        Some(reference) if is_to_definition(reference) => {
            Ok(Form::Reference(reference.replace("~1", "/").replace("~0", "~")))
        }
        Some(reference) => unsupported(at, format!("reference `{reference}` out of `$defs`")),
        None => unsupported(at, "a `$ref` that is no string"),
    }
}

/// Whether a reference leads to the whole schema or directly to a definition of it, and is not escaped as a URI.
fn is_to_definition(reference: &str) -> bool {
    let name = |list: &&str| reference.strip_prefix("#/")?.strip_prefix(*list)?.strip_prefix('/');
    reference == "#" || DEFINITIONS.iter().find_map(name).is_some_and(|name| !name.contains(['/', '%']))
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
                shape.references = references(&shape);
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

/// Returns a value with its numbers as they are understood: `1.0` is an integer.
pub(crate) fn normalised(value: &Value) -> Value {
    match value {
        Value::Number(number) => Number::from_json(number).map_or_else(|| value.clone(), Number::to_json),
        Value::Array(elements) => elements.iter().map(normalised).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), normalised(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// The defaults of an object's properties, in the order of the properties' names.
fn defaults(properties: &Value) -> Vec<(String, Value)> {
    let properties = properties.as_object().into_iter().flatten();
    properties.filter_map(|(name, schema)| Some((name.clone(), normalised(schema.get("default")?)))).collect()
}

fn references(shape: &Shape) -> Vec<(String, String)> {
    let has_default = |name: &str| shape.defaults.iter().any(|(with_default, _)| with_default == name);
    let reference = |(name, form): (&String, &Form)| match form {
        Form::Reference(reference) if !has_default(name) => Some((name.clone(), reference.clone())),
        Form::Always(_) | Form::Reference(_) | Form::Union { .. } | Form::Shape(_) => None,
    };
    shape.properties.iter().filter_map(reference).collect()
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
