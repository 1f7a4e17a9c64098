//! Directories, listed.

use std::ffi::CStr;

use cap_std::fs::Dir;
use dispatch_core::workspace::{Listed, ListedKind, WorkspaceError, WorkspacePath};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Dir as Entries, DirEntry, FileType, OFlags, statat};
use rustix::io::Result;

use super::{failure, place, reading, temporary};

/// Lists what lies in a directory, but for temporaries.
pub(super) fn list(root: &Dir, directory: &WorkspacePath) -> std::result::Result<Vec<Listed>, WorkspaceError> {
    let directory_itself = match reading::open(root, place(directory), OFlags::DIRECTORY) {
        Ok(opened) => opened,
        Err(error) if failure::absent(&error).is_some() => return Ok(Vec::new()),
        Err(error) => return Err(failure::reading(&error)),
    };
    let mut listed = entries(directory_itself.into_std().into()).map_err(|error| failure::reading(&error.into()))?;
    if directory.is_root() {
        let can_be_named = |listed: &Listed| WorkspacePath::resolve(&listed.name).is_ok();
        let all = listed.into_iter();
        let shown = all.filter_map(|it| if can_be_named(&it) { Some(it) } else { unnamed(&it.name, it.kind) });
        listed = shown.collect();
    }
    Listed::sort(&mut listed);
    Ok(listed)
}

fn entries(directory: OwnedFd) -> Result<Vec<Listed>> {
    let mut entries = Entries::new(directory)?;
    let mut listed = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if is_left_out(name) {
            continue;
        }
        let Some(kind) = kind(entries.fd()?, &entry)? else { continue };
        listed.extend(match name.to_str() {
            Ok(name) => Some(Listed { name: name.to_owned(), kind }),
            Err(_not_utf_8) => unnamed(&name.to_string_lossy(), kind),
        });
    }
    Ok(listed)
}

/// Whether an entry is of no account: what each directory has, and temporaries.
fn is_left_out(name: &CStr) -> bool {
    [&b"."[..], b".."].contains(&name.to_bytes()) || name.to_str().is_ok_and(temporary::is_name)
}

/// What is listed of something that no path can name. Nobody misses links and the like.
fn unnamed(name: &str, kind: ListedKind) -> Option<Listed> {
    let is_missed = matches!(kind, ListedKind::File | ListedKind::Directory | ListedKind::Unnamed);
    is_missed.then(|| Listed { name: name.to_owned(), kind: ListedKind::Unnamed })
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
