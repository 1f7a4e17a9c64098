//! Where a file is written: the directory that it lies in, and its name there.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, File};
use dispatch_core::ErrorCode;
use dispatch_core::workspace::{ListedKind, Version, WorkspaceError};
use rustix::fs::{Access, AtFlags, FileType, OFlags, Stat, accessat, fstat, statat};
use rustix::io::Errno;

use super::created::Created;
use super::failure;
use super::listing::kind_of;
use super::reading;
use super::taking;

/// The place at which a file is written. No link leads on from here: one that stands here has taken the place since the path was resolved.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) directory: Dir,
    pub(super) name: PathBuf,
    pub(super) directory_stat: Stat,
}

impl Target {
    /// Finds the place of a path, unless the directory that it lies in is not there.
    pub(super) fn find(root: &Dir, path: &Path) -> Result<Option<Self>, WorkspaceError> {
        match root.open_dir(parent(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Self::within(opened, path).map(Some),
        }
    }

    /// Finds the place of a path, its parents created where they are not there.
    pub(super) fn make(root: &Dir, path: &Path, created: &mut Created<'_>) -> Result<Self, WorkspaceError> {
        match Self::find(root, path)? {
            Some(target) => Ok(target),
            None => Self::within(created.create(parent(path)).and_then(|()| root.open_dir(parent(path))), path),
        }
    }

    fn within(directory: io::Result<Dir>, path: &Path) -> Result<Self, WorkspaceError> {
        let name = path.file_name();
        let name = name.ok_or_else(|| WorkspaceError::new(ErrorCode::IsADirectory, "a path that ends in no name"))?;
        let directory = directory.map_err(|error| failure::writing(&error))?;
        let directory_stat = fstat(&directory).map_err(|error| failure::writing(&error.into()))?;
        Ok(Self { directory, name: name.into(), directory_stat })
    }

    /// Whether another is the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.is_beside(other)
    }

    /// Whether another lies in the same directory.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let identity = |target: &Self| (target.directory_stat.st_dev, target.directory_stat.st_ino);
        identity(self) == identity(other)
    }

    /// The file that stands there now, if there is one. Where a file was read, in some version, anything else has taken its place.
    pub(super) fn standing(&self, read: Option<&Version>) -> Result<Option<Stat>, WorkspaceError> {
        let stat = match statat(&self.directory, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(failure::writing(&error.into())),
        };
        match kind_of(FileType::from_raw_mode(stat.st_mode)) {
            ListedKind::File => Ok(Some(stat)),
            _ if read.is_some() => {
                Err(WorkspaceError::new(ErrorCode::Conflict, "something else took the file's place"))
            }
            ListedKind::Directory => Err(failure::writing(&Errno::ISDIR.into())),
            ListedKind::Link => Err(WorkspaceError::new(ErrorCode::Conflict, "a link took the file's place")),
            ListedKind::Special | ListedKind::Unnamed => Err(failure::special()),
        }
    }

    /// Opens the file that stands there.
    pub(super) fn open(&self) -> io::Result<File> {
        reading::open(&self.directory, &self.name, OFlags::NOFOLLOW)
    }

    /// The file that is to be replaced, if there is one, held to its own mode: to replace it only takes the right to write in its directory. What would show in
    /// the renaming alone is looked for here, before anything is written that then could not be taken away again.
    pub(super) fn to_replace(&self, read: Option<&Version>) -> Result<Option<Stat>, WorkspaceError> {
        let standing = self.standing(read)?;
        if standing.is_some() {
            let allowed = accessat(&self.directory, &self.name, Access::WRITE_OK, AtFlags::EACCESS);
            allowed.map_err(|error| failure::writing(&error.into()))?;
        }
        taking::expect_allowed(self, standing.as_ref())?;
        Ok(standing)
    }
}

/// The path of the directory in which a path lies.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}
