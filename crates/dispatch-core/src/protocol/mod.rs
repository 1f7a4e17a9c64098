//! The native protocol: one JSON value asks, one line answers.
//!
//! [`answer`] answers a single request, which brings its own workspace. A [`Stream`] answers line after line on one workspace.
//!
//! ```
//! use dispatch_core::{Gates, protocol, tools};
//!
//! let gates = Gates::new(tools::core_registry());
//! let request = br#"{"op":"dispatch","workspace":{"a.txt":"hi\n"},"call":{"tool":"read_file","args":{"path":"a.txt"}}}"#;
//! let mut line = Vec::new();
//! protocol::answer(&gates, request.to_vec())?.write(&mut line)?;
//! let expected = br#"{"observation":"1: hi\n","status":"ok","tool":"read_file","workspace":{"a.txt":"hi\n"}}"#;
//! assert_eq!(line.trim_ascii_end(), expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Files that a call does not write are neither decoded nor encoded again**: their JSON text was checked when the request was read, and
//! the response passes it through.

mod asked;
mod failure;
pub(crate) mod request;
pub(crate) mod response;
mod schema;
mod stream;

pub use asked::Asked;
pub use failure::Failure;
pub use response::Response;
pub use schema::{request_schema, response_schema};
pub use stream::Stream;

use std::borrow::Cow;
use std::io;

use crate::code::ErrorCode;
use crate::gates::Gates;
use crate::json::{Document, JsonPath, Malformed, skip_byte_order_mark};
use crate::result::ToolResult;
use crate::workspace::{MemoryWorkspace, Workspace};
use request::Ground;

/// Answers one request, which brings its own workspace.
///
/// # Errors
///
/// A [`Failure`] when the request breaks the protocol, or asks for a tool that does not exist. Nothing ran.
///
/// ```
/// use dispatch_core::{Gates, protocol, tools};
///
/// let gates = Gates::new(tools::core_registry());
/// let failure = protocol::answer(&gates, br#"{"op":"dispach"}"#.to_vec()).unwrap_err();
/// assert_eq!(
///     failure.to_string(),
///     r#"{"error":"unsupported_op","message":"there is no op `dispach`","path":"$.op","status":"protocol_error"}"#,
/// );
/// ```
pub fn answer(gates: &Gates, request: Vec<u8>) -> Result<Response<'static>, Failure> {
    answer_alone_by(request, |asked, workspace| Ok(asked.run(gates, workspace)))
}

/// Answers one request on a session's workspace.
///
/// Where that is the host's, the request brings none, and the response carries none. Where it is in memory, the request brings the files that it
/// then holds.
///
/// # Errors
///
/// A [`Failure`] when the request breaks the protocol, or asks for a tool that does not exist. Nothing ran.
///
/// ```
/// use dispatch_core::{Gates, protocol, tools};
/// # use dispatch_core::workspace::*;
/// # struct Directory(MemoryWorkspace);
/// # impl Workspace for Directory {
/// #     fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> { self.0.entry(path) }
/// #     fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> { self.0.read(path) }
/// #     fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> { self.0.list(directory) }
/// #     fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> { self.0.commit(changes) }
/// # }
/// # let mut directory = Directory(MemoryWorkspace::from_iter([("a.txt", "hi\n")]));
///
/// let gates = Gates::new(tools::core_registry());
/// let request = br#"{"op":"dispatch","call":{"tool":"read_file","args":{"path":"a.txt"}}}"#;
/// let mut line = Vec::new();
/// protocol::answer_on(&gates, &mut directory, request.to_vec())?.write(&mut line)?;
/// assert_eq!(line, b"{\"observation\":\"1: hi\\n\",\"status\":\"ok\",\"tool\":\"read_file\"}\n");
///
/// let brings = br#"{"op":"dispatch","workspace":{},"call":{"tool":"read_file","args":{"path":"a.txt"}}}"#;
/// let failure = protocol::answer_on(&gates, &mut directory, brings.to_vec()).unwrap_err();
/// assert_eq!(failure.code(), dispatch_core::ErrorCode::InvalidRequest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer_on<'w>(
    gates: &Gates,
    workspace: &'w mut dyn Workspace,
    request: Vec<u8>,
) -> Result<Response<'w>, Failure> {
    answer_by(workspace, request, |asked, workspace| Ok(asked.run(gates, workspace)))
}

