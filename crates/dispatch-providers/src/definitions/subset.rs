//! Schemas for providers that take a part of JSON Schema.
//!
//! References are followed first and keywords looked at afterwards, schema by schema, so that the name of a property is never taken for a
//! keyword. What a schema refers to is put in its place; recursion is dealt with where a reference would be entered a second time.

use std::collections::{BTreeMap, VecDeque};

use dispatch_core::ToolName;
use dispatch_core::json::JsonPath;
use serde_json::{Value, json};

use super::DefinitionError;
use super::loss::{LEFT_OUT, Losses};
use super::root::merge;
use super::schema::{Schema, is_null, listed, names_type, required, resolve, type_names, type_of};
use super::table::{ANNOTATIONS, BINDS, Kind, SILENT, STRUCTURE, Subset, binds};
use super::{openapi, strict};

/// The most schemas that one tool may have once its references are put in.
const MOST_SCHEMAS: usize = 10_000;
const DEEPEST: usize = 100;

/// Writes a schema whose root is plain.
///
/// # Errors
///
/// When it can't be said.
pub(super) fn write(
    subset: &'static Subset,
    tool: &ToolName,
    schema: &Schema,
    losses: &mut Losses,
) -> Result<Value, DefinitionError> {
    let root = Value::from(schema.clone());
    let mut writer = Writer {
        subset,
        tool,
        root: &root,
        losses,
        entered: Vec::new(),
        defined: BTreeMap::new(),
        schemas: 0,
        depth: 0,
    };
    writer.document()
}

pub(super) struct Writer<'s> {
    pub(super) subset: &'static Subset,
    tool: &'s ToolName,
    root: &'s Value,
    losses: &'s mut Losses,
    /// The references within whose target this is, the outermost first.
    entered: Vec<String>,
    /// The names under which recursive references are defined.
    defined: BTreeMap<String, String>,
    schemas: usize,
    depth: usize,
}

type Written = Result<Value, DefinitionError>;

/// A schema with what it refers to put in.
enum Whole {
    Schema(Schema),
    /// It is in itself, and this is what stands in its place.
    Recursive(Value),
}

