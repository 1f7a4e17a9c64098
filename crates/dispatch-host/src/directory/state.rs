//! The states of a file, told apart.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dispatch_core::workspace::Version;
use rustix::fs::Stat;

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

    /// What tells the state without the contents.
    pub(super) fn into_shown(self) -> String {
        self.shown
    }

    /// Whether the contents of a file in this state tell its version, or whether it is still of one.
    pub(super) fn is_told_by_contents(&self, version: Option<&Version>) -> bool {
        version.map_or(self.is_young, |version| version.as_bytes().contains(&b'#'))
    }

    /// The version of a file that was in this state before it was read.
    ///
    /// One that changes later has another state, but for one that is so young that the change may not show. Then its contents are part of it.
    pub(super) fn version(&self, hash: impl FnOnce() -> u64) -> Version {
        let hash = self.is_young.then(|| format!("#{:x}", hash()));
        Version::new([&self.shown, hash.as_deref().unwrap_or_default()].concat().as_bytes())
    }

    /// Whether a file that is in this state now is still that of a version. The hash of its contents is asked for where only they can tell.
    pub(super) fn is_still<E>(&self, version: &Version, hash_now: impl FnOnce() -> Result<u64, E>) -> Result<bool, E> {
        let text = String::from_utf8_lossy(version.as_bytes());
        let (shown, hash) = text.split_once('#').map_or((&*text, None), |(shown, hash)| (shown, Some(hash)));
        match hash {
            _ if shown != self.shown => Ok(false),
            None => Ok(true),
            Some(hash) => Ok(format!("{:x}", hash_now()?) == hash),
        }
    }
}

/// Whether a time is so near, or in the future, that it could be given again.
fn is_young(seconds: i64) -> bool {
    let time = UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    // The part of the second that is left out makes it older than it is.
    !SystemTime::now().duration_since(time).is_ok_and(|age| age >= YOUTH + Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, statat};
    use twox_hash::XxHash3_64;

    use super::*;

    fn now() -> i64 {
        i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
    }

    /// A file that was last changed at a time, and once more without any time that shows it: whether that is seen.
    fn check(changed: i64, sees_contents: bool) {
        let mut stat = statat(CWD, ".", rustix::fs::AtFlags::empty()).unwrap();
        (stat.st_mtime, stat.st_ctime) = (changed, changed);
        let state = State::of(&stat);
        let version = state.version(|| XxHash3_64::oneshot(b"before"));
        let is_still =
            |contents: &[u8]| state.is_still(&version, || Ok::<_, ()>(XxHash3_64::oneshot(contents))).unwrap();
        assert!(is_still(b"before"));
        assert_eq!(is_still(b"after!"), !sees_contents);
        stat.st_ctime_nsec += 1;
        assert_eq!(State::of(&stat).is_still(&version, || Err("not asked for")), Ok(false));
    }

    #[test]
    fn the_contents_tell_where_times_may_not() {
        check(now(), true);
        check(now() - 1, true);
        // A clock that is ahead of ours.
        check(now() + 1000, true);
        check(now() - 4, false);
        check(-1, false);
    }

    #[test]
    fn each_part_of_a_state_tells_it_from_others() {
        let stat = statat(CWD, ".", rustix::fs::AtFlags::empty()).unwrap();
        let each_part: [fn(&mut Stat); 7] = [
            |stat| stat.st_dev += 1,
            |stat| stat.st_ino += 1,
            |stat| stat.st_size += 1,
            |stat| stat.st_mtime += 1,
            |stat| stat.st_mtime_nsec += 1,
            |stat| stat.st_ctime += 1,
            |stat| stat.st_ctime_nsec += 1,
        ];
        for change in each_part {
            let mut changed = stat;
            change(&mut changed);
            assert_ne!(State::of(&stat).shown, State::of(&changed).shown);
        }
    }
}
