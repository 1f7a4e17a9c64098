//! Temporaries: what becomes a file once it is whole.
//!
//! They have the names and the locks of those of a directory that is the workspace: a process that was killed leaves one without a lock, and whoever
//! writes next beside it removes it.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::is_still_at;

const PREFIX: &str = ".dispatch-";
const SUFFIX: &str = ".tmp";

/// How often another name is tried.
const ATTEMPTS: usize = 16;

/// Makes one beside a file, with the mode that it is to have, or that of any new file. Errors name no temporary, which nobody has asked for.
pub(super) fn beside(target: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.map_or_else(|| PathBuf::from("."), Path::to_owned);
    sweep(&directory);
    let options = options(mode.is_none());
    for _ in 0..ATTEMPTS {
        let path = directory.join(format!("{PREFIX}{:016x}{SUFFIX}", RandomState::new().hash_one(())));
        let file = match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        let temporary = NamedTempFile::from_parts(file, TempPath::try_from_path(&path)?);
        if is_locked(temporary.as_file(), &path) {
            mode.map_or(Ok(()), |mode| temporary.as_file().set_permissions(mode))?;
            return Ok(temporary);
        }
    }
    Err(io::Error::other("no temporary could be kept from being removed"))
}

fn options(is_for_all: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // What is left of it is for the process's mask to say.
        options.mode(if is_for_all { 0o666 } else { 0o600 });
    }
    options
}

/// Locks it. Before, somebody else could have taken it for a leftover.
fn is_locked(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => false,
        // Where nothing can be locked, nothing is taken for a leftover either.
        Ok(()) | Err(TryLockError::Error(_)) => is_still_at(file, path).unwrap_or(false),
    }
}

/// Removes the temporaries that nobody works on. That one can't be removed is no trouble for who writes beside it.
fn sweep(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_name)) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let _ = if is_file { remove_leftover(&entry.path()) } else { Ok(()) };
    }
}

fn is_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == 16 && random.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn remove_leftover(path: &Path) -> io::Result<()> {
    // It may have the mode of a file already that can be written and not read.
    let file = File::open(path).or_else(|_| OpenOptions::new().write(true).open(path))?;
    file.try_lock()?;
    // Whoever worked on it may just have given it its place.
    if is_still_at(&file, path)? { fs::remove_file(path) } else { Ok(()) }
}
