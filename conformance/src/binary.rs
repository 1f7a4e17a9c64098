//! The program `dispatch`, run as a process for each request.
//!
//! **It inherits nothing**: no environment, and no terminal.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use tempfile::TempDir;

use crate::directory::RunsOnDirectory;
use crate::layout::{self, NotReadBack};
use crate::program;
use crate::subject::{Input, Output, Subject, SubjectError};
use crate::yaml::SubjectName;

/// Runs the program `dispatch`.
#[derive(Debug)]
pub struct Binary {
    program: OnceLock<Result<PathBuf, String>>,
}

impl Binary {
    /// Takes a program that is there already.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: Ok(program.into()).into() }
    }

    /// Takes the program as it stands in the sources.
    ///
    /// It is built when it first runs, and once: in the profile and the target directory of the
    /// program that runs this. So what runs is never older than the sources.
    pub fn from_sources() -> Self {
        Self { program: OnceLock::new() }
    }

    /// Returns the program's path. It is built first where it is to be.
    ///
    /// # Errors
    ///
    /// It could not be built.
    pub fn program(&self) -> Result<&Path, SubjectError> {
        match self.program.get_or_init(program::build) {
            Ok(program) => Ok(program),
            Err(reason) => Err(SubjectError::Build(reason.clone())),
        }
    }

    /// Runs the program with more arguments than those of the input.
    fn output(&self, input: &Input, more: impl IntoIterator<Item = OsString>) -> Result<Output, SubjectError> {
        if !self.offers(input.toolset) {
            return Err(SubjectError::Toolset(input.toolset));
        }
        let child = spawn(self.program()?, input, more).map_err(SubjectError::Run)?;
        let output = exchange(child, &input.stdin).map_err(SubjectError::Run)?;
        let exit = output.status.code().ok_or(SubjectError::Killed(output.status))?;
        Ok(Output { stdout: output.stdout, stderr: output.stderr, exit, ..Output::default() })
    }
}

fn spawn(program: &Path, input: &Input, more: impl IntoIterator<Item = OsString>) -> io::Result<Child> {
    Command::new(program)
        .args(input.arguments())
        .args(more)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

impl Subject for Binary {
    fn name(&self) -> &'static str {
        "binary"
    }

    fn goes_by(&self, name: SubjectName) -> bool {
        matches!(name, SubjectName::Binary | SubjectName::Memory)
    }

    fn can_be_asked(&self, _: &Input) -> bool {
        true
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        let files = Files::for_input(input).map_err(SubjectError::Run)?;
        let output = self.output(input, files.iter().flat_map(Files::arguments))?;
        Ok(Files::put_back(files.as_ref(), output)?)
    }
}

impl RunsOnDirectory for Binary {
    fn run_on(&self, root: &Path, input: &Input) -> Result<Output, SubjectError> {
        self.output(input, ["--root".into(), root.into()])
    }
}

/// The files that a provider's message is run with: the workspace before it, and the one after it.
#[derive(Debug)]
pub(crate) struct Files {
    folder: TempDir,
    most_bytes: usize,
}

impl Files {
    pub(crate) fn for_input(input: &Input) -> io::Result<Option<Self>> {
        if input.options.provider.is_none() {
            return Ok(None);
        }
        let workspace = input.workspace.as_deref().unwrap_or("{}");
        let most_bytes = layout::most_bytes(input.stdin.len() + workspace.len());
        let files = Self { folder: tempfile::tempdir()?, most_bytes };
        fs::write(files.before(), workspace)?;
        Ok(Some(files))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn before(&self) -> PathBuf {
        self.folder.path().join("before.json")
    }

    fn after(&self) -> PathBuf {
        self.folder.path().join("after.json")
    }

    pub(crate) fn arguments(&self) -> [OsString; 4] {
        ["--workspace".into(), self.before().into(), "--workspace-out".into(), self.after().into()]
    }

    /// Puts the workspace that was written into an output, where there are files.
    ///
    /// # Errors
    ///
    /// The workspace has too many bytes.
    pub(crate) fn put_back(files: Option<&Self>, output: Output) -> Result<Output, NotReadBack> {
        let workspace = files.map_or(Ok(None), Self::written)?;
        Ok(Output { workspace, ..output })
    }

    /// Returns the workspace that was written, into a file and nothing else: a link may lead anywhere, and a pipe is read for ever.
    fn written(&self) -> Result<Option<Vec<u8>>, NotReadBack> {
        if !fs::symlink_metadata(self.after()).is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        // One that can't be read is as good as none.
        let Ok(read) = layout::read_within(&self.after(), self.most_bytes) else { return Ok(None) };
        read.map(Some).ok_or(NotReadBack::WrittenTooMuch(self.most_bytes))
    }
}

/// Writes stdin while stdout and stderr are read: a program that answers before it has read all
/// would wait for us, and we for it.
fn exchange(mut child: Child, stdin: &[u8]) -> io::Result<process::Output> {
    let pipe = child.stdin.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program that has failed reads no further: the broken pipe is no news.
            pipe.map(|mut pipe| pipe.write_all(stdin))
        });
        child.wait_with_output()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Options, Toolset};

    fn input(stdin: Vec<u8>) -> Input {
        let options = Options::default();
        Input { stdin, is_stream: false, workspace: None, options, toolset: Toolset::Core, is_for_directory: false }
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_does_not_read_is_no_error() {
        let output = Binary::new("/usr/bin/false").run(&input(vec![b'x'; 1 << 20])).expect("runs");
        assert_eq!(output, Output { exit: 1, ..Output::default() });
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = Binary::new("/nowhere/dispatch").run(&input(Vec::new())).expect_err("nowhere");
        assert!(matches!(error, SubjectError::Run(_)), "{error}");
    }

    #[test]
    fn it_has_no_test_tools() {
        let input = Input { toolset: Toolset::Test, ..input(Vec::new()) };
        let error = Binary::new("/nowhere/dispatch").run(&input).expect_err("no such tools");
        assert!(matches!(error, SubjectError::Toolset(Toolset::Test)), "{error}");
    }
}
