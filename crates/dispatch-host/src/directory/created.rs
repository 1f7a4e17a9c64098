//! Directories that a write needs.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

/// The directories that were created for what is being written. Dropped before that stands there, they are removed.
#[derive(Debug)]
pub(super) struct Created<'r> {
    root: &'r Dir,
    paths: Vec<PathBuf>,
}

impl<'r> Created<'r> {
    pub(super) fn new(root: &'r Dir) -> Self {
        Self { root, paths: Vec::new() }
    }

    /// Creates a directory with its parents.
    pub(super) fn create(&mut self, directory: &Path) -> io::Result<()> {
        let mut missing: Vec<&Path> = directory.ancestors().filter(|path| *path != Path::new("")).collect();
        while let Some(path) = missing.pop() {
            match self.root.create_dir(path) {
                Ok(()) => self.paths.push(path.to_owned()),
                // Whatever it is that stands there: who goes on through it will see.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Leaves them standing, and returns the directories in which they lie.
    pub(super) fn keep(mut self) -> Vec<PathBuf> {
        let created = std::mem::take(&mut self.paths);
        created.iter().map(|path| path.parent().unwrap_or(path).join(".")).collect()
    }
}

impl Drop for Created<'_> {
    fn drop(&mut self) {
        while let Some(path) = self.paths.pop() {
            // One in which somebody else has put something by now can't be removed, and is not to be.
            let _ = self.root.remove_dir(path);
        }
    }
}
