//! The tools that exist.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::Judge;
use crate::policy::{Policies, Policy};
use crate::schema::UnsupportedSchema;
use crate::tool::{Annotations, ErasedTool, GivenTool, InvalidToolName, Tool, ToolName, erase, host_run};

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
    policies: Policies,
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
    /// A policy is for a tool that was not added before it.
    #[error("there is a policy for `{0}`, and no such tool before it")]
    PolicyWithoutTool(String),
    /// A tool's arguments have a schema that they can't be judged by.
    #[error("tool `{tool}`: {source}")]
    UnsupportedSchema {
        /// The tool.
        tool: ToolName,
        /// Where in its schema, and why.
        source: UnsupportedSchema,
    },
}

/// A tool with its schema, and the policies of its own.
pub(crate) struct Registered {
    pub(crate) name: ToolName,
    pub(crate) tool: Box<dyn ErasedTool>,
    /// Asked for once, so that a tool can't say one thing to the host and another to the gates, nor panic between them.
    pub(crate) annotations: Annotations,
    pub(crate) policies: Policies,
    judge: OnceLock<Result<Judge, UnsupportedSchema>>,
}

impl Registered {
    /// Returns the judge of this tool's arguments. Its schema is read when somebody first asks.
    pub(crate) fn judge(&self) -> Result<&Judge, &UnsupportedSchema> {
        self.judge.get_or_init(|| self.read_schema()).as_ref()
    }

    fn spec(&self) -> ToolSpec {
        let mut input_schema = self.tool.schema();
        let description = input_schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let description = description.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        ToolSpec { name: self.name.clone(), description, input_schema, annotations: self.annotations }
    }

    fn read_schema(&self) -> Result<Judge, UnsupportedSchema> {
        let schema = self.tool.schema();
        self.tool.check(&schema)?;
        Judge::new(&schema)
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
        Some(self.get(name)?.spec())
    }

    /// Returns what there is to tell about each tool, sorted by the code points of their names. Each is made when it is asked for.
    ///
    /// ```
    /// use dispatch_core::tools;
    ///
    /// let registry = tools::core_registry();
    /// let names: Vec<_> = registry.specs().map(|spec| spec.name.to_string()).collect();
    /// assert_eq!(names, ["patch_file", "read_file", "write_file"]);
    /// ```
    pub fn specs(&self) -> impl Iterator<Item = ToolSpec> {
        self.tools.values().map(|registered| registered.spec())
    }

    /// Returns the policies that judge the calls of every tool.
    pub(crate) fn policies(&self) -> &Policies {
        &self.policies
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
    /// What it does to its surroundings.
    pub annotations: Annotations,
}

impl ToolSpec {
    /// Returns the spec as JSON: `{"annotations", "description", "input_schema", "name"}`, the annotations under MCP's names.
    pub fn to_json(&self) -> Value {
        let Self { name, description, input_schema, annotations } = self;
        serde_json::json!({
            "name": name.as_str(),
            "description": description,
            "input_schema": input_schema,
            "annotations": annotations.to_json(),
        })
    }
}

/// A registry that is being built. Made by [`Registry::builder`].
#[derive(Debug, Default)]
pub struct RegistryBuilder {
    tools: BTreeMap<ToolName, Registered>,
    policies: Policies,
    error: Option<RegistryError>,
}

impl RegistryBuilder {
    /// Adds a tool.
    #[must_use]
    pub fn tool(self, tool: impl Tool) -> Self {
        let name = ToolName::new(tool.name());
        self.add(name, erase(tool))
    }

    /// Adds a tool whose schema came at run time.
    #[must_use]
    pub fn given(self, tool: GivenTool) -> Self {
        let name = tool.name().clone();
        self.add(Ok(name), Box::new(tool))
    }

    /// Adds a tool that its host runs: calls of it are judged here and [detached](crate::Admitted::detach), and have no handler.
    #[must_use]
    pub fn host_run<Args>(self, name: &str, annotations: Annotations) -> Self
    where
        Args: DeserializeOwned + JsonSchema + 'static,
    {
        self.add(ToolName::new(name), host_run::<Args>(annotations))
    }

