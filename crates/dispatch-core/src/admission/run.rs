//! Running an admitted call: the one place where a handler is called.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Pending, Rejection, begun};
use crate::call::ToolCall;
use crate::code::{Code, ErrorCode};
use crate::failure::{CallError, ToolFailure, panic_text};
use crate::gates::Gates;
use crate::observation::Observation;
use crate::registry::Registered;
use crate::result::{Showing, ToolResult};
use crate::stage::Stage;
use crate::tool::{self, Annotations, Handler};
use crate::workspace::{ChangeSet, Progress, View, Workspace};

/// A call that every gate let through: the only thing that can run.
///
/// ```
/// use dispatch_core::{Gates, ToolCall, json::Document, tools};
/// use dispatch_core::workspace::MemoryWorkspace;
///
/// let gates = Gates::new(tools::core_registry());
/// let args = Document::parse(br#"{"path": "a.txt", "content": "hello"}"#.to_vec())?;
/// let admitted = gates.admit(ToolCall::new("write_file", args))?;
///
/// let mut workspace = MemoryWorkspace::default();
/// let result = admitted.run(&mut workspace);
/// assert_eq!(result.shown().unwrap().text, "File written: a.txt");
/// assert_eq!(workspace.files().next().unwrap(), ("a.txt", "hello".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the model waits for a result"]
pub struct Admitted {
    call: ToolCall,
    arguments: Value,
    annotations: Annotations,
    handler: Option<Handler>,
    showing: Showing,
}

impl Admitted {
    pub(super) fn new(
        gates: &Gates,
        call: ToolCall,
        tool: &Registered,
        arguments: Value,
        handler: Option<Handler>,
    ) -> Self {
        Self { call, arguments, annotations: tool.annotations, handler, showing: gates.showing() }
    }

    /// Returns the call as it came.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns the arguments that will run: numbers normalised, defaults filled in.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Returns what the tool does to its surroundings.
    pub fn annotations(&self) -> Annotations {
        self.annotations
    }

