//! The files that tools act on.
//!
//! A handler never holds a [`Workspace`]. It works on a [`View`], which gathers what the call writes; the dispatcher
//! [commits](Workspace::commit) that as a whole when the handler succeeded, and drops it otherwise. So an error, a panic and a dry run
//! leave the workspace as it was, without anyone having to undo anything.

mod memory;
mod path;
mod progress;
mod view;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub(crate) use memory::Content;
pub use memory::MemoryWorkspace;
pub use path::{OutsideWorkspace, WorkspacePath};
pub use progress::{Fraction, FractionOutOfRange, Progress};
pub use view::View;

use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::operator_text::OperatorText;

/// A store of files under relative paths.
///
/// [`MemoryWorkspace`] is one; a host can bring its own.
pub trait Workspace {
    /// Returns the place that a model's path names.
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

    /// Returns the contents of the file at a place.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`]: [`ErrorCode::FileNotFound`] where there is none, [`ErrorCode::NotText`] where it is not UTF-8.
    fn read_text(&self, path: &WorkspacePath) -> Result<Cow<'_, str>, WorkspaceError>;

    /// Shows a visitor the files below a directory, sorted by the code points of their paths, until it breaks off.
    ///
    /// In this order a directory's entries stand as if the name of each directory among them ended in `/`: `a.b`, `a/c`, `ab`. Links are
    /// files, and not followed. Where there is no directory, there is nothing to show.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`] when a directory can't be read.
    fn walk(&self, directory: &WorkspacePath, visitor: Visitor<'_>) -> Result<(), WorkspaceError>;

    /// Makes changes: all of them or, on an error, none.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`] when they can't be made. The workspace is then as it was.
    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError>;
}

/// What is shown one file after the other, and says when it has seen enough.
pub type Visitor<'v> = &'v mut dyn FnMut(&WorkspacePath) -> ControlFlow<()>;

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

/// What a call writes, gathered. Made by a [`View`].
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    files: BTreeMap<WorkspacePath, String>,
}

impl ChangeSet {
    /// Returns the files to be written with their new contents, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&WorkspacePath, &str)> {
        self.files.iter().map(|(path, content)| (path, content.as_str()))
    }

    /// Returns whether nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl IntoIterator for ChangeSet {
    type Item = (WorkspacePath, String);
    type IntoIter = std::collections::btree_map::IntoIter<WorkspacePath, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.into_iter()
    }
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

impl From<OutsideWorkspace> for ToolFailure {
    fn from(_: OutsideWorkspace) -> Self {
        ErrorCode::PathOutsideWorkspace.into()
    }
}

#[cfg(test)]
mod tests;
