//! Changes, made as a whole.
//!
//! First everything is written beside where it belongs, then all is checked, and then it is put in place, file by file, in the order in which the call
//! wrote them: what it moved from one file to another is in one of them at every moment. The last step can't be made one for
//! several files: whoever looks in between sees some of them, and so does everybody after a crash. Should one fail where others were put in place, the
//! outcome is unknown.

use cap_std::fs::Dir;
use dispatch_core::ErrorCode;
use dispatch_core::workspace::{ChangeSet, WorkspaceError};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode, OFlags, fsync, openat};
use rustix::io::Errno;

use super::checking;
use super::created::Created;
use super::options::DirectoryOptions;
use super::replacement::Replacement;
use super::target::Target;
use super::turn::Turn;
use super::{failure, place, temporary};

/// Makes changes.
pub(super) fn commit(root: &Dir, options: &DirectoryOptions, changes: &ChangeSet) -> Result<(), WorkspaceError> {
    // What is known to fail leaves no trace, not even in the times of a directory.
    checking::check_places(root, options, changes)?;
    // In this order: when something fails, temporaries go before the directories that they lie in.
    let mut created = Created::new(root);
    let targets = targets(root, changes, &mut created)?;
    directories(&targets).for_each(temporary::sweep);
    let mut replacements = Vec::with_capacity(targets.len());
    for (target, (path, change)) in targets.iter().zip(changes.in_order()) {
        replacements.push(Replacement::write(target, change, changes.based_on(path), options)?);
    }
    let _turn = Turn::wait(directories(&targets))?;
    replacements.iter().try_for_each(Replacement::check)?;
    for (before, replacement) in replacements.iter_mut().enumerate() {
        replacement.put().map_err(|error| if before == 0 { error } else { unknown(&error) })?;
    }
    let parents = created.keep();
    if options.is_durable {
        directories(&targets).try_for_each(sync)?;
        let parents = parents.iter().filter_map(|parent| root.open_dir(parent).ok());
        parents.into_iter().try_for_each(|parent| sync(&parent))?;
    }
    Ok(())
}

fn targets(root: &Dir, changes: &ChangeSet, created: &mut Created<'_>) -> Result<Vec<Target>, WorkspaceError> {
    let targets = changes.in_order().map(|(path, _)| Target::make(root, place(path), created));
    let targets: Vec<Target> = targets.collect::<Result<_, _>>()?;
    distinct(targets.iter())?;
    Ok(targets)
}

/// Expects no two to be the same, as they are where a directory is mounted twice.
pub(super) fn distinct<'t>(targets: impl Iterator<Item = &'t Target>) -> Result<(), WorkspaceError> {
    let mut before: Vec<&Target> = Vec::new();
    for target in targets {
        if before.iter().any(|before| before.is(target)) {
            return Err(WorkspaceError::new(ErrorCode::Conflict, "two places of one call are the same file"));
        }
        before.push(target);
    }
    Ok(())
}

/// The directories in which targets lie, each once.
fn directories(targets: &[Target]) -> impl Iterator<Item = &Dir> {
    let is_first =
        |(index, target): &(usize, &Target)| !targets.iter().take(*index).any(|before| before.is_beside(target));
    targets.iter().enumerate().filter(is_first).map(|(_, target)| &target.directory)
}

/// Waits until what a directory's names lead to is on the disk.
fn sync(directory: &Dir) -> Result<(), WorkspaceError> {
    // One that may be written and not read can't be waited for, and neither can a directory of some file systems.
    let Ok(directory) = readable(directory) else { return Ok(()) };
    match fsync(&directory) {
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(unknown(&failure::writing(&error.into()))),
    }
}

/// What is known when changes were made and their end was not reached.
fn unknown(error: &WorkspaceError) -> WorkspaceError {
    WorkspaceError::new(ErrorCode::OutcomeUnknown, error.to_string())
}

/// Opens a directory, whose handle only leads on, so that it can be read.
pub(super) fn readable(directory: impl AsFd) -> rustix::io::Result<OwnedFd> {
    openat(directory, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}
