//! The gates, in their order: a call goes in, [`Admitted`] or a [`Rejection`] comes out.
//!
//! | gate | takes | gives | refuses with |
//! | --- | --- | --- | --- |
//! | known? | [`ToolCall`] | [`Known`] | `unknown_tool` |
//! | permitted? | [`Known`] | [`Permitted`] | `tool_not_permitted` |
//! | arguments valid? | [`Permitted`] | [`Valid`] | `invalid_arguments` |
//! | policy | [`Valid`] | [`Admitted`] | nothing: there are no policies yet |
//!
//! **A call that was not admitted can't reach a handler.** Each value is made by the gate before it alone, owns what it judged, and is used
//! up by the next gate; only [`Admitted`] can be run, and only once.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use crate::arguments;
use crate::call::ToolCall;
use crate::code::{Code, ErrorCode};
use crate::failure::Detail;
use crate::limits::Limits;
use crate::observation::Observation;
use crate::permissions::Permissions;
use crate::registry::{Registered, Registry};
use crate::result::{CallError, ToolResult};
use crate::tool::Handler;
use crate::workspace::{View, Workspace};

/// The gates of a session: what exists, what of it may be used, and how much of an observation is shown.
///
/// ```
/// use dispatch_core::{Gates, Permissions, Stage, ToolCall, json::Document, tools};
///
/// let gates = Gates::new(tools::core_registry()).permitting(&Permissions::only(["read_file"]));
/// let args = Document::parse(br#"{"path": "a.txt", "content": ""}"#.to_vec())?;
/// let rejection = gates.admit(ToolCall::new("write_file", args)).unwrap_err();
/// assert_eq!(rejection.stage(), Stage::Permitted);
/// assert_eq!(rejection.error().code.as_str(), "tool_not_permitted");
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gates {
    registry: Registry,
    permissions: Permissions,
    limits: Option<Limits>,
}

impl Gates {
    /// Makes gates that let every tool of the registry through, with the default limits.
    pub fn new(registry: Registry) -> Self {
        Self { registry, permissions: Permissions::all(), limits: None }
    }

    /// Narrows the gates: what passes must be permitted here too.
    #[must_use]
    pub fn permitting(mut self, permissions: &Permissions) -> Self {
        self.permissions = self.permissions.and(permissions);
        self
    }

    /// Narrows the limits: an observation is shown within these too.
    #[must_use]
    pub fn limiting(mut self, limits: Limits) -> Self {
        self.limits = Some(self.limits.map_or(limits, |narrower| narrower.and(limits)));
        self
    }

    /// Returns the tools that exist.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns the tools that may be used.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Returns the limits, the default ones where none were set.
    pub fn limits(&self) -> Limits {
        self.limits.unwrap_or_default()
    }

    /// Leads a call through all gates.
    ///
    /// # Errors
    ///
    /// The [`Rejection`] of the first gate that refuses it.
    pub fn admit(&self, call: ToolCall) -> Result<Admitted, Rejection> {
        let known = Known::judge(call, &self.registry)?;
        let permitted = known.permitted(&self.permissions)?;
        let valid = permitted.valid()?;
        Ok(valid.cleared(self.limits()))
    }
}

/// A gate, named after what a call is once it is through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The tool exists.
    Known,
    /// The permissions name it.
    Permitted,
    /// The arguments fit its schema.
    Valid,
}

/// A call that a gate refused. Nothing ran.
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
}

