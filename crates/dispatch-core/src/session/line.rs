//! A line of a log: whether it is whole, and which kind it is of.

use std::fmt;

use super::record::LineKind;
use super::{Version, members, shape};
use crate::json::{Document, JsonPath, Kind};
use crate::protocol::request::Fault;

/// A last line that was not written whole. It is passed over. Nothing must be appended before the log was cut back to [`intact_bytes`](Self::intact_bytes).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// The number of the line, from 1.
    pub line: usize,
    /// How many bytes of the log stand before it.
    pub intact_bytes: u64,
    /// How it is known to be torn.
    pub kind: TornKind,
}

/// How a line is known to be torn.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TornKind {
    /// It lacks its line feed, and is no object without it.
    NotEnded,
    /// It is not JSON. A file system may have left zeros where a write was lost.
    NotJson {
        /// Where it stops being JSON, in bytes from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

impl fmt::Display for TornKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnded => f.write_str("the line has no end"),
            Self::NotJson { column, message } => write!(f, "the line is not JSON (column {column}: {message})"),
        }
    }
}

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, intact_bytes, kind } = self;
        write!(
            f,
            "line {line} was not written whole and is passed over: {kind}; the first {intact_bytes} bytes are intact"
        )
    }
}

/// Reads a line of a log as JSON, given with the line feed that ends it; one of white space holds none. No part of an object's text is an object: one
/// that lacks its line feed alone is whole.
///
/// # Errors
///
/// How the line is known to be torn, if it is the last one.
///
/// ```
/// use dispatch_core::session::{TornKind, read_line};
///
/// assert!(read_line(b"{}").unwrap().is_some() && read_line(b" \n").unwrap().is_none());
/// assert_eq!(read_line(b"12").err(), Some(TornKind::NotEnded));
/// ```
pub fn read_line(line: &[u8]) -> Result<Option<Document>, TornKind> {
    let (text, is_ended) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
    if is_ended && text.trim_ascii().is_empty() {
        return Ok(None);
    }
    match Document::parse_tolerating(text.to_vec(), is_models) {
        Ok(document) if is_ended || document.root().kind() == Kind::Object => Ok(Some(document)),
        Err(malformed) if is_ended => Err(TornKind::of(&malformed)),
        _ => Err(TornKind::NotEnded),
    }
}

/// A key twice is part of what was asked.
fn is_models(path: &JsonPath) -> bool {
    path.starts_with(&["call", "args"]) || path.starts_with(&["raw"])
}

/// Returns what a line is, and the number of its call, 0 for a header, where it is such a line as this version has. What it stands behind is not looked at.
///
/// ```
/// use dispatch_core::session::{LineKind, judge_line};
///
/// let intent = br#"{"call":{"tool":"t","args":{}},"intent":7}"#;
/// assert_eq!(judge_line(intent), Some((LineKind::Intent, 7)));
/// assert!(judge_line(br#"{"intent":7}"#).is_none() && judge_line(b"\n").is_none());
/// ```
pub fn judge_line(line: &[u8]) -> Option<(LineKind, u64)> {
    let document = read_line(line).ok()??;
    let kind = LineKind::of(document.root())?;
    let number = match kind {
        LineKind::Header => shape::version(document.root()).and_then(|version| {
            if version.major != Version::CURRENT.major {
                return Err(Fault::invalid(format!("the log has format {version}")));
            }
            members::HEADER.known(&document, false)?;
            shape::header(document.root(), version).map(|_| 0)
        }),
        LineKind::Intent => {
            members::INTENT.known(&document, false).and_then(|_| Ok(shape::intent(&document, 0)?.number))
        }
        LineKind::Outcome => members::OUTCOME.known(&document, false).and_then(|_| Ok(shape::outcome(&document)?.0)),
    };
    Some((kind, number.ok()?))
}

/// Returns whether a line may stand behind a torn one: of what a file system leaves where a write was lost, and of nothing else.
///
/// ```
/// use dispatch_core::session::is_void_line;
///
/// assert!(is_void_line(b"\0\0\n") && !is_void_line(b" \n"));
/// ```
pub fn is_void_line(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, 0 | b'\n'))
}

/// Returns whether a text begins as a log does: with the header of a session, be it of another version.
///
/// ```
/// use dispatch_core::session::is_session_log;
///
/// assert!(is_session_log(br#"{"format":"dispatch-session","version":"2.0"}"#));
/// assert!(!is_session_log(br#"{"op":"dispatch"}"#));
/// ```
pub fn is_session_log(first_line: &[u8]) -> bool {
    Document::parse(first_line.to_vec()).is_ok_and(|document| LineKind::of(document.root()) == Some(LineKind::Header))
}
