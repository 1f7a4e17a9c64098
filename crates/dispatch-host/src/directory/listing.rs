//! Directories, listed.

use std::ffi::CStr;

use cap_std::fs::Dir;
use dispatch_core::workspace::{Listed, ListedKind, WorkspaceError, WorkspacePath};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Dir as Entries, DirEntry, FileType, OFlags, statat};
use rustix::io::Result;

use super::{failure, place, reading, temporary};

/// Lists what lies in a directory: what a path can name, and no temporaries.
pub(super) fn list(root: &Dir, directory: &WorkspacePath) -> std::result::Result<Vec<Listed>, WorkspaceError> {
    let directory_itself = match reading::open(root, place(directory), OFlags::DIRECTORY) {
        Ok(opened) => opened,
        Err(error) if failure::absent(&error).is_some() => return Ok(Vec::new()),
        Err(error) => return Err(failure::reading(&error)),
    };
    let mut listed = entries(directory_itself.into_std().into()).map_err(|error| failure::reading(&error.into()))?;
    if directory.is_root() {
        listed.retain(|listed| WorkspacePath::resolve(&listed.name).is_ok());
    }
    Listed::sort(&mut listed);
    Ok(listed)
}

fn entries(directory: OwnedFd) -> Result<Vec<Listed>> {
    let mut entries = Entries::new(directory)?;
    let mut listed = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let Some(name) = shown_name(entry.file_name()) else { continue };
        if let Some(kind) = kind(entries.fd()?, &entry)? {
            listed.push(Listed { name: name.to_owned(), kind });
        }
    }
    Ok(listed)
}

/// The name under which an entry is listed, if it is. One that is not UTF-8 can't be said.
fn shown_name(name: &CStr) -> Option<&str> {
    let name = name.to_str().ok()?;
    (name != "." && name != ".." && !temporary::is_name(name)).then_some(name)
}

/// What an entry is, or nothing where it is gone.
fn kind(directory: BorrowedFd<'_>, entry: &DirEntry) -> Result<Option<ListedKind>> {
    let mut file_type = entry.file_type();
    if file_type == FileType::Unknown {
        match statat(directory, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => file_type = FileType::from_raw_mode(stat.st_mode),
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(kind_of(file_type)))
}

/// What a thing of a type is.
pub(super) fn kind_of(file_type: FileType) -> ListedKind {
    if file_type.is_file() {
        ListedKind::File
    } else if file_type.is_dir() {
        ListedKind::Directory
    } else if file_type.is_symlink() {
        ListedKind::Link
    } else {
        ListedKind::Special
    }
}
