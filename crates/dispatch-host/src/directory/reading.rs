//! Files, read.

use std::convert::Infallible;
use std::hash::Hasher;
use std::io;
use std::path::Path;

use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _};
use dispatch_core::ErrorCode;
use dispatch_core::workspace::{ListedKind, OpenFile, Version, WorkspaceError};
use rustix::buffer::spare_capacity;
use rustix::fs::{FileType, OFlags, Stat, fstat};
use rustix::io::{read as read_some, retry_on_intr};

use twox_hash::XxHash3_64;

use super::failure;
use super::listing::kind_of;
use super::state::State;

/// So many bytes are read at once of a file that is not held: they stay in the processor's cache.
const READ_AT_ONCE: usize = 128 << 10;

/// Reads a file, and returns the state that it was in before.
pub(super) fn read(root: &Dir, place: &Path, max_bytes: u64, buffer: &mut Vec<u8>) -> Result<State, WorkspaceError> {
    let file = open(root, place, OFlags::empty()).map_err(|error| failure::reading(&error))?;
    let stat = fstat(&file).map_err(|error| failure::reading(&error.into()))?;
    read_open(&file, &stat, max_bytes, buffer)?;
    Ok(State::of(&stat))
}

/// Opens what stands at a place for reading. It does not wait for whoever is to write into a pipe.
pub(super) fn open(root: &Dir, place: &Path, flags: OFlags) -> io::Result<File> {
    let flags = (flags | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.cast_signed());
    root.open_with(place, &options)
}

/// Reads an open file.
pub(super) fn read_open(file: &File, stat: &Stat, max_bytes: u64, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
    regular(stat)?;
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    within(size, max_bytes)?;
    buffer.clear();
    // One byte more than there should be, so that the end shows in the first read.
    reserve(buffer, usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1))?;
    loop {
        let read = retry_on_intr(|| read_some(file, spare_capacity(buffer)));
        let read = read.map_err(|error| failure::reading(&error.into()))?;
        within(length(buffer), max_bytes)?;
        let is_full = buffer.len() == buffer.capacity();
        // A file of the kernel's own says that it is empty, and is not.
        if read == 0 || (size > 0 && length(buffer) >= size && !is_full) {
            return Ok(());
        }
        if is_full {
            reserve(buffer, buffer.len())?;
        }
    }
}

/// A file that is open and read piece by piece, and hashed where its contents are to tell its state. It is not held: memory that is new to the process costs
/// more than the reading.
pub(super) struct Pieces {
    file: File,
    state: State,
    max_file_bytes: u64,
    bytes: u64,
    hasher: Option<XxHash3_64>,
}

impl Pieces {
    /// Takes an open file that nothing was read of, to find out which version it is of, or whether it is still of one.
    pub(super) fn new(file: File, max_file_bytes: u64, version: Option<&Version>) -> Result<Self, WorkspaceError> {
        let stat = fstat(&file).map_err(|error| failure::reading(&error.into()))?;
        regular(&stat)?;
        within(u64::try_from(stat.st_size).unwrap_or_default(), max_file_bytes)?;
        let state = State::of(&stat);
        let hasher = state.is_told_by_contents(version).then(XxHash3_64::new);
        Ok(Self { file, state, max_file_bytes, bytes: 0, hasher })
    }

    /// Reads on to the end, but no more than so many bytes, and shows them.
    pub(super) fn read_on(
        &mut self,
        most: u64,
        mut show: impl FnMut(&[u8]) -> Result<(), WorkspaceError>,
    ) -> Result<(), WorkspaceError> {
        let mut buffer = vec![0; READ_AT_ONCE];
        let end = self.bytes.saturating_add(most);
        while self.bytes < end {
            let wanted = usize::try_from(end - self.bytes).unwrap_or(usize::MAX).min(buffer.len());
            let read = self.read(buffer.get_mut(..wanted).unwrap_or_default())?;
            if read == 0 {
                break;
            }
            show(buffer.get(..read).unwrap_or_default())?;
        }
        Ok(())
    }

    /// The hash of what was read, where it was hashed.
    pub(super) fn hash(&self) -> u64 {
        self.hasher.as_ref().map_or(0, Hasher::finish)
    }

    /// Whether what was read, which should be so many bytes, is what a version is of.
    pub(super) fn is(&self, version: &Version, bytes: u64) -> bool {
        let hash = || Ok::<_, Infallible>(self.hash());
        self.bytes == bytes && self.state.is_still(version, hash) == Ok(true)
    }
}

impl OpenFile for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, WorkspaceError> {
        let read = retry_on_intr(|| read_some(&self.file, &mut *buffer));
        let read = read.map_err(|error| failure::reading(&error.into()))?;
        let part = buffer.get(..read).unwrap_or_default();
        self.bytes += length(part);
        within(self.bytes, self.max_file_bytes)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.write(part);
        }
        Ok(read)
    }

    fn version(&self) -> Version {
        self.state.version(|| self.hash())
    }
}

fn regular(stat: &Stat) -> Result<(), WorkspaceError> {
    match kind_of(FileType::from_raw_mode(stat.st_mode)) {
        ListedKind::File => Ok(()),
        ListedKind::Directory => Err(WorkspaceError::new(ErrorCode::IsADirectory, "a directory")),
        ListedKind::Link | ListedKind::Special | ListedKind::Unnamed => Err(failure::special()),
    }
}

/// Holds a length to the limit.
pub(super) fn within(bytes: u64, max_bytes: u64) -> Result<(), WorkspaceError> {
    if bytes <= max_bytes {
        return Ok(());
    }
    Err(WorkspaceError::new(ErrorCode::FileTooLarge, format!("more than {max_bytes} bytes")))
}

/// Makes room, where there is memory for it: how much is asked for is said by the file.
fn reserve(buffer: &mut Vec<u8>, bytes: usize) -> Result<(), WorkspaceError> {
    let reserved = buffer.try_reserve(bytes);
    reserved.map_err(|error| WorkspaceError::new(ErrorCode::FileTooLarge, error.to_string()))
}

fn length(buffer: &[u8]) -> u64 {
    u64::try_from(buffer.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use cap_std::ambient_authority;

    use super::*;

    /// Reads a file of just now, and says whether it is what was read before, when it held something else and had the same times.
    fn is_still(before: &[u8], now: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), now).unwrap();
        let root = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let open = || open(&root, Path::new("file"), OFlags::empty()).unwrap();
        let version = State::of(&fstat(open()).unwrap()).version(|| XxHash3_64::oneshot(before));
        let mut pieces = Pieces::new(open(), 100, Some(&version)).unwrap();
        pieces.read_on(2, |_| Ok(())).unwrap();
        assert!(!pieces.is(&version, 5), "not all was read");
        pieces.read_on(u64::MAX, |_| Ok(())).unwrap();
        pieces.is(&version, 5)
    }

    #[test]
    fn the_contents_of_a_file_of_just_now_are_looked_at_again() {
        assert!(is_still(b"01234", b"01234"));
        assert!(!is_still(b"01234", b"01x34"));
    }
}
