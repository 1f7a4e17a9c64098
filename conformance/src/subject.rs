//! What is put to the test: anything that takes a request's bytes and gives bytes back.
//!
//! **A subject is told nothing about what is expected of it.** To it an [`Input`] is what a process
//! gets: bytes on stdin and arguments. So any program can be one.

use std::fmt;
use std::io;
use std::process::ExitStatus;

use dispatch_host::directory::OpenDirectoryError;
use thiserror::Error;

use crate::case::Case;
use crate::layout::{NotLaidOut, NotReadBack};
use crate::yaml::{Options, OwnToolset, SubjectName, Toolset};

/// Runs requests, each on its own: nothing is kept from one to the next.
pub trait Subject: fmt::Debug + Send + Sync {
    /// Returns the name that reports call it by.
    fn name(&self) -> &str;

    /// Runs one request, or one stream of them.
    ///
    /// A refusal, a failure and a usage error are output like any other.
    ///
    /// # Errors
    ///
    /// The subject itself could not be run, so that there is no output to judge.
    fn run(&self, input: &Input) -> Result<Output, SubjectError>;

    /// Tells whether a case that is kept to a name is kept to it. By default it is one in memory, as the protocol's requests are.
    fn goes_by(&self, name: SubjectName) -> bool {
        name == SubjectName::Memory
    }

    /// Tells whether it has these tools. By default it has the product's own alone.
    fn offers(&self, toolset: Toolset) -> bool {
        toolset == Toolset::Core
    }

    /// Tells whether it can be asked at all. By default it can what is not said in words: only a program has a command line.
    fn can_be_asked(&self, input: &Input) -> bool {
        input.options.words.is_empty()
    }

    /// Tells whether a case holds for it.
    fn can_show(&self, case: &Case) -> bool {
        let is_meant = case.only.as_ref().is_none_or(|only| self.goes_by(only.subject));
        is_meant && self.offers(case.toolset) && self.can_be_asked(&Input::of_case(case))
    }
}

/// Holds what a subject gets.
#[derive(Debug, Clone)]
pub struct Input {
    /// The bytes of stdin.
    pub stdin: Vec<u8>,
    /// Whether they are a stream, a request a line.
    pub is_stream: bool,
    /// The workspace that a provider's message runs on, or that a directory holds, as JSON.
    pub workspace: Option<String>,
    /// The options of the command.
    pub options: Options,
    /// The tools there are.
    pub toolset: Toolset,
    /// Whether it is put as it is on a directory: no request brings the workspace, which stands beside it.
    pub is_for_directory: bool,
}

impl Input {
    /// Puts together what a case asks.
    pub fn of_case(case: &Case) -> Self {
        Self {
            stdin: case.request.bytes(),
            is_stream: case.request.is_stream() && !case.options.replay,
            workspace: case.workspace.clone(),
            options: case.options.clone(),
            toolset: case.toolset,
            is_for_directory: case.is_for_directory(),
        }
    }

    /// Returns the arguments that say the same to a program: the subcommand and its options.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::subject::Input;
    /// use conformance::yaml::{Options, Toolset};
    ///
    /// let allow = Some(vec!["read_file".to_owned()]);
    /// let options = Options { allow, keep_going: true, ..Options::default() };
    /// let input = Input { stdin: Vec::new(), is_stream: true, workspace: None, options, toolset: Toolset::Core, is_for_directory: false };
    /// let expected = ["dispatch", "--stream", "--keep-going", "--allow", "read_file"];
    /// assert_eq!(input.arguments(), expected);
    /// ```
    pub fn arguments(&self) -> Vec<String> {
        let words: &[&str] = if self.options.replay { &["replay", "--json", "-"] } else { &["dispatch"] };
        let mut arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let flags = [
            (self.is_stream, "--stream"),
            (self.options.keep_going, "--keep-going"),
            (self.options.explain, "--explain"),
            (self.options.pretty, "--pretty"),
            (self.options.conversation, "--conversation"),
            (self.options.strict, "--strict"),
        ];
        let set = flags.into_iter().filter(|(is_set, _)| *is_set);
        arguments.extend(set.map(|(_, flag)| flag.to_owned()));
        if self.options.toolset == OwnToolset::Agent {
            arguments.extend(["--toolset", "agent"].map(str::to_owned));
        }
        if let Some(provider) = &self.options.provider {
            arguments.extend(["--provider".to_owned(), provider.clone()]);
        }
        for name in self.options.allow.iter().flatten() {
            arguments.extend(["--allow".to_owned(), name.clone()]);
        }
        if let Some(bytes) = self.options.max_output_bytes {
            arguments.extend(["--max-output-bytes".to_owned(), bytes.to_string()]);
        }
        arguments.extend_from_slice(&self.options.words);
        arguments
    }
}

/// Holds what a subject gave. By default nothing, with success.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The bytes of stdout.
    pub stdout: Vec<u8>,
    /// The bytes of stderr.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub exit: i32,
    /// The bytes of the workspace that a provider's message left, where one was written.
    pub workspace: Option<Vec<u8>>,
    /// The bytes of the workspace that a directory holds afterwards where no answer has a place for it: behind a stream, and where
    /// responses carry none. It is judged, and no part of what subjects have in common.
    pub left: Option<Vec<u8>>,
}

/// Says why a subject gave no output to judge.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubjectError {
    /// The program could not be built.
    #[error("could not build the program (`cargo build -p dispatch-cli` says why): {0}")]
    Build(String),
    /// The program could not be started, or its output not be read.
    #[error("could not run the program")]
    Run(#[source] io::Error),
    /// The program was ended from outside and has no exit code.
    #[error("the program ended without an exit code: {0}")]
    Killed(ExitStatus),
    /// The subject has no such tools.
    #[error("the subject does not have the {0:?} tools")]
    Toolset(Toolset),
    /// The input can't be asked of a directory.
    #[error("can't be asked of a directory: {0}")]
    NotLaidOut(#[from] NotLaidOut),
    /// The files that it left hold what they should not.
    #[error("{0}")]
    NotReadBack(#[from] NotReadBack),
    /// The directory can't be opened.
    #[error("{0}")]
    Directory(#[from] OpenDirectoryError),
    /// The options could not be taken over.
    #[error("bad option: {0}")]
    Option(String),
    /// A handler ran for a call that was answered as refused, or the other way round.
    #[error("the counting tools ran {runs} times, and {told} answers say that they did")]
    Uncounted {
        /// How often the handler ran.
        runs: usize,
        /// How many answers tell of a call that ran.
        told: usize,
    },
    /// Writing a response failed.
    #[error("could not write a response")]
    Write(#[source] io::Error),
}
