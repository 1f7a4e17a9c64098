//! A file's new contents, ready to take its place.

use std::io::{self, Write as _};

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Change, Patch, Version, WorkspaceError};
use rustix::fs::{FallocateFlags, Stat, fallocate};

use super::attributes;
use super::failure;
use super::options::DirectoryOptions;
use super::reading::Pieces;
use super::state::State;
use super::target::Target;
use super::temporary::Temporary;

/// What is to stand at a place, written beside it.
#[derive(Debug)]
pub(super) struct Replacement<'t> {
    target: &'t Target,
    temporary: Temporary<'t>,
    base: Option<&'t Version>,
    max_file_bytes: u64,
}

impl<'t> Replacement<'t> {
    /// Writes it, with everything that can fail for want of room or rights.
    pub(super) fn write(
        target: &'t Target,
        change: Change<'_>,
        base: Option<&'t Version>,
        options: &DirectoryOptions,
    ) -> Result<Self, WorkspaceError> {
        options.admit(change)?;
        let standing = target.to_replace(base)?;
        // What replaces a file may be read by nobody before it has the rights of that one.
        let mode = if standing.is_some() { 0o600 } else { 0o666 };
        let temporary = Temporary::new(&target.directory, mode).map_err(|error| failure::writing(&error))?;
        let replacement = Self { target, temporary, base, max_file_bytes: options.max_file_bytes };
        replacement.fill(change, options)?;
        replacement.finish(standing.as_ref(), options.is_durable).map_err(|error| failure::writing(&error))?;
        Ok(replacement)
    }

    fn fill(&self, change: Change<'_>, options: &DirectoryOptions) -> Result<(), WorkspaceError> {
        if !options.is_durable {
            self.take_room(change.length());
        }
        match change {
            Change::Text(text) => self.append(text.as_bytes()),
            // Whatever it is that came of another file than was searched, that it is another one is what there is to tell.
            Change::Patch(patch) => self.copy(patch).map_err(|error| self.check().err().unwrap_or(error)),
        }
    }

    /// Where a file that is renamed over another has no place on the disk yet, ext4 begins to write it at once, for the sake of those that did not wait for the disk.
    /// Here nobody is to wait for it. Where room can't be taken before, writing finds out why.
    fn take_room(&self, bytes: u64) {
        if bytes > 0 {
            let _ = fallocate(&self.temporary.file, FallocateFlags::empty(), 0, bytes);
        }
    }

    fn append(&self, bytes: &[u8]) -> Result<(), WorkspaceError> {
        let mut file = &self.temporary.file;
        file.write_all(bytes).map_err(|error| failure::writing(&error))
    }

    /// Copies the file that stands there, with one place changed. It must be as it was when that place was found.
    fn copy(&self, patch: &Patch) -> Result<(), WorkspaceError> {
        let mut standing = self.standing()?;
        standing.read_on(patch.start(), |part| self.append(part))?;
        standing.read_on(patch.end() - patch.start(), |_removed| Ok(()))?;
        self.append(patch.added().as_bytes())?;
        standing.read_on(u64::MAX, |part| self.append(part))?;
        let is_still = self.base.is_some_and(|base| standing.is(base, patch.length_before()));
        if is_still { Ok(()) } else { Err(changed()) }
    }

    fn finish(&self, standing: Option<&Stat>, is_durable: bool) -> io::Result<()> {
        if let Some(standing) = standing {
            attributes::keep(&self.temporary.file, self.target.open().ok().as_ref(), standing)?;
        }
        if is_durable { self.temporary.file.sync_all() } else { Ok(()) }
    }

    /// Makes sure that the file is still the one that this was made from.
    pub(super) fn check(&self) -> Result<(), WorkspaceError> {
        let standing = self.target.standing(self.base)?;
        let Some(base) = self.base else { return Ok(()) };
        let is_still = match &standing {
            Some(stat) => State::of(stat).is_still(base, || self.hash())?,
            None => false,
        };
        // To look at its contents takes a while, in which it may have changed.
        let shown = |stat: Option<Stat>| stat.map(|stat| State::of(&stat).into_shown());
        if is_still && shown(self.target.standing(self.base)?) == shown(standing) { Ok(()) } else { Err(changed()) }
    }

    /// The hash of what stands there now.
    fn hash(&self) -> Result<u64, WorkspaceError> {
        let mut standing = self.standing()?;
        standing.read_on(u64::MAX, |_| Ok(()))?;
        Ok(standing.hash())
    }

    /// Opens what stands there now.
    fn standing(&self) -> Result<Pieces, WorkspaceError> {
        let file = self.target.open().map_err(|error| failure::reading(&error))?;
        Pieces::new(file, self.max_file_bytes, self.base)
    }

    /// Puts it in its place.
    pub(super) fn put(&mut self) -> Result<(), WorkspaceError> {
        self.temporary.rename(&self.target.name).map_err(|error| failure::writing(&error))
    }
}

fn changed() -> WorkspaceError {
    WorkspaceError::new(ErrorCode::Conflict, "changed since it was read")
}
