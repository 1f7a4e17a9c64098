//! A request that must be refused.

use std::fmt;

use conformance::subject::Input;
use conformance::yaml::{Options, Toolset};
use dispatch_core::{ErrorCode, FailureClass};

/// A request that must be refused, and why.
///
/// In its text `@W` stands for the member `workspace` and a comma, `@C` for a call that would run.
pub(crate) struct Refusal {
    /// The code that it is refused with.
    pub(crate) code: &'static str,
    /// Whether it is refused outside a session.
    pub(crate) is_for_alone: bool,
    /// Whether it is refused within a session.
    pub(crate) is_for_session: bool,
    request: Vec<u8>,
    allow: Option<Vec<String>>,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, request: impl Into<Vec<u8>>) -> Self {
        let request = request.into();
        Self { code, request, allow: None, is_for_alone: true, is_for_session: true }
    }

    /// Starts the session with these names alone; none mean all.
    pub(crate) fn allowing(mut self, names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        self.allow = (!names.is_empty()).then_some(names);
        self
    }

    /// Says that a session would take it for something else, and not refuse it.
    pub(crate) fn only_alone(mut self) -> Self {
        self.is_for_session = false;
        self
    }

    /// Says that it is refused for another reason outside a session.
    pub(crate) fn only_in_session(mut self) -> Self {
        self.is_for_alone = false;
        self
    }

    /// Tells whether it is answered, with an error, rather than a protocol failure.
    pub(crate) fn is_rejection(&self) -> bool {
        let code = ErrorCode::ALL.iter().find(|code| code.as_str() == self.code);
        code.is_some_and(|code| code.class() == FailureClass::Rejection)
    }

    /// Puts the request together, with this workspace.
    pub(crate) fn with_workspace(&self, files: &str) -> Vec<u8> {
        self.filled(&format!("\"workspace\":{files},"))
    }

    /// Puts the request together without a workspace.
    pub(crate) fn without_workspace(&self) -> Vec<u8> {
        self.filled("")
    }

    fn filled(&self, workspace: &str) -> Vec<u8> {
        let request = replaced(&self.request, "@W", workspace);
        replaced(&request, "@C", r#""call":{"tool":"count","args":{}}"#)
    }

    /// Returns what the library gets: this stdin, as one request or as a session that goes on
    /// behind a failure.
    pub(crate) fn input(&self, stdin: Vec<u8>, is_stream: bool) -> Input {
        let options = Options { allow: self.allow.clone(), keep_going: is_stream, ..Options::default() };
        Input { stdin, is_stream, workspace: None, options, toolset: Toolset::Test, is_for_directory: false }
    }
}

/// Replaces a mark where it first stands.
fn replaced(bytes: &[u8], mark: &str, by: &str) -> Vec<u8> {
    let place = bytes.windows(mark.len()).position(|window| window == mark.as_bytes());
    let Some((head, tail)) = place.and_then(|place| bytes.split_at_checked(place)) else {
        return bytes.to_vec();
    };
    [head, by.as_bytes(), tail.get(mark.len()..).unwrap_or_default()].concat()
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, String::from_utf8_lossy(&self.request))
    }
}
