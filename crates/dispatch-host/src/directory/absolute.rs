//! Absolute paths that lie inside.

use std::io;
use std::path::{Path, absolute};

use dispatch_core::workspace::{OutsideWorkspace, WorkspacePath};

/// What the directory is called from the outside: as it was given, and without links. Texts to compare with, which open nothing.
#[derive(Debug)]
pub(super) struct Roots(Vec<String>);

impl Roots {
    pub(super) fn of(directory: &Path) -> io::Result<Self> {
        let paths = [absolute(directory)?, directory.canonicalize()?];
        // A path that is no text can't stand at the beginning of one that is.
        let texts = paths.iter().filter_map(|path| path.to_str());
        Ok(Self(texts.filter_map(below_the_top).collect()))
    }

    /// Resolves a path, an absolute one too where it lies inside.
    pub(super) fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        if !path.starts_with('/') {
            return WorkspacePath::resolve(path);
        }
        let path = below_the_top(path).ok_or(OutsideWorkspace)?;
        let inside = self.0.iter().find_map(|root| rest_behind(&path, root));
        WorkspacePath::resolve(inside.ok_or(OutsideWorkspace)?)
    }
}

/// An absolute path by its letters, without what it begins with.
fn below_the_top(path: &str) -> Option<String> {
    let path = WorkspacePath::resolve(path.trim_start_matches('/')).ok()?;
    Some(path.as_str().to_owned())
}

/// What follows a directory in a path, if that begins with it: part by part, so that `ws` is no beginning of `ws-secret`.
fn rest_behind<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(directory)?;
    if directory.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(root: &str, path: &str, expected: Option<&str>) {
        let resolved = Roots(vec!["elsewhere".to_owned(), below_the_top(root).unwrap()]).resolve(path).ok();
        assert_eq!(resolved.as_ref().map(WorkspacePath::as_str), expected, "{path:?} in {root:?}");
    }

    #[test]
    fn an_absolute_path_is_taken_where_it_lies_inside_part_by_part() {
        for (path, expected) in [
            ("/home/ws/a", Some("a")),
            ("//home/./ws//a/../b/", Some("b")),
            ("/home/ws", Some("")),
            ("/home/ws/../ws/a", Some("a")),
            ("/elsewhere/a", Some("a")),
            ("a", Some("a")),
            ("/home/ws-secret", None),
            ("/home/ws-secret/a", None),
            ("/home/w", None),
            ("/home", None),
            ("/", None),
            ("/home/ws/..", None),
            ("/home/ws/../ws-secret", None),
            ("/home/ws/a\0", None),
            ("/home/ws/a\0/../b", None),
            ("/home/ws/~", None),
            ("/..", None),
            ("home/../..", None),
        ] {
            check("/home/ws", path, expected);
        }
    }

    #[test]
    fn everything_lies_inside_the_top() {
        check("/", "/etc/passwd", Some("etc/passwd"));
        check("/", "/", Some(""));
    }
}
