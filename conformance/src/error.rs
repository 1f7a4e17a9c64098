//! Why the cases could not be run.

use std::io;
use std::path::PathBuf;

use conformance::level::NoLevel;
use conformance::manifest::NoManifest;
use conformance::run::known::KnownError;
use conformance::run::program::NoCommand;
use thiserror::Error;

/// Says why the cases could not be run.
#[derive(Debug, Error)]
pub(crate) enum RunError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cases are not where they are looked for by default.
    #[error("{0}; `--folder DIR` says where the folder `conformance` of a checkout is")]
    NoFolder(Box<Self>),
    /// What was typed is no command.
    #[error(transparent)]
    NoCommand(#[from] NoCommand),
    /// Some cases can't be read.
    #[error("{0}")]
    Suite(String),
    /// A case has no level.
    #[error(transparent)]
    Level(#[from] NoLevel),
    /// The version of the suite can't be read.
    #[error("{}: {source}", path.display())]
    NoManifest {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        source: NoManifest,
    },
    /// There is no such version of the suite.
    #[error("there is no version {version} of the suite: there are {known}")]
    NoVersion {
        /// The version that was asked for.
        version: String,
        /// Those that there are.
        known: String,
    },
    /// Two reports would be one file.
    #[error("{}: two reports can't be one file", .0.display())]
    OneFile(PathBuf),
    /// A report would take the place of a file that the run reads, or its program.
    #[error("{}: no report can take the place of what the run is given", .0.display())]
    Given(PathBuf),
    /// The list of known failures is none.
    #[error("{}: {source}", path.display())]
    Known {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        source: KnownError,
    },
    /// A name selects nothing.
    #[error("no case is selected by `{0}`")]
    Idle(String),
    /// No case is selected, or none of them applies.
    #[error("no case was run: {0}")]
    Nothing(&'static str),
    /// The program could not be started.
    #[error("`{command}` could not be run: {source}{hint}")]
    Program {
        /// The command.
        command: String,
        /// What may be wrong with it.
        hint: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The XML could not be written.
    #[error("no JUnit report can be written: {0}")]
    Junit(String),
    /// Streams are both used and waived.
    #[error("`--stream` asks for what `--without stream` says is not there")]
    NoStream,
    /// stdout is gone.
    #[error("stdout: {0}")]
    Stdout(io::Error),
}
