//! The page of all cases, and the versions of the suite that are not frozen.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use conformance::case::Case;
use conformance::catalogue;
use conformance::manifest::Manifest;
use conformance::rules::Rules;
use conformance::suite::Suite;

use super::Files;
use crate::files;

/// The folder of the cases.
const CASES: &str = "conformance/cases";
/// The page that lists the cases by rule.
const CATALOGUE: &str = "conformance/CASES.md";
/// The folder of the suite's versions.
const SUITES: &str = "conformance/suites";

/// Adds the page and the versions. Of one that is frozen nothing is written: its cases must be what they were.
///
/// # Errors
///
/// A case can't be read, a rule has none, or a frozen version is no longer what it was.
pub(super) fn fill(root: &Path, protocol: &str, files: &mut Files) -> Result<()> {
    let rules = Rules::of_page(protocol);
    let suite = Suite::load(&root.join(CASES), &rules);
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    ensure!(problems.is_empty(), problems.join("\n"));
    files.insert(PathBuf::from(CATALOGUE), catalogue::page(&rules, &suite.cases)?);
    for file in versions(root)? {
        let text =
            version(&files::read(&root.join(&file))?, &suite.cases).with_context(|| file.display().to_string())?;
        files.insert(file, text);
    }
    Ok(())
}

/// Returns what the file of a version must hold.
fn version(text: &str, cases: &[Case]) -> Result<String> {
    let manifest: Manifest = text.parse()?;
    if !manifest.is_frozen() {
        return Ok(Manifest::of_cases(manifest.version(), cases)?.to_string());
    }
    let changes: Vec<String> = manifest.changes(cases)?.iter().map(ToString::to_string).collect();
    ensure!(changes.is_empty(), "the version is frozen, and\n{}", changes.join("\n"));
    Ok(text.to_owned())
}

/// Lists the files of the versions, sorted.
fn versions(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(SUITES)).context(SUITES)? {
        files.push(Path::new(SUITES).join(entry?.file_name()));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROZEN: &str = "suite 1.0 frozen\na::b::c 0123456789abcdef\n";

    #[test]
    fn a_version_that_is_open_gets_the_cases_there_are() {
        assert_eq!(version(&FROZEN.replace("frozen", "open"), &[]).unwrap(), "suite 1.0 open\n");
    }

    #[test]
    fn a_frozen_version_is_never_written_and_never_loses_a_case() {
        let error = version(FROZEN, &[]).unwrap_err();
        assert_eq!(error.to_string(), "the version is frozen, and\nthe case `a::b::c` is gone");
        assert_eq!(version("suite 1.0 frozen\n", &[]).unwrap(), "suite 1.0 frozen\n");
    }
}
