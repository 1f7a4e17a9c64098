//! What a call writes, gathered.

use std::collections::BTreeMap;

use super::{Version, WorkspacePath};

/// What a call writes, gathered. Made by a [`View`](super::View).
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    pub(super) files: BTreeMap<WorkspacePath, String>,
    pub(super) bases: BTreeMap<WorkspacePath, Version>,
    /// How many writes there had been when each file was last written.
    pub(super) writes_before: BTreeMap<WorkspacePath, usize>,
    pub(super) writes: usize,
}

impl ChangeSet {
    /// Returns the files to be written with their new contents, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&WorkspacePath, &str)> {
        self.files.iter().map(|(path, content)| (path, content.as_str()))
    }

    /// Returns the files to be written in the order in which the call wrote them, each where it was written last.
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
    pub fn in_order(&self) -> impl Iterator<Item = (&WorkspacePath, &str)> {
        let mut files: Vec<_> = self.files().collect();
        files.sort_by_key(|(path, _)| self.writes_before.get(path));
        files.into_iter()
    }

    /// Sets the contents of a file.
    pub(super) fn write(&mut self, path: WorkspacePath, content: String) {
        self.writes_before.insert(path.clone(), self.writes);
        self.writes += 1;
        self.files.insert(path, content);
    }

    /// Returns the state in which the call first read a file: what it writes there was made from that. None where the call did not read the file.
    pub fn based_on(&self, path: &WorkspacePath) -> Option<&Version> {
        self.bases.get(path)
    }

    /// Returns whether nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl IntoIterator for ChangeSet {
    type Item = (WorkspacePath, String);
    type IntoIter = std::collections::btree_map::IntoIter<WorkspacePath, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.files.into_iter()
    }
}
