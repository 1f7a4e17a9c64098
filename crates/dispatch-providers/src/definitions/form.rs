//! How each provider writes a tool around its schema.

use dispatch_core::{ToolName, ToolSpec};
use serde_json::{Map, Value, json};

use super::loss::Losses;
use super::schema::Dialect;
use super::table::{ANTHROPIC_STRICT, GEMINI, OPENAI_STRICT};
use super::{DefinitionError, Strictness};
use crate::provider::Provider;

/// A provider's way to write tools, strictly or not.
#[derive(Debug)]
pub(super) struct Form {
    provider: Provider,
    is_strict: bool,
    names: &'static Names,
    dialect: Dialect,
}

/// What a provider takes as a tool's name, of what [`ToolName`] lets through.
#[derive(Debug)]
struct Names {
    takes: &'static str,
    longest: usize,
    has_dots: bool,
    begins_with_letter: bool,
}

/// [Anthropic](https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools), [OpenAI](https://platform.openai.com/docs/api-reference/chat/create)
/// and [Bedrock](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html) agree.
const PLAIN: Names = Names {
    takes: "1 to 64 of the letters A-Z, a-z, 0-9, `_` and `-`",
    longest: 64,
    has_dots: false,
    begins_with_letter: false,
};

/// [Gemini](https://ai.google.dev/api/caching#FunctionDeclaration).
const DOTTED: Names = Names {
    takes: "1 to 64 of the letters A-Z, a-z, 0-9, `_`, `.` and `-`, the first a letter or `_`",
    longest: 64,
    has_dots: true,
    begins_with_letter: true,
};

const ANY: Names = Names { takes: "any kind", longest: 128, has_dots: true, begins_with_letter: false };

impl Names {
    fn take(&self, name: &str) -> bool {
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
        name.len() <= self.longest
            && (self.has_dots || !name.contains('.'))
            && (!self.begins_with_letter || name.starts_with(begins))
    }
}

impl Form {
    /// Returns how a provider writes tools.
    ///
    /// # Errors
    ///
    /// When it has no strict mode, and is to be strict.
    pub(super) fn of(provider: Provider, strictness: Strictness) -> Result<Self, DefinitionError> {
        let is_strict = strictness == Strictness::Strict;
        let (names, advisory, strict) = match provider {
            Provider::Anthropic | Provider::Bedrock => (&PLAIN, Dialect::OBJECT, Some(&ANTHROPIC_STRICT)),
            Provider::OpenAiChat | Provider::OpenAiResponses => (&PLAIN, Dialect::WITH_ITEMS, Some(&OPENAI_STRICT)),
            Provider::Gemini => (&DOTTED, Dialect::Subset(&GEMINI), None),
            Provider::Mcp => (&ANY, Dialect::WHOLE, None),
        };
        let dialect = match (is_strict, strict) {
            (false, _) => advisory,
            (true, Some(strict)) => Dialect::Subset(strict),
            (true, None) => return Err(DefinitionError::NoStrictMode(provider)),
        };
        Ok(Self { provider, is_strict, names, dialect })
    }

    /// Writes one tool.
    ///
    /// # Errors
    ///
    /// When the provider does not take its name or its schema.
    pub(super) fn tool(&self, spec: &ToolSpec, losses: &mut Losses) -> Result<Value, DefinitionError> {
        self.check_name(&spec.name)?;
        let schema = self.dialect.write(spec, losses)?;
        let mut tool = Map::new();
        tool.insert("name".to_owned(), spec.name.as_str().into());
        if !spec.description.is_empty() {
            tool.insert("description".to_owned(), spec.description.as_str().into());
        }
        self.complete(&mut tool, schema, spec);
        Ok(self.wrapped(tool))
    }

    fn check_name(&self, name: &ToolName) -> Result<(), DefinitionError> {
        if self.names.take(name.as_str()) {
            return Ok(());
        }
        let (provider, takes) = (self.provider, self.names.takes);
        Err(DefinitionError::Name { tool: name.clone(), provider, takes })
    }

    fn complete(&self, tool: &mut Map<String, Value>, schema: Value, spec: &ToolSpec) {
        let (member, schema) = match self.provider {
            Provider::Anthropic => ("input_schema", schema),
            Provider::OpenAiChat | Provider::OpenAiResponses | Provider::Gemini => ("parameters", schema),
            Provider::Bedrock => ("inputSchema", json!({"json": schema})),
            Provider::Mcp => ("inputSchema", schema),
        };
        tool.insert(member.to_owned(), schema);
        if self.provider == Provider::Mcp {
            tool.insert("annotations".to_owned(), spec.annotations.to_json());
        }
        // Where nothing is said, the Responses API is strict.
        if self.is_strict || self.provider == Provider::OpenAiResponses {
            tool.insert("strict".to_owned(), self.is_strict.into());
        }
    }

    fn wrapped(&self, mut tool: Map<String, Value>) -> Value {
        match self.provider {
            Provider::Anthropic | Provider::Gemini | Provider::Mcp => tool.into(),
            Provider::OpenAiChat => json!({"type": "function", "function": tool}),
            Provider::OpenAiResponses => {
                tool.insert("type".to_owned(), "function".into());
                tool.into()
            }
            Provider::Bedrock => json!({"toolSpec": tool}),
        }
    }

    /// Puts tools together.
    pub(super) fn list(&self, tools: Vec<Value>) -> Value {
        match self.provider {
            Provider::Anthropic | Provider::OpenAiChat | Provider::OpenAiResponses => tools.into(),
            Provider::Gemini if tools.is_empty() => tools.into(),
            Provider::Gemini => json!([{"functionDeclarations": tools}]),
            Provider::Bedrock | Provider::Mcp => json!({"tools": tools}),
        }
    }
}
