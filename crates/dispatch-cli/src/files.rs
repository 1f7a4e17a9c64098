//! Writing files as a whole.

mod temporary;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::Path;

use dispatch_core::protocol;
use dispatch_core::workspace::MemoryWorkspace;

use crate::error::CliError;

/// Writes a file as a whole or not at all: into a temporary one beside it, which then takes its place.
///
/// A symbolic link stays one, and the file that it leads to is written. A file that is there keeps its mode; a new one has that of any new file.
/// What is no file, such as a pipe, can't be written as a whole, and is written as it comes.
///
/// # Errors
///
/// When it can't be written. The file is then as it was.
pub(crate) fn write_whole(file: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    write_whole_with(file, None, write)
}

/// Writes a file as [`write_whole`] does. A new one has the mode of another: what was for its owner alone stays so.
///
/// # Errors
///
/// When it can't be written. The file is then as it was.
pub(crate) fn write_whole_like(
    model: &Path,
    file: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    write_whole_with(file, Some(fs::metadata(model)?.permissions()), write)
}

/// Writes a workspace to a file, if one is named, as [`write_whole`] does.
///
/// # Errors
///
/// When it can't be written. The file is then as it was.
pub(crate) fn write_workspace(file: Option<&Path>, workspace: &MemoryWorkspace) -> Result<(), CliError> {
    let Some(file) = file else { return Ok(()) };
    write_whole(file, |mut out| protocol::write_workspace(workspace, &mut out))
        .map_err(|source| CliError::UnwritableFile { name: file.display().to_string(), source })
}

/// Returns whether a path still leads to a file that was opened by it, and that is not another by now. Unix alone tells.
///
/// # Errors
///
/// When it can't be found out.
pub(crate) fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            there => Ok(place(&there?) == place(&file.metadata()?)),
        }
    }
    #[cfg(not(unix))]
    Ok(true)
}

/// What tells a file from every other.
#[cfg(unix)]
fn place(metadata: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// Returns which standard stream of this process a file is. Unix alone tells.
pub(crate) fn stream_of(file: &File) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::fd::{AsFd as _, BorrowedFd};
        let found = place(&file.metadata().ok()?);
        let is_same = |stream: BorrowedFd<'_>| {
            let behind = stream.try_clone_to_owned().and_then(|stream| File::from(stream).metadata());
            behind.is_ok_and(|behind| place(&behind) == found)
        };
        let streams = [
            ("standard input", is_same(io::stdin().as_fd())),
            ("standard output", is_same(io::stdout().as_fd())),
            ("standard error", is_same(io::stderr().as_fd())),
        ];
        streams.into_iter().find_map(|(name, is_same)| is_same.then_some(name))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}

fn write_whole_with(
    file: &Path,
    new: Option<Permissions>,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    if file == Path::new("-") {
        return Err(io::Error::new(ErrorKind::InvalidInput, "`-` is no file; `./-` would be"));
    }
    let there = match fs::metadata(file) {
        Ok(there) if there.is_file() && is_open_already(file) => {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "a file that something else writes to can't be replaced",
            ));
        }
        Ok(there) if !there.is_file() => return write_in_place(&OpenOptions::new().write(true).open(file)?, write),
        Ok(there) => Some(there.permissions()),
        Err(error) if file.is_symlink() => return Err(error),
        Err(_absent) => None,
    };
    let target = if there.is_some() { fs::canonicalize(file)? } else { file.to_owned() };
    let temporary = temporary::beside(&target, there.or(new))?;
    write_in_place(temporary.as_file(), write)?;
    temporary.as_file().sync_all()?;
    temporary.persist(target)?;
    Ok(())
}

/// Whether a path names what this or another process has open, such as `/dev/stdout`.
fn is_open_already(file: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|directory| file.starts_with(directory))
}

fn write_in_place(file: &File, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn names(directory: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_link_leads_where_it_led() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "before").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        write_whole(&link, |out| out.write_all(b"after")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        assert_eq!(names(directory.path()), ["file", "link"]);
    }

    #[test]
    fn what_fails_leaves_the_file_as_it_was_and_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let (file, dangling) = (directory.path().join("file"), directory.path().join("dangling"));
        fs::write(&file, "before").unwrap();
        symlink("nowhere", &dangling).unwrap();
        let fail = |out: &mut dyn io::Write| out.write_all(b"half").and(Err(io::Error::other("the rest is lost")));
        assert!(write_whole(&file, fail).is_err());
        assert!(write_whole(&dangling, |out| out.write_all(b"after")).is_err());
        assert!(write_whole(directory.path(), |out| out.write_all(b"after")).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "before");
        assert_eq!(names(directory.path()), ["dangling", "file"]);
    }

    #[test]
    fn what_was_left_behind_is_removed_unless_somebody_works_on_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let (left, held, other) =
            (".dispatch-0123456789abcdef.tmp", ".dispatch-0123456789abcdff.tmp", ".dispatch-Arusbs");
        for name in [left, held, other] {
            fs::write(path(name), "half").unwrap();
        }
        let lock = File::open(path(held)).unwrap();
        lock.lock().unwrap();
        write_whole(&path("file"), |out| {
            assert_eq!(names(directory.path()).len(), 3);
            out.write_all(b"whole")
        })
        .unwrap();
        assert_eq!(names(directory.path()), [held, other, "file"]);
    }

    #[test]
    fn an_error_names_no_temporary() {
        let directory = tempfile::tempdir().unwrap();
        let error = write_whole(&directory.path().join("gone/file"), |out| out.write_all(b"whole")).unwrap_err();
        assert_eq!(error.to_string(), io::Error::from_raw_os_error(2).to_string());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_open_already_is_not_replaced() {
        use std::os::fd::AsRawFd as _;

        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        let open = File::create(&file).unwrap();
        let descriptor = format!("/proc/self/fd/{}", open.as_raw_fd());
        assert!(write_whole(Path::new(&descriptor), |out| out.write_all(b"after")).is_err());
        assert!(write_whole(Path::new("-"), |out| out.write_all(b"after")).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "");
    }

    #[test]
    fn another_file_in_its_place_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other, link) =
            (directory.path().join("file"), directory.path().join("other"), directory.path().join("link"));
        let file = File::create(&path).unwrap();
        symlink("file", &link).unwrap();
        assert!(is_still_at(&file, &path).unwrap() && is_still_at(&file, &link).unwrap());
        fs::rename(&path, &other).unwrap();
        assert!(!is_still_at(&file, &path).unwrap());
        fs::write(&path, "").unwrap();
        assert!(!is_still_at(&file, &link).unwrap());
        assert!(is_still_at(&file, &other).unwrap());
    }

    #[test]
    fn a_device_stays_one() {
        write_whole(Path::new("/dev/null"), |out| out.write_all(b"after")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
