//! Changes that are kept apart from the workspace that they are made in.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::{ChangeSet, Entry, Listed, OutsideWorkspace, Reading, Snapshot, Workspace, WorkspaceError, WorkspacePath};
use crate::code::ErrorCode;

/// A workspace that stays as it is: what is changed is kept here, and seen through here alone.
///
/// ```
/// use dispatch_core::workspace::{MemoryWorkspace, Overlay, Workspace};
/// use dispatch_core::{Gates, ToolCall, json::Document, tools};
///
/// let below = MemoryWorkspace::from_iter([("a.txt", "old")]);
/// let mut overlay = Overlay::new(Box::new(below));
/// let args = Document::parse(br#"{"path": "a.txt", "content": "new"}"#.to_vec())?;
/// Gates::new(tools::core_registry()).admit(ToolCall::new("write_file", args))?.run(&mut overlay);
/// assert_eq!(overlay.read_text(&overlay.resolve("a.txt")?)?, "new");
/// assert_eq!(overlay.below().read_text(&overlay.resolve("a.txt")?)?, "old");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Overlay {
    below: Box<dyn Workspace + Send>,
    changes: ChangeSet,
    /// The changed files that may be written and not read: to be written takes nothing of that away.
    unreadable: BTreeMap<WorkspacePath, WorkspaceError>,
}

impl Overlay {
    /// Puts an overlay on a workspace.
    pub fn new(below: Box<dyn Workspace + Send>) -> Self {
        Self { below, changes: ChangeSet::default(), unreadable: BTreeMap::new() }
    }

    /// Returns the workspace as it is without the changes.
    pub fn below(&self) -> &dyn Workspace {
        &*self.below
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(&*self.below, &self.changes)
    }

    fn may_be_read(&self, path: &WorkspacePath) -> Result<(), WorkspaceError> {
        self.unreadable.get(path).map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Notes which of the files that change for the first time may not be read.
    fn note_unreadable(&mut self, changes: &ChangeSet) {
        for (path, _) in changes.files().filter(|(path, _)| !self.changes.files.contains_key(*path)) {
            let denied = self.below.read(path).err().filter(|error| error.code() == ErrorCode::PermissionDenied);
            self.unreadable.extend(denied.map(|error| (path.clone(), error)));
        }
    }
}

impl Workspace for Overlay {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        self.below.resolve(path)
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.snapshot().entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.may_be_read(path)?;
        match self.changes.files.get(path) {
            Some(text) => Ok(Reading::of_text(Cow::Borrowed(text.as_str()))),
            None => self.below.read(path),
        }
    }

    fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        self.may_be_read(path)?;
        self.snapshot().read_into(path, buffer)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.snapshot().listed(directory)
    }

    fn check(&self, changes: &ChangeSet) -> Result<(), WorkspaceError> {
        self.below.check(changes)
    }

    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        self.below.check_length(bytes)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.check(&changes)?;
        self.note_unreadable(&changes);
        self.changes.files.extend(changes);
        Ok(())
    }
}

impl fmt::Debug for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overlay").field("changes", &self.changes).finish_non_exhaustive()
    }
}
