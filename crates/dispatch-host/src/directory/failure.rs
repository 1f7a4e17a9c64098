//! What the operating system says, as codes. Its text is for the operator alone.

use std::io::{Error, ErrorKind};

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Entry, WorkspaceError};
use rustix::io::Errno;

/// What stands at a place that can't be opened, where that answers it.
pub(super) fn absent(error: &Error) -> Option<Entry> {
    match Errno::from_io_error(error)? {
        // At a name that is too long nothing stands; that nothing can is said by whoever tries.
        Errno::NOENT | Errno::NAMETOOLONG => Some(Entry::Absent),
        Errno::NOTDIR => Some(Entry::BelowFile),
        _ => None,
    }
}

/// The failure of looking or reading.
pub(super) fn reading(error: &Error) -> WorkspaceError {
    let code = if absent(error).is_some() { ErrorCode::FileNotFound } else { code(error) };
    WorkspaceError::new(code, error.to_string())
}

/// The failure of writing.
pub(super) fn writing(error: &Error) -> WorkspaceError {
    WorkspaceError::new(code(error), error.to_string())
}

/// What is neither file nor directory.
pub(super) fn special() -> WorkspaceError {
    WorkspaceError::new(ErrorCode::IoError, "neither a file nor a directory")
}

fn code(error: &Error) -> ErrorCode {
    let Some(errno) = Errno::from_io_error(error) else {
        // How a path that leads outside is told, which the operating system knows no error for.
        let is_escape = error.kind() == ErrorKind::PermissionDenied;
        return if is_escape { ErrorCode::PathOutsideWorkspace } else { ErrorCode::IoError };
    };
    match errno {
        Errno::LOOP | Errno::XDEV => ErrorCode::PathOutsideWorkspace,
        Errno::NOENT => ErrorCode::FileNotFound,
        Errno::NOTDIR => ErrorCode::NotADirectory,
        Errno::ISDIR => ErrorCode::IsADirectory,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => ErrorCode::PermissionDenied,
        Errno::NOSPC | Errno::DQUOT | Errno::FBIG => ErrorCode::NoSpace,
        _ => ErrorCode::IoError,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_of_the_operating_system_has_its_code() {
        for (errno, expected) in [
            (Errno::NOENT, ["file_not_found"; 2]),
            (Errno::NOTDIR, ["file_not_found", "not_a_directory"]),
            (Errno::NAMETOOLONG, ["file_not_found", "io_error"]),
            (Errno::LOOP, ["path_outside_workspace"; 2]),
            (Errno::XDEV, ["path_outside_workspace"; 2]),
            (Errno::ISDIR, ["is_a_directory"; 2]),
            (Errno::ACCESS, ["permission_denied"; 2]),
            (Errno::PERM, ["permission_denied"; 2]),
            (Errno::ROFS, ["permission_denied"; 2]),
            (Errno::NOSPC, ["no_space"; 2]),
            (Errno::DQUOT, ["no_space"; 2]),
            (Errno::FBIG, ["no_space"; 2]),
            (Errno::IO, ["io_error"; 2]),
            (Errno::MFILE, ["io_error"; 2]),
        ] {
            let error = Error::from(errno);
            assert_eq!([reading(&error), writing(&error)].map(|error| error.code().as_str()), expected, "{errno}");
        }
    }

    #[test]
    fn what_is_no_error_of_the_operating_system_is_an_escape_or_unknown() {
        let told = |kind| reading(&Error::new(kind, "told")).code();
        assert_eq!(told(ErrorKind::PermissionDenied), ErrorCode::PathOutsideWorkspace);
        assert_eq!(told(ErrorKind::Other), ErrorCode::IoError);
    }
}
