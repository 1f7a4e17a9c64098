//! A workspace in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use super::{
    ChangeSet, Entry, Listed, ListedKind, OutsideWorkspace, Reading, Workspace, WorkspaceError, WorkspacePath,
};
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

    /// Puts a file in, or another text into it.
    pub(crate) fn insert(&mut self, path: &str, text: &str) {
        self.files.insert(path.to_owned(), Content::Text(text.to_owned()));
    }

    /// Puts a file in, or another text into it, and gives what it held before; none where there was none.
    pub(crate) fn replace(&mut self, path: &WorkspacePath, text: String) -> Option<Content> {
        let content = Content::Text(text);
        // Most files that are written are there, and then need no second key.
        match self.files.get_mut(path.as_str()) {
            Some(known) => Some(std::mem::replace(known, content)),
            None => self.files.insert(path.as_str().to_owned(), content),
        }
    }

    /// Takes a file out.
    pub(crate) fn remove(&mut self, path: &str) {
        self.files.remove(path);
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
        let prefix = format!("{directory}/");
        self.first_key_from(&prefix).is_some_and(|key| key.starts_with(&prefix))
    }

    /// The least key that is not before a text.
    fn first_key_from(&self, from: &str) -> Option<&str> {
        let from = (Bound::Included(from), Bound::Unbounded);
        self.files.range::<str, _>(from).map(|(key, _)| key.as_str()).next()
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

/// What the first key behind all those of an entry has at least behind the entry's name.
fn behind(kind: ListedKind) -> &'static str {
    // `0` is what comes after `/`.
    if kind == ListedKind::Directory { "0" } else { "\0" }
}

fn shared_bytes(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

impl Content {
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::AsWritten(_) => self.text().into_owned(),
        }
    }

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

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        let content = self.files.get(path.as_str()).filter(|_| !path.is_root());
        let text = content.map(Content::text);
        text.map(Reading::of_text).ok_or_else(|| WorkspaceError::new(ErrorCode::FileNotFound, "no such key"))
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        let prefix = if directory.is_root() { String::new() } else { format!("{directory}/") };
        let mut listed = Vec::new();
        let mut from = prefix.clone();
        while let Some(rest) = self.first_key_from(&from).and_then(|key| key.strip_prefix(&prefix)) {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, ListedKind::Directory),
                None => (rest, ListedKind::File),
            };
            listed.push(Listed { name: name.to_owned(), kind });
            from = [&prefix, name, behind(kind)].concat();
        }
        Ok(listed)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        changes.into_iter().for_each(|(path, text)| drop(self.replace(&path, text)));
        Ok(())
    }

    fn as_memory(&self) -> Option<&MemoryWorkspace> {
        Some(self)
    }

    fn as_memory_mut(&mut self) -> Option<&mut MemoryWorkspace> {
        Some(self)
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for MemoryWorkspace {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(files: I) -> Self {
        let files = files.into_iter().map(|(key, text)| (key.into(), Content::Text(text.into())));
        Self { files: files.collect() }
    }
}
