//! The states of a file, told apart.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dispatch_core::workspace::Version;
use rustix::fs::Stat;
use twox_hash::XxHash3_64;

/// How long a change can be followed by another that the file's times don't show: the coarsest clock of a file system that is in use ticks every two seconds.
const YOUTH: Duration = Duration::from_secs(2);

/// The state of a file, as far as it shows without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    shown: String,
    is_young: bool,
}

impl State {
    pub(super) fn of(stat: &Stat) -> Self {
        let Stat { st_dev, st_ino, st_size, .. } = stat;
        let (modified, changed) = ((stat.st_mtime, stat.st_mtime_nsec), (stat.st_ctime, stat.st_ctime_nsec));
        let shown = format!("{st_dev} {st_ino} {st_size} {}.{} {}.{}", modified.0, modified.1, changed.0, changed.1);
        Self { shown, is_young: is_young(stat.st_mtime.max(stat.st_ctime)) }
    }

    /// The version of a file that was in this state before it was read.
    ///
    /// One that changes later has another state, but for one that is so young that the change may not show. Then its contents are part of it.
    pub(super) fn version(&self, contents: &[u8]) -> Version {
        let hash = self.is_young.then(|| format!("#{:x}", XxHash3_64::oneshot(contents)));
        Version::new([&self.shown, hash.as_deref().unwrap_or_default()].concat().as_bytes())
    }

    /// Whether a file that is in this state now is still that of a version. The contents are asked for where only they can tell.
    pub(super) fn is_still<E>(
        &self,
        version: &Version,
        contents: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<bool, E> {
        let text = String::from_utf8_lossy(version.as_bytes());
        let (shown, hash) = text.split_once('#').map_or((&*text, None), |(shown, hash)| (shown, Some(hash)));
        match hash {
            _ if shown != self.shown => Ok(false),
            None => Ok(true),
            Some(hash) => Ok(format!("{:x}", XxHash3_64::oneshot(&contents()?)) == hash),
        }
    }
}

/// Whether a time is so near, or in the future, that it could be given again.
fn is_young(seconds: i64) -> bool {
    let time = UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    // The part of the second that is left out makes it older than it is.
    !SystemTime::now().duration_since(time).is_ok_and(|age| age >= YOUTH + Duration::from_secs(1))
}
