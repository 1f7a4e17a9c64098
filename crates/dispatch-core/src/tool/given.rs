//! Tools whose schema comes at run time.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::erased::{ErasedTool, Handler};
use super::{Annotations, InvalidToolName, ToolName};
use crate::failure::{Detail, ToolFailure};
use crate::observation::Observation;
use crate::schema;
use crate::workspace::View;

type Run = dyn Fn(Value, &mut View<'_>) -> Result<Observation, ToolFailure> + Send + Sync;

/// A tool whose JSON Schema comes at run time, from a file or another program.
///
/// Calls are judged by it as by the schema of a typed tool. A schema that uses more of JSON Schema than argument types give needs the feature
/// `json-schema`; without it, building the registry fails and names the place. So it does, with the feature and without, where a reference leads
/// nowhere or only to itself, where a default does not fit the schema that it stands in, and where the schema allows no object. A schema nested
/// 128 levels deep is refused at once.
///
/// Arguments are always an object, also where the schema names no type. **Unknown fields are refused**:
///
/// - at the root, also where it names no field: a tool of `{"type": "object"}` takes `{}` alone, though MCP would let anything through;
/// - inside, where a schema names fields. An inner `{"type": "object"}` that names none is a map of anything;
/// - in an object put together by `allOf`, `$ref` and the like, as a whole: it gets `unevaluatedProperties: false`, which needs the feature. Where
///   `$schema` names a draft that does not know that keyword, and the schema means something else in draft 2020-12, building fails.
///
/// `additionalProperties` or `unevaluatedProperties` of `true`, or of a schema, opens an object, at the place where it stands. What stands in a condition
/// (`if`, `not`, `contains`) is left as it is.
///
/// Defaults are filled in, in every object that is there: through references, parts, the branch of a union that fits, and what a condition leads
/// to. A default goes in as it stands: what it leaves out itself is not filled in. A `format` is an annotation, in every draft.
///
/// ```
/// use dispatch_core::{Gates, GivenTool, Observation, Registry, ToolCall, json::Document};
/// use dispatch_core::workspace::MemoryWorkspace;
///
/// let definition = serde_json::json!({
///     "name": "shout",
///     "description": "Says it louder.",
///     "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
/// });
/// let shout = GivenTool::from_json(&definition)?.run_by(|arguments, _view| {
///     Ok(Observation::text(arguments["text"].as_str().unwrap_or_default().to_uppercase()))
/// });
/// let gates = Gates::new(Registry::builder().given(shout).build()?);
///
/// let call = |args: &str| ToolCall::new("shout", Document::parse(args.into()).unwrap());
/// let result = gates.admit(call(r#"{"text": "hey"}"#))?.run(&mut MemoryWorkspace::default());
/// assert_eq!(result.shown().unwrap().text, "HEY");
/// assert!(gates.admit(call(r#"{"text": "hey", "volume": 11}"#)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct GivenTool {
    name: ToolName,
    schema: Value,
    annotations: Annotations,
    run: Option<Arc<Run>>,
}

