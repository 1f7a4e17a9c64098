//! A directory as the workspace.
//!
//! **Whatever is opened is opened from the directory's handle, and can't lie outside.** **A file is replaced as a whole, or not at all.** **What somebody
//! else changed is not overwritten unseen.** What this protects against, and what it does not, is in docs/security.md.

mod absolute;
mod attributes;
mod checking;
mod commit;
mod created;
#[cfg(target_os = "linux")]
mod extended;
#[cfg(not(target_os = "linux"))]
mod extended {
    //! Elsewhere they have other names and other rules, which nobody has looked at yet.

    use cap_std::fs::File;

    pub(super) fn keep(_: &File, _: Option<&File>) -> rustix::io::Result<()> {
        Ok(())
    }
}
mod failure;
mod followed;
mod listing;
mod options;
mod reading;
mod replacement;
mod state;
mod taking;
mod target;
mod temporary;
mod turn;

use std::fmt;
use std::path::Path;

use cap_std::fs::Dir;
use dispatch_core::workspace::{
    ChangeSet, Entry, Listed, OpenFile, OutsideWorkspace, Reading, Workspace, WorkspaceError, WorkspacePath,
};
use rustix::fs::OFlags;
use twox_hash::XxHash3_64;

pub use options::{DirectoryOptions, OpenDirectoryError};

use absolute::Roots;

/// The files of a directory, as they are.
///
/// It holds the open directory, not its path: where a directory of that name is put in its place, this one stays the workspace. What a call writes is
/// seen by everybody as soon as the call succeeded, whole, and outlives a crash of the machine.
///
/// A symbolic link is followed where it leads to a place inside, and stays a link when what it leads to is written: a path [resolves](Workspace::resolve) to
/// where its file really is, so that all paths of a file are one. A link that leads outside, that begins with `/` or that only leads to itself is
/// [`PathOutsideWorkspace`](dispatch_core::ErrorCode::PathOutsideWorkspace). An absolute path that lies inside names the same place as the relative one.
/// Names that begin as those of the temporaries that writing needs name no place.
///
/// ```
/// use dispatch_core::workspace::Workspace;
/// use dispatch_host::DirectoryWorkspace;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.txt"), "text")?;
/// let workspace = DirectoryWorkspace::open(folder.path())?;
/// assert_eq!(workspace.read_text(&workspace.resolve("a.txt")?)?, "text");
/// let absolute = folder.path().join("a.txt");
/// assert_eq!(workspace.resolve(absolute.to_str().unwrap())?, workspace.resolve("a.txt")?);
/// assert!(workspace.resolve("/etc/passwd").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DirectoryWorkspace {
    root: Dir,
    roots: Roots,
    options: DirectoryOptions,
}

impl DirectoryWorkspace {
    /// Opens a directory with the default [options](DirectoryOptions).
    ///
    /// # Errors
    ///
    /// [`OpenDirectoryError`] when there is none, or it can't be opened.
    ///
    /// ```
    /// use dispatch_host::DirectoryWorkspace;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert!(DirectoryWorkspace::open(folder.path()).is_ok());
    /// let missing = DirectoryWorkspace::open(folder.path().join("missing")).unwrap_err();
    /// assert!(missing.to_string().ends_with("missing can't be opened as a workspace"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, OpenDirectoryError> {
        DirectoryOptions::default().open(directory)
    }
}

/// What a path is called from the directory's handle.
fn place(path: &WorkspacePath) -> &Path {
    Path::new(if path.is_root() { "." } else { path.as_str() })
}

impl Workspace for DirectoryWorkspace {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        let path = followed::follow(&self.root, self.roots.resolve(path)?)?;
        if path.as_str().split('/').any(temporary::is_name) { Err(OutsideWorkspace) } else { Ok(path) }
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        let metadata = match self.root.metadata(place(path)) {
            Ok(metadata) => metadata,
            Err(error) => return failure::absent(&error).ok_or_else(|| failure::reading(&error)),
        };
        match metadata.file_type() {
            kind if kind.is_file() => Ok(Entry::File),
            kind if kind.is_dir() => Ok(Entry::Directory),
            _ => Err(failure::special()),
        }
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        let mut contents = Vec::new();
        let state = reading::read(&self.root, place(path), self.options.max_file_bytes, &mut contents)?;
        Ok(Reading { version: state.version(|| XxHash3_64::oneshot(&contents)), contents: contents.into() })
    }

    fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        reading::read(&self.root, place(path), self.options.max_file_bytes, buffer).map(drop)
    }

    fn open(&self, path: &WorkspacePath) -> Option<Box<dyn OpenFile + '_>> {
        // To open what is no file may have an effect of its own: a pipe's other end stops waiting.
        let _file = self.entry(path).ok().filter(|entry| *entry == Entry::File)?;
        let file = reading::open(&self.root, place(path), OFlags::empty()).ok()?;
        Some(Box::new(reading::Pieces::new(file, self.options.max_file_bytes, None).ok()?))
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        listing::list(&self.root, directory)
    }

    fn check(&self, changes: &ChangeSet) -> Result<(), WorkspaceError> {
        checking::check(&self.root, &self.options, changes)
    }

    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        reading::within(bytes, self.options.max_file_bytes)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        commit::commit(&self.root, &self.options, &changes)
    }
}

impl fmt::Debug for DirectoryWorkspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirectoryWorkspace").field("options", &self.options).finish_non_exhaustive()
    }
}
