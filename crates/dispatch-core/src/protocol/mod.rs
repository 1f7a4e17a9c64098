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

mod failure;
mod request;
mod response;
mod schema;
mod stream;

pub use failure::Failure;
pub use response::Response;
pub use schema::{request_schema, response_schema};
pub use stream::Stream;

use std::borrow::Cow;
use std::io;

use crate::admission::{Admitted, Rejection};
use crate::code::ErrorCode;
use crate::gates::Gates;
use crate::json::{Document, JsonPath, Malformed, skip_byte_order_mark};
use crate::result::ToolResult;
use crate::workspace::{MemoryWorkspace, Workspace};
use request::{Asked, OneShot};

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
pub fn answer(gates: &Gates, mut request: Vec<u8>) -> Result<Response<'static>, Failure> {
    drop_byte_order_mark(&mut request);
    let document = read(request)?;
    let OneShot { mut workspace, asked } = OneShot::read(&document)?;
    let result = judge(gates, asked, &document)?.run(&mut workspace);
    Ok(Response::new(Some(result), Some(Cow::Owned(workspace))))
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

/// A call that the gates have judged, and that is no protocol failure.
enum Judged {
    Admitted(Admitted),
    Rejected(Rejection),
}

impl Judged {
    fn run(self, workspace: &mut dyn Workspace) -> ToolResult {
        match self {
            Self::Admitted(call) => call.run(workspace),
            Self::Rejected(rejection) => rejection.into_result(),
        }
    }
}

/// Leads a call through the gates, narrowed to what its request asks for.
fn judge(gates: &Gates, asked: Asked, document: &Document) -> Result<Judged, Failure> {
    let Asked { call, permissions, limits } = asked;
    // Gates that are narrowed stop sharing what they hold, and most requests narrow nothing.
    let mut gates = gates.clone();
    if let Some(permissions) = permissions {
        gates = gates.permitting(&permissions);
    }
    // A host's limit narrows what a request asks for, be that the default, and never widens it.
    let limits = limits.unwrap_or_default();
    if limits != gates.limits() {
        gates = gates.limiting(limits);
    }
    match gates.admit(call) {
        Ok(admitted) => Ok(Judged::Admitted(admitted)),
        Err(rejection) if is_unknown_tool(&rejection) => Err(unknown_tool(&rejection, document)),
        Err(rejection) => Ok(Judged::Rejected(rejection)),
    }
}

fn is_unknown_tool(rejection: &Rejection) -> bool {
    rejection.error().code.built_in() == Some(ErrorCode::UnknownTool)
}

fn unknown_tool(rejection: &Rejection, document: &Document) -> Failure {
    let message = rejection.error().message.clone().unwrap_or_default();
    Failure::at(ErrorCode::UnknownTool, message, JsonPath::root().member("call").member("tool"), document)
}
