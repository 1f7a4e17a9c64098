//! How the calls of a session run: as they are, recorded, or only looked at.

use dispatch_core::protocol::{Asked, Failure};
use dispatch_core::session::Recorder;
use dispatch_core::workspace::Workspace;
use dispatch_core::{Gates, ToolResult};

use crate::error::CliError;
use crate::record::Recording;
use crate::{dry_run, operator};

/// How the calls of a session run.
pub(crate) enum Runner {
    /// As they are.
    Plain,
    /// Each kept in a log before it has any effect, and what came of it right after.
    Recorded(Box<Recording>),
    /// Up to where they would change something.
    Dry,
}

impl Runner {
    /// Returns what runs calls that are recorded, if there is a recording.
    pub(crate) fn new(recording: Option<Recording>, is_dry: bool) -> Self {
        match recording {
            Some(recording) => Self::Recorded(Box::new(recording)),
            None if is_dry => Self::Dry,
            None => Self::Plain,
        }
    }

    /// Leads a call through the gates, runs it, and tells the operator what the model may not read.
    ///
    /// # Errors
    ///
    /// When the call could not be recorded, and then did not run; or what came of it could not, and then is not to be answered.
    pub(crate) fn run(
        &mut self,
        asked: Asked,
        gates: &Gates,
        workspace: &mut dyn Workspace,
    ) -> Result<ToolResult, CliError> {
        let result = match self {
            Self::Plain => asked.run(gates, workspace),
            Self::Recorded(recording) => recording.intend(asked).map_err(CliError::Unrecorded)?.run(gates, workspace),
            Self::Dry => dry_run::run(asked, gates, workspace),
        };
        operator::log(Some(&result));
        match self.recording().and_then(Recorder::take_trouble) {
            Some(error) => Err(CliError::OutcomeUnrecorded(error)),
            None => Ok(result),
        }
    }

    fn recording(&mut self) -> Option<&mut Recording> {
        if let Self::Recorded(recording) = self { Some(recording) } else { None }
    }
}

/// Why a request was not answered.
pub(crate) enum Stopped {
    /// It breaks the protocol.
    Failure(Failure),
    /// The command could not work.
    Error(CliError),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<CliError> for Stopped {
    fn from(error: CliError) -> Self {
        Self::Error(error)
    }
}

impl Stopped {
    /// Tells the protocol failure from what ends the command.
    ///
    /// # Errors
    ///
    /// When the command could not work.
    pub(crate) fn failure<T>(answer: Result<T, Self>) -> Result<Result<T, Failure>, CliError> {
        match answer {
            Ok(answer) => Ok(Ok(answer)),
            Err(Self::Failure(failure)) => Ok(Err(failure)),
            Err(Self::Error(error)) => Err(error),
        }
    }
}
