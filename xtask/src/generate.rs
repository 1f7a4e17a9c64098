//! `cargo xtask gen`: the files that are made from code, so that each fact stands in one place.
//!
//! **A generated file holds no date, no path and no version of a tool**: the same sources give the same
//! bytes on every machine, or `--check` could not be trusted.

mod codes;
mod man;
mod suite;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::files;

/// The folder of the man pages. All that lies in it is generated.
const MAN: &str = "docs/man";
/// The document with the table of codes.
const PROTOCOL: &str = "docs/protocol.md";

/// Generated files: what each must hold, by its path from the root.
type Files = BTreeMap<PathBuf, String>;

/// What sets the disk apart from what the code says.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// The file is missing or holds something else.
    Write(PathBuf, String),
    /// Nothing generates this file any longer.
    Remove(PathBuf),
}

impl Change {
    fn apply(&self, root: &Path) -> Result<()> {
        match self {
            Self::Write(path, text) => files::write(&root.join(path), text),
            Self::Remove(path) => files::remove(&root.join(path)),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(path, _) => write!(f, "{} (to be written)", path.display()),
            Self::Remove(path) => write!(f, "{} (to be removed)", path.display()),
        }
    }
}

/// Writes every generated file that is stale, and says which.
///
/// # Errors
///
/// A file can't be read or written, or the protocol document lacks its marks.
pub(crate) fn write(root: &Path) -> Result<()> {
    for change in changes(root, &wanted(root)?)? {
        writeln!(stderr(), "gen: {change}")?;
        change.apply(root)?;
    }
    Ok(())
}

/// Checks that every generated file is as the code says, and writes nothing.
///
/// # Errors
///
/// Names each stale file, and the command that mends it.
pub(crate) fn check(root: &Path) -> Result<()> {
    let changes = changes(root, &wanted(root)?)?;
    if changes.is_empty() {
        return Ok(());
    }
    let list: Vec<_> = changes.iter().map(Change::to_string).collect();
    let list = list.join("\n  ");
    bail!("stale generated files; run `cargo xtask gen`:\n  {list}")
}

/// Returns every generated file as the code says it must be.
fn wanted(root: &Path) -> Result<Files> {
    let mut files = Files::new();
    for (name, text) in man::pages(dispatch_cli::command())? {
        files.insert(Path::new(MAN).join(name), text);
    }
    let protocol = files::read(&root.join(PROTOCOL))?;
    let protocol = codes::fill(&protocol).context(PROTOCOL)?;
    suite::fill(root, &protocol, &mut files)?;
    files.insert(PathBuf::from(PROTOCOL), protocol);
    Ok(files)
}

/// Compares the disk with what is wanted.
fn changes(root: &Path, wanted: &Files) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, text) in wanted {
        if files::read_if_there(&root.join(path))?.as_ref() != Some(text) {
            changes.push(Change::Write(path.clone(), text.clone()));
        }
    }
    for path in man_pages_on_disk(root)? {
        if !wanted.contains_key(&path) {
            changes.push(Change::Remove(path));
        }
    }
    Ok(changes)
}

/// Lists the folder of the man pages, sorted. A missing folder holds none.
fn man_pages_on_disk(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join(MAN);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).context(MAN)? {
        paths.push(Path::new(MAN).join(entry?.file_name()));
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(entries: &[(&str, &str)]) -> Files {
        let file = |(path, text): &(&str, &str)| (PathBuf::from(path), (*text).to_owned());
        entries.iter().map(file).collect()
    }

    #[test]
    fn missing_changed_and_orphaned_files_are_found_and_mended() {
        let root = tempfile::tempdir().unwrap();
        let wanted = wanted(&[("docs/man/a.1", "a"), ("docs/man/b.1", "b")]);
        files::write(&root.path().join("docs/man/a.1"), "a, changed").unwrap();
        files::write(&root.path().join("docs/man/gone.1"), "").unwrap();

        let found = changes(root.path(), &wanted).unwrap();
        let expected = [
            Change::Write("docs/man/a.1".into(), "a".into()),
            Change::Write("docs/man/b.1".into(), "b".into()),
            Change::Remove("docs/man/gone.1".into()),
        ];
        assert_eq!(found, expected);

        for change in found {
            change.apply(root.path()).unwrap();
        }
        assert_eq!(changes(root.path(), &wanted).unwrap(), []);
    }
}
