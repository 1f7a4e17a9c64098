//! Protocol failures: a request that breaks the runtime's contract.

use std::fmt;
use std::ops::Range;

use serde_json::json;

use crate::code::ErrorCode;
use crate::json::{Document, JsonPath, Malformed, Position, write_value};

/// Why a request was not answered. It is news for the host, and no answer to the model.
///
/// It reads as one line of JSON: `{"error","message","path","status":"protocol_error"}`, for malformed JSON with `column` and `line` in place
/// of `path`.
#[derive(Debug, Clone)]
pub struct Failure {
    code: ErrorCode,
    message: String,
    place: Place,
    first_line: usize,
}

#[derive(Debug, Clone)]
enum Place {
    Position(Position, Vec<u8>),
    Path(JsonPath, Document),
}

impl Failure {
    pub(super) fn at(code: ErrorCode, message: String, path: JsonPath, document: &Document) -> Self {
        Self { code, message, place: Place::Path(path, document.clone()), first_line: 1 }
    }

    /// Makes the failure of a text that is JSON, but not of the shape that is read there.
    ///
    /// ```
    /// use dispatch_core::{json::{Document, JsonPath}, protocol::Failure};
    ///
    /// let document = Document::parse(br#"{"role": 7}"#.to_vec())?;
    /// let failure = Failure::invalid_request("expected string, found integer", JsonPath::root().member("role"), &document);
    /// assert_eq!(failure.span(), 9..10);
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn invalid_request(message: impl Into<String>, path: JsonPath, document: &Document) -> Self {
        Self::at(ErrorCode::InvalidRequest, message.into(), path, document)
    }

    /// Makes the failure of a text that can't be read from a byte on, for a reason other than JSON's own.
    ///
    /// Its code is [`ErrorCode::MalformedJson`], and it has a position in place of a path.
    ///
    /// ```
    /// use dispatch_core::protocol::Failure;
    ///
    /// let failure = Failure::unreadable("the stream is cut off", b"data: {}\n\n".to_vec(), 10);
    /// let expected = r#"{"column":1,"error":"malformed_json","line":3,"message":"the stream is cut off","status":"protocol_error"}"#;
    /// assert_eq!(failure.to_string(), expected);
    /// ```
    pub fn unreadable(message: impl Into<String>, source: Vec<u8>, offset: usize) -> Self {
        let place = Place::Position(Position::of(offset, &source), source);
        Self { code: ErrorCode::MalformedJson, message: message.into(), place, first_line: 1 }
    }

    /// Says at which line of a stream the request began, from 1.
    #[must_use]
    pub(super) fn at_line(mut self, first_line: usize) -> Self {
        self.first_line = first_line;
        self
    }

    /// Returns the code: one of the protocol class, or [`ErrorCode::UnknownTool`].
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// Returns what is wrong, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path of the value at fault, or for a missing or unknown member that of the object around it. Malformed text has none.
    pub fn path(&self) -> Option<&JsonPath> {
        match &self.place {
            Place::Position(..) => None,
            Place::Path(path, _) => Some(path),
        }
    }

    /// Returns where text that is malformed stops being JSON. The line is that of the whole stream.
    pub fn position(&self) -> Option<Position> {
        match &self.place {
            Place::Position(position, _) => Some(Position { line: position.line + self.first_line - 1, ..*position }),
            Place::Path(..) => None,
        }
    }

    /// Returns the line of the stream at which the request began, from 1.
    pub fn first_line(&self) -> usize {
        self.first_line
    }

    /// Returns the request's text, without a byte order mark that stood before it. Malformed text need not be UTF-8.
    pub fn source(&self) -> &[u8] {
        match &self.place {
            Place::Position(_, source) => source,
            Place::Path(_, document) => document.text().as_bytes(),
        }
    }

    /// Returns the bytes at fault in [`source`](Self::source). For malformed text an empty range, at the place where it stops being JSON.
    pub fn span(&self) -> Range<usize> {
        match &self.place {
            Place::Position(position, _) => position.offset..position.offset,
            Place::Path(path, document) => document.root().locate(path).map_or(0..0, crate::json::Node::span),
        }
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        let (message, position) = (malformed.to_string(), malformed.position());
        let place = Place::Position(position, malformed.into_source());
        Self { code: ErrorCode::MalformedJson, message, place, first_line: 1 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (error, message, status) = (self.code.as_str(), self.message(), "protocol_error");
        let line = if let Some(Position { line, column, .. }) = self.position() {
            json!({"column": column, "error": error, "line": line, "message": message, "status": status})
        } else {
            let path = self.path().map(JsonPath::to_string);
            json!({"error": error, "message": message, "path": path, "status": status})
        };
        let mut text = Vec::new();
        write_value(&mut text, &line).map_err(|_io| fmt::Error)?;
        f.write_str(std::str::from_utf8(&text).map_err(|_not_utf8| fmt::Error)?)
    }
}

impl std::error::Error for Failure {}
