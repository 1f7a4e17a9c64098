//! Results: what every call ends in, paired with it.

use std::borrow::Cow;

use crate::call::ToolCall;
use crate::code::{Code, ErrorCode, FailureClass};
use crate::failure::{Detail, ToolFailure};
use crate::limits::Limits;
use crate::observation::Observation;

/// What a call ended in: an observation or an error, with the call itself.
#[derive(Debug, Clone)]
pub struct ToolResult {
    call: ToolCall,
    outcome: Result<Observation, CallError>,
    limits: Limits,
}

/// Why a call gave no observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// The code.
    pub code: Code,
    /// A text for the model, where a policy or a tool brought one.
    pub message: Option<String>,
    /// What is wrong with the arguments, where they are what is wrong.
    pub details: Vec<Detail>,
    /// A text for the operator alone: what a panic, a policy or the operating system said. It must never reach the model.
    pub operator_text: Option<String>,
}

/// An observation as it is shown to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'r> {
    /// The text, within the limit.
    pub text: Cow<'r, str>,
    /// The length of the whole observation in bytes, where it was cut.
    pub truncated_from: Option<usize>,
}

impl ToolResult {
    pub(crate) fn new(call: ToolCall, outcome: Result<Observation, CallError>, limits: Limits) -> Self {
        Self { call, outcome, limits }
    }

    /// Returns the call that this is the result of, as it came.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns the whole observation of a call that succeeded.
    pub fn observation(&self) -> Option<&Observation> {
        self.outcome.as_ref().ok()
    }

    /// Returns the observation as it is shown to the model: within the limits that were in force.
    ///
    /// An effect already done is not turned into an error because its output was long.
    pub fn shown(&self) -> Option<Shown<'_>> {
        let whole = self.observation()?.text();
        let text = self.limits.cut(whole);
        let truncated_from = matches!(text, Cow::Owned(_)).then_some(whole.len());
        Some(Shown { truncated_from: truncated_from.or((text.len() < whole.len()).then_some(whole.len())), text })
    }

    /// Returns why the call gave no observation.
    pub fn error(&self) -> Option<&CallError> {
        self.outcome.as_ref().err()
    }
}

impl CallError {
    /// An error of the dispatcher's own: the model learns the code and nothing else.
    pub(crate) fn internal(operator_text: impl Into<String>) -> Self {
        Self { operator_text: Some(operator_text.into()), ..Self::from(Code::from(ErrorCode::InternalError)) }
    }
}

impl From<Code> for CallError {
    fn from(code: Code) -> Self {
        Self { code, message: None, details: Vec::new(), operator_text: None }
    }
}

/// A handler may fail with its own code or one that is about execution. Any other would pretend that a gate or the protocol spoke.
impl From<ToolFailure> for CallError {
    fn from(failure: ToolFailure) -> Self {
        match failure.code().built_in() {
            Some(code) if code.class() != FailureClass::ExecutionFailure => {
                let said = failure.operator_text().unwrap_or("nothing more");
                Self::internal(format!(
                    "the handler failed with `{code}`, which is not a handler's to say, and said: {said}"
                ))
            }
            _ => Self {
                code: failure.code().clone(),
                message: failure.message().map(str::to_owned),
                details: Vec::new(),
                operator_text: failure.operator_text().map(str::to_owned),
            },
        }
    }
}
