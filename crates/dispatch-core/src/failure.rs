//! Why a call failed: what the model may read, and apart from it what only the operator may.

use std::any::Any;
use std::fmt;

use crate::code::{Code, ErrorCode, FailureClass};
use crate::json::JsonPath;
use crate::observation::UnserialisableOutput;
use crate::operator_text::OperatorText;

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
/// let own = ToolFailure::new(Code::own("too_large")?, "the value must be below 100");
/// assert_eq!(own.message(), Some("the value must be below 100"));
/// # Ok::<(), dispatch_core::CodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    code: Code,
    message: Option<String>,
    is_always_told: bool,
    details: Vec<Detail>,
    operator_text: Option<OperatorText>,
}

impl ToolFailure {
    /// Makes a failure with a code and a text for the model.
    ///
    /// A tool's [own](Code::own) code and its text are always shown. A built-in code speaks for itself, and its text is shown where failures
    /// are to be explained.
    pub fn new(code: impl Into<Code>, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..Self::of(code.into()) }
    }

    fn of(code: Code) -> Self {
        Self { code, message: None, is_always_told: false, details: Vec::new(), operator_text: None }
    }

    /// Adds a text for the model. With a built-in code it is shown where failures are to be explained.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Adds a text for the model that is shown whatever the code, and whether failures are to be explained or not: one that answers what the
    /// model wanted to know.
    ///
    /// ```
    /// use dispatch_core::{CallError, ErrorCode, ToolFailure};
    ///
    /// let failure = ToolFailure::from(ErrorCode::IsADirectory).always_telling("it holds \"a.txt\"");
    /// assert!(CallError::from(failure).is_always_told);
    /// assert!(!CallError::from(ToolFailure::new(ErrorCode::IsADirectory, "a hint")).is_always_told);
    /// ```
    #[must_use]
    pub fn always_telling(self, message: impl Into<String>) -> Self {
        Self { is_always_told: true, ..self.with_message(message) }
    }

    /// Adds what may help the model to its next try, with the argument it is about.
    #[must_use]
    pub fn with_detail(mut self, path: JsonPath, message: impl Into<String>) -> Self {
        self.details.push(Detail { path, message: message.into() });
        self
    }

    /// Adds a text that is for the operator alone: the model never sees it.
    #[must_use]
    pub fn with_operator_text(mut self, text: impl Into<OperatorText>) -> Self {
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

    /// Returns what may help the model to its next try.
    pub fn details(&self) -> &[Detail] {
        &self.details
    }

    /// Returns the text for the operator.
    pub fn operator_text(&self) -> Option<&str> {
        self.operator_text.as_deref()
    }

    /// All that was said, and to whomever, for the operator.
    fn all_texts(&self) -> String {
        let details = self.details.iter().map(ToString::to_string);
        let texts = [self.operator_text(), self.message()].into_iter().flatten().map(str::to_owned);
        let texts: Vec<_> = texts.chain(details).collect();
        if texts.is_empty() { "nothing more".to_owned() } else { texts.join("; ") }
    }
}

impl From<ErrorCode> for ToolFailure {
    fn from(code: ErrorCode) -> Self {
        Self::of(code.into())
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)?;
        self.message.iter().try_for_each(|message| write!(f, ": {message}"))
    }
}

impl std::error::Error for ToolFailure {}

/// Why a call gave no observation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// The code.
    pub code: Code,
    /// A text for the model, where a policy or a tool brought one.
    pub message: Option<String>,
    /// Whether that text is shown also with a built-in code where failures are not to be explained.
    pub is_always_told: bool,
    /// What is wrong with the arguments, where they are what is wrong; else what may help to the next try.
    pub details: Vec<Detail>,
    /// A text for the operator alone: what a panic, a policy or the operating system said.
    pub operator_text: Option<OperatorText>,
}

impl CallError {
    /// Returns the error as a text for the model: what happened, then each detail on a line of its own.
    ///
    /// ```
    /// use dispatch_core::{CallError, Code, ErrorCode};
    ///
    /// let error = CallError::from(Code::from(ErrorCode::FileNotFound));
    /// assert_eq!(error.text_for_model(), "file_not_found: There is no file at the path.");
    /// ```
    pub fn text_for_model(&self) -> String {
        let meaning = self.code.built_in().map_or("", ErrorCode::meaning);
        let mut text = format!("{}: {}", self.code, self.message.as_deref().unwrap_or(meaning));
        for detail in &self.details {
            text.push('\n');
            text.push_str(&detail.to_string());
        }
        text
    }

    /// An error of the dispatcher's own: the model learns the code and nothing else.
    pub(crate) fn internal(operator_text: impl Into<OperatorText>) -> Self {
        Self { operator_text: Some(operator_text.into()), ..Self::from(Code::from(ErrorCode::InternalError)) }
    }
}

impl From<Code> for CallError {
    fn from(code: Code) -> Self {
        Self { code, message: None, is_always_told: false, details: Vec::new(), operator_text: None }
    }
}

impl From<UnserialisableOutput> for CallError {
    fn from(error: UnserialisableOutput) -> Self {
        Self::internal(error.to_string())
    }
}

/// A handler may fail with its own code or one that is about execution. Any other would pretend that a gate or the protocol spoke.
impl From<ToolFailure> for CallError {
    fn from(failure: ToolFailure) -> Self {
        match failure.code.built_in() {
            Some(code) if code.class() != FailureClass::ExecutionFailure => {
                let said = failure.all_texts();
                Self::internal(format!(
                    "the handler failed with `{code}`, which is not a handler's to say, and said: {said}"
                ))
            }
            _ => Self {
                code: failure.code,
                message: failure.message,
                is_always_told: failure.is_always_told,
                details: failure.details,
                operator_text: failure.operator_text,
            },
        }
    }
}

/// What a panic said. It is for the operator alone.
///
/// Whatever else a panic brought is leaked: to drop it may panic again, where nobody catches it.
pub(crate) fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let panic = match panic.downcast::<&str>() {
        Ok(text) => return (*text).to_owned(),
        Err(panic) => panic,
    };
    panic.downcast::<String>().map_or_else(
        |other| {
            std::mem::forget(other);
            "without a text".to_owned()
        },
        |text| *text,
    )
}
