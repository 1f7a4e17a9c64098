//! Tool definitions: out, as a provider wants them, and in, from what was sent to one.
//!
//! What a provider can't be told is left out of the schema that it gets and is still enforced by the core, which judges by the original: each
//! such [`Loss`] is told. What can't be said at all is refused by the tool's name.

mod absent;
mod form;
mod import;
mod loss;
mod openapi;
mod schema;
mod strict;
mod subset;
mod table;
mod root;

use dispatch_core::json::JsonPath;
use dispatch_core::{ToolName, ToolSpec};
use serde_json::Value;

pub(crate) use absent::absent_nulls;
pub use import::{ImportError, Imported};
pub use loss::Loss;

use crate::provider::Provider;
use form::Form;
use loss::Losses;

/// How closely a provider is to hold the model to the schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The schemas are advice to the model.
    #[default]
    Advisory,
    /// The provider lets the model write nothing else. Every property is required then, and an optional one may be null in place of being absent.
    Strict,
}

/// Tools as a provider's API wants them. Made by [`Provider::definitions`].
#[derive(Debug, Clone, PartialEq)]
pub struct Definitions {
    /// What goes into a request: the value of `tools`, of `toolConfig` for Bedrock, and for MCP the result of `tools/list`.
    pub value: Value,
    /// What could not be said, sorted by tool and place.
    pub losses: Vec<Loss>,
}

/// Why a tool can't be defined for a provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The provider takes no such name.
    #[error("tool `{tool}`: {provider} takes names of {takes}")]
    Name {
        /// The tool.
        tool: ToolName,
        /// The provider.
        provider: Provider,
        /// The names that it takes.
        takes: &'static str,
    },
    /// The provider has no strict mode.
    #[error("{0} has no strict mode")]
    NoStrictMode(Provider),
    /// The schema holds what can neither be said nor left out.
    #[error("tool `{tool}`: {path}: {reason}")]
    Unsayable {
        /// The tool.
        tool: ToolName,
        /// The place in its schema, references followed.
        path: JsonPath,
        /// What can't be said.
        reason: &'static str,
    },
}

impl Provider {
    /// Writes tools as this provider's API wants them, in the order given.
    ///
    /// Gemini gets `parameters`, its subset of OpenAPI, and not `parametersJsonSchema`: that one is not taken everywhere that the API is
    /// spoken, and what it understands of JSON Schema in a function is not documented.
    ///
    /// # Errors
    ///
    /// A [`DefinitionError`]: a name that the provider does not take, a strict mode that it does not have, or a schema that can't be said there.
    ///
    /// ```
    /// use dispatch_core::tools;
    /// use dispatch_providers::{DefinitionError, Provider, Strictness};
    ///
    /// let spec = tools::core_registry().spec("patch_file").unwrap();
    /// let definitions = Provider::OpenAiChat.definitions([&spec], Strictness::Strict)?;
    /// assert_eq!(definitions.value[0]["function"]["strict"], true);
    /// assert_eq!(definitions.losses[0].to_string(), "patch_file: $.properties.old_str: minLength: left out");
    ///
    /// let error = Provider::Mcp.definitions([&spec], Strictness::Strict).unwrap_err();
    /// assert_eq!(error, DefinitionError::NoStrictMode(Provider::Mcp));
    /// # Ok::<(), DefinitionError>(())
    /// ```
    pub fn definitions<'s>(
        self,
        specs: impl IntoIterator<Item = &'s ToolSpec>,
        strictness: Strictness,
    ) -> Result<Definitions, DefinitionError> {
        let form = Form::of(self, strictness)?;
        let mut losses = Losses::default();
        let tools = specs.into_iter().map(|spec| form.tool(spec, &mut losses)).collect::<Result<_, _>>()?;
        Ok(Definitions { value: form.list(tools), losses: losses.sorted() })
    }

    /// Reads the tools of a request in this provider's shape, or of its list of tools alone. Tools that the provider runs itself are not among them.
    ///
    /// The schemas come as JSON Schema of draft 2020-12, whatever the provider writes.
    ///
    /// # Errors
    ///
    /// An [`ImportError`]: what was expected where.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    /// use serde_json::json;
    ///
    /// let request = json!({"tools": [{"functionDeclarations": [
    ///     {"name": "find", "parameters": {"type": "OBJECT", "properties": {"text": {"type": "STRING", "nullable": true}}}},
    /// ]}]});
    /// let tools = Provider::Gemini.tools_in(&request)?;
    /// assert_eq!(tools[0].input_schema["properties"]["text"], json!({"type": ["string", "null"]}));
    /// # Ok::<(), dispatch_providers::ImportError>(())
    /// ```
    pub fn tools_in(self, definitions: &Value) -> Result<Vec<Imported>, ImportError> {
        import::tools_in(self, definitions)
    }
}

#[cfg(test)]
mod tests;
