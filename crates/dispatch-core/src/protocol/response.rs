//! Responses: one line of JSON, its keys sorted.

use std::borrow::Cow;
use std::io;

use crate::code::{ErrorCode, FailureClass};
use crate::failure::{CallError, Detail};
use crate::json::{Document, Object, write_string};
use crate::result::{Shown, ToolResult};
use crate::workspace::{Content, MemoryWorkspace};

/// The answer to a request.
#[derive(Debug)]
pub struct Response<'w> {
    result: Option<ToolResult>,
    workspace: Option<Cow<'w, MemoryWorkspace>>,
}

impl<'w> Response<'w> {
    pub(super) fn new(result: Option<ToolResult>, workspace: Option<Cow<'w, MemoryWorkspace>>) -> Self {
        Self { result, workspace }
    }

    /// Returns what the call ended in. The answer to a question for the workspace has none.
    pub fn result(&self) -> Option<&ToolResult> {
        self.result.as_ref()
    }

    /// Writes the response: compact, its keys sorted by code point, with a newline at the end.
    ///
    /// # Errors
    ///
    /// Whatever `out` has against it.
    ///
    /// ```
    /// use dispatch_core::{Gates, protocol, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let request = br#"{"op":"dispatch","workspace":{},"call":{"tool":"read_file","args":{"path":"a.txt"}}}"#;
    /// let response = protocol::answer(&gates, request.to_vec())?;
    /// let mut text = Vec::new();
    /// response.write(&mut text)?;
    /// let expected = r#"{"error":"file_not_found","status":"error","tool":"read_file","workspace":{}}"#;
    /// assert_eq!(String::from_utf8(text)?, format!("{expected}\n"));
    /// assert!(response.write(&mut [0; 9].as_mut_slice()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.write_value(out)?;
        out.write_all(b"\n")
    }

    /// Writes the response over many lines, for people. Strings and numbers stand as in [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// Whatever `out` has against it.
    ///
    /// ```
    /// use dispatch_core::{Gates, protocol, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let request = br#"{"op":"dispatch","workspace":{},"call":{"tool":"read_file","args":{"path":"a.txt"}}}"#;
    /// let response = protocol::answer(&gates, request.to_vec())?;
    /// let mut text = Vec::new();
    /// response.write_indented(&mut text)?;
    /// assert!(text.starts_with(b"{\n  \"error\": \"file_not_found\",\n  \"status\": \"error\","));
    /// assert!(response.write_indented(&mut [0; 9].as_mut_slice()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_indented(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut text = Vec::new();
        self.write_value(&mut text)?;
        Document::parse(text).map_err(io::Error::other)?.root().write_indented(out)?;
        out.write_all(b"\n")
    }

    fn write_value(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut object = Object::open(out)?;
        match &self.result {
            Some(result) => write_result(&mut object, result)?,
            None => object.string("status", "ok")?,
        }
        if let Some(workspace) = &self.workspace {
            object.value("workspace", |out| write_workspace(out, workspace))?;
        }
        object.close()
    }
}

fn write_result<W: io::Write>(object: &mut Object<'_, W>, result: &ToolResult) -> io::Result<()> {
    match (result.error(), result.shown()) {
        (Some(error), _) => write_error(object, result, error),
        (None, shown) => write_observation(object, result, shown.as_ref()),
    }
}

fn write_error<W: io::Write>(object: &mut Object<'_, W>, result: &ToolResult, error: &CallError) -> io::Result<()> {
    let is_about_execution = !result.is_rejection() && class(error) != Some(FailureClass::InternalFailure);
    let explains = result.explains() && is_about_execution;
    if explains || error.code.built_in() == Some(ErrorCode::InvalidArguments) {
        object.value("details", |out| write_details(out, &error.details))?;
    }
    object.string("error", error.code.as_str())?;
    object.optional_string("id", result.call().id())?;
    object.optional_string("message", message_for_model(error, explains))?;
    object.string("status", "error")?;
    object.string("tool", result.call().tool())
}

/// The class of an error; a tool's or policy's own code has none.
fn class(error: &CallError) -> Option<FailureClass> {
    error.code.built_in().map(ErrorCode::class)
}

/// The protocol tells a text that a policy or a tool's own code brought. A built-in code of execution speaks for itself, unless failures
/// are to be explained or the tool would have its text told always.
fn message_for_model(error: &CallError, explains: bool) -> Option<&str> {
    let brought = error.message.as_deref();
    match error.code.built_in() {
        Some(code) if explains => Some(brought.unwrap_or(code.meaning())),
        Some(_) if error.is_always_told => brought,
        Some(code) if code.class() != FailureClass::Rejection => None,
        _ => brought,
    }
}

fn write_observation<W: io::Write>(
    object: &mut Object<'_, W>,
    result: &ToolResult,
    shown: Option<&Shown<'_>>,
) -> io::Result<()> {
    object.optional_string("id", result.call().id())?;
    let truncated_from = shown.and_then(|shown| shown.truncated_from);
    object.optional_string("observation", shown.map(|shown| shown.text.as_ref()))?;
    object.string("status", "ok")?;
    object.string("tool", result.call().tool())?;
    match truncated_from {
        Some(bytes) => object.value("truncated", |out| write!(out, "{{\"original_bytes\":{bytes}}}")),
        None => Ok(()),
    }
}

pub(crate) fn write_details(out: &mut impl io::Write, details: &[Detail]) -> io::Result<()> {
    out.write_all(b"[")?;
    for (place, detail) in details.iter().enumerate() {
        out.write_all(if place == 0 { b"" } else { b"," })?;
        let mut object = Object::open(out)?;
        object.string("message", &detail.message)?;
        object.string("path", &detail.path.to_string())?;
        object.close()?;
    }
    out.write_all(b"]")
}

pub(crate) fn write_workspace(out: &mut impl io::Write, workspace: &MemoryWorkspace) -> io::Result<()> {
    let mut object = Object::open(out)?;
    for (key, content) in workspace.contents() {
        match content {
            Content::Text(text) => object.value_at(key, |out| write_string(out, text))?,
            Content::AsWritten(fragment) => object.value_at(key, |out| out.write_all(fragment.raw().as_bytes()))?,
        }
    }
    object.close()
}
