//! Tool definitions in: what was sent to a provider, read back.

use dispatch_core::json::JsonPath;
use dispatch_core::{Annotations, GivenTool, GivenToolError, InvalidToolName, ToolName, ToolSpec};
use serde_json::{Value, json};

use super::openapi;
use crate::provider::Provider;

/// A tool that a provider was told of. Made by [`Provider::tools_in`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Imported {
    /// The name, letter by letter. It may be none that a registry takes.
    pub name: String,
    /// What it does. Empty when nothing was said.
    pub description: String,
    /// The JSON Schema of its arguments, draft 2020-12.
    pub input_schema: Value,
    /// What it does to its surroundings. MCP alone says so.
    pub annotations: Annotations,
}

impl Imported {
    /// Makes a tool of it for a [registry](dispatch_core::Registry). It has no handler yet.
    ///
    /// # Errors
    ///
    /// A [`GivenToolError`] when the name is none, or the schema no object.
    ///
    /// ```
    /// use dispatch_core::Registry;
    /// use dispatch_providers::Provider;
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {}});
    /// let request = json!([{"name": "ls", "input_schema": schema}, {"name": "list files", "input_schema": schema}]);
    /// let mut tools = Provider::Anthropic.tools_in(&request)?.into_iter().map(|tool| tool.into_tool());
    /// let registry = Registry::builder().given(tools.next().unwrap()?).build_deferred()?;
    /// assert!(registry.spec("ls").is_some());
    /// assert!(tools.next().unwrap().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_tool(self) -> Result<GivenTool, GivenToolError> {
        Ok(GivenTool::new(&self.name, &self.description, &self.input_schema)?.annotated(self.annotations))
    }

    /// Returns it as a tool is told, its schema as it came.
    ///
    /// # Errors
    ///
    /// [`InvalidToolName`] when the name is none.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    /// use serde_json::json;
    ///
    /// let tools = Provider::Mcp.tools_in(&json!({"tools": [{"name": "ls", "inputSchema": {"type": "object"}}]}))?;
    /// let spec = tools[0].clone().into_spec()?;
    /// assert_eq!((spec.name.as_str(), &spec.input_schema), ("ls", &json!({"type": "object"})));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_spec(self) -> Result<ToolSpec, InvalidToolName> {
        let Self { name, description, input_schema, annotations } = self;
        Ok(ToolSpec { name: ToolName::new(&name)?, description, input_schema, annotations })
    }
}

/// What is wrong with definitions of tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct ImportError {
    path: JsonPath,
    message: String,
}

impl ImportError {
    fn new(path: &JsonPath, message: impl Into<String>) -> Self {
        Self { path: path.clone(), message: message.into() }
    }

    /// Returns the place.
    pub fn path(&self) -> &JsonPath {
        &self.path
    }
}

type Read<T> = Result<T, ImportError>;

/// A value with its place.
#[derive(Clone)]
struct At<'v> {
    value: &'v Value,
    path: JsonPath,
}

impl<'v> At<'v> {
    /// Returns the member of the first of these names that is there. Null says that it isn't.
    fn get(&self, names: &[&str]) -> Option<Self> {
        names.iter().find_map(|name| {
            let value = self.value.get(*name).filter(|value| !value.is_null())?;
            Some(Self { value, path: self.path.clone().member(*name) })
        })
    }

    fn member(&self, names: &[&str]) -> Read<Self> {
        let name = names.first().copied().unwrap_or_default();
        self.get(names).ok_or_else(|| ImportError::new(&self.path, format!("missing member `{name}`")))
    }

    fn text(&self) -> Read<&'v str> {
        self.value.as_str().ok_or_else(|| ImportError::new(&self.path, "expected a string"))
    }

    fn elements(&self) -> Read<Vec<Self>> {
        let elements = self.value.as_array().ok_or_else(|| ImportError::new(&self.path, "expected an array"))?;
        let place = |(index, value)| Self { value, path: self.path.clone().index(index) };
        Ok(elements.iter().enumerate().map(place).collect())
    }

    fn says(&self, name: &str, text: &str) -> bool {
        self.value.get(name).is_some_and(|value| value == text)
    }
}

