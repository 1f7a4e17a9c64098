//! Workspaces whose changes are noted, and what was seen of them.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::changed::{Change, Changed};
use super::digest::{Digest, WorkspaceDigest};
use super::seen::Seen;
use crate::code::ErrorCode;
use crate::workspace::{
    ChangeSet, Content, Entry, Listed, MemoryWorkspace, OutsideWorkspace, Reading, Workspace, WorkspaceError,
    WorkspacePath,
};

/// A workspace whose changes are noted once they were made.
pub struct Watched<'w> {
    pub(super) workspace: &'w mut dyn Workspace,
    pub(super) digest: &'w mut WorkspaceDigest,
    pub(super) changed: &'w mut Changed,
    /// Whether what the changed files held before is kept.
    pub(super) keeps_before: bool,
    /// For a log that does not hold the workspace as a whole.
    pub(super) seen: Option<&'w Mutex<Seen>>,
}

impl Watched<'_> {
    /// Notes what a file holds now, and what it held before.
    fn note(&mut self, path: String, digest: Digest, before: Option<Content>) {
        self.digest.set(&path, digest);
        self.changed.add(Change { path, digest, before });
    }

    /// A workspace in memory takes every change, and gives back what it held.
    fn replace(&mut self, path: WorkspacePath, text: String) {
        let digest = Digest::of(&text);
        let before = self.workspace.as_memory_mut().and_then(|memory| memory.replace(&path, text));
        self.note(path.into(), digest, before);
    }

    fn before(&self, path: &WorkspacePath) -> Option<Content> {
        let text = self.keeps_before.then(|| self.workspace.read_text(path).ok())??;
        Some(Content::Text(text.into_owned()))
    }

    fn see(&self, note: impl FnOnce(&mut Seen, &WorkspaceDigest)) {
        if let Some(seen) = self.seen {
            // A thread that panicked while it noted something has left a note at the worst.
            note(&mut seen.lock().unwrap_or_else(PoisonError::into_inner), self.digest);
        }
    }

    /// A file that is written and was not read is seen as well: what it was is gone otherwise.
    fn see_before(&self, changes: &ChangeSet) {
        for (path, _) in changes.files().filter(|(path, _)| !self.digest.holds(path.as_str())) {
            self.see(|seen, known| {
                if !seen.holds_text(path) && self.workspace.entry(path) == Ok(Entry::File) {
                    seen.note_reading(path, &self.workspace.read(path), known);
                }
            });
        }
    }
}

impl Workspace for Watched<'_> {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        let resolved = self.workspace.resolve(path);
        self.see(|seen, _| seen.note_path(path, &resolved));
        resolved
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        let entry = self.workspace.entry(path);
        self.see(|seen, known| seen.note_entry(path, &entry, known));
        entry
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        let reading = self.workspace.read(path);
        self.see(|seen, known| seen.note_reading(path, &reading, known));
        reading
    }

    fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        let read = self.workspace.read_into(path, buffer);
        self.see(|seen, _| seen.note_search(&read));
        read
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        let listed = self.workspace.list(directory);
        self.see(|seen, _| seen.note_search(&listed));
        listed
    }

    fn check(&self, changes: &ChangeSet) -> Result<(), WorkspaceError> {
        self.workspace.check(changes)
    }

    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        let checked = self.workspace.check_length(bytes);
        checked.inspect_err(|error| self.see(|seen, _| seen.note_refusal(error)))
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        if self.keeps_before && self.workspace.as_memory().is_some() {
            changes.into_iter().for_each(|(path, text)| self.replace(path, text));
            return Ok(());
        }
        let change = |(path, text): (&WorkspacePath, &str)| {
            let (digest, before) = (Digest::of(text), self.before(path));
            Change { path: path.as_str().to_owned(), digest, before }
        };
        let noted: Vec<_> = changes.files().map(change).collect();
        self.see_before(&changes);
        if let Err(error) = self.workspace.commit(changes) {
            self.see(|seen, _| seen.note_refusal(&error));
            return Err(error);
        }
        for change in noted {
            self.note(change.path, change.digest, change.before);
        }
        Ok(())
    }
}

impl fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("changed", &self.changed).finish_non_exhaustive()
    }
}

/// What a call left of what it saw: files that are known now, and those that nobody can know who did not run it.
pub(super) fn keep_up(digest: &mut WorkspaceDigest, seen: &Seen, changed: &Changed) {
    for (path, text) in seen.files().filter(|(path, _)| !changed.holds(path)) {
        match text {
            Some(text) => digest.set(path, Digest::of(text)),
            None => digest.remove(path),
        }
    }
    if seen.has_searched || seen.is_unsteady {
        for change in changed.iter() {
            digest.remove(&change.path);
        }
    }
}

/// The host's files, with paths leading where they led.
pub(super) struct Led<'s> {
    pub(super) files: &'s mut dyn Workspace,
    pub(super) seen: &'s Seen,
}

impl Workspace for Led<'_> {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        self.seen.resolve(path)
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.files.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.files.read(path)
    }

    fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        self.files.read_into(path, buffer)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.files.list(directory)
    }

    fn check(&self, changes: &ChangeSet) -> Result<(), WorkspaceError> {
        self.files.check(changes)
    }

    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        self.files.check_length(bytes)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.files.commit(changes)
    }
}

/// Puts in the files that a call saw, but for those that it changed.
pub(super) fn take_in(files: &mut MemoryWorkspace, seen: &Seen, changed: &Changed) {
    for (path, text) in seen.files().filter(|(path, _)| !changed.holds(path)) {
        match text {
            Some(text) => files.insert(path, text),
            None => files.remove(path),
        }
    }
}

/// The files that a log held before a call, with what the call saw of others. What is not noted of a place was there as they have it: so one place's
/// note tells nothing of another.
pub(super) struct Scratch<'s> {
    pub(super) files: &'s mut MemoryWorkspace,
    pub(super) seen: &'s Seen,
}

impl Workspace for Scratch<'_> {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        self.seen.resolve(path)
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.seen.entry(path).unwrap_or_else(|| self.files.entry(path))
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.seen.reading(path).unwrap_or_else(|| self.files.read(path))
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.files.list(directory)
    }

    /// The limit of the directory is not in the log, only what it refused.
    fn check_length(&self, _: u64) -> Result<(), WorkspaceError> {
        let refusal = self.seen.refusal().filter(|refusal| refusal.code() == ErrorCode::FileTooLarge);
        refusal.map_or(Ok(()), Err)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.seen.refusal().map_or_else(|| self.files.commit(changes), Err)
    }
}
