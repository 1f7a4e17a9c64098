//! The file of a session log, open to be appended to.
//!
//! **One writer at a time**, held by a lock that ends with the process, however it ends. **A line is there as a whole or not at all**: it is
//! written at once, and what stands of one that can't be is taken back. **Nothing is ever glued to a torn line, and no file that is no session log is
//! touched.**

mod error;
mod tail;

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

pub(crate) use error::{LogFileError, LogFileErrorKind};
use tail::{Ending, Tail};

use crate::files;

/// A session log that this process alone writes to.
pub(crate) struct LogFile {
    file: File,
    name: String,
    syncs: bool,
    /// How many bytes this process has left in it.
    length: u64,
}

/// A log that was opened, and what was found in it.
pub(crate) struct Opened {
    pub(crate) log: LogFile,
    /// The number of the last call in it, or 0.
    pub(crate) last_call: u64,
    /// What people should know of it, such as what was done to its last line.
    pub(crate) notes: Vec<String>,
}

impl LogFile {
    /// Opens a log, or makes one that its owner alone may read. A last line that was not written to its end is mended first.
    ///
    /// With `syncs`, a line that was appended is on the disk and not only with the operating system.
    ///
    /// # Errors
    ///
    /// When it can't be opened or mended, when it is no session log, or when another process writes to it.
    pub(crate) fn open(path: &Path, syncs: bool) -> Result<Opened, LogFileError> {
        let name = path.display().to_string();
        let unwritable = |source| LogFileError::new(&name, LogFileErrorKind::Unwritable(source));
        let file = open_or_create(path).map_err(|source| LogFileError::new(&name, unopened(path, source)))?;
        if syncs {
            sync_folder(path).map_err(unwritable)?;
        }
        let metadata = file.metadata().map_err(unwritable)?;
        let mended = lock(&file, &metadata)
            .and_then(|()| expect_at(&file, path))
            .and_then(|()| expect_no_stream(&file))
            .and_then(|()| mend(&file));
        let (last_call, repair) = mended.map_err(|kind| LogFileError::new(&name, kind))?;
        let length = file.metadata().map_err(unwritable)?.len();
        let notes = repair.into_iter().chain(open_to_others(&metadata)).map(|note| format!("{name}: {note}")).collect();
        Ok(Opened { log: Self { file, name, syncs, length }, last_call, notes })
    }

    /// Appends a line, given with the `\n` that ends it.
    ///
    /// # Errors
    ///
    /// When it can't be written. Nothing of it is then left, unless that fails too; the next one to open the log mends it. When the log was removed, or
    /// changed by somebody else: nothing that is written to it then would be found, or could be replayed.
    pub(crate) fn append(&mut self, line: &[u8]) -> Result<(), LogFileError> {
        let written = self.expect_as_left().and_then(|()| Ok(self.write(line)?));
        self.length += u64::try_from(line.len()).unwrap_or_default();
        written.map_err(|kind| LogFileError::new(&self.name, kind))
    }

    fn expect_as_left(&self) -> Result<(), LogFileErrorKind> {
        let metadata = self.file.metadata()?;
        if is_removed(&metadata) {
            return Err(LogFileErrorKind::Removed);
        }
        if metadata.len() == self.length { Ok(()) } else { Err(LogFileErrorKind::Changed) }
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let mut rest = line;
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(bytes) => rest = rest.get(bytes..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.take_back(line.len() - rest.len()).and(Err(error)),
            }
        }
        if !self.syncs {
            return Ok(());
        }
        self.file.sync_data().or_else(|error| self.take_back(line.len()).and(Err(error)))
    }

    fn take_back(&self, bytes: usize) -> io::Result<()> {
        let end = self.file.metadata()?.len();
        self.file.set_len(end.saturating_sub(u64::try_from(bytes).unwrap_or(end)))
    }
}

fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    match create(path, &mut options.clone()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => options.open(path),
        created => created,
    }
}

/// Why a log can't be opened. Of folders that are not there, the first is named.
fn unopened(path: &Path, source: io::Error) -> LogFileErrorKind {
    if source.kind() == io::ErrorKind::NotFound && path.is_symlink() {
        return LogFileErrorKind::DanglingLink;
    }
    let folders = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let missing = folders.take_while(|folder| !folder.exists()).last();
    match missing.filter(|_| source.kind() == io::ErrorKind::NotFound) {
        Some(folder) => LogFileErrorKind::NoFolder(folder.to_owned()),
        None => LogFileErrorKind::Unwritable(source),
    }
}

fn create(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.create_new(true);
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let file = options.mode(0o600).open(path)?;
        // A process's mask may have taken away even what its owner needs to write to it once more.
        file.set_permissions(Permissions::from_mode(0o600))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Without it, a crash of the machine could take a new log's name away, and all that stands under it.
fn sync_folder(log: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = log.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A log that was there keeps its mode, which somebody may have meant.
fn open_to_others(metadata: &Metadata) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = metadata.permissions().mode() & 0o777;
        let is_open = mode & 0o077 != 0;
        is_open.then(|| format!("others than its owner may open it: its mode is {mode:o}, not 600"))
    }
    #[cfg(not(unix))]
    None
}

fn lock(file: &File, metadata: &Metadata) -> Result<(), LogFileErrorKind> {
    if !metadata.is_file() {
        return Err(LogFileErrorKind::NoFile);
    }
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => LogFileErrorKind::InUse,
        TryLockError::Error(source) => LogFileErrorKind::Unwritable(source),
    })
}

/// Between opening and locking it, somebody may have put another in its place: what is written to this one would not be found.
fn expect_at(file: &File, path: &Path) -> Result<(), LogFileErrorKind> {
    if files::is_still_at(file, path)? { Ok(()) } else { Err(LogFileErrorKind::Removed) }
}

/// What is printed to a log would stand in it, or over it.
fn expect_no_stream(file: &File) -> Result<(), LogFileErrorKind> {
    files::stream_of(file).map_or(Ok(()), |stream| Err(LogFileErrorKind::IsStream(stream)))
}

/// Whether a file has no name any longer. Unix alone tells.
fn is_removed(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        metadata.nlink() == 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Mends the end of a log. Returns the number of its last call, and what was done.
fn mend(mut file: &File) -> Result<(u64, Option<String>), LogFileErrorKind> {
    let Tail { ending, last_call } = tail::read(file)?;
    let repair = match ending {
        Ending::Whole => None,
        Ending::Unended => {
            file.write_all(b"\n").map_err(LogFileErrorKind::Unwritable)?;
            Some("its last line was whole but not ended, and is now".to_owned())
        }
        Ending::Torn { from, bytes } => {
            file.set_len(from).map_err(LogFileErrorKind::Unwritable)?;
            Some(format!("its last line was not written to its end, and is cut off: {bytes} bytes"))
        }
    };
    Ok((last_call, repair))
}

#[cfg(test)]
mod tests;