impl Writer<'_> {
    fn document(&mut self) -> Written {
        let root = JsonPath::root();
        self.entered = vec!["#".to_owned()];
        let mut document = self.schema(self.root, &root)?;
        let mut definitions = Schema::new();
        while let Some((reference, name)) = self.undefined(&definitions) {
            self.entered = vec![reference.clone()];
            let target = resolve(self.root, &reference).unwrap_or(&Value::Null);
            let definition = self.schema(target, &root.clone().member("$defs").member(&name))?;
            definitions.insert(name, definition);
        }
        if let (false, Some(document)) = (definitions.is_empty(), document.as_object_mut()) {
            document.insert("$defs".to_owned(), definitions.into());
        }
        Ok(document)
    }

    fn undefined(&self, definitions: &Schema) -> Option<(String, String)> {
        let mut defined = self.defined.iter().map(|(reference, name)| (reference.clone(), name.clone()));
        defined.find(|(_, name)| !definitions.contains_key(name))
    }

    pub(super) fn lose(&mut self, path: &JsonPath, keyword: &str, became: &str) {
        self.losses.add(self.tool, path, keyword, became);
    }

    pub(super) fn unsayable<T>(&self, path: &JsonPath, reason: &'static str) -> Result<T, DefinitionError> {
        Err(DefinitionError::Unsayable { tool: self.tool.clone(), path: path.clone(), reason })
    }

    /// Writes one schema and all in it.
    pub(super) fn schema(&mut self, schema: &Value, path: &JsonPath) -> Written {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS || self.depth > DEEPEST {
            return self.unsayable(path, "the schema grows too large where its references are put in");
        }
        let outside = self.entered.len();
        self.depth += 1;
        let written = self.entered_schema(schema, path);
        self.depth -= 1;
        self.entered.truncate(outside);
        written
    }

    fn entered_schema(&mut self, schema: &Value, path: &JsonPath) -> Written {
        let Value::Object(schema) = schema else {
            return self.anything(path, if schema == &Value::Bool(true) { "true" } else { "false" });
        };
        match self.whole(schema.clone(), path)? {
            Whole::Schema(schema) => self.whole_schema(schema, path),
            Whole::Recursive(written) => Ok(written),
        }
    }

    fn whole(&mut self, mut schema: Schema, path: &JsonPath) -> Result<Whole, DefinitionError> {
        let mut parts = VecDeque::new();
        loop {
            if let Some(reference) = schema.remove("$ref") {
                let reference = reference.as_str().unwrap_or_default().to_owned();
                let Some(target) = resolve(self.root, &reference) else {
                    return Ok(Whole::Recursive(self.anything(path, "$ref")?));
                };
                if self.entered.contains(&reference) {
                    return self.again(&reference, &schema, path).map(Whole::Recursive);
                }
                parts.push_front(target.clone());
                self.entered.push(reference);
            } else if let Some(Value::Array(more)) = schema.remove("allOf") {
                parts.extend(more);
            }
            match parts.pop_front() {
                Some(Value::Object(part)) => {
                    for keyword in merge(&mut schema, part) {
                        self.lose(path, &keyword, LEFT_OUT);
                    }
                }
                Some(Value::Bool(false)) => return Ok(Whole::Recursive(self.anything(path, "false")?)),
                Some(_) => {}
                None => return Ok(Whole::Schema(schema)),
            }
        }
    }

    /// A reference to what this is in.
    fn again(&mut self, reference: &str, beside: &Schema, path: &JsonPath) -> Written {
        match self.subset.kind {
            Kind::OpenApi => self.anything(path, "$ref"),
            Kind::Strict { recursive: false } => self.unsayable(path, "a schema within itself has no strict form here"),
            Kind::Strict { recursive: true } => {
                beside.keys().for_each(|keyword| self.lose(path, keyword, LEFT_OUT));
                Ok(json!({"$ref": self.name_of(reference)}))
            }
        }
    }

    fn name_of(&mut self, reference: &str) -> String {
        if reference == "#" {
            return reference.to_owned();
        }
        if !self.defined.contains_key(reference) {
            let last = reference.rsplit('/').next().unwrap_or_default();
            let plain: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let is_free = |name: &String| self.defined.values().all(|taken| taken != name);
            let names = std::iter::once(plain.clone()).chain((2..).map(|number| format!("{plain}_{number}")));
            let name = names.into_iter().find(is_free).unwrap_or_default();
            self.defined.insert(reference.to_owned(), name);
        }
        format!("#/$defs/{}", self.defined.get(reference).map_or("", String::as_str))
    }

    /// What stands where a value may be anything, or for what can't be said at all.
    fn anything(&mut self, path: &JsonPath, instead_of: &str) -> Written {
        match self.subset.kind {
            Kind::OpenApi => {
                self.lose(path, instead_of, openapi::NEARLY_ANYTHING);
                Ok(openapi::nearly_anything())
            }
            Kind::Strict { .. } => self.unsayable(path, "a value that may be anything has no strict form"),
        }
    }

    fn whole_schema(&mut self, mut schema: Schema, path: &JsonPath) -> Written {
        for keyword in ["anyOf", "oneOf"] {
            match schema.remove(keyword) {
                Some(Value::Array(branches)) if !branches.is_empty() => {
                    return self.union(schema, keyword, &branches, path);
                }
                _ => {}
            }
        }
        self.plain(&schema, path)
    }

    /// Each branch is written with all that binds it from around it.
    fn union(&mut self, schema: Schema, keyword: &str, branches: &[Value], path: &JsonPath) -> Written {
        if keyword == "oneOf" {
            self.lose(path, keyword, "anyOf");
        }
        let (told, around): (Schema, Schema) =
            schema.into_iter().partition(|(keyword, _)| ANNOTATIONS.contains(&keyword.as_str()));
        let mut out = Schema::new();
        self.keywords(&told, path, &mut out);
        let may_be_null = !around.contains_key("type") || names_type(&around, "null");
        let nullable = may_be_null && branches.iter().any(is_null);
        let inside = path.clone().member(keyword);
        let others = branches.iter().enumerate().filter(|(_, branch)| !is_null(branch));
        let mut written = Vec::new();
        for (index, branch) in others {
            let branch = if around.is_empty() { branch.clone() } else { json!({"allOf": [branch, around]}) };
            let branch = self.schema(&branch, &inside.clone().index(index))?;
            if !written.contains(&branch) {
                written.push(branch);
            }
        }
        Ok(match self.subset.kind {
            Kind::OpenApi => openapi::union(out, written, nullable),
            Kind::Strict { .. } => strict::union(out, written, nullable),
        })
    }

    /// Writes keywords by the table.
    fn keywords(&mut self, schema: &Schema, path: &JsonPath, out: &mut Schema) {
        for (keyword, value) in schema {
            if self.subset.takes(keyword, value) {
                out.insert(keyword.clone(), value.clone());
            } else if !SILENT.contains(&keyword.as_str()) {
                self.lose(path, keyword, LEFT_OUT);
            }
        }
    }

    /// A schema without references and unions.
    fn plain(&mut self, schema: &Schema, path: &JsonPath) -> Written {
        let mut out = Schema::new();
        let types = self.types(schema, path);
        let is_structure = |keyword: &str| STRUCTURE.contains(&keyword);
        let binds_any = |keyword: &str| types.is_empty() || types.iter().any(|name| binds(keyword, name));
        let mut rest: Schema = schema.clone();
        rest.retain(|keyword, _| !is_structure(keyword) && binds_any(keyword));
        if self.subset.kind == Kind::OpenApi {
            openapi::rewrite(self, &mut rest, &types, path, &mut out);
        }
        self.keywords(&rest, path, &mut out);
        if types.is_empty() {
            let anything = self.anything(path, "type")?;
            merge(&mut out, anything.as_object().cloned().unwrap_or_default());
            return Ok(out.into());
        }
        if types.contains(&"object") {
            self.object(schema, path, &mut out)?;
        }
        if types.contains(&"array") {
            let items = self.items(schema, path)?;
            out.insert("items".to_owned(), items);
        }
        Ok(match self.subset.kind {
            Kind::OpenApi => openapi::typed(out, &types),
            Kind::Strict { .. } => strict::typed(out, &types),
        })
    }

    /// The types that a value may have: those that are named, or else those of the values that are listed, or else those that are spoken of.
    fn types<'a>(&mut self, schema: &'a Schema, path: &JsonPath) -> Vec<&'a str> {
        let of_values = listed(schema).map(|(_, values)| distinct(values.iter().map(type_of)));
        match (type_names(schema), of_values) {
            (Some(names), None) => names,
            (Some(names), Some(of_values)) => {
                let allows =
                    |name: &&str| of_values.contains(name) || (*name == "number" && of_values.contains(&"integer"));
                let both: Vec<_> = names.iter().copied().filter(allows).collect();
                if both.is_empty() { names } else { both }
            }
            (None, Some(of_values)) => of_values,
            (None, None) => {
                let spoken_of =
                    BINDS.iter().filter(|(keyword, _)| schema.contains_key(*keyword)).map(|(_, name)| *name);
                let spoken_of = distinct(spoken_of);
                if !spoken_of.is_empty() {
                    self.lose(path, "type", &spoken_of.join(" or "));
                }
                spoken_of
            }
        }
    }

    fn object(&mut self, schema: &Schema, path: &JsonPath, out: &mut Schema) -> Result<(), DefinitionError> {
        let is_root = path.segments().is_empty();
        let mut properties = BTreeMap::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            properties.insert(name.as_str(), property);
        }
        let asked = required(schema);
        let mut written = Schema::new();
        let inside = path.clone().member("properties");
        for (name, property) in &properties {
            let mut property = self.schema(property, &inside.clone().member(*name))?;
            if self.subset.kind != Kind::OpenApi && !asked.contains(name) {
                property = strict::or_null(property);
            }
            written.insert((*name).to_owned(), property);
        }
        match self.subset.kind {
            Kind::OpenApi => openapi::object(self, schema, written, path, out),
            Kind::Strict { .. } => strict::object(self, schema, written, is_root, path, out)?,
        }
        Ok(())
    }

    /// What an array holds. Where its first elements are of their own kinds, each may then be of any of these.
    fn items(&mut self, schema: &Schema, path: &JsonPath) -> Written {
        let (first, keyword) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(first)), _) => (first.as_slice(), "prefixItems"),
            (_, Some(Value::Array(first))) => (first.as_slice(), "items"),
            _ => (&[][..], ""),
        };
        if first.is_empty() {
            let items = schema.get("items").cloned().unwrap_or_else(|| json!({}));
            return self.schema(&items, &path.clone().member("items"));
        }
        self.lose(path, keyword, "elements of any of these kinds");
        let rest = schema.get(if keyword == "items" { "additionalItems" } else { "items" });
        let rest = rest.filter(|rest| rest.as_bool() != Some(false));
        let any_of: Vec<&Value> = first.iter().chain(rest).collect();
        self.schema(&json!({"anyOf": any_of}), &path.clone().member(keyword))
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    names.for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    });
    distinct
}
