//! Tools whose schema comes at run time.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use super::erased::{ErasedTool, Handler};
use super::{Annotations, InvalidToolName, ToolName};
use crate::failure::{Detail, ToolFailure};
use crate::observation::Observation;
use crate::schema;
use crate::workspace::View;

type Run = dyn Fn(Value, &mut View<'_>) -> Result<Observation, ToolFailure> + Send + Sync;

/// A tool whose JSON Schema comes at run time, from a file or another program.
///
/// Calls are judged by it as by the schema of a typed tool: unknown fields are refused where the schema does not say otherwise, and defaults are
/// filled in. A schema that uses more of JSON Schema than argument types give needs the feature `json-schema`; without it, building the
/// registry fails and names the place.
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
}

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
        let mut schema = input_schema.clone();
        let members = schema.as_object_mut().ok_or(member("input_schema", "an object"))?;
        members.insert("description".to_owned(), description.into());
        members.remove("title");
        schema::refuse_unknown_fields_throughout(&mut schema);
        Ok(Self { name: ToolName::new(name)?, schema, annotations: Annotations::default(), run: None })
    }

    /// Reads a tool as [`ToolSpec::to_json`](crate::ToolSpec::to_json) writes it: `name`, `input_schema`, and optionally `description` and `annotations`.
    ///
    /// # Errors
    ///
    /// A [`GivenToolError`] when a member is missing or not of its type.
    ///
    /// ```
    /// use dispatch_core::GivenTool;
    /// use serde_json::json;
    ///
    /// let mut definition = json!({"name": "now", "input_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    /// assert!(GivenTool::from_json(&definition).is_ok());
    /// definition["annotations"]["readOnlyHint"] = json!("yes");
    /// let error = GivenTool::from_json(&definition).unwrap_err();
    /// assert_eq!(error.to_string(), "a tool's `annotations` must be an object of booleans");
    /// ```
    pub fn from_json(definition: &Value) -> Result<Self, GivenToolError> {
        let name = definition.get("name").and_then(Value::as_str).ok_or(member("name", "a string"))?;
        let schema = definition.get("input_schema").ok_or(member("input_schema", "an object"))?;
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

fn annotations(hints: &Value) -> Result<Annotations, GivenToolError> {
    let undeclared = Annotations::default();
    let hint = |name: &str, undeclared: bool| match hints.get(name) {
        None => Ok(undeclared),
        Some(hint) => hint.as_bool().ok_or(member("annotations", "an object of booleans")),
    };
    Ok(Annotations {
        read_only: hint("readOnlyHint", undeclared.read_only)?,
        destructive: hint("destructiveHint", undeclared.destructive)?,
        idempotent: hint("idempotentHint", undeclared.idempotent)?,
        open_world: hint("openWorldHint", undeclared.open_world)?,
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
