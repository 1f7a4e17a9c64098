//! A workspace in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use super::{ChangeSet, Entry, OutsideWorkspace, Workspace, WorkspaceError, WorkspacePath};
use crate::code::ErrorCode;
use crate::json::Fragment;

/// Files in memory, under the keys they were given.
///
/// A key that stands here letter by letter is found first, whatever it looks like: a file that came as `../a` can be read as `../a`.
///
/// ```
/// use dispatch_core::workspace::{MemoryWorkspace, View};
///
/// let workspace = MemoryWorkspace::from_iter([("src/main.rs", "fn main() {}\n")]);
/// let view = View::new(&workspace);
/// assert_eq!(view.read_text("./src/main.rs")?, "fn main() {}\n");
/// assert!(view.read_text("src").is_err());
/// # Ok::<(), dispatch_core::ToolFailure>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryWorkspace {
    files: BTreeMap<String, Content>,
}

/// The contents of a file. That some are still JSON text is known here and to the protocol that writes them out again, and to no tool.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(String),
    /// A JSON string as it was written, decoded when somebody reads the file.
    AsWritten(Fragment),
}

impl MemoryWorkspace {
    /// Takes files whose contents are JSON strings in a text that was checked. The last of several with one key stays.
    pub(crate) fn from_json(files: impl IntoIterator<Item = (String, Fragment)>) -> Self {
        let files = files.into_iter().map(|(key, content)| (key, Content::AsWritten(content)));
        Self { files: files.collect() }
    }

    /// Returns the files with their contents, sorted by the code points of their keys.
    pub(crate) fn contents(&self) -> impl Iterator<Item = (&str, &Content)> {
        self.files.iter().map(|(key, content)| (key.as_str(), content))
    }

    /// Returns the files, sorted by the code points of their keys.
    pub fn files(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.contents().map(|(key, content)| (key, content.text()))
    }

    fn has_files_below(&self, directory: &str) -> bool {
        let below = format!("{directory}/");
        let from = (Bound::Included(below.as_str()), Bound::Unbounded);
        self.files.range::<str, _>(from).next().is_some_and(|(key, _)| key.starts_with(&below))
    }
}

impl Content {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::AsWritten(fragment) => fragment.node().as_str().unwrap_or_default(),
        }
    }
}

impl Workspace for MemoryWorkspace {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        if self.files.contains_key(path) {
            return Ok(WorkspacePath::exact(path));
        }
        WorkspacePath::resolve(path)
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        Ok(if path.is_root() {
            Entry::Directory
        } else if self.files.contains_key(path.as_str()) {
            Entry::File
        } else if self.has_files_below(path.as_str()) {
            Entry::Directory
        } else if path.ancestors().any(|ancestor| self.files.contains_key(ancestor)) {
            Entry::BelowFile
        } else {
            Entry::Absent
        })
    }

    fn read_text(&self, path: &WorkspacePath) -> Result<Cow<'_, str>, WorkspaceError> {
        let content = self.files.get(path.as_str()).filter(|_| !path.is_root());
        content.map(Content::text).ok_or_else(|| WorkspaceError::new(ErrorCode::FileNotFound, "no such key"))
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        let written = changes.into_iter().map(|(path, content)| (path.as_str().to_owned(), Content::Text(content)));
        self.files.extend(written);
        Ok(())
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for MemoryWorkspace {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(files: I) -> Self {
        let files = files.into_iter().map(|(key, text)| (key.into(), Content::Text(text.into())));
        Self { files: files.collect() }
    }
}
