//! The files that tools act on.
//!
//! A handler never holds a [`Workspace`]. It works on a [`View`], which gathers what the call writes; the dispatcher
//! [commits](Workspace::commit) that as a whole when the handler succeeded, and drops it otherwise. So an error, a panic and a dry run
//! leave the workspace as it was, without anyone having to undo anything.

mod changes;
mod memory;
mod overlay;
mod patch;
mod path;
mod progress;
mod reading;
mod snapshot;
mod view;

use std::borrow::Cow;
use std::ops::ControlFlow;

pub use changes::{Change, ChangeSet};
pub(crate) use memory::Content;
pub use memory::MemoryWorkspace;
pub use overlay::Overlay;
pub use patch::Patch;
pub use path::{OutsideWorkspace, WorkspacePath};
pub use progress::{Fraction, FractionOutOfRange, Progress};
pub use reading::{Contents, OpenFile, Reading, Version};
pub use snapshot::Snapshot;
pub use view::View;

use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::operator_text::OperatorText;

/// A text that is many times what a call was given has at most so many bytes, where the workspace has no limit of its own.
const MOST_MULTIPLIED_BYTES: u64 = 64 << 20;

/// A store of files under relative paths.
///
/// [`MemoryWorkspace`] is one; a host can bring its own. It is `Sync`, so that a search can read many files at a time.
pub trait Workspace: Sync {
    /// Returns the place that a model's path names, as it is now.
    ///
    /// Changes, and what is known of files, are kept by their places. So a workspace in which several paths lead to one file, as links do, gives one place
    /// for all of them; a place resolves to itself.
    ///
    /// # Errors
    ///
    /// [`OutsideWorkspace`] when it names none in here.
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        WorkspacePath::resolve(path)
    }

    /// Returns what stands at a place.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`] when that can't be found out.
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError>;

    /// Returns the contents of the file at a place, and which state of it they are.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`]: [`ErrorCode::FileNotFound`] where there is none.
    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError>;

    /// Returns the contents of the file at a place, if they are text.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read), and [`ErrorCode::NotText`] where the file is not UTF-8.
    fn read_text(&self, path: &WorkspacePath) -> Result<Cow<'_, str>, WorkspaceError> {
        self.read(path)?.into_text()
    }

    /// Puts the contents of the file at a place into a buffer, for a search that reads one file after the other.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read). What the buffer then holds is of no meaning.
    fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        buffer.clear();
        buffer.extend_from_slice(self.read(path)?.contents.as_bytes());
        Ok(())
    }

    /// Opens the file at a place, for an edit of one place that need not hold the rest. A workspace that does so finds [patches](Patch) among the
    /// [changes](ChangeSet::in_order) that it is to make.
    ///
    /// None where that can't be, where there is no file, and in a workspace that says nothing else: the file is then read whole, and what there is against that shows there.
    fn open(&self, path: &WorkspacePath) -> Option<Box<dyn OpenFile + '_>> {
        let _ = path;
        None
    }

    /// Lists what lies in a directory, sorted by the code points of the names as if that of each directory ended in `/`: `a.b`, `a/`, `ab`.
    ///
    /// Where there is no directory, there is nothing to list.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`] when the directory can't be read.
    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError>;

    /// Makes changes: all of them or, on an error, none.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`] when they can't be made, [`ErrorCode::Conflict`] where one is [based on](ChangeSet::based_on) a state that its file
    /// is no longer in. The workspace is then as it was, but for [`ErrorCode::OutcomeUnknown`]: some of the changes may have been made.
    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError>;

    /// Says of changes that are not to be made whether they would be refused, as far as that shows without an effect: what they are too large for, and what
    /// they may not do. The rest, such as want of room, only [`commit`](Self::commit) finds out.
    ///
    /// # Errors
    ///
    /// That of the commit, such as [`ErrorCode::FileTooLarge`].
    fn check(&self, changes: &ChangeSet) -> Result<(), WorkspaceError> {
        let _ = changes;
        Ok(())
    }

    /// Says whether a file may have so many bytes. It is asked before there is room for the text, where that is longer than all that came in: a call of a
    /// few bytes could else take all memory.
    ///
    /// A workspace that says nothing else allows 64 MiB.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::FileTooLarge`].
    ///
    /// ```
    /// use dispatch_core::ErrorCode;
    /// use dispatch_core::workspace::{MemoryWorkspace, Workspace};
    ///
    /// let workspace = MemoryWorkspace::default();
    /// assert!(workspace.check_length(64 << 20).is_ok());
    /// assert_eq!(workspace.check_length((64 << 20) + 1).unwrap_err().code(), ErrorCode::FileTooLarge);
    /// ```
    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        if bytes <= MOST_MULTIPLIED_BYTES {
            return Ok(());
        }
        Err(WorkspaceError::new(ErrorCode::FileTooLarge, format!("more than {MOST_MULTIPLIED_BYTES} bytes")))
    }

    /// Returns the workspace as one in memory, if it is one: only that can a response carry.
    fn as_memory(&self) -> Option<&MemoryWorkspace> {
        None
    }

    /// Returns the workspace as one in memory, if it is one: only that can a request set.
    fn as_memory_mut(&mut self) -> Option<&mut MemoryWorkspace> {
        None
    }
}

