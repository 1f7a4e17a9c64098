//! Why the command itself could not work.

use std::fmt;
use std::io;

use dispatch_core::protocol::Failure;
use dispatch_core::session::Unrecorded;
use dispatch_host::directory::OpenDirectoryError;
use dispatch_providers::{DefinitionError, Mismatch};

use crate::log_file::LogFileError;
use crate::operator::one_line;
use crate::replay::ReplayError;

/// Why the command itself could not work. It ends with exit code 2.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Nothing was given to read.
    NoInput,
    /// The input can't be read.
    Unreadable { name: String, source: io::Error },
    /// The output can't be written.
    Unwritable(io::Error),
    /// A file can't be written.
    UnwritableFile { name: String, source: io::Error },
    /// A file that is to hold a workspace does not.
    BadWorkspace { name: String, failure: Failure },
    /// The directory that is to be the workspace can't be opened.
    NoRoot(OpenDirectoryError),
    /// A directory of skills can't be opened.
    NoSkillsDirectory(OpenDirectoryError),
    /// Skills are for a toolset that has none.
    NoSkills,
    /// The words after `--tool` don't make a call.
    BadWord { word: String, reason: String },
    /// The results are not those of the turn's calls.
    Mispaired(Mismatch),
    /// A tool was named that does not exist.
    UnknownTool { option: &'static str, name: String, known: Vec<String> },
    /// A tool can't be told to a provider.
    Undefinable(DefinitionError),
    /// The session can't be recorded.
    Unrecordable(LogFileError),
    /// A call could not be recorded, and did not run.
    Unrecorded(Unrecorded<LogFileError>),
    /// A call has run, and what came of it could not be recorded.
    OutcomeUnrecorded(LogFileError),
    /// A file is named that the log is written to.
    IsTheLog { option: &'static str, name: String },
    /// The log lies in the directory that is the workspace.
    LogInWorkspace { root: String },
    /// The log has further names, of which one may lie in the directory that is the workspace.
    LogHasOtherNames { log: String },
    /// A recording holds nothing to run again.
    EmptyRecording { name: String },
    /// A line of a recording is none.
    BadRecord { name: String, line: usize, reason: String },
    /// What was recorded can't be replayed.
    Unreplayable(ReplayError),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => f.write_str(
                "standard input is a terminal, and no file was given\n\
                 \n\
                 Give a request in a file, or pipe one in:\n\
                 \n    dispatch dispatch request.json\
                 \n    echo '{\"op\":\"dispatch\",\"workspace\":{\"a.txt\":\"hi\"},\
                 \"call\":{\"tool\":\"read_file\",\"args\":{\"path\":\"a.txt\"}}}' | dispatch dispatch\n\
                 \n\
                 `dispatch dispatch -` reads from the terminal all the same.",
            ),
            Self::Unreadable { name, source } => write!(f, "can't read {name}: {source}"),
            Self::Unwritable(source) => write!(f, "can't write the output: {source}"),
            Self::UnwritableFile { name, source } => write!(f, "can't write {name}: {source}"),
            Self::BadWorkspace { name, failure } => write!(f, "{name} holds no workspace: {failure}"),
            Self::NoRoot(error) => write!(f, "--root: {error}: {}", source(error)),
            Self::NoSkillsDirectory(error) => write!(f, "--skills: {error}: {}", source(error)),
            Self::NoSkills => f.write_str("--toolset: the toolset `core` has no skills"),
            Self::BadWord { word, reason } => write!(f, "--tool: `{}`: {reason}", one_line(word)),
            Self::Mispaired(mismatch) => mismatch.fmt(f),
            Self::UnknownTool { option, name, known } => {
                write!(f, "{option}: there is no tool `{name}`; there are {}", known.join(", "))
            }
            Self::Undefinable(error) => error.fmt(f),
            Self::Unrecordable(error) => error.fmt(f),
            // It names the tool as the model wrote it.
            Self::Unrecorded(unrecorded) => f.write_str(&one_line(&unrecorded.to_string())),
            Self::OutcomeUnrecorded(error) => {
                write!(f, "what came of the last call could not be recorded, and is not answered: {error}")
            }
            Self::IsTheLog { option, name } => write!(f, "{option}: the session is recorded to {name}"),
            Self::LogInWorkspace { root } => write!(
                f,
                "--record: the log would lie in {root}, where a model can read and replace it: put it outside of --root"
            ),
            Self::LogHasOtherNames { log } => write!(
                f,
                "--record: {log} has further names (hard links), by which a model may read and replace it in --root: use a log of its own"
            ),
            Self::EmptyRecording { name } => write!(f, "{name} holds no recorded request"),
            // What is something else altogether is so from its first line on.
            Self::BadRecord { name, line: 1, reason } => {
                write!(f, "{name}, line 1: {reason} (a conversation with a provider is replayed with --provider)")
            }
            Self::BadRecord { name, line, reason } => write!(f, "{name}, line {line}: {reason}"),
            Self::Unreplayable(error) => error.fmt(f),
        }
    }
}

/// What an error came from, as text.
fn source(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(String::new, ToString::to_string)
}
