//! Why a log can't be read.

use std::fmt;

use super::Version;
use crate::json::{JsonPath, Malformed};
use crate::protocol::request::Fault;

/// A line of a log that can't be read: which, why, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogError {
    line: usize,
    kind: LogErrorKind,
    /// Whether no header stands before it.
    is_first: bool,
}

/// Why a line of a log can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogErrorKind {
    /// A text that begins with no header is no log.
    NoHeader,
    /// A byte order mark stands in front of the first line.
    ByteOrderMark,
    /// The log was written in a format that is not known here.
    OtherVersion(Version),
    /// The line is torn, and others follow it.
    Damaged(super::TornKind),
    /// The line is JSON, and holds what no such line holds.
    Wrong {
        /// Where in the line.
        path: JsonPath,
        /// What is wrong there.
        message: String,
    },
    /// The line has another number than the one that follows.
    OutOfOrder {
        /// What it is, and its number.
        found: String,
        /// What would have followed.
        expected: String,
    },
}

impl LogError {
    pub(super) fn new(line: usize, kind: LogErrorKind, is_first: bool) -> Self {
        Self { line, kind, is_first }
    }

    /// Returns the number of the line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns why it can't be read.
    pub fn kind(&self) -> &LogErrorKind {
        &self.kind
    }
}

impl From<Fault> for LogErrorKind {
    fn from(Fault { path, message, .. }: Fault) -> Self {
        Self::Wrong { path, message }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)?;
        match &self.kind {
            LogErrorKind::NoHeader | LogErrorKind::ByteOrderMark | LogErrorKind::OtherVersion(_) => Ok(()),
            LogErrorKind::Wrong { .. } => write!(f, "; mend it, or, {}", self.cure()),
            LogErrorKind::Damaged(_) | LogErrorKind::OutOfOrder { .. } => write!(f, "; {}", self.cure()),
        }
    }
}

impl LogError {
    /// Before a header there is nothing that could be used, and behind it nothing without it.
    fn cure(&self) -> &'static str {
        if self.is_first {
            "since nothing can be replayed without a header, take the log from a copy, or record the session anew"
        } else {
            "to use what stands before it, cut the log off in front of this line"
        }
    }
}

impl std::error::Error for LogError {}

impl fmt::Display for LogErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => f.write_str("not the header of a session: give a log that was recorded by this program"),
            Self::ByteOrderMark => f.write_str(
                "a byte order mark stands in front of the header, which no log has: take its three bytes away, or give the log as it was recorded",
            ),
            Self::OtherVersion(version) => write_version(f, *version),
            Self::Damaged(kind) => write!(f, "{kind}, and others follow it: the log was changed or damaged here"),
            Self::Wrong { path, message } => write!(f, "{message}, at {path}"),
            Self::OutOfOrder { found, expected } => {
                write!(f, "{found} stands where {expected} is expected: lines are missing, or not in their order")
            }
        }
    }
}

fn write_version(f: &mut fmt::Formatter<'_>, version: Version) -> fmt::Result {
    let (current, age) = (Version::CURRENT, if version.is_later() { "a later" } else { "an earlier" });
    write!(f, "the log has format {version}, and this program reads {}: ", current.major)?;
    write!(f, "use {age} version of the program, one that writes this format, or record the session anew")
}

impl super::TornKind {
    pub(super) fn of(malformed: &Malformed) -> Self {
        Self::NotJson { column: malformed.position().column, message: malformed.to_string() }
    }
}
