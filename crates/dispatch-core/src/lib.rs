//! The pure dispatcher: a tool call goes in, is judged at gates that it can't get around, runs on a workspace, and a result comes out.
//!
//! The modules stand in the order in which data meets them:
//!
//! 1. [`json`] reads foreign text strictly, and keeps it as it was written.
//! 2. A [`ToolCall`] is what a model asks for. It is untrusted, and its text is kept.
//! 3. A [`workspace`] holds the files; a handler sees it through a [`workspace::View`].
//! 4. A [`Tool`] has typed arguments and a handler; the [`Registry`] holds those that exist, [`Permissions`] name those that may be used.
//! 5. [`admission`] leads a call through the gates. Only an [`Admitted`] call can run.
//! 6. It ends in a [`ToolResult`], of which as much is shown as the [`Limits`] allow.
//! 7. [`protocol`] is the native wire format around all this.
//!
//! **There is no file, clock, process, network, thread or async runtime here.** **Nothing is repaired, coerced or guessed before it is
//! judged.** **A call that was refused, failed or panicked has changed nothing.** **No text of a panic or of the operating system
//! reaches the model.** **The same input gives the same bytes, on any machine.**

pub mod json;

mod code;
mod failure;
mod call;
pub mod workspace;
mod observation;
mod schema;
mod tool;
mod registry;
mod permissions;
mod arguments;
mod limits;
mod result;
pub mod admission;
pub mod tools;
pub mod protocol;

pub use admission::{Admitted, Gates, Rejection, Stage};
pub use call::ToolCall;
pub use code::{Code, CodeError, ErrorCode, FailureClass};
pub use failure::{Detail, ToolFailure};
pub use limits::{LimitOutOfRange, Limits};
pub use observation::Observation;
pub use permissions::Permissions;
pub use registry::{Registry, RegistryBuilder, RegistryError, ToolSpec};
pub use result::{CallError, Shown, ToolResult};
pub use schema::UnsupportedSchema;
pub use tool::{InvalidToolName, Tool, ToolName};
