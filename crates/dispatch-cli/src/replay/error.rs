//! Why what was recorded can't be replayed.

use std::fmt;

use dispatch_core::session::{DifferingTool, LogError, NoSession};

use crate::args::ToolsetName;

/// Why what was recorded can't be replayed, and what to do about it.
#[derive(Debug)]
pub(crate) enum ReplayError {
    /// A line of a log can't be read.
    BadLine { name: String, error: LogError },
    /// A log holds not even a header.
    NoSession { name: String, why: NoSession },
    /// A session's tools are not there.
    ToolsGone { name: String, line: usize, tools: Vec<DifferingTool>, fitting: Option<ToolsetName> },
    /// A session was not over a directory.
    OfNoDirectory { name: String, line: usize },
    /// The first call that is to be compared stands behind the last.
    NothingBetween { from: u64, until: u64 },
    /// A log has fewer calls.
    NoSuchCall { name: String, option: &'static str, number: u64, last: u64 },
    /// The log is of a later format: to write its lines anew would lose what that adds.
    LaterFormat { name: String, line: usize },
    /// A log that is no file can't be written.
    NoFile,
    /// Somebody records to the log.
    InUse { name: String },
    /// Somebody has put another file in the log's place just now.
    Replaced { name: String },
    /// A directory holds no log.
    NoLogs { name: String },
    /// An option is about one file, and there are several.
    OfOneLog(&'static str),
    /// An option is for recordings of requests and responses.
    OfTheFirstForm(&'static str),
    /// An option is for logs of sessions.
    OfSessions(&'static str),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadLine { name, error } => write!(f, "{name}, {error}"),
            Self::NoSession { name, why } => write!(f, "{name} holds no session: {why}"),
            Self::ToolsGone { name, line, tools, fitting } => {
                write!(f, "{name}, line {line}: ")?;
                let Some(toolset) = fitting else { return f.write_str(&DifferingTool::all_gone(tools)) };
                tools.iter().try_for_each(|tool| write!(f, "{tool}; "))?;
                write!(f, "replay the log with --toolset {toolset}, or without the option")
            }
            Self::OfNoDirectory { name, line } => write!(
                f,
                "--root: {name}, line {line}: the log holds the files of this session: replay it without the option"
            ),
            Self::NothingBetween { from, until } => write!(
                f,
                "--from: there is no call from {from} on and until {until}: nothing would be compared. Give a number up to --until's"
            ),
            Self::NoSuchCall { name, option, number, last } => {
                write!(f, "{option}: {name} has no call {number}: ")?;
                if *last == 0 { f.write_str("it has none") } else { write!(f, "the last one is {last}") }
            }
            Self::LaterFormat { name, line } => write!(
                f,
                "--accept: {name}, line {line}: the log is of a later format, and what that adds would be lost: \
                 accept it with the program that wrote it"
            ),
            Self::NoFile => f.write_str("--accept: standard input can't be written: give the log as a file"),
            Self::InUse { name } => write!(f, "--in-place: {name} is being recorded to: try again when that has ended"),
            Self::Replaced { name } => write!(f, "--in-place: {name} was replaced just now: try again"),
            Self::NoLogs { name } => write!(f, "{name} holds no file whose name ends in .jsonl"),
            Self::OfOneLog(option) => write!(f, "{option}: the option is for one file, and there are several"),
            Self::OfTheFirstForm(option) => {
                write!(
                    f,
                    "{option}: the log of a session holds what narrowed it; the option is for recordings of requests and responses"
                )
            }
            Self::OfSessions(option) => {
                write!(
                    f,
                    "{option}: the option is for logs of sessions, and this is a recording of requests and responses"
                )
            }
        }
    }
}
