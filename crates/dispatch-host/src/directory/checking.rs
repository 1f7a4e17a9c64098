//! What changes would be refused for, as far as it shows without an effect.
//!
//! It is asked in the order of [`commit`], so that of several reasons the same one is told: first where each file goes, then file by file. Left to the commit is
//! what nobody knows before: whether there is room, and what somebody else does meanwhile.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use cap_std::fs::Dir;
use dispatch_core::workspace::{ChangeSet, Version, WorkspaceError, WorkspacePath};
use rustix::fs::{Access, AtFlags, accessat, fstatvfs};
use rustix::io::Errno;

use super::options::DirectoryOptions;
use super::target::Target;
use super::{commit, failure, followed, place};

/// Looks whether changes can be made that are kept apart: they may stand under the letters of a path, in place of what they lead to.
pub(super) fn check(root: &Dir, options: &DirectoryOptions, changes: &ChangeSet) -> Result<(), WorkspaceError> {
    let followed = changes.in_order().map(|(path, _)| Ok(followed::follow(root, path.clone())?));
    check_at(root, options, changes, &followed.collect::<Result<Vec<_>, WorkspaceError>>()?)
}

/// Looks whether changes can be made at their places. What has become a link since is for the commit to find.
pub(super) fn check_places(root: &Dir, options: &DirectoryOptions, changes: &ChangeSet) -> Result<(), WorkspaceError> {
    let places: Vec<_> = changes.in_order().map(|(path, _)| path.clone()).collect();
    check_at(root, options, changes, &places)
}

fn check_at(
    root: &Dir,
    options: &DirectoryOptions,
    changes: &ChangeSet,
    places: &[WorkspacePath],
) -> Result<(), WorkspaceError> {
    let looked = places.iter().map(|path| look(root, place(path)));
    let looked: Vec<Looked> = looked.collect::<Result<_, _>>()?;
    commit::distinct(looked.iter().filter_map(Looked::target))?;
    let mut files = looked.iter().zip(changes.in_order());
    files.try_for_each(|(looked, (path, change))| {
        options.admit(change)?;
        looked.check(changes.based_on(path))
    })
}

/// Where a file would be written.
enum Looked {
    Target(Target),
    /// Parents of this name would have to be made, which can be.
    Missing(Dir, OsString),
}

fn look(root: &Dir, path: &Path) -> Result<Looked, WorkspaceError> {
    if let Some(target) = Target::find(root, path)? {
        return Ok(Looked::Target(target));
    }
    let (above, directory) = nearest(root, path).map_err(|error| failure::writing(&error))?;
    may_be_written_in(&directory)?;
    let mut missing = path.strip_prefix(above).unwrap_or(path).iter();
    let name = missing.next_back().unwrap_or_default();
    missing.try_for_each(|parent| fits(&directory, parent))?;
    Ok(Looked::Missing(directory, name.to_owned()))
}

/// The nearest directory above a path that there is, and its path.
fn nearest<'p>(root: &Dir, path: &'p Path) -> io::Result<(&'p Path, Dir)> {
    for above in path.ancestors().skip(1).filter(|above| *above != Path::new("")) {
        match root.open_dir(above) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return Ok((above, opened?)),
        }
    }
    Ok((Path::new(""), root.open_dir(".")?))
}

impl Looked {
    fn target(&self) -> Option<&Target> {
        match self {
            Self::Target(target) => Some(target),
            Self::Missing(..) => None,
        }
    }

    fn check(&self, read: Option<&Version>) -> Result<(), WorkspaceError> {
        match self {
            Self::Target(target) => {
                target.to_replace(read)?;
                may_be_written_in(&target.directory)
            }
            Self::Missing(above, name) => fits(above, name),
        }
    }
}

/// Whether files can be made in a directory, which is what it takes to replace one too.
fn may_be_written_in(directory: &Dir) -> Result<(), WorkspaceError> {
    let allowed = accessat(directory, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS);
    allowed.map_err(|error| failure::writing(&error.into()))
}

/// Whether a name is one that the file system of a directory holds.
fn fits(directory: &Dir, name: &OsStr) -> Result<(), WorkspaceError> {
    let longest = fstatvfs(directory).map_err(|error| failure::writing(&error.into()))?.f_namemax;
    let is_within = u64::try_from(name.len()).is_ok_and(|bytes| bytes <= longest);
    if is_within { Ok(()) } else { Err(failure::writing(&Errno::NAMETOOLONG.into())) }
}
