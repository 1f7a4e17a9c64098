//! A workspace in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use super::{ChangeSet, Entry, OutsideWorkspace, Visitor, Workspace, WorkspaceError, WorkspacePath};
use crate::code::ErrorCode;
use crate::json::Fragment;

/// Files in memory, under the keys they were given.
///
/// A key that stands here letter by letter is found first, whatever it looks like: a file that came as `../a` can be read as `../a`.
///
/// ```
/// use dispatch_core::workspace::{Entry, MemoryWorkspace, Workspace};
///
/// let workspace = MemoryWorkspace::from_iter([("src/main.rs", "fn main() {}\n")]);
/// let path = workspace.resolve("./src//main.rs")?;
/// assert_eq!(workspace.read_text(&path)?, "fn main() {}\n");
/// assert_eq!(workspace.entry(&workspace.resolve("src")?)?, Entry::Directory);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
        self.keys_from(&format!("{directory}/")).next().is_some()
    }

    /// The keys that begin with a text, sorted.
    fn keys_from(&self, prefix: &str) -> impl Iterator<Item = &str> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        let keys = self.files.range::<str, _>(from).map(|(key, _)| key.as_str());
        keys.take_while(move |key| key.starts_with(prefix))
    }
}

impl MemoryWorkspace {
    /// Whether a directory that a path leads through is a file's key.
    ///
    /// The greatest key that is not behind the path's longest ancestor shares its beginning with every ancestor that is a key. So all that it does
    /// not share is passed over at once: a model's path can lead through any number of directories.
    fn leads_through_a_file(&self, path: &str) -> bool {
        let mut end = path.len();
        while let Some(ancestor) = path.get(..end).and_then(|path| path.rfind('/')).and_then(|slash| path.get(..slash))
        {
            let not_behind = (Bound::Unbounded, Bound::Included(ancestor));
            match self.files.range::<str, _>(not_behind).next_back() {
                None => return false,
                Some((key, _)) if key == ancestor => return true,
                Some((key, _)) => end = path.floor_char_boundary(shared_bytes(key, ancestor) + 1),
            }
        }
        false
    }
}

fn shared_bytes(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
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
        } else if self.leads_through_a_file(path.as_str()) {
            Entry::BelowFile
        } else {
            Entry::Absent
        })
    }

    fn read_text(&self, path: &WorkspacePath) -> Result<Cow<'_, str>, WorkspaceError> {
        let content = self.files.get(path.as_str()).filter(|_| !path.is_root());
        content.map(Content::text).ok_or_else(|| WorkspaceError::new(ErrorCode::FileNotFound, "no such key"))
    }

    fn walk(&self, directory: &WorkspacePath, visitor: Visitor<'_>) -> Result<(), WorkspaceError> {
        let prefix = if directory.is_root() { String::new() } else { format!("{directory}/") };
        let _ = self.keys_from(&prefix).try_for_each(|key| visitor(&WorkspacePath::exact(key)));
        Ok(())
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
