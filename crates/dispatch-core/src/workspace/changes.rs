//! What a call writes, gathered.

use std::collections::BTreeMap;

use super::{Patch, Version, WorkspacePath};

/// What a call writes, gathered. Made by a [`View`](super::View).
///
/// A workspace that [opens files](super::Workspace::open) finds what becomes of each in [`in_order`](Self::in_order): a text, or a [`Patch`]. All others are
/// given texts alone, which [`files`](Self::files) and [`into_iter`](Self::into_iter) have.
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    pub(super) files: BTreeMap<WorkspacePath, String>,
    /// A path stands here or among the files.
    pub(super) patches: BTreeMap<WorkspacePath, Patch>,
    pub(super) bases: BTreeMap<WorkspacePath, Version>,
    /// How many writes there had been when each file was last written.
    pub(super) writes_before: BTreeMap<WorkspacePath, usize>,
    pub(super) writes: usize,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'c> {
    /// It holds this text, whatever it held before.
    Text(&'c str),
    /// One place in it changes.
    Patch(&'c Patch),
}

impl Change<'_> {
    /// Returns how many bytes the file will have.
    pub fn length(self) -> u64 {
        match self {
            Self::Text(text) => u64::try_from(text.len()).unwrap_or(u64::MAX),
            Self::Patch(patch) => patch.length(),
        }
    }
}

impl ChangeSet {
    /// Returns the files to be written whole with their new contents, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&WorkspacePath, &str)> {
        self.files.iter().map(|(path, content)| (path, content.as_str()))
    }

    /// Returns what becomes of each file, in the order in which the call wrote them, each where it was written last.
    ///
    /// A workspace that can't put them in place at once does so in this order: a call that moves a text to another file writes it there before it takes it
    /// from where it was, and so it stands in one of the two at every moment.
    ///
    /// ```
    /// use dispatch_core::ToolFailure;
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     for path in ["a", "c", "b", "a"] {
    ///         view.write(path, String::new())?;
    ///     }
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let (_, changes) = admitted.preview(&MemoryWorkspace::default());
    /// let paths: Vec<_> = changes.in_order().map(|(path, _)| path.as_str()).collect();
    /// assert_eq!(paths, ["c", "b", "a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_order(&self) -> impl Iterator<Item = (&WorkspacePath, Change<'_>)> {
        let texts = self.files.iter().map(|(path, text)| (path, Change::Text(text)));
        let patches = self.patches.iter().map(|(path, patch)| (path, Change::Patch(patch)));
        let mut changes: Vec<_> = texts.chain(patches).collect();
        changes.sort_by_key(|(path, _)| self.writes_before.get(path));
        changes.into_iter()
    }

    /// Sets the contents of a file.
    pub(super) fn write(&mut self, path: WorkspacePath, content: String) {
        self.count(&path);
        self.patches.remove(&path);
        self.files.insert(path, content);
    }

    /// Changes one place in a file that the call did not change before.
    pub(super) fn patch(&mut self, path: WorkspacePath, change: Patch) {
        self.count(&path);
        self.patches.insert(path, change);
    }

    fn count(&mut self, path: &WorkspacePath) {
        self.writes_before.insert(path.clone(), self.writes);
        self.writes += 1;
    }

    /// Whether a file is to be written.
    pub(super) fn holds(&self, path: &WorkspacePath) -> bool {
        self.files.contains_key(path) || self.patches.contains_key(path)
    }

    /// Returns the state in which the call first read a file: what it writes there was made from that. None where the call did not read the file.
    pub fn based_on(&self, path: &WorkspacePath) -> Option<&Version> {
        self.bases.get(path)
    }

    /// Returns whether nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.patches.is_empty()
    }
}

impl IntoIterator for ChangeSet {
    type Item = (WorkspacePath, String);
    type IntoIter = std::collections::btree_map::IntoIter<WorkspacePath, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.into_iter()
    }
}
