//! What a call writes, gathered.

use std::collections::BTreeMap;

use super::{Version, WorkspacePath};

/// What a call writes, gathered. Made by a [`View`](super::View).
#[derive(Debug, Clone, Default)]
pub struct ChangeSet {
    pub(super) files: BTreeMap<WorkspacePath, String>,
    pub(super) bases: BTreeMap<WorkspacePath, Version>,
}

impl ChangeSet {
    /// Returns the files to be written with their new contents, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&WorkspacePath, &str)> {
        self.files.iter().map(|(path, content)| (path, content.as_str()))
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
