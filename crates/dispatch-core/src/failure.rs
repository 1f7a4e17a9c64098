//! Why a call failed: what the model may read, and apart from it what only the operator may.

use std::fmt;

use crate::code::{Code, ErrorCode};
use crate::json::JsonPath;

/// One thing that is wrong with a call's arguments: where, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The path of the value at fault in the arguments, or for a missing or unknown field that of the object around it.
    pub path: JsonPath,
    /// What is wrong, for the model to read.
    pub message: String,
}

/// It reads as a line: `$.value: expected integer, found string`.
impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// What a handler returns when it can't do what it was asked for.
///
/// An expected failure is news for the model: a built-in [`ErrorCode`] of the execution class, or the tool's own [`Code`] with a text.
///
/// ```
/// use dispatch_core::{Code, ErrorCode, ToolFailure};
///
/// let built_in = ToolFailure::from(ErrorCode::FileNotFound).with_operator_text("stat: ENOENT");
/// assert_eq!(built_in.code().as_str(), "file_not_found");
/// assert_eq!(built_in.message(), None);
///
/// let own = ToolFailure::own(Code::own("too_large")?, "the value must be below 100");
/// assert_eq!(own.message(), Some("the value must be below 100"));
/// # Ok::<(), dispatch_core::CodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    code: Code,
    message: Option<String>,
    operator_text: Option<String>,
}

impl ToolFailure {
    /// Makes a failure with the tool's own code and a text for the model.
    pub fn own(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: Some(message.into()), operator_text: None }
    }

    /// Adds a text that is for the operator alone: the model never sees it.
    #[must_use]
    pub fn with_operator_text(mut self, text: impl Into<String>) -> Self {
        self.operator_text = Some(text.into());
        self
    }

    /// Returns the code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the text for the model.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Returns the text for the operator.
    pub fn operator_text(&self) -> Option<&str> {
        self.operator_text.as_deref()
    }
}

impl From<ErrorCode> for ToolFailure {
    fn from(code: ErrorCode) -> Self {
        Self { code: code.into(), message: None, operator_text: None }
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)?;
        self.message.iter().try_for_each(|message| write!(f, ": {message}"))
    }
}

impl std::error::Error for ToolFailure {}
