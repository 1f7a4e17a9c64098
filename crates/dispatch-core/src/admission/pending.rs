//! Calls that a host runs by itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::begun;
use crate::call::ToolCall;
use crate::code::{Code, ErrorCode};
use crate::failure::{CallError, ToolFailure, panic_text};
use crate::observation::{Observation, ToolOutput};
use crate::operator_text::OperatorText;
use crate::result::{Showing, ToolResult};
use crate::tool::Annotations;

/// A call that its host runs: as a future, in another process, on another machine.
///
/// It becomes a result exactly once. Dropped, it leaves the call without one, and nobody knows how it ended. The same holds of a deadline or
/// a cancellation after it began, and then the result says so, whether the host [gives up](Self::abandon) or
/// [completes](Self::complete) the call with such a failure.
///
/// ```
/// use dispatch_core::{Annotations, Gates, Json, Registry, ToolCall, json::Document};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Fetch {
///     url: String,
/// }
///
/// let registry = Registry::builder().host_run::<Fetch>("fetch", Annotations::default()).build()?;
/// let gates = Gates::new(registry);
/// let call = || ToolCall::new("fetch", Document::parse(br#"{"url": "https://example.com"}"#.to_vec()).unwrap());
///
/// let (arguments, pending) = gates.admit(call())?.detach();
/// assert_eq!(arguments["url"], "https://example.com");
/// let result = pending.complete(Ok(Json(200)));
/// assert_eq!(result.shown().unwrap().text, "200");
///
/// let (_, pending) = gates.admit(call())?.detach();
/// let result = pending.abandon("the deadline passed");
/// assert_eq!(result.error().unwrap().code.as_str(), "outcome_unknown");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the model waits for a result"]
pub struct Pending {
    call: ToolCall,
    annotations: Annotations,
    showing: Showing,
}

impl Pending {
    pub(super) fn new(call: ToolCall, annotations: Annotations, showing: Showing) -> Self {
        Self { call, annotations, showing }
    }

    /// Returns the call as it came.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Completes the call with what came of it. Normalising and pairing are the same as for a call that ran here.
    ///
    /// A failure with [`ErrorCode::Timeout`] or [`ErrorCode::Cancelled`] becomes [`ErrorCode::OutcomeUnknown`], with the failure's text or
    /// else its code's meaning as the reason: what such a call did until then was done, and nobody gathered it. Two kinds of call keep their
    /// code: those of a [read-only](Annotations::read_only) tool, which have nothing to leave half done; and those
    /// [called off](crate::Admitted::cancel) before they began. A host that knows that nothing has happened yet says so with another code, such
    /// as [`ErrorCode::NotReady`].
    ///
    /// ```
    /// use dispatch_core::{Annotations, ErrorCode, Gates, Registry, ToolCall, json::Document};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct NoArgs {}
    ///
    /// let registry = Registry::builder()
    ///     .host_run::<NoArgs>("restart", Annotations::default())
    ///     .host_run::<NoArgs>("status", Annotations::read_only())
    ///     .build()?;
    /// let gates = Gates::new(registry);
    /// let timed_out = |tool: &str| {
    ///     let call = ToolCall::new(tool, Document::parse(b"{}".to_vec()).unwrap());
    ///     let (_, pending) = gates.admit(call).unwrap().detach();
    ///     let result = pending.complete(Err::<String, _>(ErrorCode::Timeout.into()));
    ///     result.error().unwrap().text_for_model()
    /// };
    /// assert_eq!(timed_out("restart"), "outcome_unknown: The call did not end within its time.");
    /// assert_eq!(timed_out("status"), "timeout: The call did not end within its time.");
    /// # Ok::<(), dispatch_core::RegistryError>(())
    /// ```
    pub fn complete(self, outcome: Result<impl ToolOutput, ToolFailure>) -> ToolResult {
        let outcome = outcome.map_err(|failure| begun::elsewhere(failure.into(), self.annotations)).and_then(observe);
        ToolResult::new(self.call, outcome, self.showing)
    }

    /// Gives up on a call that has begun: a deadline passed, or it was cancelled. Its effects may have happened, and the result says so.
    ///
    /// The reason is for the model.
    pub fn abandon(self, reason: impl Into<String>) -> ToolResult {
        let error = CallError { message: Some(reason.into()), ..Code::from(ErrorCode::OutcomeUnknown).into() };
        ToolResult::new(self.call, Err(error), self.showing)
    }

    /// Completes a call whose code panicked or broke a promise. The text is for the operator.
    pub fn fail_internally(self, operator_text: impl Into<OperatorText>) -> ToolResult {
        ToolResult::new(self.call, Err(CallError::internal(operator_text)), self.showing)
    }
}

/// Makes an observation of an output. That runs code of the output's type, which may panic like any other.
fn observe(output: impl ToolOutput) -> Result<Observation, CallError> {
    catch_unwind(AssertUnwindSafe(|| output.into_observation()))
        .map_err(|panic| CallError::internal(format!("the output panicked: {}", panic_text(panic))))?
        .map_err(CallError::from)
}
