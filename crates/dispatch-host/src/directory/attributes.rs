//! What a file has beside its contents, and keeps when it is replaced.

use std::io;

use cap_std::fs::File;
use rustix::fs::{Gid, Mode, Stat, Uid, fchmod, fchown, fstat};

use super::extended;

/// Gives a file the owner, group, mode, rights and extended attributes of the one that it replaces. What can't be kept of them gives nobody a right that he
/// did not have. A file that can't be read is not asked for its extended attributes.
pub(super) fn keep(file: &File, replaced: Option<&File>, standing: &Stat) -> io::Result<()> {
    let mut mode = Mode::from_raw_mode(standing.st_mode);
    let owned = keep_owner(file, standing)?;
    if owned.st_uid != standing.st_uid {
        mode.remove(Mode::SUID);
    }
    if owned.st_gid != standing.st_gid {
        mode.remove(Mode::SGID);
    }
    let has_rights = extended::keep(file, replaced).is_ok();
    if owned.st_gid != standing.st_gid || !has_rights {
        // Another group, or one whose rights were cut down by what is lost: it gets what everybody has.
        let others = Mode::from_raw_mode((mode & Mode::RWXO).as_raw_mode() << 3);
        mode.remove(Mode::RWXG.difference(others));
    }
    Ok(fchmod(file, mode)?)
}

/// Gives a file away as far as that is allowed, and returns what came of it.
fn keep_owner(file: &File, standing: &Stat) -> io::Result<Stat> {
    let owned = fstat(file)?;
    if (owned.st_uid, owned.st_gid) == (standing.st_uid, standing.st_gid) {
        return Ok(owned);
    }
    let (user, group) = (Uid::from_raw(standing.st_uid), Gid::from_raw(standing.st_gid));
    // To another user only a privileged process may; to another group of its own any.
    let _ = fchown(file, Some(user), Some(group)).or_else(|_| fchown(file, None, Some(group)));
    Ok(fstat(file)?)
}