/// Answers one request as [`answer_on`] does, its call being run by whoever is given: a host that records, asks somebody, or only looks at what would be
/// done.
///
/// # Errors
///
/// Those of who runs the call, and a [`Failure`] when the request breaks the protocol or asks for a tool that does not exist.
///
/// ```
/// use dispatch_core::{Gates, protocol::{self, Failure}, tools, workspace::MemoryWorkspace};
///
/// let gates = Gates::new(tools::core_registry());
/// let request = br#"{"op":"dispatch","workspace":{},"call":{"tool":"write_file","args":{"path":"a","content":"x"}}}"#;
/// let mut workspace = MemoryWorkspace::default();
/// let response = protocol::answer_by(&mut workspace, request.to_vec(), |asked, workspace| {
///     Ok::<_, Failure>(match gates.admit(asked.call) {
///         Ok(admitted) => admitted.preview(workspace).0,
///         Err(rejection) => rejection.into_result(),
///     })
/// })?;
/// assert_eq!(response.result().unwrap().shown().unwrap().text, "File written: a");
/// assert_eq!(workspace.files().count(), 0);
/// # Ok::<(), Failure>(())
/// ```
pub fn answer_by<E: From<Failure>>(
    workspace: &mut dyn Workspace,
    request: Vec<u8>,
    run: impl FnOnce(Asked, &mut dyn Workspace) -> Result<ToolResult, E>,
) -> Result<Response<'_>, E> {
    let result = result_by(workspace, request, run)?;
    Ok(Response::new(Some(result), workspace.as_memory().map(Cow::Borrowed)))
}

/// Answers one request on the files that it brings, its call being run by whoever is given.
pub(crate) fn answer_alone_by<E: From<Failure>>(
    request: Vec<u8>,
    run: impl FnOnce(Asked, &mut dyn Workspace) -> Result<ToolResult, E>,
) -> Result<Response<'static>, E> {
    let mut workspace = MemoryWorkspace::default();
    let result = result_by(&mut workspace, request, run)?;
    Ok(Response::new(Some(result), Some(Cow::Owned(workspace))))
}

fn result_by<E: From<Failure>>(
    workspace: &mut dyn Workspace,
    mut request: Vec<u8>,
    run: impl FnOnce(Asked, &mut dyn Workspace) -> Result<ToolResult, E>,
) -> Result<ToolResult, E> {
    drop_byte_order_mark(&mut request);
    let document = read(request).map_err(Failure::from)?;
    let asked = request::read_one_shot(&document, Ground::of(workspace))?;
    let result = run(asked, workspace)?;
    expect_known(&result, &document)?;
    Ok(result)
}

/// Reads a workspace that stands alone: an object, for each file its path and its text.
///
/// # Errors
///
/// A [`Failure`] when the text is no JSON, or not such an object.
///
/// ```
/// use dispatch_core::protocol;
///
/// let workspace = protocol::read_workspace(br#"{"a.txt": "\u0041\n"}"#.to_vec())?;
/// assert_eq!(workspace.files().next(), Some(("a.txt", "A\n".into())));
///
/// let failure = protocol::read_workspace(br#"{"a.txt": 7}"#.to_vec()).unwrap_err();
/// assert_eq!(failure.path().unwrap().to_string(), "$['a.txt']");
/// # Ok::<(), dispatch_core::protocol::Failure>(())
/// ```
pub fn read_workspace(mut text: Vec<u8>) -> Result<MemoryWorkspace, Failure> {
    drop_byte_order_mark(&mut text);
    request::read_workspace(&Document::parse(text)?)
}

/// Writes a workspace as a response carries it, with a newline at the end: files that no call wrote stand as they came.
///
/// # Errors
///
/// Whatever `out` has against it.
///
/// ```
/// use dispatch_core::protocol;
///
/// let workspace = protocol::read_workspace(br#"{"b": "\u0041", "a": ""}"#.to_vec())?;
/// let mut text = Vec::new();
/// protocol::write_workspace(&workspace, &mut text)?;
/// assert_eq!(text, b"{\"a\":\"\",\"b\":\"\\u0041\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_workspace(workspace: &MemoryWorkspace, out: &mut impl io::Write) -> io::Result<()> {
    response::write_workspace(out, workspace)?;
    out.write_all(b"\n")
}

fn drop_byte_order_mark(text: &mut Vec<u8>) {
    let marked = text.len() - skip_byte_order_mark(text).len();
    text.drain(..marked);
}

/// Reads a request's text. A key twice within the arguments is the model's fault, and left to the argument gate.
fn read(request: Vec<u8>) -> Result<Document, Malformed> {
    Document::parse_tolerating(request, |path| path.starts_with(&["call", "args"]))
}

/// A call of a tool that does not exist is news for the host here.
fn expect_known(result: &ToolResult, document: &Document) -> Result<(), Failure> {
    match result.error() {
        Some(error) if error.code.built_in() == Some(ErrorCode::UnknownTool) => {
            let message = error.message.clone().unwrap_or_default();
            let path = JsonPath::root().member("call").member("tool");
            Err(Failure::at(ErrorCode::UnknownTool, message, path, document))
        }
        _ => Ok(()),
    }
}
