//! What a session begins with.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::Version;
use crate::gates::Gates;
use crate::json::{Document, write_value};
use crate::limits::Limits;
use crate::permissions::Permissions;
use crate::registry::{Registry, ToolSpec};
use crate::workspace::MemoryWorkspace;

/// What a session begins with: the tools that exist, what narrows them, and the files.
///
/// ```
/// use dispatch_core::{Gates, session::Header, tools, workspace::MemoryWorkspace};
///
/// let registry = tools::core_registry();
/// let header = Header::new(&Gates::new(registry.clone()).explaining(), MemoryWorkspace::default());
/// assert!(header.differing_tools(&registry).is_empty());
/// assert!(header.gates(registry).explains());
/// ```
#[derive(Debug, Clone)]
pub struct Header {
    pub(super) version: Version,
    pub(super) tools: BTreeMap<String, Value>,
    pub(super) permissions: Permissions,
    pub(super) limits: Option<Limits>,
    pub(super) facts: Map<String, Value>,
    pub(super) explains: bool,
    pub(super) provider: Option<String>,
    pub(super) strict: bool,
    pub(super) workspace: MemoryWorkspace,
    /// Whether the workspace is a directory, of which the log holds what was seen.
    pub(super) is_partial: bool,
    pub(super) host: Value,
}

impl Header {
    /// Makes the header of a session that goes through these gates, and begins with these files.
    pub fn new(gates: &Gates, workspace: MemoryWorkspace) -> Self {
        Self {
            version: Version::written(false),
            tools: gates.registry().specs().map(|spec| (spec.name.to_string(), as_written(&spec))).collect(),
            permissions: gates.permissions().clone(),
            limits: gates.limits_set(),
            facts: gates.facts().clone(),
            explains: gates.explains(),
            provider: None,
            strict: false,
            workspace,
            is_partial: false,
            host: Value::Null,
        }
    }

    /// Says whose shapes the calls come in, and whether their arguments are read as strict mode writes them.
    #[must_use]
    pub fn for_provider(self, provider: impl Into<String>, strict: bool) -> Self {
        Self { provider: Some(provider.into()), strict, ..self }
    }

    /// Says that the workspace is a directory, or another that the host has: the log then holds what each call saw of it for the first time, and
    /// replay works on that.
    #[must_use]
    pub fn of_directory(self) -> Self {
        Self { version: Version::written(true), is_partial: true, ..self }
    }

    /// Returns whether the workspace was a directory, of which the log holds what was seen.
    pub fn is_of_directory(&self) -> bool {
        self.is_partial
    }

    /// Returns the version of the log's format.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the tools that there were, each as [`ToolSpec::to_json`] gives it, sorted by the code points of their names.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.tools.iter().map(|(name, spec)| (name.as_str(), spec))
    }

    /// Returns the tools that the session might use.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Returns the files that the session began with.
    pub fn workspace(&self) -> &MemoryWorkspace {
        &self.workspace
    }

    /// Returns the provider in whose shapes the calls came; none for the native protocol.
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns whether arguments were read as strict mode writes them.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns what the host said of itself.
    pub fn host(&self) -> &Value {
        &self.host
    }

    /// Returns the gates of the session, made of today's tools and their policies.
    pub fn gates(&self, registry: Registry) -> Gates {
        let gates = Gates::new(registry).permitting(&self.permissions).with_facts(self.facts.clone());
        let gates = self.limits.map_or(gates.clone(), |limits| gates.limiting(limits));
        if self.explains { gates.explaining() } else { gates }
    }

    /// Returns the tools that today are not what they were, sorted by name. A tool that has come since then is none.
    pub fn differing_tools(&self, registry: &Registry) -> Vec<DifferingTool> {
        self.tools.iter().filter_map(|(name, recorded)| DifferingTool::of(name, recorded, registry)).collect()
    }
}

/// A tool that is not what it was when the session was recorded. As text it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingTool {
    /// The tool's name.
    pub name: String,
    /// The members of its [spec](ToolSpec::to_json) that differ, sorted; none where there is no such tool any longer.
    pub members: Vec<String>,
}

impl DifferingTool {
    /// Returns why a session can't be replayed of whose tools these are gone, and what to do about it.
    ///
    /// ```
    /// use dispatch_core::session::DifferingTool;
    ///
    /// let gone = DifferingTool { name: "deploy".to_owned(), members: Vec::new() };
    /// assert!(DifferingTool::all_gone(&[gone]).ends_with("; replay the log with a program that has these tools"));
    /// ```
    pub fn all_gone(tools: &[Self]) -> String {
        let tools: Vec<String> = tools.iter().map(Self::to_string).collect();
        tools.join("; ") + "; replay the log with a program that has these tools"
    }

    fn of(name: &str, recorded: &Value, registry: &Registry) -> Option<Self> {
        let today = registry.spec(name).map_or(Value::Null, |spec| as_written(&spec));
        let differs = |member: &&str| recorded.get(*member) != today.get(*member);
        let members =
            ["annotations", "description", "input_schema"].iter().filter(|member| !today.is_null() && differs(member));
        let found = Self { name: name.to_owned(), members: members.map(|member| (*member).to_owned()).collect() };
        (today.is_null() || !found.members.is_empty()).then_some(found)
    }
}

impl fmt::Display for DifferingTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, members } = self;
        if members.is_empty() {
            return write!(f, "the tool `{name}` was there when the session was recorded, and is not today");
        }
        write!(
            f,
            "the tool `{name}` is not what it was when the session was recorded: another `{}`",
            members.join("`, `")
        )
    }
}

/// A spec as it is read back: what differs in its letters alone does not differ.
fn as_written(spec: &ToolSpec) -> Value {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut text, &spec.to_json());
    Document::parse(text).map_or(Value::Null, |document| document.root().to_json())
}
