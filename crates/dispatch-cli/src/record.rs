//! `--record`: the session goes into a log as it goes on.
//!
//! **No call runs whose intent is not in the log, and no answer is printed whose outcome is not**, unless the host said that it can do without.

use std::fs;
use std::path::Path;
use std::time::Instant;

use dispatch_core::Gates;
use dispatch_core::session::{Header, Journal, LineKind, Recorder};
use dispatch_core::workspace::{MemoryWorkspace, Workspace};
use serde_json::{Map, Value};

use crate::args::DispatchArgs;
use crate::error::CliError;
use crate::host_facts;
use crate::log_file::{LogFile, LogFileError, Opened};
use crate::operator;

/// What records a session.
pub(crate) type Recording = Recorder<LogJournal>;

/// A log that was asked for, before its session begins. It holds none where none was asked for, or can be done without.
pub(crate) struct Log {
    opened: Option<Opened>,
    is_optional: bool,
}

impl Log {
    /// Opens the log that the options name, and tells the operator what was mended in it.
    ///
    /// # Errors
    ///
    /// When it can't be written to, and is not optional. When the workspace is to be written to it, or it lies in the workspace.
    pub(crate) fn open(args: &DispatchArgs) -> Result<Self, CliError> {
        let workspace_out = args.provider.workspace_out.as_deref();
        expect_outside(args.record.record.as_deref(), args.directory.root.as_deref())?;
        let args = &args.record;
        let is_optional = args.record_optional;
        let opened = match args.record.as_deref().map(|path| LogFile::open(path, args.sync)) {
            None => None,
            Some(Ok(opened)) => Some(opened),
            Some(Err(error)) if is_optional => {
                go_on_without(&error);
                None
            }
            Some(Err(error)) => return Err(CliError::Unrecordable(error)),
        };
        expect_another_file(args.record.as_deref(), workspace_out)?;
        opened.iter().flat_map(|opened| &opened.notes).for_each(|note| operator::tell(note));
        Ok(Self { opened, is_optional })
    }

    /// Begins a session in the log, if there is one.
    ///
    /// # Errors
    ///
    /// When its header can't be written, and the log is not optional.
    pub(crate) fn begin(self, header: impl FnOnce() -> Header) -> Result<Option<Recording>, CliError> {
        let Self { opened: Some(Opened { log, last_call, .. }), is_optional } = self else { return Ok(None) };
        let journal = LogJournal { log: Some(log), is_optional, begun: Instant::now() };
        Recorder::resume(&header(), last_call, journal).map(Some).map_err(CliError::Unrecordable)
    }
}

/// Returns what a session begins with.
pub(crate) fn header(gates: &Gates, workspace: &dyn Workspace) -> Header {
    match workspace.as_memory() {
        Some(files) => Header::new(gates, files.clone()),
        None => Header::new(gates, MemoryWorkspace::default()).of_directory(),
    }
}

/// What lies in the workspace is the model's to read and to write, and the log is for its owner's eyes.
fn expect_outside(log: Option<&Path>, root: Option<&Path>) -> Result<(), CliError> {
    let folder = |log: &Path| log.parent().map(|parent| parent.join(".")).unwrap_or_default();
    let real = |path: &Path| fs::canonicalize(path).ok();
    // A log that is a link lies where the link leads, if it leads anywhere.
    let place = log.and_then(|log| real(log).or_else(|| real(&folder(log))));
    match (place, root.and_then(real)) {
        (Some(log), Some(root)) if log.starts_with(&root) => {
            Err(CliError::LogInWorkspace { root: root.display().to_string() })
        }
        (Some(log), Some(_)) if has_other_names(&log) => {
            Err(CliError::LogHasOtherNames { log: log.display().to_string() })
        }
        _ => Ok(()),
    }
}

/// Whether a file has further names, which may lie anywhere. Unix alone tells.
fn has_other_names(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// The workspace would take the log's place, and what is recorded afterwards would be in no file at all.
fn expect_another_file(log: Option<&Path>, workspace_out: Option<&Path>) -> Result<(), CliError> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    match (log.and_then(real), workspace_out.and_then(real)) {
        (Some(log), Some(out)) if log == out => {
            Err(CliError::IsTheLog { option: "--workspace-out", name: log.display().to_string() })
        }
        _ => Ok(()),
    }
}

/// The file of a log, and the clock beside it.
pub(crate) struct LogJournal {
    /// None once an optional one could not be written: with a gap, nothing behind it could be replayed.
    log: Option<LogFile>,
    is_optional: bool,
    begun: Instant,
}

impl Journal for LogJournal {
    type Error = LogFileError;

    fn keep(&mut self, line: &[u8]) -> Result<(), LogFileError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        match log.append(line) {
            Err(error) if self.is_optional => {
                go_on_without(&error);
                self.log = None;
                Ok(())
            }
            kept => kept,
        }
    }

    fn facts(&mut self, line: LineKind) -> Map<String, Value> {
        match line {
            LineKind::Header => host_facts::of_session(),
            LineKind::Intent => {
                self.begun = Instant::now();
                host_facts::of_intent()
            }
            LineKind::Outcome => host_facts::of_outcome(self.begun.elapsed()),
        }
    }
}

fn go_on_without(error: &LogFileError) {
    operator::tell(&format!("{error}; going on without a log"));
}
