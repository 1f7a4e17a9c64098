//! Refusals.

use std::fmt;

use crate::call::ToolCall;
use crate::failure::CallError;
use crate::result::{Showing, ToolResult};
use crate::stage::Stage;

/// A call that a gate refused. Nothing ran.
///
/// ```
/// use dispatch_core::{Gates, Stage, ToolCall, json::Document, tools};
///
/// let call = ToolCall::new("read_file", Document::parse(br#"{"path": 7, "lines": 1}"#.to_vec())?);
/// let rejection = Gates::new(tools::core_registry()).admit(call).unwrap_err();
/// assert_eq!(rejection.stage(), Stage::Valid);
/// assert_eq!(rejection.call().args().raw(), r#"{"path": 7, "lines": 1}"#);
/// assert_eq!(rejection.error().text_for_model(), "\
/// invalid_arguments: The arguments do not fit the tool's schema.
/// $.path: expected string, found integer
/// $: unknown field `lines`");
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rejection {
    // Boxed: the way through the gates is worth more room than the way back.
    refused: Box<Refused>,
}

#[derive(Debug, Clone)]
struct Refused {
    stage: Stage,
    call: ToolCall,
    error: CallError,
    showing: Showing,
}

impl Rejection {
    pub(super) fn new(stage: Stage, call: ToolCall, error: impl Into<CallError>, showing: Showing) -> Self {
        Self { refused: Box::new(Refused { stage, call, error: error.into(), showing }) }
    }

    /// Returns the gate that refused.
    pub fn stage(&self) -> Stage {
        self.refused.stage
    }

    /// Returns the call as it came.
    pub fn call(&self) -> &ToolCall {
        &self.refused.call
    }

    /// Returns why it was refused.
    pub fn error(&self) -> &CallError {
        &self.refused.error
    }

    /// Returns the refusal as the call's result. It is shown as the results of calls that ran.
    pub fn into_result(self) -> ToolResult {
        let Refused { stage, call, error, showing } = *self.refused;
        ToolResult::rejected(stage, call, error, showing)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call of `{}` refused: {}", self.call().tool(), self.error().code)
    }
}

impl std::error::Error for Rejection {}