pub(super) fn tools_in(provider: Provider, definitions: &Value) -> Read<Vec<Imported>> {
    let root = At { value: definitions, path: JsonPath::root() };
    let mut tools = Vec::new();
    for entry in list(&root)?.elements()? {
        match provider {
            Provider::Anthropic => tools.extend(anthropic(&entry)?),
            Provider::OpenAiChat | Provider::OpenAiResponses => tools.extend(openai(&entry)?),
            Provider::Gemini => tools.extend(gemini(&entry)?),
            Provider::Bedrock => tools.extend(bedrock(&entry)?),
            Provider::Mcp => tools.push(mcp(&entry)?),
        }
    }
    Ok(tools)
}

/// Finds the list: alone, in a request, in the `toolConfig` of one, or in a result of MCP with its envelope or without. Gemini's requests have a
/// `toolConfig` too, with no tools in it.
fn list<'v>(root: &At<'v>) -> Read<At<'v>> {
    if root.value.is_array() {
        return Ok(root.clone());
    }
    let inside = root.get(&["toolConfig", "result"]).and_then(|inside| inside.get(&["tools"]));
    root.get(&["tools"]).or(inside).map_or_else(|| root.member(&["tools"]), Ok)
}

fn imported(entry: &At<'_>, input_schema: Value) -> Read<Imported> {
    let name = entry.member(&["name"])?.text()?.to_owned();
    let description = entry.get(&["description"]).map(|told| told.text()).transpose()?.unwrap_or_default().to_owned();
    Ok(Imported { name, description, input_schema, annotations: Annotations::default() })
}

/// A tool of ours is `custom`, or says nothing; every other type is one that Anthropic runs or has trained for.
fn anthropic(entry: &At<'_>) -> Read<Option<Imported>> {
    if entry.get(&["type"]).is_some() && !entry.says("type", "custom") {
        return Ok(None);
    }
    let schema = entry.member(&["input_schema"])?;
    imported(entry, schema.value.clone()).map(Some)
}

/// Chat Completions puts the function one level further in than Responses does. Without `parameters` there are no arguments.
fn openai(entry: &At<'_>) -> Read<Option<Imported>> {
    if entry.get(&["type"]).is_some() && !entry.says("type", "function") {
        return Ok(None);
    }
    let function = entry.get(&["function"]).unwrap_or_else(|| entry.clone());
    let schema = function.get(&["parameters"]).map_or_else(no_arguments, |schema| schema.value.clone());
    imported(&function, schema).map(Some)
}

fn gemini(entry: &At<'_>) -> Read<Vec<Imported>> {
    let Some(functions) = entry.get(&["functionDeclarations", "function_declarations"]) else { return Ok(Vec::new()) };
    functions.elements()?.iter().map(gemini_function).collect()
}

fn gemini_function(function: &At<'_>) -> Read<Imported> {
    let json_schema = function.get(&["parametersJsonSchema", "parameters_json_schema"]);
    let schema = match (json_schema, function.get(&["parameters"])) {
        (Some(schema), _) => schema.value.clone(),
        (None, Some(schema)) => openapi::read(schema.value),
        (None, None) => no_arguments(),
    };
    imported(function, schema)
}

fn bedrock(entry: &At<'_>) -> Read<Option<Imported>> {
    let Some(spec) = entry.get(&["toolSpec"]) else { return Ok(None) };
    let schema = spec.member(&["inputSchema"])?.member(&["json"])?;
    imported(&spec, schema.value.clone()).map(Some)
}

fn mcp(entry: &At<'_>) -> Read<Imported> {
    let schema = entry.member(&["inputSchema"])?;
    let mut tool = imported(entry, schema.value.clone())?;
    if let Some(hints) = entry.get(&["annotations"]) {
        tool.annotations = annotations(&hints)?;
    }
    Ok(tool)
}

fn annotations(hints: &At<'_>) -> Read<Annotations> {
    let undeclared = Annotations::default();
    let hint = |name: &str, undeclared: bool| match hints.get(&[name]) {
        None => Ok(undeclared),
        Some(hint) => hint.value.as_bool().ok_or_else(|| ImportError::new(&hint.path, "expected a boolean")),
    };
    Ok(Annotations {
        read_only: hint("readOnlyHint", undeclared.read_only)?,
        destructive: hint("destructiveHint", undeclared.destructive)?,
        idempotent: hint("idempotentHint", undeclared.idempotent)?,
        open_world: hint("openWorldHint", undeclared.open_world)?,
    })
}

fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}})
}
