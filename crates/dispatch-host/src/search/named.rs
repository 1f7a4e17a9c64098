//! Paths, as they stand in a line.

use std::borrow::Cow;

use dispatch_core::workspace::WorkspacePath;

/// Returns a path as it is told: quoted, with escapes, where a character of it would end the line or steer a terminal. So no file's name passes for lines.
pub(crate) fn named(path: &WorkspacePath) -> Cow<'_, str> {
    let path = path.as_str();
    if path.chars().any(char::is_control) { Cow::Owned(format!("{path:?}")) } else { Cow::Borrowed(path) }
}
