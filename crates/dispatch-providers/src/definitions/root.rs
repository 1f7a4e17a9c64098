//! The root of a schema: arguments are an object, and most providers want that said plainly.

use std::collections::VecDeque;

use dispatch_core::json::JsonPath;
use dispatch_core::{ToolName, ToolSpec};
use serde_json::{Value, json};

use super::DefinitionError;
use super::loss::{LEFT_OUT, Losses};
use super::schema::{Schema, names_type, required, resolve};

/// Returns a tool's schema with `"type": "object"` at its root, and where a plain root is wanted without references and unions there.
///
/// # Errors
///
/// When the arguments are no object, or the reference at the root leads nowhere.
pub(super) fn of(spec: &ToolSpec, plain: bool, losses: &mut Losses) -> Result<Schema, DefinitionError> {
    let mut schema = spec.input_schema.as_object().cloned().unwrap_or_default();
    if plain {
        let mut plainer = Plainer { tool: &spec.name, document: &spec.input_schema, losses };
        schema = plainer.plain(schema)?;
    }
    if schema.contains_key("type") && !names_type(&schema, "object") {
        return Err(unsayable(&spec.name, "the arguments of a tool are an object"));
    }
    schema.insert("type".to_owned(), "object".into());
    if plain {
        schema.entry("properties").or_insert_with(|| json!({}));
    }
    Ok(schema)
}

fn unsayable(tool: &ToolName, reason: &'static str) -> DefinitionError {
    DefinitionError::Unsayable { tool: tool.clone(), path: JsonPath::root(), reason }
}

struct Plainer<'s> {
    tool: &'s ToolName,
    document: &'s Value,
    losses: &'s mut Losses,
}

impl Plainer<'_> {
    fn plain(&mut self, schema: Schema) -> Result<Schema, DefinitionError> {
        let mut schema = self.whole(schema)?;
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.remove(keyword) {
                self.offer_together(&mut schema, keyword, branches)?;
            }
        }
        for keyword in ["const", "enum", "if", "then", "else", "not"] {
            if schema.remove(keyword).is_some() {
                self.losses.add(self.tool, &JsonPath::root(), keyword, LEFT_OUT);
            }
        }
        Ok(schema)
    }

    /// Puts in what the root refers to, and the parts that it is made of.
    fn whole(&mut self, mut schema: Schema) -> Result<Schema, DefinitionError> {
        let mut followed = Vec::new();
        let mut parts = VecDeque::new();
        loop {
            if let Some(reference) = schema.remove("$ref") {
                let target = reference.as_str().and_then(|reference| resolve(self.document, reference));
                let target = target.ok_or_else(|| unsayable(self.tool, "the reference leads nowhere"))?;
                if !followed.contains(&reference) {
                    followed.push(reference);
                    parts.push_front(target.clone());
                }
            } else if let Some(Value::Array(more)) = schema.remove("allOf") {
                parts.extend(more);
            }
            match parts.pop_front() {
                Some(Value::Object(part)) => {
                    for keyword in merge(&mut schema, part) {
                        self.losses.add(self.tool, &JsonPath::root(), &keyword, LEFT_OUT);
                    }
                }
                Some(_) => {}
                None => return Ok(schema),
            }
        }
    }

    /// Offers the properties of all forms together, and asks for those that every form asks for.
    fn offer_together(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        branches: Vec<Value>,
    ) -> Result<(), DefinitionError> {
        let mut offered = Schema::new();
        let mut asked: Option<Vec<String>> = None;
        for branch in branches {
            let Value::Object(branch) = branch else { continue };
            let branch = self.whole(branch)?;
            let names: Vec<String> = required(&branch).into_iter().map(str::to_owned).collect();
            asked =
                Some(asked.map_or(names.clone(), |asked| asked.into_iter().filter(|a| names.contains(a)).collect()));
            let Some(Value::Object(properties)) = branch.get("properties").cloned() else { continue };
            properties.into_iter().for_each(|(name, property)| offer(&mut offered, name, property));
        }
        self.losses.add(self.tool, &JsonPath::root(), keyword, "the properties of all forms together");
        let together = json!({"properties": offered, "required": asked.unwrap_or_default()});
        if let Value::Object(together) = together {
            merge(schema, together);
        }
        Ok(())
    }
}

/// Adds a property. One that is there already may then be as either.
fn offer(offered: &mut Schema, name: String, property: Value) {
    match offered.get_mut(&name) {
        None => drop(offered.insert(name, property)),
        Some(known) if *known == property => {}
        Some(Value::Object(known)) if known.len() == 1 && known.contains_key("anyOf") => {
            if let Some(Value::Array(forms)) = known.get_mut("anyOf")
                && !forms.contains(&property)
            {
                forms.push(property);
            }
        }
        Some(known) => *known = json!({"anyOf": [known.clone(), property]}),
    }
}

/// Keywords of which the outer one counts and the inner one is no loss.
const ANNOTATIONS: [&str; 6] = ["title", "description", "default", "examples", "$comment", "$schema"];

/// Puts one schema into another, so that both hold. Returns the keywords that both have and that can't be put together.
pub(super) fn merge(schema: &mut Schema, part: Schema) -> Vec<String> {
    let mut conflicts = Vec::new();
    for (keyword, value) in part {
        match (schema.get_mut(&keyword), value) {
            (None, value) => drop(schema.insert(keyword, value)),
            (Some(known), value) if *known == value || ANNOTATIONS.contains(&keyword.as_str()) => {}
            (Some(Value::Array(names)), Value::Array(more)) if keyword == "required" || keyword == "allOf" => {
                let new: Vec<_> = more.into_iter().filter(|name| !names.contains(name)).collect();
                names.extend(new);
            }
            (Some(Value::Object(known)), Value::Object(more)) if keyword == "properties" => {
                more.into_iter().for_each(|(name, property)| both(known, name, property));
            }
            (Some(Value::Object(known)), Value::Object(more)) if keyword == "$defs" || keyword == "definitions" => {
                for (name, schema) in more {
                    known.entry(name).or_insert(schema);
                }
            }
            (Some(known), value) if keyword == "additionalProperties" && known == &Value::Bool(true) => *known = value,
            (Some(_), Value::Bool(true)) if keyword == "additionalProperties" => {}
            (Some(_), _) => conflicts.push(keyword),
        }
    }
    conflicts
}

fn both(properties: &mut Schema, name: String, property: Value) {
    match properties.get_mut(&name) {
        None => drop(properties.insert(name, property)),
        Some(known) if *known == property => {}
        Some(known) => *known = json!({"allOf": [known.clone(), property]}),
    }
}
