//! Paths inside a workspace, and how a model's text becomes one.

use std::fmt;

use super::{Listed, ListedKind};

/// A place in a workspace. It can't lie outside: a workspace in memory has keys that look as if they did, but they are names and lead nowhere.
///
/// Made by [`resolve`](Self::resolve), from the letters of a text alone: no link is followed, no file looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspacePath(Place);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    Root,
    Below(String),
}

/// A path that leads out of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the path leads out of the workspace")]
pub struct OutsideWorkspace;

impl WorkspacePath {
    /// Resolves a relative path with `/` between its parts.
    ///
    /// Empty parts and `.` are dropped, a trailing slash too, and `..` takes back the part before it. A `\` is a letter like others.
    ///
    /// # Errors
    ///
    /// [`OutsideWorkspace`] for a leading `/`, a NUL, a `..` with nothing before it and, after resolving, a first part that is `~` or
    /// begins with an ASCII letter and a colon.
    ///
    /// ```
    /// use dispatch_core::workspace::{OutsideWorkspace, WorkspacePath};
    ///
    /// assert_eq!(WorkspacePath::resolve("./src//a/../lib.rs")?.as_str(), "src/lib.rs");
    /// assert!(WorkspacePath::resolve("src/..")?.is_root());
    /// assert_eq!(WorkspacePath::resolve("src/../../etc"), Err(OutsideWorkspace));
    /// # Ok::<(), OutsideWorkspace>(())
    /// ```
    pub fn resolve(path: &str) -> Result<Self, OutsideWorkspace> {
        if path.starts_with('/') || path.contains('\0') {
            return Err(OutsideWorkspace);
        }
        let parts = path.split('/').try_fold(Vec::new(), resolve_part)?;
        match parts.first() {
            None => Ok(Self(Place::Root)),
            Some(first) if *first == "~" || names_a_drive(first) => Err(OutsideWorkspace),
            Some(_) => Ok(Self(Place::Below(parts.join("/")))),
        }
    }

    /// Returns the path of the workspace itself.
    ///
    /// ```
    /// use dispatch_core::workspace::WorkspacePath;
    ///
    /// assert_eq!(Ok(WorkspacePath::root()), WorkspacePath::resolve("."));
    /// ```
    pub fn root() -> Self {
        Self(Place::Root)
    }

    /// A key that stands in a workspace letter by letter, whatever it looks like.
    pub(super) fn exact(key: &str) -> Self {
        Self(Place::Below(key.to_owned()))
    }

    /// Returns the path's text: its parts with `/` between them, and nothing for the workspace itself.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Place::Root => "",
            Place::Below(path) => path,
        }
    }

    /// Returns whether this is the workspace itself.
    pub fn is_root(&self) -> bool {
        self.0 == Place::Root
    }

    /// Returns whether this path begins with that of a directory. Everything lies below the workspace itself, but it.
    pub(super) fn lies_below(&self, directory: &Self) -> bool {
        let rest = self.as_str().strip_prefix(directory.as_str());
        if directory.is_root() { !self.is_root() } else { rest.is_some_and(|rest| rest.starts_with('/')) }
    }

    /// Returns the last part of the path: nothing for the workspace itself.
    ///
    /// ```
    /// use dispatch_core::workspace::{OutsideWorkspace, WorkspacePath};
    ///
    /// assert_eq!(WorkspacePath::resolve("src/lib.rs")?.name(), "lib.rs");
    /// # Ok::<(), OutsideWorkspace>(())
    /// ```
    pub fn name(&self) -> &str {
        let path = self.as_str();
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    /// The place of a name in this directory.
    pub(super) fn child(&self, name: &str) -> Self {
        match &self.0 {
            Place::Root => Self::exact(name),
            Place::Below(directory) => Self::exact(&[directory, "/", name].concat()),
        }
    }

    /// What lists this file, or a directory that it lies in, in a directory above.
    pub(super) fn entry_of(&self, directory: &Self) -> Option<Listed> {
        let rest = self.as_str().strip_prefix(directory.as_str()).filter(|_| self.lies_below(directory))?;
        let rest = if directory.is_root() { rest } else { rest.strip_prefix('/')? };
        Some(match rest.split_once('/') {
            Some((name, _)) => Listed { name: name.to_owned(), kind: ListedKind::Directory },
            None => Listed { name: rest.to_owned(), kind: ListedKind::File },
        })
    }

    /// Returns the texts of the directories that this path leads through, outermost first, the workspace itself left out.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = &str> {
        let path = self.as_str();
        path.match_indices('/').filter_map(|(end, _)| path.get(..end))
    }
}

impl From<WorkspacePath> for String {
    fn from(path: WorkspacePath) -> Self {
        match path.0 {
            Place::Root => Self::new(),
            Place::Below(path) => path,
        }
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn resolve_part<'p>(mut before: Vec<&'p str>, part: &'p str) -> Result<Vec<&'p str>, OutsideWorkspace> {
    match part {
        "" | "." => {}
        ".." => drop(before.pop().ok_or(OutsideWorkspace)?),
        part => before.push(part),
    }
    Ok(before)
}

fn names_a_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_by_their_letters() {
        for (path, expected) in [
            ("a", Some("a")),
            ("a/b/", Some("a/b")),
            ("a/./b/..", Some("a")),
            ("", Some("")),
            (".", Some("")),
            ("a\\b", Some("a\\b")),
            ("~user", Some("~user")),
            ("a/~", Some("a/~")),
            ("a/c:x", Some("a/c:x")),
            ("1:x", Some("1:x")),
            ("...", Some("...")),
            ("~", None),
            ("./~/a", None),
            ("a/../C:x", None),
            ("..", None),
            ("/", None),
            ("a\0", None),
        ] {
            let resolved = WorkspacePath::resolve(path).ok();
            assert_eq!(resolved.as_ref().map(WorkspacePath::as_str), expected, "{path:?}");
        }
    }
}
