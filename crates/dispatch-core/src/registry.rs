//! The tools that exist.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::schema::{Schema, UnsupportedSchema};
use crate::tool::{ErasedTool, InvalidToolName, Tool, ToolName, erase};

/// The tools that exist, each under its name. Immutable once built; cloning it is cheap.
///
/// ```
/// use dispatch_core::{Registry, RegistryError, tools};
///
/// let registry = Registry::builder().tool(tools::ReadFile).build()?;
/// assert!(registry.contains("read_file"));
///
/// let twice = Registry::builder().tool(tools::ReadFile).tool(tools::ReadFile).build();
/// assert!(matches!(twice, Err(RegistryError::DuplicateName(name)) if name.as_str() == "read_file"));
/// # Ok::<(), RegistryError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Registry {
    tools: Arc<BTreeMap<ToolName, Arc<Registered>>>,
}

/// A registry that can't be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// A tool's name is none.
    #[error(transparent)]
    InvalidName(#[from] InvalidToolName),
    /// Two tools have one name.
    #[error("there are two tools named `{0}`")]
    DuplicateName(ToolName),
    /// A tool's arguments have a schema that they can't be judged by.
    #[error("tool `{tool}`: {source}")]
    UnsupportedSchema {
        /// The tool.
        tool: ToolName,
        /// Where in its schema, and why.
        source: UnsupportedSchema,
    },
}

/// A tool with its schema.
pub(crate) struct Registered {
    pub(crate) name: ToolName,
    pub(crate) tool: Box<dyn ErasedTool>,
    schema: OnceLock<ReadSchema>,
}

type ReadSchema = Result<Schema, UnsupportedSchema>;

impl Registered {
    /// Returns the schema to judge by. It is made when somebody first asks.
    pub(crate) fn schema(&self) -> Result<&Schema, &UnsupportedSchema> {
        self.schema.get_or_init(|| Schema::compile(&self.tool.schema())).as_ref()
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registered").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Registry {
    /// Starts a registry.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Returns whether there is a tool of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// Returns the names of the tools, sorted by code point.
    pub fn names(&self) -> impl Iterator<Item = &ToolName> {
        self.tools.keys()
    }

    /// Returns what there is to tell about a tool, made from its arguments type.
    ///
    /// ```
    /// use dispatch_core::tools;
    ///
    /// let spec = tools::core_registry().spec("write_file").unwrap();
    /// assert_eq!(spec.input_schema["required"], serde_json::json!(["path", "content"]));
    /// ```
    pub fn spec(&self, name: &str) -> Option<ToolSpec> {
        let registered = self.get(name)?;
        let mut input_schema = registered.tool.schema();
        let description = input_schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let description = description.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(ToolSpec { name: registered.name.clone(), description, input_schema })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Registered>> {
        self.tools.get(name)
    }
}

/// What there is to tell about a tool: enough to offer it to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// The name.
    pub name: ToolName,
    /// What it does. Empty when its arguments type has no doc comment.
    pub description: String,
    /// The JSON Schema of its arguments, draft 2020-12: the one that calls are judged by.
    pub input_schema: Value,
}

impl ToolSpec {
    /// Returns the spec as JSON: `{"description", "input_schema", "name"}`.
    pub fn to_json(&self) -> Value {
        let Self { name, description, input_schema } = self;
        serde_json::json!({"name": name.as_str(), "description": description, "input_schema": input_schema})
    }
}

/// A registry that is being built. Made by [`Registry::builder`].
#[derive(Debug, Default)]
pub struct RegistryBuilder {
    tools: BTreeMap<ToolName, Arc<Registered>>,
    error: Option<RegistryError>,
}

impl RegistryBuilder {
    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool) -> Self {
        if let Err(error) = self.add(tool) {
            self.error.get_or_insert(error);
        }
        self
    }

    fn add(&mut self, tool: impl Tool) -> Result<(), RegistryError> {
        let name = ToolName::new(tool.name())?;
        let registered = Registered { name: name.clone(), tool: erase(tool), schema: OnceLock::new() };
        match self.tools.insert(name.clone(), Arc::new(registered)) {
            None => Ok(()),
            Some(_) => Err(RegistryError::DuplicateName(name)),
        }
    }

    /// Builds the registry, and reads every tool's schema.
    ///
    /// # Errors
    ///
    /// A [`RegistryError`]: the first tool with a bad name or one that is taken, else the first whose schema holds what is not judged here.
    pub fn build(self) -> Result<Registry, RegistryError> {
        let registry = self.build_deferred()?;
        for (name, registered) in registry.tools.iter() {
            let unsupported = |source: &UnsupportedSchema| RegistryError::UnsupportedSchema {
                tool: name.clone(),
                source: source.clone(),
            };
            registered.schema().map_err(unsupported)?;
        }
        Ok(registry)
    }

    /// Builds the registry, and leaves each tool's schema to be read when the tool is first called.
    ///
    /// For a short-lived process that runs one call of many tools. Calls of a tool whose schema then turns out to hold what is not
    /// judged here are all refused, as [`ErrorCode::InternalError`](crate::ErrorCode::InternalError); a test that calls
    /// [`build`](Self::build) on the same tools keeps that from happening.
    ///
    /// # Errors
    ///
    /// A [`RegistryError`]: the first tool with a bad name or one that is taken.
    pub fn build_deferred(self) -> Result<Registry, RegistryError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(Registry { tools: Arc::new(self.tools) }),
        }
    }
}
