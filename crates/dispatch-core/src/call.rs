//! A tool call: what a model asks for. Untrusted, and kept as it came.

use crate::json::{Document, Fragment};

/// A call of a tool, read but not judged: `{id?, tool, args}`.
///
/// Its name may be that of no tool, and its arguments may be anything that is JSON. Only the gates make of it something that can run.
///
/// ```
/// use dispatch_core::{ToolCall, json::Document};
///
/// let args = Document::parse(br#"{"path": "notes.txt"}"#.to_vec())?;
/// let call = ToolCall::new("read_file", args).with_id("c1");
/// assert_eq!(call.tool(), "read_file");
/// assert_eq!(call.args().raw(), r#"{"path": "notes.txt"}"#);
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
#[derive(Debug, Clone)]
pub struct ToolCall {
    id: Option<String>,
    tool: String,
    args: Fragment,
    raw: Fragment,
}

impl ToolCall {
    /// Makes a call from a tool's name and its arguments.
    ///
    /// Read the arguments with [`Document::parse_tolerating`] where a key twice in them is to be the model's fault rather than the host's.
    pub fn new(tool: impl Into<String>, args: Document) -> Self {
        let args = Fragment::from(args);
        Self { id: None, tool: tool.into(), raw: args.clone(), args }
    }

    /// Makes a call from its parts where they stand in a larger text; `raw` is the whole of what was asked.
    pub fn from_parts(id: Option<String>, tool: String, args: Fragment, raw: Fragment) -> Self {
        Self { id, tool, args, raw }
    }

    /// Sets the id that the result is to be paired by.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Returns the id that pairs the call with its result, letter by letter as it came.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the name of the tool that is asked for.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns the arguments as they came.
    pub fn args(&self) -> &Fragment {
        &self.args
    }

    /// Returns the text that the call came as. Of a call that was [made](Self::new) of its parts, that is its arguments.
    pub fn raw(&self) -> &str {
        self.raw.raw()
    }
}
