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
use crate::workspace::MemoryWorkspace;

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
    answer_by(request, |asked, workspace| Ok(asked.run(gates, workspace)))
}

/// Answers one request, its call being run by whoever is given.
pub(crate) fn answer_by<E: From<Failure>>(
    mut request: Vec<u8>,
    run: impl FnOnce(Asked, &mut MemoryWorkspace) -> Result<ToolResult, E>,
) -> Result<Response<'static>, E> {
    drop_byte_order_mark(&mut request);
    let document = read(request).map_err(Failure::from)?;
    let asked = request::read_one_shot(&document)?;
    let mut workspace = MemoryWorkspace::default();
    let result = run(asked, &mut workspace)?;
    expect_known(&result, &document)?;
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
