//! Files, read.

use std::hash::Hasher as _;
use std::io;
use std::path::Path;

use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _};
use dispatch_core::ErrorCode;
use dispatch_core::workspace::{ListedKind, WorkspaceError};
use rustix::buffer::spare_capacity;
use rustix::fs::{FileType, OFlags, Stat, fstat};
use rustix::io::{read as read_some, retry_on_intr};

use twox_hash::XxHash3_64;

use super::failure;
use super::listing::kind_of;
use super::state::State;

/// So many bytes are hashed at once: they stay in the processor's cache.
const HASHED_AT_ONCE: usize = 128 << 10;

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

/// Hashes the contents of an open file, without holding them: memory that is new to the process costs more than the reading.
pub(super) fn hash(file: &File, max_bytes: u64) -> Result<u64, WorkspaceError> {
    let (mut hasher, mut bytes) = (XxHash3_64::new(), 0);
    let mut buffer = vec![0; HASHED_AT_ONCE];
    loop {
        let read = retry_on_intr(|| read_some(file, buffer.as_mut_slice()))
            .map_err(|error| failure::reading(&error.into()))?;
        let part = buffer.get(..read).unwrap_or_default();
        bytes += length(part);
        within(bytes, max_bytes)?;
        if part.is_empty() {
            return Ok(hasher.finish());
        }
        hasher.write(part);
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