    /// Returns whether there is a handler here. A call without one is its host's to run, which [detaches](Self::detach) it.
    ///
    /// ```
    /// use dispatch_core::{Gates, GivenTool, Registry, ToolCall, json::Document};
    ///
    /// let tool = GivenTool::new("weather", "Tells the weather.", &serde_json::json!({"type": "object", "properties": {}}))?;
    /// let gates = Gates::new(Registry::builder().given(tool).build()?);
    /// let admitted = gates.admit(ToolCall::new("weather", Document::parse(b"{}".to_vec())?))?;
    /// assert!(!admitted.runs_here());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs_here(&self) -> bool {
        self.handler.is_some()
    }

    /// Runs the call on a workspace. What its handler wrote takes effect as a whole, or not at all.
    ///
    /// So a handler that fails with [`ErrorCode::Timeout`] or [`ErrorCode::Cancelled`] has left the workspace as it was, and the code stays. What
    /// it did beyond the workspace may have happened: of a tool that reaches there ([open world](Annotations::open_world), and not read-only) the
    /// failure's text says that nobody knows.
    ///
    /// A handler that panics is caught, unless the program was built with `panic = "abort"`: then the process ends there, and the host
    /// should run calls in a process of their own. A caught panic is told by the process's panic hook before it gets here; a host that does not
    /// want it on its stderr sets a hook of its own with [`std::panic::set_hook`]. The panic's text is kept for the operator, and no
    /// word of it reaches the model.
    ///
    /// A workspace that panics while it commits is caught too, and then the result is [`ErrorCode::OutcomeUnknown`]. Where the handler wrote
    /// nothing, nothing is committed.
    pub fn run(self, workspace: &mut dyn Workspace) -> ToolResult {
        self.run_listening(workspace, &mut |_progress| {})
    }

    /// Runs the call on a workspace, and hears how far its handler has come.
    ///
    /// To listen changes nothing: a listener that panics is caught and hears no more of this call, which goes on and ends as it would have. The
    /// panic is told by the process's panic hook alone.
    ///
    /// ```
    /// use dispatch_core::{Gates, Registry, ToolCall, ToolFailure, json::Document, tool_fn};
    /// use dispatch_core::workspace::{Fraction, MemoryWorkspace, Progress, View};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct NoArgs {}
    ///
    /// fn work(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     view.report(Progress { text: "half way".to_owned(), fraction: Fraction::new(0.5).ok() });
    ///     Ok("done".to_owned())
    /// }
    ///
    /// let gates = Gates::new(Registry::builder().tool(tool_fn("work", work)).build()?);
    /// let admitted = gates.admit(ToolCall::new("work", Document::parse(b"{}".to_vec())?))?;
    /// let mut heard = Vec::new();
    /// admitted.run_listening(&mut MemoryWorkspace::default(), &mut |progress| heard.push(progress.text));
    /// assert_eq!(heard, ["half way"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_listening(mut self, workspace: &mut dyn Workspace, listener: &mut dyn FnMut(Progress)) -> ToolResult {
        let handled = self.handle(View::new(&*workspace), listener);
        let outcome = handled.and_then(|(observation, changes)| {
            commit(workspace, changes)?;
            Ok(observation)
        });
        self.end(outcome)
    }

    /// Runs the call on a workspace that stays as it is: what it would give back, and what it would write.
    ///
    /// A tool that reaches beyond the workspace ([open world](Annotations::open_world)) does so here as well; whoever wants no effect at all asks
    /// its [annotations](Self::annotations) first.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools};
    /// use dispatch_core::workspace::MemoryWorkspace;
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let args = Document::parse(br#"{"path": "a.txt", "content": "hello"}"#.to_vec())?;
    /// let workspace = MemoryWorkspace::default();
    /// let (result, changes) = gates.admit(ToolCall::new("write_file", args))?.preview(&workspace);
    /// assert_eq!(result.shown().unwrap().text, "File written: a.txt");
    /// assert_eq!(changes.files().next().map(|(path, text)| (path.as_str(), text)), Some(("a.txt", "hello")));
    /// assert_eq!(workspace.files().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn preview(mut self, workspace: &dyn Workspace) -> (ToolResult, ChangeSet) {
        let handled = self.handle(View::to_look_at(workspace), &mut |_progress| {});
        let checked = handled.and_then(|(observation, changes)| {
            workspace.check(&changes).map_err(ToolFailure::from)?;
            Ok((observation, changes))
        });
        let (outcome, changes) = match checked {
            Ok((observation, changes)) => (Ok(observation), changes),
            Err(error) => (Err(error), ChangeSet::default()),
        };
        (self.end(outcome), changes)
    }

    /// Runs the handler, if there is one, on a view.
    fn handle<'h>(
        &'h mut self,
        view: View<'h>,
        listener: &'h mut dyn FnMut(Progress),
    ) -> Result<(Observation, ChangeSet), CallError> {
        let Some(handler) = self.handler.take() else {
            return Err(CallError::internal("the tool has no handler here: its host must detach the call and run it"));
        };
        run_handler(handler, view.for_call(self.call.id(), self.showing.explains, listener))
    }

    fn end(self, outcome: Result<Observation, CallError>) -> ToolResult {
        ToolResult::new(self.call, outcome.map_err(|error| begun::here(error, self.annotations)), self.showing)
    }

    /// Hands the call over to a host that runs it by itself: the arguments, and what must be [completed](Pending::complete) with the outcome.
    ///
    /// From here on the call counts as begun.
    pub fn detach(self) -> (Value, Pending) {
        (self.arguments, Pending::new(self.call, self.annotations, self.showing))
    }

    /// Hands the call over as [`detach`](Self::detach) does, its arguments as a type.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::InvalidArguments`] and the place, when the type can't hold what the schema lets through. Of a tool that
    /// was declared with this type ([`RegistryBuilder::host_run`](crate::RegistryBuilder::host_run)) the gates have refused such arguments before. With
    /// [`ErrorCode::InternalError`] when decoding panicked. Nothing ran.
    ///
    /// ```
    /// use dispatch_core::{Annotations, Gates, Registry, ToolCall, json::Document};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Fetch {
    ///     url: String,
    /// }
    ///
    /// let registry = Registry::builder().host_run::<Fetch>("fetch", Annotations::default()).build()?;
    /// let call = ToolCall::new("fetch", Document::parse(br#"{"url": "https://example.com"}"#.to_vec())?);
    /// let (fetch, pending) = Gates::new(registry).admit(call)?.detach_as::<Fetch>()?;
    /// let result = pending.complete(Ok(format!("fetched {}", fetch.url)));
    /// assert_eq!(result.shown().unwrap().text, "fetched https://example.com");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn detach_as<Args: DeserializeOwned>(self) -> Result<(Args, Pending), Rejection> {
        match super::decoded(|| tool::decode(&self.arguments)) {
            Ok(arguments) => Ok((arguments, self.detach().1)),
            Err(error) => Err(self.refuse(Stage::Valid, error)),
        }
    }

    /// Calls it off before it began: nothing ran.
    pub fn cancel(self) -> ToolResult {
        ToolResult::new(self.call, Err(Code::from(ErrorCode::Cancelled).into()), self.showing)
    }

    pub(super) fn refuse(self, stage: Stage, error: CallError) -> Rejection {
        Rejection::new(stage, self.call, error, self.showing)
    }
}

fn run_handler(handler: Handler, mut view: View<'_>) -> Result<(Observation, ChangeSet), CallError> {
    // The view is dropped after a panic, and with it all that the handler can have left half done.
    let outcome = catch_unwind(AssertUnwindSafe(|| handler(&mut view)));
    let panicked = |panic: Box<dyn std::any::Any + Send>| {
        CallError::internal(format!("the handler panicked: {}", panic_text(panic)))
    };
    let observation = outcome.map_err(panicked)??;
    Ok((observation, view.into_changes()))
}

/// Where nothing was written, the workspace is not asked: it can't have anything against it.
///
/// A workspace that panics has broken its promise to make all changes or none, and nobody knows which of them it made.
fn commit(workspace: &mut dyn Workspace, changes: ChangeSet) -> Result<(), CallError> {
    if changes.is_empty() {
        return Ok(());
    }
    let committed = catch_unwind(AssertUnwindSafe(|| workspace.commit(changes)));
    let panicked = |panic| CallError {
        operator_text: Some(format!("the workspace panicked while it committed: {}", panic_text(panic)).into()),
        ..Code::from(ErrorCode::OutcomeUnknown).into()
    };
    Ok(committed.map_err(panicked)?.map_err(ToolFailure::from)?)
}

impl fmt::Debug for Admitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted").field("call", &self.call).field("arguments", &self.arguments).finish_non_exhaustive()
    }
}
