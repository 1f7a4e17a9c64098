//! Temporaries: what becomes a file once it is whole.
//!
//! One is locked for as long as somebody works on it. The lock is the operating system's, so that a process that was killed leaves a temporary, but no
//! lock on it; whoever writes next to it removes it.

use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::Path;

use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _};
use rustix::fd::AsFd;
use rustix::fs::{
    AtFlags, Dir as Entries, FileType, FlockOperation, Mode, OFlags, flock, fstat, openat, statat, unlinkat,
};

use super::commit::readable;

const PREFIX: &str = ".dispatch-";
const SUFFIX: &str = ".tmp";

/// How often another name is tried.
const ATTEMPTS: usize = 16;

/// Whether a name is that of a temporary.
pub(super) fn is_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == 16 && random.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// A file beside the one that it is to replace. Dropped before that, it is removed.
#[derive(Debug)]
pub(super) struct Temporary<'d> {
    directory: &'d Dir,
    name: String,
    /// Open, and so locked.
    pub(super) file: File,
    is_kept: bool,
}

impl<'d> Temporary<'d> {
    /// Makes one, with a mode from which the process's mask takes away.
    pub(super) fn new(directory: &'d Dir, mode: u32) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode);
        for _ in 0..ATTEMPTS {
            let name = format!("{PREFIX}{:016x}{SUFFIX}", RandomState::new().hash_one(()));
            let file = match directory.open_with(&name, &options) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let temporary = Self { directory, name, file, is_kept: false };
            if temporary.is_locked() {
                return Ok(temporary);
            }
        }
        Err(io::Error::other("no temporary could be kept from being removed"))
    }

    /// Locks it. Before, somebody else could have taken it for a leftover.
    fn is_locked(&self) -> bool {
        match flock(&self.file, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => false,
            // Where nothing can be locked, nothing is taken for a leftover either.
            Ok(()) | Err(_) => is_at(self.directory, &self.name, &self.file),
        }
    }

    /// Gives it its place.
    pub(super) fn rename(&mut self, name: &Path) -> io::Result<()> {
        self.directory.rename(&self.name, self.directory, name)?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // What can't be removed is a leftover.
            let _ = self.directory.remove_file(&self.name);
        }
    }
}

/// Removes the temporaries that nobody works on. That one can't be removed is no trouble for who writes beside it.
pub(super) fn sweep(directory: &Dir) {
    let Ok(entries) = readable(directory).and_then(Entries::new) else { return };
    for entry in entries.flatten() {
        if let Some(name) = entry.file_name().to_str().ok().filter(|name| is_name(name)) {
            let _ = remove_leftover(directory, name);
        }
    }
}

fn remove_leftover(directory: &Dir, name: &str) -> rustix::io::Result<()> {
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        // Whatever has this name is none of ours.
        return Ok(());
    }
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = |access| openat(directory, name, flags | access, Mode::empty());
    // It may have the mode of a file already that can be written and not read.
    let file = open(OFlags::RDONLY).or_else(|_| open(OFlags::WRONLY))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    // Whoever worked on it may just have given it its place.
    if is_at(directory, name, &file) { unlinkat(directory, name, AtFlags::empty()) } else { Ok(()) }
}

/// Whether a file is what stands under a name.
fn is_at(directory: impl AsFd, name: &str, file: impl AsFd) -> bool {
    let (Ok(named), Ok(file)) = (statat(directory, name, AtFlags::SYMLINK_NOFOLLOW), fstat(file)) else { return false };
    (named.st_dev, named.st_ino) == (file.st_dev, file.st_ino)
}
