//! A directory as the workspace, right but for how it looks at its files, reads them or writes them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use conformance::directory::RunsOnDirectory;
use conformance::library::Library;
use conformance::subject::{Input, Output, Subject, SubjectError};
use conformance::yaml::{SubjectName, Toolset};
use dispatch_core::ErrorCode;
use dispatch_core::workspace::{ChangeSet, Entry, Listed, Reading, Workspace, WorkspaceError, WorkspacePath};
use dispatch_host::DirectoryWorkspace;

/// Runs in memory as it should, and on a directory in a way of its own.
#[derive(Clone, Copy)]
pub(crate) struct FlawedDirectory {
    pub(crate) name: &'static str,
    /// What happens when somebody asks what stands at a place.
    pub(crate) see: fn(&Path) -> io::Result<()>,
    /// What a file's text is taken for.
    pub(crate) read: fn(&str) -> String,
    /// How a text gets to its place.
    pub(crate) write: fn(&Path, &str) -> io::Result<()>,
}

impl FlawedDirectory {
    pub(crate) const fn right(name: &'static str) -> Self {
        Self { name, see: |_| Ok(()), read: |text| text.to_owned(), write: write_whole }
    }
}

/// Writes a file as it should be, what a crash leaves aside.
pub(crate) fn write_whole(place: &Path, text: &str) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(place, text)
}

impl Subject for FlawedDirectory {
    fn name(&self) -> &str {
        self.name
    }

    fn goes_by(&self, name: SubjectName) -> bool {
        Library.goes_by(name)
    }

    fn offers(&self, toolset: Toolset) -> bool {
        Library.offers(toolset)
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        Library.run(input)
    }
}

impl RunsOnDirectory for FlawedDirectory {
    fn run_on(&self, root: &Path, input: &Input) -> Result<Output, SubjectError> {
        let directory = Flaws { right: DirectoryWorkspace::open(root)?, root: root.to_owned(), flawed: *self };
        Library.run_on_workspace(Box::new(directory), input)
    }
}

impl fmt::Debug for FlawedDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

struct Flaws {
    right: DirectoryWorkspace,
    root: PathBuf,
    flawed: FlawedDirectory,
}

impl Flaws {
    fn place(&self, path: &WorkspacePath) -> PathBuf {
        self.root.join(path.as_str())
    }
}

impl Workspace for Flaws {
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        (self.flawed.see)(&self.place(path)).map_err(|error| failed(&error))?;
        self.right.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        let text = self.right.read(path)?.into_text()?;
        Ok(Reading::of_text((self.flawed.read)(&text)))
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.right.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        let mut files = changes.files();
        let write = |(path, text): (&WorkspacePath, &str)| (self.flawed.write)(&self.place(path), text);
        files.try_for_each(write).map_err(|error| failed(&error))
    }
}

fn failed(error: &io::Error) -> WorkspaceError {
    WorkspaceError::new(ErrorCode::IoError, error.to_string())
}
