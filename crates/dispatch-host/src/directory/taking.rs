//! Whether what stands in a directory may be taken away, which the right to write there does not say. A file that is replaced goes, and so does a temporary
//! that gets its place.

use dispatch_core::workspace::WorkspaceError;
use rustix::fd::AsFd;
use rustix::fs::{Mode, Stat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::failure;
use super::target::Target;

/// Expects that a file may get its place, and that the one that stands there may go.
pub(super) fn expect_allowed(target: &Target, standing: Option<&Stat>) -> Result<(), WorkspaceError> {
    let is_held = is_fixed(&target.directory, "".as_ref())
        || standing.is_some_and(|file| {
            is_another_s(&target.directory_stat, file) || is_fixed(&target.directory, &target.name)
        });
    if is_held { Err(failure::writing(&Errno::PERM.into())) } else { Ok(()) }
}

/// Whether a file lies in a directory where each may only take away what is his own, and is another's.
fn is_another_s(directory: &Stat, file: &Stat) -> bool {
    let own = geteuid().as_raw();
    Mode::from_raw_mode(directory.st_mode).contains(Mode::SVTX)
        && ![directory.st_uid, file.st_uid].contains(&own)
        && !may_act_as_owner()
}

#[cfg(target_os = "linux")]
fn may_act_as_owner() -> bool {
    use rustix::thread::{CapabilitySet, capabilities};

    capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::FOWNER))
}

#[cfg(not(target_os = "linux"))]
fn may_act_as_owner() -> bool {
    geteuid().is_root()
}

/// Whether what stands under a name can't be changed, or can only be added to. Without a name it is the directory itself.
#[cfg(target_os = "linux")]
fn is_fixed(directory: impl AsFd, name: &std::path::Path) -> bool {
    use rustix::fs::{AtFlags, StatxAttributes, StatxFlags, statx};

    let stat = statx(directory, name, AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH, StatxFlags::TYPE);
    let fixed = StatxAttributes::IMMUTABLE | StatxAttributes::APPEND;
    // What can't be asked is left to the renaming to find out.
    stat.is_ok_and(|stat| stat.stx_attributes.intersects(fixed))
}

#[cfg(not(target_os = "linux"))]
fn is_fixed(_: impl AsFd, _: &std::path::Path) -> bool {
    false
}
