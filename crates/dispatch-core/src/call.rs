//! A tool call: what a model asks for. Untrusted, and kept as it came.

use crate::json::{Document, Fragment, Malformed, Node};

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
    args: Args,
    raw: Fragment,
}

/// What tells a call from every other that is held. See [`ToolCall::identity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallIdentity((usize, usize));

/// What a call brings as arguments.
#[derive(Debug, Clone)]
pub enum Args {
    /// JSON, be it an object or not.
    Json(Fragment),
    /// Text that is no JSON. A provider that takes arguments as text passes on whatever a model wrote; the argument gate refuses it.
    Malformed(Box<Malformed>),
}

impl Args {
    /// Reads arguments that came as text. A key twice in them is left to the argument gate, and a blank text means that there are none: `{}`.
    ///
    /// ```
    /// use dispatch_core::Args;
    ///
    /// assert_eq!(Args::from_text("").raw(), "{}");
    /// assert!(matches!(Args::from_text("{\"path\":"), Args::Malformed(_)));
    /// ```
    pub fn from_text(text: impl Into<String>) -> Self {
        let text: String = text.into();
        let text = if text.trim_ascii().is_empty() { "{}".to_owned() } else { text };
        match Document::parse_tolerating(text.into_bytes(), |_| true) {
            Ok(document) => Self::Json(document.into()),
            Err(malformed) => Self::Malformed(Box::new(malformed)),
        }
    }

    /// Returns the arguments as JSON, if they are that.
    pub fn as_json(&self) -> Option<&Fragment> {
        match self {
            Self::Json(fragment) => Some(fragment),
            Self::Malformed(_) => None,
        }
    }

    /// Returns the arguments as they were written.
    pub fn raw(&self) -> &str {
        match self {
            Self::Json(fragment) => fragment.raw(),
            Self::Malformed(malformed) => std::str::from_utf8(malformed.source()).unwrap_or_default(),
        }
    }
}

impl From<Fragment> for Args {
    fn from(fragment: Fragment) -> Self {
        Self::Json(fragment)
    }
}

impl ToolCall {
    /// Makes a call from a tool's name and its arguments.
    ///
    /// Read the arguments with [`Document::parse_tolerating`] where a key twice in them is to be the model's fault rather than the host's.
    pub fn new(tool: impl Into<String>, args: Document) -> Self {
        let args = Fragment::from(args);
        Self { id: None, tool: tool.into(), raw: args.clone(), args: args.into() }
    }

    /// Makes a call from its parts where they stand in a larger text; `raw` is the whole of what was asked.
    pub fn from_parts(id: Option<String>, tool: String, args: impl Into<Args>, raw: Fragment) -> Self {
        Self { id, tool, args: args.into(), raw }
    }

    /// Sets the id that the result is to be paired by.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets other arguments to be judged. The text that the call [came as](Self::raw) is kept, and it keeps its [identity](Self::identity).
    ///
    /// For a wire form whose arguments mean something else than they say.
    ///
    /// ```
    /// use dispatch_core::{Args, ToolCall, json::Document};
    ///
    /// let sent = Document::parse(br#"{"path": "a", "limit": null}"#.to_vec())?;
    /// let call = ToolCall::new("read_file", sent).with_args(Args::from_text(r#"{"path": "a"}"#));
    /// assert_eq!(call.args().raw(), r#"{"path": "a"}"#);
    /// assert_eq!(call.raw(), r#"{"path": "a", "limit": null}"#);
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    #[must_use]
    pub fn with_args(mut self, args: impl Into<Args>) -> Self {
        self.args = args.into();
        self
    }

    /// Sets the text that the call came as, where its parts were read from another.
    pub(crate) fn came_as(self, raw: Fragment) -> Self {
        Self { raw, ..self }
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
    pub fn args(&self) -> &Args {
        &self.args
    }

    /// Returns the text that the call came as. Of a call that was [made](Self::new) of its parts, that is its arguments.
    pub fn raw(&self) -> &str {
        self.raw.raw()
    }

    /// Returns the value that the call came as, to read in it what else was asked. Of a call that was [made](Self::new) of its parts, that is its
    /// arguments.
    ///
    /// ```
    /// use dispatch_core::{ToolCall, json::{Document, Fragment}};
    ///
    /// let asked = Fragment::from(Document::parse(br#"{"name": "list", "args": {}, "deadline": 7}"#.to_vec())?);
    /// let args = asked.node().get("args").unwrap().to_fragment();
    /// let call = ToolCall::from_parts(None, "list".to_owned(), args, asked);
    /// assert_eq!(call.node().get("deadline").unwrap().raw(), "7");
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn node(&self) -> Node<'_> {
        self.raw.node()
    }

    /// Returns what tells this call from every other that is held: where it was read, not what it says. Its clones have the same.
    ///
    /// ```
    /// use dispatch_core::{ToolCall, json::Document};
    ///
    /// let args = || Document::parse(b"{}".to_vec()).unwrap();
    /// let call = ToolCall::new("list", args());
    /// assert_eq!(call.identity(), call.clone().identity());
    /// assert_ne!(call.identity(), ToolCall::new("list", args()).identity());
    /// ```
    pub fn identity(&self) -> CallIdentity {
        CallIdentity(self.raw.place())
    }
}
