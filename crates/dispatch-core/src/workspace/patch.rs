//! One place in a file that is changed, and what stays around it.

use crate::code::ErrorCode;
use crate::workspace::WorkspaceError;

/// What becomes of a file in which one place changes. The rest of it stays as it is, and need not be held for that.
///
/// Places and lengths are in bytes. They are those of the state that the change is [based on](super::ChangeSet::based_on): a workspace that finds another one there
/// answers with [`ErrorCode::Conflict`].
///
/// ```
/// use std::io::{Cursor, Read as _};
/// use dispatch_core::workspace::{Change, ChangeSet, OpenFile, Version, Workspace, WorkspaceError, WorkspacePath};
/// use dispatch_core::{Gates, ToolCall, json::Document, tools};
/// # use dispatch_core::workspace::{Entry, Listed, Reading};
///
/// /// A workspace of one file, which a disk would hold.
/// struct OneFile(String);
///
/// struct Opened<'f>(Cursor<&'f str>);
///
/// impl OpenFile for Opened<'_> {
///     fn read(&mut self, buffer: &mut [u8]) -> Result<usize, WorkspaceError> {
///         Ok(self.0.read(buffer).unwrap_or_default())
///     }
///
///     fn version(&self) -> Version {
///         Version::default()
///     }
/// }
///
/// impl Workspace for OneFile {
///     fn open(&self, _: &WorkspacePath) -> Option<Box<dyn OpenFile + '_>> {
///         Some(Box::new(Opened(Cursor::new(&self.0))))
///     }
///
///     fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
///         for (_, change) in changes.in_order() {
///             self.0 = match change {
///                 Change::Text(text) => text.to_owned(),
///                 Change::Patch(patch) => {
///                     let (start, end) = (patch.start() as usize, patch.end() as usize);
///                     [&self.0[..start], patch.added(), &self.0[end..]].concat()
///                 }
///             };
///         }
///         Ok(())
///     }
///     // and the other methods
/// #   fn entry(&self, _: &WorkspacePath) -> Result<Entry, WorkspaceError> { Ok(Entry::File) }
/// #   fn read(&self, _: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> { panic!("the file is not held") }
/// #   fn list(&self, _: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> { Ok(Vec::new()) }
/// }
///
/// let args = br#"{"path": "a.txt", "old_str": "two", "new_str": "2"}"#;
/// let call = ToolCall::new("patch_file", Document::parse(args.to_vec())?);
/// let mut workspace = OneFile("one\ntwo\n".to_owned());
/// Gates::new(tools::core_registry()).admit(call)?.run(&mut workspace);
/// assert_eq!(workspace.0, "one\n2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    start: u64,
    removed: u64,
    added: String,
    length_before: u64,
}

impl Patch {
    /// Makes a patch of a file of so many bytes: where what goes begins, how long that is, and what comes in its place.
    pub(crate) fn new(start: u64, removed: u64, added: String, length_before: u64) -> Self {
        Self { start, removed, added, length_before }
    }

    /// Returns how many bytes stay before the place.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns how many bytes of the file come before those that stay behind the place.
    pub fn end(&self) -> u64 {
        self.start + self.removed
    }

    /// Returns what comes in place of what goes.
    pub fn added(&self) -> &str {
        &self.added
    }

    /// Returns how many bytes the file has before.
    pub fn length_before(&self) -> u64 {
        self.length_before
    }

    /// Returns how many bytes the file will have.
    pub fn length(&self) -> u64 {
        let added = u64::try_from(self.added.len()).unwrap_or(u64::MAX);
        (self.length_before - self.removed).saturating_add(added)
    }

    /// Makes the change to contents that are held.
    pub(in crate::workspace) fn apply(&self, contents: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        let places = (usize::try_from(self.start), usize::try_from(self.end()), usize::try_from(self.length_before));
        let (Ok(start), Ok(end), Ok(length)) = places else { return Err(changed()) };
        if contents.len() != length {
            return Err(changed());
        }
        contents.splice(start..end, self.added.bytes());
        Ok(())
    }
}

fn changed() -> WorkspaceError {
    WorkspaceError::new(ErrorCode::Conflict, "changed since it was searched")
}
