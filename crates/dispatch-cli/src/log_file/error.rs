//! Why a session log can't be appended to.

use std::fmt;
use std::io;
use std::path::PathBuf;

use dispatch_core::session::LogError;

/// Why a session log can't be appended to.
#[derive(Debug)]
pub(crate) struct LogFileError {
    name: String,
    kind: LogFileErrorKind,
}

/// What is wrong with a session log.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum LogFileErrorKind {
    /// The operating system does not let it be read or written.
    Unwritable(io::Error),
    /// The folder that it is to lie in is not there.
    NoFolder(PathBuf),
    /// It is a link that leads to nothing.
    DanglingLink,
    /// It is a folder, a pipe or a device.
    NoFile,
    /// It is one of the standard streams of this process.
    IsStream(&'static str),
    /// Another process writes to it.
    InUse,
    /// It is not there any longer.
    Removed,
    /// It does not end where this process left it.
    Changed,
    /// Its first line is no header of a session.
    NoLog,
    /// A line of it can't be read by this program, so that what is added could not be replayed.
    Unreadable(LogError),
}

impl LogFileError {
    pub(super) fn new(name: &str, kind: LogFileErrorKind) -> Self {
        Self { name: name.to_owned(), kind }
    }
}

impl From<io::Error> for LogFileErrorKind {
    fn from(source: io::Error) -> Self {
        Self::Unwritable(source)
    }
}

impl fmt::Display for LogFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.kind {
            LogFileErrorKind::Unwritable(source) => write!(f, "can't record to {name}: {source}"),
            LogFileErrorKind::NoFolder(folder) => {
                write!(f, "can't record to {name}: there is no folder {}. Make it first", folder.display())
            }
            LogFileErrorKind::DanglingLink => {
                write!(
                    f,
                    "can't record to {name}: it is a link, and nothing is where it leads. Remove it, or make the file first"
                )
            }
            LogFileErrorKind::NoFile => write!(f, "can't record to {name}: it is no file"),
            LogFileErrorKind::IsStream(stream) => {
                write!(f, "can't record to {name}: {stream} is the same file. Give another file")
            }
            LogFileErrorKind::InUse => write!(
                f,
                "can't record to {name}: another process records to it. Wait until it has ended, or give another file"
            ),
            LogFileErrorKind::Removed => {
                write!(
                    f,
                    "can't record to {name}: it has no name any longer: it was removed, or another file took its place"
                )
            }
            LogFileErrorKind::Changed => {
                write!(f, "can't record to {name}: something else has cut it off or written to it")
            }
            LogFileErrorKind::NoLog => {
                write!(f, "can't record to {name}: it is no session log. Give a file that is empty or not there yet")
            }
            LogFileErrorKind::Unreadable(error) => {
                write!(f, "can't record to {name}: {error}. Or give a file that is empty or not there yet")
            }
        }
    }
}