/// A definition that makes no tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GivenToolError {
    /// The name is none.
    #[error(transparent)]
    InvalidName(#[from] InvalidToolName),
    /// A member of the definition is missing, or not of its type.
    #[error("a tool's `{member}` must be {expected}")]
    Member {
        /// The member.
        member: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// The schema of the arguments stands twice.
    #[error("a tool's schema must stand once, and not as `{0}` and `{1}`")]
    TwoSchemas(&'static str, &'static str),
}

/// The names under which definitions hold the schema of the arguments: ours, MCP's, and that of functions.
const SCHEMA_MEMBERS: [&str; 3] = ["input_schema", "inputSchema", "parameters"];

impl GivenTool {
    /// Makes a tool of a name, a description and the JSON Schema of its arguments. It has no handler: its host runs it, or
    /// [`run_by`](Self::run_by) gives it one.
    ///
    /// # Errors
    ///
    /// A [`GivenToolError`] when the name is none, or the schema no object. What the schema says is read when the registry is built.
    ///
    /// ```
    /// use dispatch_core::{GivenTool, GivenToolError};
    /// use serde_json::json;
    ///
    /// assert!(GivenTool::new("now", "Tells the time.", &json!({"type": "object"})).is_ok());
    /// let error = GivenTool::new("now", "Tells the time.", &json!("object")).unwrap_err();
    /// assert_eq!(error, GivenToolError::Member { member: "input_schema", expected: "an object" });
    /// assert!(matches!(GivenTool::new("", "", &json!({})), Err(GivenToolError::InvalidName(_))));
    /// ```
    pub fn new(name: &str, description: &str, input_schema: &Value) -> Result<Self, GivenToolError> {
        if schema::is_too_deep(input_schema) {
            return Err(member("input_schema", "nested less than 128 levels deep"));
        }
        let mut schema = input_schema.clone();
        let members = schema.as_object_mut().ok_or(member("input_schema", "an object"))?;
        members.insert("description".to_owned(), description.into());
        members.remove("title");
        describe_object(members);
        schema::modernise(&mut schema);
        schema::refuse_unknown_fields_throughout(&mut schema);
        Ok(Self { name: ToolName::new(name)?, schema, annotations: Annotations::default(), run: None })
    }

    /// Reads a tool as [`ToolSpec::to_json`](crate::ToolSpec::to_json) writes it, or as MCP's `tools/list` gives it: `name`, `input_schema`, and
    /// optionally `description` and `annotations`. The schema may also be called `inputSchema` or `parameters`. Other members are not looked at.
    ///
    /// ```
    /// use dispatch_core::{GivenTool, GivenToolError};
    ///
    /// let schema = serde_json::json!({"type": "object"});
    /// let listed = serde_json::json!({"name": "now", "inputSchema": schema, "annotations": {"readOnlyHint": true}});
    /// assert!(GivenTool::from_json(&listed).is_ok());
    /// let twice = serde_json::json!({"name": "now", "inputSchema": schema, "parameters": schema});
    /// assert_eq!(GivenTool::from_json(&twice).unwrap_err(), GivenToolError::TwoSchemas("inputSchema", "parameters"));
    /// let odd = serde_json::json!({"name": "now", "inputSchema": schema, "annotations": {"readOnlyHint": "yes"}});
    /// let error = GivenTool::from_json(&odd).unwrap_err();
    /// assert_eq!(error.to_string(), "a tool's `annotations.readOnlyHint` must be a boolean");
    /// ```
    ///
    /// # Errors
    ///
    /// A [`GivenToolError`] when a member is missing or not of its type, or the schema stands twice.
    pub fn from_json(definition: &Value) -> Result<Self, GivenToolError> {
        let name = definition.get("name").and_then(Value::as_str).ok_or(member("name", "a string"))?;
        let schema = given_schema(definition)?;
        let description = match definition.get("description") {
            None => "",
            Some(description) => description.as_str().ok_or(member("description", "a string"))?,
        };
        let tool = Self::new(name, description, schema)?;
        Ok(tool.annotated(annotations(definition.get("annotations").unwrap_or(&json!({})))?))
    }

    /// Declares what the tool does to its surroundings.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Gives the tool a handler.
    #[must_use]
    pub fn run_by(
        mut self,
        handler: impl Fn(Value, &mut View<'_>) -> Result<Observation, ToolFailure> + Send + Sync + 'static,
    ) -> Self {
        self.run = Some(Arc::new(handler));
        self
    }

    pub(crate) fn name(&self) -> &ToolName {
        &self.name
    }
}

const fn member(member: &'static str, expected: &'static str) -> GivenToolError {
    GivenToolError::Member { member, expected }
}

fn given_schema(definition: &Value) -> Result<&Value, GivenToolError> {
    let mut found = SCHEMA_MEMBERS.iter().filter_map(|name| Some((*name, definition.get(*name)?)));
    match (found.next(), found.next()) {
        (Some((first, _)), Some((second, _))) => Err(GivenToolError::TwoSchemas(first, second)),
        (Some((_, schema)), None) => Ok(schema),
        (None, _) => Err(member("input_schema", "an object")),
    }
}

/// Says that arguments are an object, where the schema leaves it open. A reference or a union says it itself, or the judge does.
fn describe_object(keywords: &mut Map<String, Value>) {
    let says_elsewhere = ["$ref", "anyOf", "oneOf"].iter().any(|keyword| keywords.contains_key(*keyword));
    match keywords.get("type") {
        None if says_elsewhere => {}
        Some(Value::Array(types)) if !types.iter().any(|name| name == "object") => {}
        None | Some(Value::Array(_)) => drop(keywords.insert("type".to_owned(), "object".into())),
        Some(_) => {}
    }
}

fn annotations(hints: &Value) -> Result<Annotations, GivenToolError> {
    let hints = hints.as_object().ok_or(member("annotations", "an object"))?;
    let undeclared = Annotations::default();
    let hint = |name: &str, place: &'static str, undeclared: bool| match hints.get(name) {
        None => Ok(undeclared),
        Some(hint) => hint.as_bool().ok_or(member(place, "a boolean")),
    };
    Ok(Annotations {
        read_only: hint("readOnlyHint", "annotations.readOnlyHint", undeclared.read_only)?,
        destructive: hint("destructiveHint", "annotations.destructiveHint", undeclared.destructive)?,
        idempotent: hint("idempotentHint", "annotations.idempotentHint", undeclared.idempotent)?,
        open_world: hint("openWorldHint", "annotations.openWorldHint", undeclared.open_world)?,
    })
}

impl ErasedTool for GivenTool {
    fn schema(&self) -> Value {
        self.schema.clone()
    }

    fn annotations(&self) -> Annotations {
        self.annotations
    }

    fn handler(&self, arguments: &Value) -> Result<Option<Handler>, Detail> {
        let Some(run) = self.run.clone() else { return Ok(None) };
        let arguments = arguments.clone();
        Ok(Some(Box::new(move |view| Ok(run(arguments, view)?))))
    }
}

impl fmt::Debug for GivenTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenTool").field("name", &self.name).field("schema", &self.schema).finish_non_exhaustive()
    }
}
