//! Whose turn it is to change what lies in directories.
//!
//! Between the last look at a file and its replacement another program of ours could replace it as well, and one of the two changes would be lost though
//! both calls were told that they are done. So each waits for its turn. Others don't look at the lock: for them the time between is kept short.

use std::collections::BTreeMap;

use cap_std::fs::Dir;
use dispatch_core::workspace::WorkspaceError;
use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, flock, fstat};
use rustix::io::{Errno, retry_on_intr};

use super::{commit, failure};

/// The turn to change what lies in some directories. It ends when this is dropped, or the process does.
pub(super) struct Turn {
    _locked: Vec<OwnedFd>,
}

impl Turn {
    /// Waits for it. Everybody takes the directories in the same order, so that no two wait for each other.
    pub(super) fn wait<'d>(directories: impl Iterator<Item = &'d Dir>) -> Result<Self, WorkspaceError> {
        let failed = |error: Errno| failure::writing(&error.into());
        let mut ordered = BTreeMap::new();
        // One that may be written and not read can't be locked.
        for directory in directories.filter_map(|directory| commit::readable(directory).ok()) {
            let stat = fstat(&directory).map_err(failed)?;
            ordered.insert((stat.st_dev, stat.st_ino), directory);
        }
        for directory in ordered.values() {
            match retry_on_intr(|| flock(directory, FlockOperation::LockExclusive)) {
                // Some file systems have no locks: there it goes on without.
                Ok(()) | Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK | Errno::INVAL | Errno::BADF) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(Self { _locked: ordered.into_values().collect() })
    }
}