/// What is shown one file after the other, and says when it has seen enough.
pub type Visitor<'v> = &'v mut dyn FnMut(&WorkspacePath) -> ControlFlow<()>;

/// One of the things that lie in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name: the last part of its path. Of what no path can name, as much as text can say.
    pub name: String,
    /// What it is.
    pub kind: ListedKind,
}

/// What a thing that lies in a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link, to whatever: it is not followed.
    Link,
    /// Neither: a pipe, a socket, a device.
    Special,
    /// A file or a directory that no path can name, for one because its name is not UTF-8. It is there to be counted: its name leads nowhere.
    Unnamed,
}

impl Listed {
    /// What its name is sorted as.
    fn sorted_as(&self) -> impl Iterator<Item = u8> {
        let slash = if self.kind == ListedKind::Directory { "/" } else { "" };
        self.name.bytes().chain(slash.bytes())
    }

    /// Sorts as [`Workspace::list`] has it.
    ///
    /// ```
    /// use dispatch_core::workspace::{Listed, ListedKind};
    ///
    /// let listed = |name: &str, kind| Listed { name: name.to_owned(), kind };
    /// let mut all = vec![
    ///     listed("ab", ListedKind::File),
    ///     listed("a", ListedKind::Directory),
    ///     listed("a.b", ListedKind::File),
    /// ];
    /// Listed::sort(&mut all);
    /// let names: Vec<_> = all.iter().map(|listed| listed.name.as_str()).collect();
    /// assert_eq!(names, ["a.b", "a", "ab"]);
    /// ```
    pub fn sort(listed: &mut [Self]) {
        listed.sort_unstable_by(|a, b| a.sorted_as().cmp(b.sorted_as()));
    }
}

/// What stands at a place in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File,
    /// A directory: the workspace itself, or a place at which other files' paths begin.
    Directory,
    /// Nothing, and a file can be made here.
    Absent,
    /// Nothing, and nothing can be: the path leads through a file.
    BelowFile,
}

/// Why a workspace could not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {}", .operator_text.as_str())]
pub struct WorkspaceError {
    code: ErrorCode,
    operator_text: OperatorText,
}

impl WorkspaceError {
    /// Makes an error from its code and a text that is for the operator alone: the model never sees it.
    pub fn new(code: ErrorCode, operator_text: impl Into<OperatorText>) -> Self {
        Self { code, operator_text: operator_text.into() }
    }

    /// Returns the code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }
}

impl From<WorkspaceError> for ToolFailure {
    fn from(error: WorkspaceError) -> Self {
        Self::from(error.code).with_operator_text(error.operator_text)
    }
}

impl From<OutsideWorkspace> for WorkspaceError {
    fn from(outside: OutsideWorkspace) -> Self {
        Self::new(ErrorCode::PathOutsideWorkspace, outside.to_string())
    }
}

impl From<OutsideWorkspace> for ToolFailure {
    fn from(_: OutsideWorkspace) -> Self {
        ErrorCode::PathOutsideWorkspace.into()
    }
}

#[cfg(test)]
mod tests;
