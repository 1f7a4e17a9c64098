//! A file's new contents, ready to take its place.

use std::io::{self, Write as _};

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Version, WorkspaceError};
use rustix::fs::Stat;

use super::attributes;
use super::failure;
use super::options::DirectoryOptions;
use super::reading;
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
        content: &str,
        base: Option<&'t Version>,
        options: &DirectoryOptions,
    ) -> Result<Self, WorkspaceError> {
        options.admit(content)?;
        let standing = target.to_replace()?;
        let temporary = written(target, standing.as_ref(), content, options.is_durable);
        let temporary = temporary.map_err(|error| failure::writing(&error))?;
        Ok(Self { target, temporary, base, max_file_bytes: options.max_file_bytes })
    }

    /// Makes sure that the file is still the one that this was made from.
    pub(super) fn check(&self) -> Result<(), WorkspaceError> {
        let standing = self.target.standing()?;
        let Some(base) = self.base else { return Ok(()) };
        let is_still = match &standing {
            Some(stat) => State::of(stat).is_still(base, || self.hash())?,
            None => false,
        };
        // To look at its contents takes a while, in which it may have changed.
        let shown = |stat: Option<Stat>| stat.map(|stat| State::of(&stat).into_shown());
        if is_still && shown(self.target.standing()?) == shown(standing) {
            Ok(())
        } else {
            Err(WorkspaceError::new(ErrorCode::Conflict, "changed since it was read"))
        }
    }

    /// The hash of what stands there now.
    fn hash(&self) -> Result<u64, WorkspaceError> {
        let file = self.target.open().map_err(|error| failure::reading(&error))?;
        reading::hash(&file, self.max_file_bytes)
    }

    /// Puts it in its place.
    pub(super) fn put(&mut self) -> Result<(), WorkspaceError> {
        self.temporary.rename(&self.target.name).map_err(|error| failure::writing(&error))
    }
}

fn written<'t>(
    target: &'t Target,
    standing: Option<&Stat>,
    content: &str,
    is_durable: bool,
) -> io::Result<Temporary<'t>> {
    // What replaces a file may be read by nobody before it has the rights of that one.
    let mode = if standing.is_some() { 0o600 } else { 0o666 };
    let mut temporary = Temporary::new(&target.directory, mode)?;
    temporary.file.write_all(content.as_bytes())?;
    if let Some(standing) = standing {
        attributes::keep(&temporary.file, target.open().ok().as_ref(), standing)?;
    }
    if is_durable {
        temporary.file.sync_all()?;
    }
    Ok(temporary)
}
