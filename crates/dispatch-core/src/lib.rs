//! The pure dispatcher: a tool call goes in, is judged at gates that it can't get around, runs on a workspace, and a result comes out.
//!
//! # One call, from text to result
//!
//! A model has asked for something. Its arguments are text that nobody has judged:
//!
//! ```
//! use dispatch_core::policy::{Decision, PolicyError, Proposal};
//! use dispatch_core::workspace::MemoryWorkspace;
//! use dispatch_core::{Clearance, Gates, Permissions, Registry, ToolCall, json::Document, tools};
//!
//! // What exists. A policy judges what a schema can't say: here, that one file is not to be changed.
//! let registry = Registry::builder()
//!     .tool(tools::ReadFile)
//!     .tool(tools::WriteFile)
//!     .policy_for("write_file", |call: &Proposal<'_>| -> Result<Decision, PolicyError> {
//!         let locked = call.arguments["path"] == "LICENSE";
//!         Ok(if locked { Decision::deny("the licence stays as it is") } else { Decision::Allow })
//!     })
//!     .build()?;
//!
//! // What may be used of it, in this session.
//! let gates = Gates::new(registry).permitting(&Permissions::only(["read_file", "write_file"]));
//! let mut workspace = MemoryWorkspace::from_iter([("LICENSE", "MIT"), ("notes.txt", "milk\n")]);
//!
//! // What is asked for.
//! let args = Document::parse(br#"{"path": "notes.txt"}"#.to_vec())?;
//! let call = ToolCall::new("read_file", args).with_id("call_1");
//!
//! // Known? Permitted? Arguments valid? Any policy against it? The first gate that refuses decides.
//! let result = match gates.judge(call) {
//!     Clearance::Admitted(admitted) => admitted.run(&mut workspace),
//!     Clearance::Ask(awaiting) => awaiting.unanswered().into_result(),
//!     Clearance::Rejected(rejection) => rejection.into_result(),
//! };
//! assert_eq!(result.call().id(), Some("call_1"));
//! assert_eq!(result.shown().unwrap().text, "1: milk\n");
//!
//! // What was refused has had no effect, and the model learns why.
//! let args = Document::parse(br#"{"path": "LICENSE", "content": "none"}"#.to_vec())?;
//! let rejection = gates.admit(ToolCall::new("write_file", args)).unwrap_err();
//! assert_eq!(rejection.error().text_for_model(), "policy_denied: the licence stays as it is");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to go from here
//!
//! - A tool of your own is a type ([`Tool`]), a function ([`tool_fn`]), a JSON Schema that comes at run time ([`GivenTool`]), or a name whose calls
//!   your own code runs ([`RegistryBuilder::host_run`]).
//! - [`policy`] is for what a schema can't say; a policy may also ask, and the call [waits](AwaitingApproval).
//! - An async host takes an admitted call [apart](Admitted::detach), awaits a future of its own, and [completes](Pending::complete) the call:
//!   the examples `async_deadline` and `async_parallel`.
//! - [`protocol`] is the native wire format around all this, and needs no code of yours.
//! - [`session`] records calls and their results so that they can be looked at and run again.
//!
//! # Features
//!
//! - `json-schema`: a full validator for schemas that come at run time, where the built-in judge does not know a keyword.
//! - `tracing`: a wrapper that tells what a tool does, under OpenTelemetry's names.
//!
//! **There is no file, clock, process, network, thread or async runtime here.** **Nothing is repaired, coerced or guessed before it is
//! judged.** **A call that was refused, failed or panicked has changed nothing.** **No text of a panic or of the operating system
//! reaches the model.** **The same input gives the same bytes, on any machine.**

pub mod json;

mod code;
mod operator_text;
mod observation;
mod failure;
mod call;
pub mod workspace;
mod schema;
mod tool;
mod arguments;
pub mod policy;
mod registry;
mod permissions;
mod limits;
mod stage;
mod result;
mod gates;
mod nearest;
pub mod admission;
pub mod tools;
pub mod protocol;
pub mod session;

pub use admission::{Admitted, AwaitingApproval, Clearance, Pending, Rejection};
pub use call::{Args, CallIdentity, ToolCall};
pub use code::{Code, CodeError, ErrorCode, FailureClass};
pub use failure::{CallError, Detail, ToolFailure};
pub use gates::Gates;
pub use limits::{LimitOutOfRange, Limits};
pub use observation::{Image, Json, Observation, Part, ToolOutput, UnserialisableOutput};
pub use operator_text::OperatorText;
pub use permissions::Permissions;
pub use registry::{Registry, RegistryBuilder, RegistryError, ToolSpec};
pub use result::{Shown, ShownPart, ToolResult};
pub use schema::UnsupportedSchema;
pub use stage::Stage;
pub use tool::{
    Annotations, FunctionTool, GivenTool, GivenToolError, InvalidToolName, Tool, ToolFunction, ToolName, tool_fn,
};
#[cfg(feature = "tracing")]
pub use tool::{Traced, traced};
