//! Streams: one request a line, one response a line, on one workspace.

use std::borrow::Cow;
use std::fmt;

use crate::gates::Gates;
use crate::json::skip_byte_order_mark;
use crate::result::ToolResult;
use crate::workspace::{MemoryWorkspace, Workspace};

use super::request::{Ground, InStream};
use super::{Asked, Failure, Response, expect_known, read};

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
pub struct Stream {
    gates: Gates,
    workspace: Box<dyn Workspace + Send>,
    lines_read: usize,
}

impl Stream {
    /// Opens a session in memory.
    pub fn new(gates: Gates) -> Self {
        Self::on(gates, Box::new(MemoryWorkspace::default()))
    }

    /// Opens a session on a workspace. Where that is not in memory, no request brings one, and no response carries it.
    pub fn on(gates: Gates, workspace: Box<dyn Workspace + Send>) -> Self {
        Self { gates, workspace, lines_read: 0 }
    }

    /// Returns the gates of the session.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// Returns the workspace as the last call left it.
    pub fn workspace(&self) -> &dyn Workspace {
        &*self.workspace
    }

    /// Answers the next line, given without the `\n` that ends it. A line of white space asks for nothing.
    ///
    /// # Errors
    ///
    /// A [`Failure`] when the line breaks the protocol, or asks for a tool that does not exist. It leaves the session as it was; whether
    /// the session goes on is the caller's decision.
    pub fn answer(&mut self, line: &[u8]) -> Option<Result<Response<'_>, Failure>> {
        self.answer_by(line, |asked, gates, workspace| Ok(asked.run(gates, workspace)))
    }

    /// Answers the next line as [`answer`](Self::answer) does, its call being run by whoever is given.
    ///
    /// # Errors
    ///
    /// Those of who runs the call, after which the line counts as not read, and a [`Failure`] when the line breaks the protocol or asks for a tool that
    /// does not exist.
    ///
    /// ```
    /// use dispatch_core::{Gates, protocol::{Failure, Stream}, tools};
    ///
    /// let mut stream = Stream::new(Gates::new(tools::core_registry()));
    /// let line = br#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a","content":"x"}}}"#;
    /// let answered = stream.answer_by(line, |asked, gates, workspace| {
    ///     assert_eq!(asked.call.tool(), "write_file");
    ///     Ok::<_, Failure>(asked.run(gates, workspace))
    /// });
    /// assert_eq!(answered.unwrap()?.result().unwrap().shown().unwrap().text, "File written: a");
    /// # Ok::<(), Failure>(())
    /// ```
    pub fn answer_by<E: From<Failure>>(
        &mut self,
        line: &[u8],
        run: impl FnOnce(Asked, &Gates, &mut dyn Workspace) -> Result<ToolResult, E>,
    ) -> Option<Result<Response<'_>, E>> {
        self.lines_read += 1;
        let first_line = self.lines_read;
        let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let line = if first_line == 1 { skip_byte_order_mark(line) } else { line };
        if line.iter().all(is_white) {
            return None;
        }
        Some(self.answer_request(line, first_line, run))
    }

    fn answer_request<E: From<Failure>>(
        &mut self,
        line: &[u8],
        first_line: usize,
        run: impl FnOnce(Asked, &Gates, &mut dyn Workspace) -> Result<ToolResult, E>,
    ) -> Result<Response<'_>, E> {
        let placed = |failure: Failure| failure.at_line(first_line);
        let document = read(line.to_vec()).map_err(|malformed| placed(malformed.into()))?;
        let asked = match InStream::read(&document, Ground::of(&*self.workspace)).map_err(placed)? {
            InStream::Workspace => return Ok(Response::new(None, self.workspace.as_memory().map(Cow::Borrowed))),
            InStream::Dispatch(asked) => asked,
        };
        let carries_workspace = asked.workspace.is_some();
        let result = run(asked, &self.gates, &mut *self.workspace).inspect_err(|_| {
            // What was not run may be asked again.
            self.lines_read -= 1;
        })?;
        expect_known(&result, &document).map_err(placed)?;
        let carried = self.workspace.as_memory().filter(|_| carries_workspace);
        Ok(Response::new(Some(result), carried.map(Cow::Borrowed)))
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("gates", &self.gates)
            .field("lines_read", &self.lines_read)
            .finish_non_exhaustive()
    }
}
