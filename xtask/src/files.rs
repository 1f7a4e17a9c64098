//! Reading and writing the repository's files, with their paths in the errors.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

/// Reads a file as text; one that is missing is `None`.
///
/// # Errors
///
/// The file can't be read, or is no UTF-8.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Reads a file that must be there as text.
///
/// # Errors
///
/// The file is missing, can't be read, or is no UTF-8.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Writes a file, and the folders above it that are missing.
///
/// # Errors
///
/// The file or a folder can't be written.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// Removes a file.
///
/// # Errors
///
/// The file is missing or can't be removed.
pub(crate) fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).with_context(|| path.display().to_string())
}
