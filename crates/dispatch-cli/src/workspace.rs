//! The workspace that the options name.

use std::path::Path;

use dispatch_core::protocol;
use dispatch_core::workspace::{MemoryWorkspace, Overlay, Workspace};
use dispatch_host::directory::DirectoryOptions;

use crate::args::{DirectoryArgs, ProviderArgs};
use crate::error::CliError;
use crate::files;
use crate::input::Input;

/// A session's workspace.
pub(crate) type SessionWorkspace = Box<dyn Workspace + Send>;

/// Opens the directory that is the workspace, if one is named.
///
/// # Errors
///
/// When it can't be opened.
pub(crate) fn directory(args: &DirectoryArgs) -> Result<Option<SessionWorkspace>, CliError> {
    let Some(root) = &args.root else { return Ok(None) };
    let options = DirectoryOptions::default();
    let options = args.max_file_bytes.map_or(options.clone(), |bytes| options.max_file_bytes(bytes));
    Ok(Some(Box::new(options.open(root).map_err(CliError::NoRoot)?)))
}

/// Opens the directory to replay on, if one is named: it stays as it is.
///
/// # Errors
///
/// When it can't be opened.
pub(crate) fn untouched(args: &DirectoryArgs) -> Result<Option<SessionWorkspace>, CliError> {
    let overlay = |workspace| Box::new(Overlay::new(workspace)) as SessionWorkspace;
    Ok(directory(args)?.map(overlay))
}

/// Opens the workspace that calls run on which are no requests: a directory, or a file that holds one.
///
/// # Errors
///
/// When it can't be read.
pub(crate) fn given(directory: &DirectoryArgs, args: &ProviderArgs) -> Result<SessionWorkspace, CliError> {
    match self::directory(directory)? {
        Some(workspace) => Ok(workspace),
        None => Ok(Box::new(read(args.workspace.as_deref())?)),
    }
}

/// Writes a workspace in memory to a file, if one is named.
///
/// # Errors
///
/// When it can't be written. The file is then as it was.
pub(crate) fn write_out(file: Option<&Path>, workspace: &dyn Workspace) -> Result<(), CliError> {
    workspace.as_memory().map_or(Ok(()), |memory| files::write_workspace(file, memory))
}

/// Reads the workspace that a file holds. Without a file it is empty.
///
/// # Errors
///
/// When the file can't be read, or holds none.
pub(crate) fn read(file: Option<&Path>) -> Result<MemoryWorkspace, CliError> {
    let Some(file) = file else { return Ok(MemoryWorkspace::default()) };
    let input = Input::open(file)?;
    let name = input.name().to_owned();
    protocol::read_workspace(input.read_all()?).map_err(|failure| CliError::BadWorkspace { name, failure })
}