    /// Wraps every tool added so far, of whatever kind, so that each of its runs is told as [`traced`](crate::traced()) tells them; output that can't be
    /// sent is then told too, as `internal_error`. A tool that is wrapped already is told of twice.
    ///
    /// A tool that its host runs has no handler here, and nothing is told of it: how long it took, its host knows.
    ///
    /// ```
    /// use dispatch_core::{GivenTool, Observation, Registry, tools};
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {}});
    /// let given = GivenTool::new("now", "Tells the time.", &schema)?.run_by(|_, _| Ok(Observation::text("noon")));
    /// let registry = Registry::builder().tool(tools::ReadFile).given(given).traced().build()?;
    /// assert_eq!(registry.spec("now").unwrap().description, "Tells the time.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "tracing")]
    #[must_use]
    pub fn traced(mut self) -> Self {
        let wrap = |(name, registered): (ToolName, Registered)| {
            let tool = Box::new(crate::tool::TracedErased::new(name.clone(), registered.tool));
            (name, Registered { tool, ..registered })
        };
        self.tools = self.tools.into_iter().map(wrap).collect();
        self
    }

    /// Adds a policy that judges the calls of every tool, after those added before and ahead of a tool's own.
    #[must_use]
    pub fn policy(mut self, policy: impl Policy) -> Self {
        self.policies.add(policy);
        self
    }

    /// Adds a policy that judges the calls of one tool, which must have been added before.
    #[must_use]
    pub fn policy_for(mut self, tool: &str, policy: impl Policy) -> Self {
        match self.tools.get_mut(tool) {
            Some(registered) => registered.policies.add(policy),
            None => drop(self.error.get_or_insert(RegistryError::PolicyWithoutTool(tool.to_owned()))),
        }
        self
    }

    fn add(mut self, name: Result<ToolName, InvalidToolName>, tool: Box<dyn ErasedTool>) -> Self {
        let added = name.map_err(RegistryError::from).and_then(|name| {
            let (annotations, policies) = (tool.annotations(), Policies::default());
            let registered = Registered { name: name.clone(), tool, annotations, policies, judge: OnceLock::new() };
            match self.tools.insert(name.clone(), registered) {
                None => Ok(()),
                Some(_) => Err(RegistryError::DuplicateName(name)),
            }
        });
        if let Err(error) = added {
            self.error.get_or_insert(error);
        }
        self
    }

    /// Builds the registry, and reads every tool's schema.
    ///
    /// # Errors
    ///
    /// A [`RegistryError`]: the first tool with a bad name or one that is taken, else the first whose schema holds what is not judged here.
    ///
    /// ```
    /// use dispatch_core::{Registry, RegistryError, tools};
    ///
    /// assert!(Registry::builder().tool(tools::ReadFile).build()?.contains("read_file"));
    /// let error = Registry::builder().tool(tools::ReadFile).tool(tools::ReadFile).build().unwrap_err();
    /// assert!(matches!(error, RegistryError::DuplicateName(name) if name.as_str() == "read_file"));
    /// # Ok::<(), RegistryError>(())
    /// ```
    pub fn build(self) -> Result<Registry, RegistryError> {
        let registry = self.build_deferred()?;
        for (name, registered) in registry.tools.iter() {
            let unsupported = |source: &UnsupportedSchema| RegistryError::UnsupportedSchema {
                tool: name.clone(),
                source: source.clone(),
            };
            registered.judge().map_err(unsupported)?;
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
    ///
    /// ```
    /// use dispatch_core::{GivenTool, Registry};
    /// use serde_json::json;
    ///
    /// let unreadable = GivenTool::new("odd", "", &json!({"type": "object", "properties": {"a": {"type": "text"}}}))?;
    /// assert!(Registry::builder().given(unreadable.clone()).build().is_err());
    /// assert!(Registry::builder().given(unreadable.clone()).build_deferred().is_ok());
    /// assert!(Registry::builder().given(unreadable.clone()).given(unreadable).build_deferred().is_err());
    /// # Ok::<(), dispatch_core::GivenToolError>(())
    /// ```
    pub fn build_deferred(self) -> Result<Registry, RegistryError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let tools = self.tools.into_iter().map(|(name, registered)| (name, Arc::new(registered)));
        Ok(Registry { tools: Arc::new(tools.collect()), policies: self.policies })
    }
}
