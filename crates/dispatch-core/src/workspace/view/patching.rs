//! Changes of one place in a file that the call does not hold.

use std::borrow::Cow;

use super::View;
use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::workspace::{OpenFile, Patch, Version, WorkspaceError};

impl View<'_> {
    /// Opens a file that the call did not change, for [`patch`](Self::patch). None where it can't be: it is then to be read whole.
    pub(crate) fn open(&self, path: &str) -> Option<Box<dyn OpenFile + '_>> {
        let path = self.resolve(path).ok()?;
        let is_read_whole = self.holds_files || self.changes.holds(&path);
        if is_read_whole { None } else { self.workspace.open(&path) }
    }

    /// Changes one place in a file that was opened and read to its end, and was then in some state.
    pub(crate) fn patch(&mut self, path: &str, version: &Version, change: Patch) -> Result<(), ToolFailure> {
        let path = self.resolve(path)?;
        self.note_read(&path, version);
        self.changes.patch(path, change);
        Ok(())
    }
}

/// What a text becomes.
pub(super) fn patched(text: Cow<'_, str>, change: &Patch) -> Result<Cow<'static, str>, WorkspaceError> {
    let mut contents = text.into_owned().into_bytes();
    change.apply(&mut contents)?;
    let text = String::from_utf8(contents);
    // The place lay between characters, of which another text has others.
    text.map(Cow::Owned).map_err(|error| WorkspaceError::new(ErrorCode::Conflict, error.to_string()))
}