impl Rejection {
    fn new(stage: Stage, call: ToolCall, error: impl Into<CallError>) -> Self {
        Self { refused: Box::new(Refused { stage, call, error: error.into() }) }
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

    /// Returns the refusal as the call's result.
    pub fn into_result(self) -> ToolResult {
        ToolResult::new(self.refused.call, Err(self.refused.error), Limits::default())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call of `{}` refused: {}", self.call().tool(), self.error().code)
    }
}

impl std::error::Error for Rejection {}

/// A call of a tool that exists.
#[derive(Debug)]
pub struct Known {
    call: ToolCall,
    tool: Arc<Registered>,
}

/// A call of a tool that exists and may be used.
#[derive(Debug)]
pub struct Permitted {
    call: ToolCall,
    tool: Arc<Registered>,
}

/// A call whose arguments fit the tool's schema, with its defaults filled in.
pub struct Valid {
    call: ToolCall,
    arguments: Value,
    handler: Handler,
}

/// A call that every gate let through: the only thing that can run.
///
/// ```
/// use dispatch_core::{Gates, ToolCall, json::Document, tools};
/// use dispatch_core::workspace::MemoryWorkspace;
///
/// let gates = Gates::new(tools::core_registry());
/// let args = Document::parse(br#"{"path": "a.txt", "content": "hello"}"#.to_vec())?;
/// let admitted = gates.admit(ToolCall::new("write_file", args)).unwrap();
///
/// let mut workspace = MemoryWorkspace::default();
/// let result = admitted.run(&mut workspace);
/// assert_eq!(result.observation().unwrap().text(), "File written: a.txt");
/// assert_eq!(workspace.files().next().unwrap(), ("a.txt", "hello".into()));
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
pub struct Admitted {
    call: ToolCall,
    arguments: Value,
    handler: Handler,
    limits: Limits,
}

impl Known {
    /// The first gate: does the tool exist?
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::UnknownTool`].
    pub fn judge(call: ToolCall, registry: &Registry) -> Result<Self, Rejection> {
        match registry.get(call.tool()) {
            Some(tool) => Ok(Self { tool: Arc::clone(tool), call }),
            None => Err(Rejection::new(Stage::Known, call, Code::from(ErrorCode::UnknownTool))),
        }
    }

    /// The second gate: may the tool be used?
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::ToolNotPermitted`].
    pub fn permitted(self, permissions: &Permissions) -> Result<Permitted, Rejection> {
        if permissions.permit(self.tool.name.as_str()) {
            Ok(Permitted { call: self.call, tool: self.tool })
        } else {
            Err(Rejection::new(Stage::Permitted, self.call, Code::from(ErrorCode::ToolNotPermitted)))
        }
    }
}

impl Permitted {
    /// The third gate: do the arguments fit the tool's schema?
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::InvalidArguments`] and all that is wrong with them.
    pub fn valid(self) -> Result<Valid, Rejection> {
        match prepare(&self.call, &self.tool) {
            Ok((arguments, handler)) => Ok(Valid { call: self.call, arguments, handler }),
            Err(error) => Err(Rejection::new(Stage::Valid, self.call, error)),
        }
    }
}

fn prepare(call: &ToolCall, tool: &Registered) -> Result<(Value, Handler), CallError> {
    let schema = tool.schema().map_err(|unsupported| CallError::internal(unsupported.to_string()))?;
    let arguments = arguments::judge(schema, call.args().node()).map_err(invalid_arguments)?;
    let handler = tool.tool.handler(&arguments).map_err(|detail| invalid_arguments(vec![detail]))?;
    Ok((arguments, handler))
}

fn invalid_arguments(details: Vec<Detail>) -> CallError {
    CallError { details, ..Code::from(ErrorCode::InvalidArguments).into() }
}

impl Valid {
    /// The last gate: policies, which judge what would run. There are none yet, and nothing is refused here.
    pub fn cleared(self, limits: Limits) -> Admitted {
        let Self { call, arguments, handler } = self;
        Admitted { call, arguments, handler, limits }
    }
}

impl Admitted {
    /// Returns the call as it came.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns the arguments that will run: numbers normalised, defaults filled in.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Runs the call on a workspace. What its handler wrote takes effect as a whole, or not at all.
    pub fn run(self, workspace: &mut dyn Workspace) -> ToolResult {
        let outcome = run_handler(self.handler, workspace);
        ToolResult::new(self.call, outcome, self.limits)
    }
}

fn run_handler(handler: Handler, workspace: &mut dyn Workspace) -> Result<Observation, CallError> {
    let mut view = View::new(&*workspace);
    // The view is dropped after a panic, and with it all that the handler can have left half done.
    let outcome = catch_unwind(AssertUnwindSafe(|| handler(&mut view)));
    let observation = outcome.map_err(|panic| CallError::internal(panic_text(&*panic)))??;
    let changes = view.into_changes();
    workspace.commit(changes).map_err(crate::failure::ToolFailure::from)?;
    Ok(observation)
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the handler panicked: {}", text.unwrap_or("without a text"))
}

impl fmt::Debug for Valid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Valid").field("call", &self.call).field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

impl fmt::Debug for Admitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted").field("call", &self.call).field("arguments", &self.arguments).finish_non_exhaustive()
    }
}
