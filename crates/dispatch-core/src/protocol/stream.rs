//! Streams: one request a line, one response a line, on one workspace.

use std::borrow::Cow;

use crate::gates::Gates;
use crate::json::skip_byte_order_mark;
use crate::workspace::MemoryWorkspace;

use super::request::InStream;
use super::{Failure, Response, judge, read};

/// A session of the native protocol over lines. It begins with an empty workspace.
///
/// A request with a `workspace` sets the session's, and its response carries it back. A request without uses the session's.
///
/// ```
/// use dispatch_core::{Gates, protocol::Stream, tools};
///
/// let mut stream = Stream::new(Gates::new(tools::core_registry()));
/// let mut out = Vec::new();
/// for line in [
///     br#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a","content":"x"}}}"#.as_slice(),
///     b"",
///     br#"{"op":"workspace"}"#,
/// ] {
///     if let Some(answer) = stream.answer(line) {
///         answer?.write(&mut out)?;
///     }
/// }
/// assert_eq!(String::from_utf8(out)?, concat!(
///     r#"{"observation":"File written: a","status":"ok","tool":"write_file"}"#, "\n",
///     r#"{"status":"ok","workspace":{"a":"x"}}"#, "\n",
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    gates: Gates,
    workspace: MemoryWorkspace,
    lines_read: usize,
}

impl Stream {
    /// Opens a session.
    pub fn new(gates: Gates) -> Self {
        Self { gates, workspace: MemoryWorkspace::default(), lines_read: 0 }
    }

    /// Answers the next line, given without the `\n` that ends it. A line of white space asks for nothing.
    ///
    /// # Errors
    ///
    /// A [`Failure`] when the line breaks the protocol, or asks for a tool that does not exist. It leaves the session as it was; whether
    /// the session goes on is the caller's decision.
    pub fn answer(&mut self, line: &[u8]) -> Option<Result<Response<'_>, Failure>> {
        self.lines_read += 1;
        let first_line = self.lines_read;
        let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let line = if first_line == 1 { skip_byte_order_mark(line) } else { line };
        if line.iter().all(is_white) {
            return None;
        }
        Some(self.answer_request(line).map_err(|failure| failure.at_line(first_line)))
    }

    fn answer_request(&mut self, line: &[u8]) -> Result<Response<'_>, Failure> {
        let document = read(line.to_vec())?;
        let (workspace, asked) = match InStream::read(&document)? {
            InStream::Workspace => {
                return Ok(Response::new(None, Some(Cow::Borrowed(&self.workspace))));
            }
            InStream::Dispatch { workspace, asked } => (workspace, asked),
        };
        let judged = judge(&self.gates, asked, &document)?;
        let carries_workspace = workspace.is_some();
        self.workspace = workspace.unwrap_or_else(|| std::mem::take(&mut self.workspace));
        let result = judged.run(&mut self.workspace);
        Ok(Response::new(Some(result), carries_workspace.then_some(Cow::Borrowed(&self.workspace))))
    }
}
