//! How a directory becomes a workspace.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use dispatch_core::workspace::{Change, WorkspaceError};

use super::absolute::Roots;
use super::{DirectoryWorkspace, reading};

/// How a directory is to serve as a workspace.
///
/// ```
/// use dispatch_core::ErrorCode;
/// use dispatch_core::workspace::Workspace;
/// use dispatch_host::directory::DirectoryOptions;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.txt"), "text")?;
/// let workspace = DirectoryOptions::default().max_file_bytes(3).open(folder.path())?;
/// let read = workspace.read(&workspace.resolve("a.txt")?);
/// assert_eq!(read.unwrap_err().code(), ErrorCode::FileTooLarge);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DirectoryOptions {
    pub(super) max_file_bytes: u64,
    pub(super) is_durable: bool,
}

impl Default for DirectoryOptions {
    fn default() -> Self {
        Self { max_file_bytes: 64 << 20, is_durable: true }
    }
}

impl DirectoryOptions {
    /// Sets the length in bytes of the largest file that is read or written: 64 MiB unless it is set. A larger one is
    /// [`FileTooLarge`](dispatch_core::ErrorCode::FileTooLarge).
    #[must_use]
    pub fn max_file_bytes(self, max_file_bytes: u64) -> Self {
        Self { max_file_bytes, ..self }
    }

    /// Sets whether a call that wrote waits until that is on the disk. It does unless it is told not to, for a benchmark or a directory that nobody
    /// will miss. A file is whole at every moment either way, as long as the machine does not crash.
    #[must_use]
    pub fn durable(self, is_durable: bool) -> Self {
        Self { is_durable, ..self }
    }

    /// Holds what is to be written to the limit.
    pub(super) fn admit(&self, change: Change<'_>) -> Result<(), WorkspaceError> {
        reading::within(change.length(), self.max_file_bytes)
    }

    /// Opens a directory. This is the one place at which the path of a directory gives access to it.
    ///
    /// # Errors
    ///
    /// [`OpenDirectoryError`] when there is none, or it can't be opened.
    pub fn open(self, directory: impl AsRef<Path>) -> Result<DirectoryWorkspace, OpenDirectoryError> {
        let directory = directory.as_ref();
        let failed = |source| OpenDirectoryError { directory: directory.to_owned(), source };
        let root = Dir::open_ambient_dir(directory, ambient_authority()).map_err(failed)?;
        let roots = Roots::of(directory).map_err(failed)?;
        Ok(DirectoryWorkspace { root, roots, options: self })
    }
}

/// A directory that can't be opened. For the operator: its text holds a path, and its source is the operating system's.
#[derive(Debug, thiserror::Error)]
#[error("{} can't be opened as a workspace", directory.display())]
pub struct OpenDirectoryError {
    directory: PathBuf,
    source: io::Error,
}
