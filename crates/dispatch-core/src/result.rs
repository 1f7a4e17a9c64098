//! Results: what every call ends in, paired with it.

use std::borrow::Cow;

use crate::call::ToolCall;
use crate::failure::CallError;
use crate::limits::Limits;
use crate::observation::Observation;

/// What a call ended in: an observation or an error, with the call itself.
#[derive(Debug, Clone)]
pub struct ToolResult {
    call: ToolCall,
    outcome: Result<Observation, CallError>,
    showing: Showing,
}

/// How much of a result is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Showing {
    pub(crate) limits: Limits,
    /// Whether execution failures are explained.
    pub(crate) explains: bool,
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
    pub(crate) fn new(call: ToolCall, outcome: Result<Observation, CallError>, showing: Showing) -> Self {
        Self { call, outcome, showing }
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
        let whole = self.observation()?.to_text();
        let whole_bytes = whole.len();
        let text = match whole {
            Cow::Borrowed(whole) => self.showing.limits.cut(whole),
            Cow::Owned(whole) if whole_bytes <= self.showing.limits.max_output_len() => Cow::Owned(whole),
            Cow::Owned(whole) => Cow::Owned(self.showing.limits.cut(&whole).into_owned()),
        };
        let truncated_from = (text.len() < whole_bytes).then_some(whole_bytes);
        Some(Shown { text, truncated_from })
    }

    /// Returns whether an execution failure is to be explained: with a text and details for the model, whatever its code.
    pub fn explains(&self) -> bool {
        self.showing.explains
    }

    /// Returns why the call gave no observation.
    pub fn error(&self) -> Option<&CallError> {
        self.outcome.as_ref().err()
    }
}
