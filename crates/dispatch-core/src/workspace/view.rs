//! The view through which a handler sees the workspace.

use std::borrow::Cow;

use super::{ChangeSet, Entry, Workspace, WorkspacePath};
use crate::code::ErrorCode;
use crate::failure::ToolFailure;

/// A workspace as one call sees it: with the call's own changes, which nobody else sees before it succeeded.
///
/// ```
/// use dispatch_core::workspace::{MemoryWorkspace, View, Workspace};
///
/// let mut workspace = MemoryWorkspace::from_iter([("a.txt", "old")]);
/// let mut view = View::new(&workspace);
/// view.write("a.txt", "new".to_owned())?;
/// assert_eq!(view.read_text("a.txt")?, "new");
///
/// let changes = view.into_changes();
/// assert_eq!(View::new(&workspace).read_text("a.txt")?, "old");
/// workspace.commit(changes).unwrap();
/// assert_eq!(View::new(&workspace).read_text("a.txt")?, "new");
/// # Ok::<(), dispatch_core::ToolFailure>(())
/// ```
pub struct View<'w> {
    workspace: &'w dyn Workspace,
    changes: ChangeSet,
}

impl<'w> View<'w> {
    /// Opens a view without changes.
    pub fn new(workspace: &'w dyn Workspace) -> Self {
        Self { workspace, changes: ChangeSet::default() }
    }

    /// Returns the contents of a file.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`], [`ErrorCode::IsADirectory`], [`ErrorCode::FileNotFound`], and whatever the workspace has
    /// against it.
    pub fn read_text(&self, path: &str) -> Result<Cow<'_, str>, ToolFailure> {
        let path = self.workspace.resolve(path)?;
        if let Some(content) = self.changes.files.get(&path) {
            return Ok(Cow::Borrowed(content));
        }
        match self.entry(&path)? {
            Entry::File => Ok(self.workspace.read_text(&path)?),
            Entry::Directory => Err(ErrorCode::IsADirectory.into()),
            Entry::Absent | Entry::BelowFile => Err(ErrorCode::FileNotFound.into()),
        }
    }

    /// Sets the contents of a file, which is created with its parents where there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`], [`ErrorCode::IsADirectory`], [`ErrorCode::NotADirectory`], and whatever the workspace has
    /// against it.
    pub fn write(&mut self, path: &str, content: String) -> Result<(), ToolFailure> {
        let path = self.workspace.resolve(path)?;
        match self.entry(&path)? {
            Entry::File | Entry::Absent => {
                self.changes.files.insert(path, content);
                Ok(())
            }
            Entry::Directory => Err(ErrorCode::IsADirectory.into()),
            Entry::BelowFile => Err(ErrorCode::NotADirectory.into()),
        }
    }

    /// Returns what the call has written.
    pub fn into_changes(self) -> ChangeSet {
        self.changes
    }

    /// What stands at a place, the call's own changes counted in.
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, ToolFailure> {
        let written = |path: &WorkspacePath| self.changes.files.contains_key(path);
        if written(path) {
            return Ok(Entry::File);
        }
        let entry = self.workspace.entry(path)?;
        if entry != Entry::Absent {
            return Ok(entry);
        }
        if path.ancestors().any(|ancestor| written(&WorkspacePath::exact(ancestor))) {
            return Ok(Entry::BelowFile);
        }
        let within = |written: &WorkspacePath| written.ancestors().any(|ancestor| ancestor == path.as_str());
        let made_by_call = self.changes.files.keys().any(within);
        Ok(if made_by_call { Entry::Directory } else { Entry::Absent })
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("changes", &self.changes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::MemoryWorkspace;

    #[test]
    fn what_a_call_wrote_counts_as_standing_there() {
        let workspace = MemoryWorkspace::default();
        let mut view = View::new(&workspace);
        view.write("a/b", String::new()).unwrap();
        let code = |result: Result<(), ToolFailure>| result.unwrap_err().code().built_in();
        assert_eq!(code(view.write("a", String::new())), Some(ErrorCode::IsADirectory));
        assert_eq!(code(view.write("a/b/c", String::new())), Some(ErrorCode::NotADirectory));
        assert_eq!(code(view.read_text("a").map(drop)), Some(ErrorCode::IsADirectory));
        assert_eq!(view.read_text("a/./b").unwrap(), "");
    }
}
